/**
 * What JSON lets pass and a flight must not: each probe by name, with what becomes of it. A probe
 * that is refused has code, path and remedy; one that is taken is taken in one way only.
 */
import { describe, expect, it } from 'vitest';
import { parseResponse } from '../../src/intake/index.js';
import { wireDigest } from '../../src/gate/index.js';
import { encodePayload } from '../../src/link/index.js';
import { setpoint } from '../gate/fixture.js';

const withPart = (part: string): string =>
  `{"protocol":"halo/1","id":"r-1","task":"t","components":[${part}]}`;
const leg = (params: string): string =>
  withPart(`{"id":"leg","kind":"flight.goto","params":${params}}`);
const at = (x: string): string => leg(`{"positionM":[${x},0,2]}`);
const named = (id: string): string => withPart(`{"id":${JSON.stringify(id)},"kind":"flight.arm"}`);

/** By the rows of the table of probes, in its order: text, code, path. */
const PROBES: Readonly<Record<string, readonly (readonly [string, string, string])[]>> = {
  'duplicate keys': [
    [leg('{"speedMS":1,"speedMS":2}'), 'HALO-104', 'components[0].params.speedMS'],
    [`{"task":"a","task":"a"}`, 'HALO-104', 'task'],
    [leg('{"speedMS":1,"speedM\\u0053":2}'), 'HALO-104', 'components[0].params.speedMS'],
  ],
  'own __proto__ or constructor': [
    [leg('{"__proto__":{}}'), 'HALO-105', 'components[0].params.__proto__'],
    [leg('{"constructor":{}}'), 'HALO-105', 'components[0].params.constructor'],
    [leg('{"prototype":{}}'), 'HALO-105', 'components[0].params.prototype'],
    [leg('{"\\u005f_proto__":{}}'), 'HALO-105', 'components[0].params.__proto__'],
  ],
  '1e400 and NaN': [
    [at('1e400'), 'HALO-106', 'components[0].params.positionM[0]'],
    [at('-1e400'), 'HALO-106', 'components[0].params.positionM[0]'],
    [at('NaN'), 'HALO-106', 'components[0].params.positionM[0]'],
    [at('Infinity'), 'HALO-106', 'components[0].params.positionM[0]'],
  ],
  'an integer beyond 2^53': [
    [at('9007199254740993'), 'HALO-106', 'components[0].params.positionM[0]'],
    [at('-9007199254740993'), 'HALO-106', 'components[0].params.positionM[0]'],
  ],
  'ids that look alike': [
    [named('l\u00e9g'), 'HALO-108', 'components[0].id'], // one character
    [named('le\u0301g'), 'HALO-108', 'components[0].id'], // the same, of two
    [named('l\u0435g'), 'HALO-108', 'components[0].id'], // Cyrillic е
    [named('\uff4ceg'), 'HALO-108', 'components[0].id'], // full width
    [named('leg\u2010one'), 'HALO-108', 'components[0].id'], // another hyphen
    [named('leg\u200b1'), 'HALO-108', 'components[0].id'], // no width at all
    [named('leg\u00a01'), 'HALO-108', 'components[0].id'], // a space that does not break
    [named('\u202egel'), 'HALO-107', 'components[0].id'], // written backwards
    [withPart('{"id":"a","kind":"fl\u0456ght.arm"}'), 'HALO-108', 'components[0].kind'],
    [withPart('{"id":"a","kind":"flight.arm","requires":["\u0430"]}'), 'HALO-108', ''],
  ],
  'toJSON, and undefined': [
    [withPart('{"id":"a","kind":"flight.arm","toJSON":1}'), 'HALO-108', 'components[0].toJSON'],
    [withPart('{"id":"a","kind":undefined}'), 'HALO-101', ''],
    ['undefined', 'HALO-101', '$'],
  ],
  'a lone surrogate, and a byte order mark': [
    [withPart('{"id":"\\ud83d"}'), 'HALO-107', 'components[0].id'],
    [withPart('{"id":"\\ude00"}'), 'HALO-107', 'components[0].id'],
    [`\ufeff${named('a')}`, 'HALO-107', '$'],
  ],
  'nesting of a million': [
    ['['.repeat(1_000_000) + ']'.repeat(1_000_000), 'HALO-102', '$'],
    ['['.repeat(100_000) + ']'.repeat(100_000), 'HALO-103', ''],
    [leg(`{"a":${'['.repeat(13)}${']'.repeat(13)}}`), 'HALO-103', ''],
  ],
  '50 MB in one string': [[`"${'a'.repeat(50_000_000)}"`, 'HALO-102', '$']],
};

const ROWS = Object.entries(PROBES).flatMap(([row, probes]) =>
  probes.map((probe, n) => [`${row} (${n + 1})`, ...probe] as const),
);

const digestOf = (text: string): string => {
  const parsed = parseResponse(text);
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.error));
  return parsed.value.digest;
};

describe('a probe', () => {
  it.each(ROWS)('is refused with code, path and remedy: %s', (_row, text, code, path) => {
    const parsed = parseResponse(text);
    if (parsed.ok) throw new Error(`taken: ${text.slice(0, 200)}`);
    const found = parsed.error.find((one) => one.code === code);
    expect(found, JSON.stringify(parsed.error).slice(0, 500)).toBeDefined();
    if (path === '') expect(found?.path).toBeTruthy();
    else expect(found?.path).toBe(path);
    expect(found?.remedy).not.toBe('');
    expect(found?.message).toMatch(/\.$/);
  });

  it('of -0 is taken as 0, before the digest and before the wire', () => {
    expect(digestOf(at('-0'))).toBe(digestOf(at('0')));
    expect(digestOf(at('-0.0e3'))).toBe(digestOf(at('0')));
    const parsed = parseResponse(at('-0'));
    const params = parsed.ok ? parsed.value.response.components[0]?.params : undefined;
    expect(Object.is((params?.['positionM'] as number[])[0], 0)).toBe(true);
  });

  it('of 0.1 and its float32 has two digests as text and one on the wire', () => {
    expect(digestOf(at('0.1'))).not.toBe(digestOf(at('0.10000000149')));
    const sent = [0.1, 0.10000000149].map((x) => {
      const encoded = encodePayload(setpoint(x));
      if (!encoded.ok) throw new Error(encoded.message);
      return wireDigest(encoded.id, encoded.payload);
    });
    expect(sent[0]).toBe(sent[1]);
  });
});
