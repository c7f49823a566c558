/**
 * Short strings that come again and again: keys, kinds, ids that others require.
 * Enters: a place in ASCII bytes. Leaves: one string for equal bytes, and whether it is an id.
 * Never: more than a few hundred strings, or a slice that keeps the whole text alive.
 *
 * A string that the engine has seen is stored as a key ten times as fast as one just cut out, and
 * a pattern is asked once for each.
 */
import {
  componentSchema,
  ID_PATTERN,
  KIND_PATTERN,
  paramSchemas,
  responseSchema,
} from '../contract/index.js';

/** Ids, keys and kinds may be longer; those that are used are not. */
export const WORD_MAX = 32;

const SLOTS = 1024;

export interface Word {
  readonly text: string;
  readonly isId: boolean;
  readonly isKind: boolean;
}

const wordOf = (text: string): Word => ({
  text,
  isId: ID_PATTERN.test(text),
  isKind: KIND_PATTERN.test(text),
});

const words = new Array<Word>(SLOTS).fill(wordOf(''));
/** The bytes of each slot's word, one after the other: strings are slow to ask for a character. */
const spelled = new Uint8Array(SLOTS * WORD_MAX);
const lengths = new Uint8Array(SLOTS);

/** Any spread will do: what stands in a slot is compared before it is taken. */
function slotOf(bytes: Buffer, start: number, end: number): number {
  const length = end - start;
  const middle = bytes[start + (length >> 1)] ?? 0;
  const spread = length * 67 + (bytes[start] ?? 0) * 31 + middle * 17 + (bytes[end - 1] ?? 0) * 5;
  return spread & (SLOTS - 1);
}

/** The word in `bytes[start..end)`, which are ASCII; a long one is no different, only slower. */
export function wordAt(bytes: Buffer, start: number, end: number): Word {
  const length = end - start;
  if (length > WORD_MAX) return wordOf(bytes.toString('latin1', start, end));
  const slot = slotOf(bytes, start, end);
  const first = slot * WORD_MAX;
  let i = lengths[slot] === length ? 0 : WORD_MAX;
  while (i < length && spelled[first + i] === bytes[start + i]) i += 1;
  const known = words[slot];
  if (i === length && known !== undefined) return known;
  return learn(wordOf(bytes.toString('latin1', start, end)), slot);
}

function learn(word: Word, slot: number): Word {
  words[slot] = word;
  lengths[slot] = word.text.length;
  for (let i = 0; i < word.text.length; i += 1) {
    spelled[slot * WORD_MAX + i] = word.text.charCodeAt(i);
  }
  return word;
}

/** As the engine knows them. Those of every component last: where two share a slot, they stay. */
for (const key of [
  ...Object.values(paramSchemas).flatMap(({ shape }) => Object.keys(shape)),
  ...Object.keys(responseSchema.shape),
  ...Object.keys(componentSchema.shape),
]) {
  learn(wordOf(key), slotOf(Buffer.from(key), 0, key.length));
}
