import canonicalize from 'canonicalize';
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, digestOf, sha256Hex } from '../../src/platform/index.js';

describe('Canonical JSON', () => {
  it('is what an independent RFC 8785 writer writes, for 5,000 values (seed 8785)', () => {
    // JSON knows no lone surrogates to sort by, and the two writers would escape them alike.
    const value = fc.jsonValue({ stringUnit: 'binary', depthSize: 'medium' });
    fc.assert(
      fc.property(value, (any) => {
        expect(canonicalJson(any)).toBe(canonicalize(any));
      }),
      { seed: 8785, numRuns: 5000 },
    );
  });

  it('sorts members by UTF-16 units, writes -0 as 0, and leaves out what has no value', () => {
    const odd = { '\u{1f600}': 1, '\ufb33': 2, 10: 3, 9: 4, b: undefined, a: [-0, undefined] };
    expect(canonicalJson(odd)).toBe('{"10":3,"9":4,"a":[0,null],"\u{1f600}":1,"\ufb33":2}');
    expect(canonicalJson(odd)).toBe(canonicalize(odd));
  });

  it.each([NaN, Infinity, 1n, undefined, () => 1, { a: [NaN] }])('has no text for %s', (value) => {
    expect(() => canonicalJson(value)).toThrow();
  });

  it('has the SHA-256 of its UTF-8 bytes as digest', () => {
    const value = { b: 'Größe', a: [1.5, true] };
    const bytes = Buffer.from('{"a":[1.5,true],"b":"Größe"}');
    const expected = createHash('sha256').update(bytes).digest('hex');
    expect([digestOf(value), sha256Hex(bytes)]).toEqual([expected, expected]);
  });
});
