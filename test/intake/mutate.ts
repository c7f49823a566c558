/**
 * Texts that are almost right. Enters: a text, a seeded source of chance. Leaves: the text with
 * a few cuts, insertions, repetitions or swaps. Never: chance of its own.
 */

const PIECES = [
  ...['{', '}', '[', ']', ',', ':', '"', '\\', '-', '0', '1', '.', 'e', ' ', '\n', '\u0000'],
  ...['"a":', '"a"', 'null', 'true', 'NaN', '-0', '1e999', '"__proto__":', '\\u0061', '\\ud800'],
  ...['\ud800', '\u202e', '\u00e9', '\u{1f600}', '9007199254740993', '"id":', '"requires":["up"]'],
];

/** One to three cuts, insertions, repetitions or swaps. */
export function mutate(text: string, random: () => number): string {
  const pick = (n: number): number => Math.floor(random() * n);
  let out = text;
  for (let edits = 1 + pick(3); edits > 0; edits -= 1) {
    const at = pick(out.length + 1);
    const length = pick(12);
    switch (pick(4)) {
      case 0:
        out = out.slice(0, at) + out.slice(at + length);
        break;
      case 1:
        out = out.slice(0, at) + (PIECES[pick(PIECES.length)] ?? '') + out.slice(at);
        break;
      case 2:
        out = out.slice(0, at) + out.slice(at, at + length) + out.slice(at);
        break;
      default:
        out = out.slice(0, at) + String.fromCharCode(pick(0x250)) + out.slice(at + 1);
    }
  }
  return out;
}
