import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseResponse } from '../../src/intake/index.js';
import { readStrictJson } from '../../src/intake/strict-json.js';
import { canonicalJson, seededRandom } from '../../src/platform/index.js';
import { mutate } from './mutate.js';

const TOWER = readFileSync('examples/01-inspect-tower/response.json', 'utf8');
const SEED = 20_261;

function nativeJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

describe('Under 20,000 mutated texts', () => {
  it(`the reader never throws, and takes only what JSON.parse takes alike (seed ${SEED})`, () => {
    const random = seededRandom(SEED);
    const small = '{"a":[1,-2.5e3,"x\\n\u00e9"],"b":{"c":null,"d":true},"e":"\\ud83d\\ude00"}';
    let taken = 0;
    for (let run = 0; run < 20_000; run += 1) {
      const text = mutate(run % 4 === 0 ? TOWER : small, random);
      const read = readStrictJson(text);
      const native = nativeJson(text);
      if (read.ok) {
        taken += 1;
        expect(native, text).not.toBeUndefined();
        expect(canonicalJson(read.value), text).toBe(canonicalJson(native));
      } else {
        expect(read.error.length, text).toBeGreaterThan(0);
        // What the grammar refuses, the native reader refuses too: no plain text is lost.
        if (read.error.some(({ code }) => code === 'HALO-101')) {
          expect(native, text).toBeUndefined();
        }
      }
      parseResponse(text);
      if (run % 10 === 0) parseResponse(Buffer.from(text, 'latin1'));
    }
    // Enough of both, or the test looks at one side only.
    expect(taken).toBeGreaterThan(1000);
    expect(taken).toBeLessThan(19_000);
    // Three seconds of work, which a busy machine may take far longer to get done.
  }, 60_000);
});

describe('A text made to be slow', () => {
  const size = 256 * 1024;
  const full = (piece: string, open = '', close = ''): string =>
    open + piece.repeat(Math.floor((size - open.length - close.length) / piece.length)) + close;
  it.each([
    ['twins of one key', full('"a":1,', '{', '"a":1}')],
    ['different keys', `{${Array.from({ length: 20_000 }, (_, i) => `"k${i}":${i}`).join(',')}}`],
    [
      'keys of many digits',
      `{${Array.from({ length: 16_000 }, (_, i) => `"${i * 4093}":1`).join(',')}}`,
    ],
    ['one long number', full('1', '[', ']')],
    ['many -0', full('-0,', '[', '0]')],
    ['escapes', full('\\u0041', '["', '"]')],
    ['lone surrogates', full('\\ud800', '["', '"]')],
    ['open brackets', full('[')],
    ['many small objects', full('{},', '[', '{}]')],
    ['components without anything', full('{},', '{"components":[', '{}]}')],
    ['line breaks and troubles', full('NaN,\n', '[', '1]')],
    ['non-ASCII text', full('\u20ac', '["', '"]').slice(0, size / 3)],
  ])('is answered within a quarter of a second: %s', (_name, text) => {
    const startMs = performance.now();
    parseResponse(text);
    expect(performance.now() - startMs).toBeLessThan(250);
  });
});
