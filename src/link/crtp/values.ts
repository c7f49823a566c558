/**
 * Numbers of the log and parameter tables. Enters: a type of the table, bytes or a number. Leaves:
 * the other. Never: a number that the type cannot hold.
 */

export type ValueType =
  'u8' | 'u16' | 'u32' | 'u64' | 'i8' | 'i16' | 'i32' | 'i64' | 'fp16' | 'float' | 'double';

export const SIZE: Readonly<Record<ValueType, number>> = {
  u8: 1,
  u16: 2,
  u32: 4,
  u64: 8,
  i8: 1,
  i16: 2,
  i32: 4,
  i64: 8,
  fp16: 2,
  float: 4,
  double: 8,
};

/** Low nibble of a log variable's type byte. */
export const LOG_TYPES: Readonly<Partial<Record<number, ValueType>>> = {
  1: 'u8',
  2: 'u16',
  3: 'u32',
  4: 'i8',
  5: 'i16',
  6: 'i32',
  7: 'float',
  8: 'fp16',
};

/** Low nibble of a parameter's type byte. */
export const PARAM_TYPES: Readonly<Partial<Record<number, ValueType>>> = {
  0: 'i8',
  1: 'i16',
  2: 'i32',
  3: 'i64',
  6: 'float',
  7: 'double',
  8: 'u8',
  9: 'u16',
  10: 'u32',
  11: 'u64',
};

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Reads at `offset`; undefined when the bytes end first. 64 bits lose precision. */
export function readValue(type: ValueType, bytes: Uint8Array, offset = 0): number | undefined {
  if (offset + SIZE[type] > bytes.length) return undefined;
  const view = viewOf(bytes);
  switch (type) {
    case 'u8':
      return view.getUint8(offset);
    case 'u16':
      return view.getUint16(offset, true);
    case 'u32':
      return view.getUint32(offset, true);
    case 'u64':
      return Number(view.getBigUint64(offset, true));
    case 'i8':
      return view.getInt8(offset);
    case 'i16':
      return view.getInt16(offset, true);
    case 'i32':
      return view.getInt32(offset, true);
    case 'i64':
      return Number(view.getBigInt64(offset, true));
    case 'fp16':
      return halfToNumber(view.getUint16(offset, true));
    case 'float':
      return view.getFloat32(offset, true);
    case 'double':
      return view.getFloat64(offset, true);
  }
}

/** The bytes of a value; undefined when the type cannot hold it. FP16 is only ever read. */
export function writeValue(type: ValueType, value: number): Uint8Array | undefined {
  const bytes = new Uint8Array(SIZE[type]);
  const view = viewOf(bytes);
  if (!Number.isFinite(value) || type === 'fp16') return undefined;
  if (type === 'float') view.setFloat32(0, value, true);
  else if (type === 'double') view.setFloat64(0, value, true);
  else {
    if (!Number.isSafeInteger(value)) return undefined;
    let rest = BigInt.asUintN(8 * SIZE[type], BigInt(value));
    for (let i = 0; i < bytes.length; i++, rest >>= 8n) bytes[i] = Number(rest & 0xffn);
  }
  const back = readValue(type, bytes);
  const same = type === 'float' ? Math.fround(value) : value;
  return back === same && Number.isFinite(back) ? bytes : undefined;
}

function halfToNumber(half: number): number {
  const sign = (half & 0x8000) === 0 ? 1 : -1;
  const exponent = (half >> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 0x1f) return fraction === 0 ? sign * Infinity : NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}
