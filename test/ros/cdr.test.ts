import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compileEncoder, type FieldDefinition, type MessageDefinition } from '../../src/ros/cdr.js';

const field = (name: string, type: string, more = {}): FieldDefinition => ({
  name,
  type: {
    type,
    pkgName: null,
    isPrimitiveType: true,
    isArray: false,
    isFixedSizeArray: null,
    arraySize: null,
    ...more,
  },
});

const nested = (name: string, more = {}): FieldDefinition =>
  field(name, 'Inner', { pkgName: 'p', isPrimitiveType: false, ...more });

const inner: MessageDefinition = { fields: [field('flag', 'bool'), field('big', 'uint64')] };
const encode = (...fields: FieldDefinition[]) => compileEncoder({ fields }, () => inner);
const hex = (bytes: Buffer): string => bytes.toString('hex');

it('numbers are aligned to their size, counted from behind the header', () => {
  const bytes = encode(field('a', 'uint8'), field('b', 'float64'), field('c', 'uint16'));
  expect(hex(bytes({ a: 7, b: 1, c: 258 }))).toBe(
    '00010000' + '07' + '00'.repeat(7) + '000000000000f03f' + '0201',
  );
});

it('texts carry their length with the closing zero, and are UTF-8', () => {
  expect(hex(encode(field('a', 'string'))({ a: 'ü' }))).toBe('00010000' + '03000000' + 'c3bc00');
  expect(hex(encode(field('a', 'string'))({}))).toBe('00010000' + '01000000' + '00');
});

it('sequences carry their length, fixed arrays do not, and elements align themselves', () => {
  const fixed = { isArray: true, isFixedSizeArray: true, arraySize: 2 };
  const bytes = encode(field('a', 'uint8', fixed), nested('list', { isArray: true }));
  const list = [
    { flag: true, big: 1n },
    { flag: false, big: 2n },
  ];
  expect(hex(bytes({ a: [1, 2], list }))).toBe(
    '00010000' +
      '01020000' +
      '02000000' +
      '01' +
      '00'.repeat(7) +
      '0100000000000000' +
      '00' +
      '00'.repeat(7) +
      '0200000000000000',
  );
});

it('a field that is left out is zero, a field of another type is a bug', () => {
  expect(hex(encode(nested('a'))({}))).toBe('00010000' + '00'.repeat(16));
  expect(() => encode(field('a', 'uint64'))({ a: 1 })).toThrow(/bigint/);
  const fixed = { isArray: true, isFixedSizeArray: true, arraySize: 3 };
  expect(() => encode(field('a', 'float64', fixed))({ a: [1, 2] })).toThrow(/3 elements/);
});

it('however long the texts, what lies behind them stays in place', () => {
  const bytes = encode(field('a', 'string'), field('b', 'uint32'));
  fc.assert(
    fc.property(fc.string({ maxLength: 20_000 }), (a) => {
      const out = bytes({ a, b: 0x01020304 });
      const size = Buffer.byteLength(a);
      expect(out.readUInt32LE(4)).toBe(size + 1);
      expect(out.toString('utf8', 8, 8 + size)).toBe(Buffer.from(a).toString());
      expect(out.readUInt32LE(out.length - 4)).toBe(0x01020304);
    }),
    { seed: 1, numRuns: 200 },
  );
});
