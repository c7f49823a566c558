import { readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { parseResponse, RESPONSE_BYTES_MAX } from '../../src/intake/index.js';
import { digestOf } from '../../src/platform/index.js';

const TOWER = readFileSync('examples/01-inspect-tower/response.json', 'utf8');

const envelope = (components: unknown, more: object = {}): string =>
  JSON.stringify({ protocol: 'halo/1', id: 'r-1', task: 't', components, ...more });

const troubles = (input: string | Uint8Array): readonly string[] => {
  const parsed = parseResponse(input);
  return parsed.ok ? [] : parsed.error.map(({ code, path }) => `${code} ${path}`);
};

describe('A response', () => {
  it('is read from text and from bytes alike, with digests of its canonical form', () => {
    const parsed = parseResponse(TOWER);
    if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
    const { response, digest, componentDigests } = parsed.value;
    expect(digest).toBe(digestOf(response));
    expect([...componentDigests.keys()]).toEqual(response.components.map(({ id }) => id));
    for (const component of response.components) {
      expect(componentDigests.get(component.id)).toBe(digestOf(component));
    }
    expect(parseResponse(new TextEncoder().encode(TOWER))).toEqual(parsed);
  });

  it('has the same digest however its text is spaced, ordered, escaped or signed', () => {
    const plain =
      '{"protocol":"halo/1","id":"r","task":"t","components":' +
      '[{"id":"a","kind":"a.b","params":{"x":0,"y":10}}]}';
    const other =
      ' { "components" : [ { "kind":"a.b", "params":{"y":1e1,"x":-0.0}, "id":"\\u0061" } ],' +
      '\n"task":"t","id":"r", "protocol":"halo/1" } ';
    const [a, b] = [parseResponse(plain), parseResponse(other)];
    expect(a.ok && b.ok && a.value.digest === b.value.digest).toBe(true);
  });

  it('names each place where it does not fit its schema', () => {
    const bad = [
      { id: 'a', kind: 'flight.arm', colour: 'red', 'odd key': 1 },
      { kind: 'Flight.Arm' },
      { id: 'c', kind: 'x.y', requires: 'a', params: [], replaces: [] },
    ];
    expect(troubles(envelope(bad, { protocol: 'halo/2', sudo: true }))).toEqual([
      'HALO-108 protocol',
      'HALO-108 components[0].colour',
      'HALO-108 components[0]["odd key"]',
      'HALO-108 components[1].id',
      'HALO-108 components[1].kind',
      'HALO-108 components[2].params',
      'HALO-108 components[2].requires',
      'HALO-108 components[2].replaces',
      'HALO-108 sudo',
    ]);
    expect(troubles('[]')).toEqual(['HALO-108 $']);
    expect(troubles(envelope([]))).toEqual(['HALO-108 components']);
    expect(troubles(envelope(Array(500).fill({})))).toHaveLength(32);
  });

  it.each([
    ['Cyrillic', 'l\u0435g1'],
    ['full width', 'leg\uff11'],
    ['composed', 'l\u00e9g'],
    ['decomposed', 'le\u0301g'],
    ['with a joiner', 'leg\u200d1'],
    ['with a space', 'leg 1'],
    ['opened by a dot', '.leg'],
    ['empty', ''],
    ['of 65 characters', 'a'.repeat(65)],
  ])('refuses an id that could be read as another one: %s', (_name, id) => {
    const text = envelope([
      { id: 'leg1', kind: 'flight.hold' },
      { id, kind: 'flight.hold', requires: [id] },
    ]);
    expect(troubles(text)).toEqual([
      'HALO-108 components[1].id',
      'HALO-108 components[1].requires[0]',
    ]);
  });

  it('refuses two components of one id, and names both places', () => {
    const twin = { id: 'a', kind: 'flight.arm' };
    const parsed = parseResponse(envelope([twin, { id: 'b', kind: 'flight.arm' }, twin]));
    const message = 'Component id a stands at components[0] already.';
    expect(parsed.ok ? [] : parsed.error).toMatchObject([
      { code: 'HALO-109', path: 'components[2].id', message },
    ]);
  });

  it('is refused above 256 KiB by its bytes, before it is read', () => {
    const fill = (bytes: number): string => `${envelope([])}${' '.repeat(bytes)}`.slice(0, bytes);
    expect(troubles(fill(RESPONSE_BYTES_MAX))).toEqual(['HALO-108 components']);
    expect(troubles(fill(RESPONSE_BYTES_MAX + 1))).toEqual(['HALO-102 $']);
    // 128 Ki characters of three bytes each are above the cap although their count is not.
    expect(troubles('\u20ac'.repeat(RESPONSE_BYTES_MAX / 2))).toEqual(['HALO-102 $']);
    expect(troubles(new Uint8Array(RESPONSE_BYTES_MAX + 1))).toEqual(['HALO-102 $']);
  });

  it.each<[string, number[], number]>([
    ['a lone continuation', [0x22, 0x80, 0x22], 1],
    ['an overlong slash', [0x22, 0xc0, 0xaf, 0x22], 1],
    ['an overlong of three', [0x22, 0xe0, 0x80, 0xaf, 0x22], 1],
    ['a surrogate', [0x22, 0x41, 0xed, 0xa0, 0x80, 0x22], 2],
    ['beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80], 0],
    ['a byte that never occurs', [0x7b, 0xff], 1],
    ['a cut sequence', [0x22, 0xe2, 0x82], 1],
  ])('is refused when its bytes are not UTF-8: %s', (_name, bytes, offset) => {
    const parsed = parseResponse(Uint8Array.from(bytes));
    expect(parsed.ok ? [] : parsed.error).toMatchObject([
      { code: 'HALO-107', message: `Byte ${offset} does not belong to valid UTF-8.` },
    ]);
  });

  it('is refused when a byte order mark opens it, as text and as bytes', () => {
    expect(troubles(`\ufeff${TOWER}`)).toEqual(['HALO-107 $']);
    expect(troubles(new TextEncoder().encode(`\ufeff${TOWER}`))).toEqual(['HALO-107 $']);
    const utf16 = Buffer.from(`\ufeff${TOWER}`, 'utf16le');
    expect(troubles(utf16)).toEqual(['HALO-107 $']);
  });

  it('keeps nothing of a large text alive through a small id', () => {
    // Ids outlive responses; a slice of the text would hold all 200 KB of it.
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void; // what the flag has just put there
    const ids: unknown[] = [];
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 50; i += 1) {
      const id = `an-id-long-enough-to-be-a-slice-${i}`;
      const fill = 'x'.repeat(200_000);
      const parsed = parseResponse(envelope([{ id, kind: 'a.b', params: { fill, i } }]));
      ids.push(parsed.ok && parsed.value.response.components[0]?.id);
    }
    collect();
    // 10 MB went through.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(2_000_000);
    expect(new Set(ids).size).toBe(50);
  });
});
