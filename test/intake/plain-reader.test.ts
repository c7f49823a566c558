import { describe, expect, it } from 'vitest';
import { responseSchema, type Response } from '../../src/contract/index.js';
import { PlainReader, type PlainResponse } from '../../src/intake/plain-reader.js';
import { readStrictJson } from '../../src/intake/strict-json.js';
import { canonicalJson, seededRandom } from '../../src/platform/index.js';
import { mutate } from './mutate.js';

const SEED = 20_262;

const plainly = (text: string): PlainResponse | undefined =>
  // eslint-disable-next-line no-control-regex -- ASCII is what is asked for
  /^[\x00-\x7f]*$/.test(text) ? new PlainReader(Buffer.from(text)).read() : undefined;

/** The strict reader, then the published schema: the judge of what the plain reader takes. */
function strictly(text: string): Response | undefined {
  const read = readStrictJson(text);
  if (!read.ok) return undefined;
  const checked = responseSchema.safeParse(read.value);
  return checked.success ? checked.data : undefined;
}

type Random = () => number;
const pick = <T>(random: Random, items: readonly T[]): T =>
  items[Math.floor(random() * items.length)] as T; // items is never empty here

/** Numbers as people, Python and JavaScript write them, right and wrong ones. */
function numberText(random: Random): string {
  const digits = (n: number): string =>
    Array.from({ length: n }, () => pick(random, [...'0123456789'])).join('');
  const whole = String(Number(digits(1 + Math.floor(random() * 9))));
  return pick(random, [
    whole,
    `-${whole}`,
    `${whole}.${digits(1 + Math.floor(random() * 18))}`,
    `-${whole}.${digits(2)}`,
    `${whole}.0`,
    `0.${digits(20)}`,
    String(random() * 100),
    ...['0', '0.5', '-0', '-0.0', '0.0', '1e3', '007', '1.', '.5', '123456789012345678', '1e-400'],
  ]);
}

function valueText(random: Random, depth: number): string {
  const text = pick(random, [
    '',
    'front',
    'a longer text than twelve',
    'tab \\t',
    'ü',
    '\u202e',
    '"',
  ]);
  const chance = random();
  if (depth <= 2 && chance < 0.15) return objectText(random, depth + 1);
  if (depth <= 2 && chance < 0.3) {
    const items = Array.from({ length: Math.floor(random() * 3) }, () =>
      valueText(random, depth + 1),
    );
    return `[${items.join(', ')}]`;
  }
  return pick(random, [numberText(random), `"${text}"`, '"plain"', 'true', 'null']);
}

function objectText(random: Random, depth: number): string {
  const names = [
    'frame',
    'positionM',
    'yawDeg',
    'speedMS',
    'a',
    'Z',
    '10',
    'a longer name than 12',
  ];
  const odd = random() < 0.03 ? ['__proto__', 'a', 'a', 'n\\u0061me'] : [];
  const keys = [...names.filter(() => random() < 0.4), ...odd].sort(() => random() - 0.5);
  return `{${keys.map((key) => `"${key}":${valueText(random, depth)}`).join(',')}}`;
}

function componentText(random: Random, index: number): string {
  const id = (): string => pick(random, [`c${index}`, 'leg-of-more-than-12', 'up', 'a.b_c', '']);
  const ids = (): string =>
    `[${Array.from({ length: Math.floor(random() * 3) }, () => `"${id() || 'x'}"`).join(', ')}]`;
  const members = [
    `"id": "c${index}"`,
    `"kind":"${pick(random, ['flight.goto', 'report.range', 'report.range', 'Flight.goto'])}"`,
    ...(random() < 0.6 ? [`"params" : ${objectText(random, 1)}`] : []),
    ...(random() < 0.5 ? [`"requires": ${ids()}`] : []),
    ...(random() < 0.2 ? [`"fulfils": "${id() || 'y'}"`] : []),
    ...(random() < 0.1 ? [`"replaces": ${ids()}`] : []),
    ...(random() < 0.02 ? [pick(random, ['"sudo": true', '"id": "twice"', '"params": null'])] : []),
  ];
  return `{${members.sort(() => random() - 0.5).join(pick(random, [', ', ',\n  ', ','] as const))}}`;
}

function responseText(random: Random): string {
  const components = Array.from({ length: 1 + Math.floor(random() * 3) }, (_, i) =>
    componentText(random, i),
  );
  const members = [
    '"protocol": "halo/1"',
    '"id": "r-1"',
    '"task": "inspect-tower-7"',
    `"components": [${components.join(', ')}]`,
    ...(random() < 0.3 ? [`"basis": "${pick(random, ['s-1042', '', 'with space', '\\n'])}"`] : []),
    ...(random() < 0.2 ? ['"discharges": "o-1"'] : []),
    ...(random() < 0.02
      ? [pick(random, ['"task": "again"', '"sudo": 1', '"components": []'])]
      : []),
  ];
  return `${pick(random, ['', ' ', '\n'])}{${members.sort(() => random() - 0.5).join(', ')}}`;
}

/** Says which: taken by both alike, left to the strict reader, or (never) a difference. */
function compare(text: string): 'taken' | 'left' | 'refused' {
  const plain = plainly(text);
  const strict = strictly(text);
  if (plain === undefined) return strict === undefined ? 'refused' : 'left';
  expect(strict, text).not.toBeUndefined();
  expect(plain.response, text).toEqual(strict);
  const texts = plain.componentBytes.map((bytes) => Buffer.from(bytes).toString());
  expect(texts, text).toEqual(strict?.components.map(canonicalJson));
  expect(Buffer.from(plain.bytes).toString(), text).toBe(canonicalJson(strict));
  return 'taken';
}

describe('The plain reader', () => {
  it(`takes only what strict reader and schema take, and reads it alike (seed ${SEED})`, () => {
    const random = seededRandom(SEED);
    const counts = { taken: 0, left: 0, refused: 0 };
    for (let run = 0; run < 2500; run += 1) {
      const text = responseText(random);
      counts[compare(text)] += 1;
      counts[compare(mutate(text, random))] += 1;
    }
    // Enough of each, or the test looks at one side only.
    expect(Math.min(counts.taken, counts.left, counts.refused)).toBeGreaterThan(200);
  });

  it.each([
    ['one line', JSON.stringify],
    ['two spaces', (value: unknown) => JSON.stringify(value, null, 2)],
    ['tabs', (value: unknown) => JSON.stringify(value, null, '\t')],
    ['line breaks of Windows', (v: unknown) => JSON.stringify(v, null, 1).replaceAll('\n', '\r\n')],
    ['floats of Python', (value: unknown) => JSON.stringify(value).replaceAll('6,', '6.0, ')],
  ])('takes what agents usually write: %s', (_name, write) => {
    const params = { frame: 'local_enu', positionM: [-5.25, 6, 0.1], yawDeg: 90, speedMS: 2.5 };
    const leg = { id: 'a-leg-of-the-tower', kind: 'flight.goto', params, requires: ['up'] };
    const up = { id: 'up', kind: 'flight.takeoff', params: { altitudeM: 6 }, fulfils: 'airborne' };
    const response = {
      protocol: 'halo/1',
      id: 'r',
      task: 't',
      basis: 's-1',
      components: [up, leg],
    };
    expect(compare(write(response))).toBe('taken');
  });

  it('leaves limits to the judge: counts, lengths and depth', () => {
    const component = (more: object): object => ({ id: 'a', kind: 'a.b', ...more });
    const of = (...components: object[]): string =>
      JSON.stringify({ protocol: 'halo/1', id: 'r', task: 't', components });
    const many = (n: number): object[] =>
      Array.from({ length: n }, (_, i) => component({ id: `c${i}` }));
    const nested = (n: number): object =>
      component({ params: JSON.parse(`${'{"a":'.repeat(n)}1${'}'.repeat(n)}`) as object });
    const wide = { params: Object.fromEntries(Array.from({ length: 13 }, (_, i) => [`k${i}`, i])) };
    expect(compare(of(...many(1000)))).toBe('taken');
    expect(compare(of(...many(1001)))).toBe('refused');
    expect(compare(of(component({ requires: Array(64).fill('x') })))).toBe('taken');
    expect(compare(of(component({ requires: Array(65).fill('x') })))).toBe('refused');
    expect(compare(of(component({ replaces: [] })))).toBe('refused');
    expect(compare(of(component({ id: 'a'.repeat(64) })))).toBe('taken');
    expect(compare(of(component({ id: 'a'.repeat(65) })))).toBe('refused');
    expect(compare(of(nested(8)))).toBe('taken');
    expect(compare(of(nested(13)))).toBe('left');
    expect(compare(of(nested(14)))).toBe('refused');
    expect(compare(of(component(wide)))).toBe('left');
    expect(compare(of())).toBe('refused');
  });
});
