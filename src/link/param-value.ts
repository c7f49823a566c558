/**
 * Parameter values. PX4 sends every parameter in one float field and puts the bits of an integer
 * there unchanged (capability PARAM_ENCODE_BYTEWISE). A JavaScript number cannot carry those bits
 * as a float: -1 is a NaN pattern, and NaNs lose their bits. So the codec converts by param_type.
 * Enters: a value and its type, or 32 bits and a type. Leaves: the other. Never: a float between.
 */

/** MAV_PARAM_TYPE: smallest and largest value of the integer types that fit the field. */
const INTEGER_RANGES: ReadonlyMap<number, readonly [number, number]> = new Map([
  [1, [0, 0xff]],
  [2, [-0x80, 0x7f]],
  [3, [0, 0xffff]],
  [4, [-0x8000, 0x7fff]],
  [5, [0, 0xffffffff]],
  [6, [-0x80000000, 0x7fffffff]],
]);
const REAL32 = 9;

const view = new DataView(new ArrayBuffer(4));

/** The 32 bits that carry `value`, or the reason why it cannot be carried. */
export function paramToWire(value: unknown, type: unknown): number | string {
  if (typeof value !== 'number') return 'is not a number';
  if (type === REAL32) {
    const rounded = Math.fround(value);
    if (!Number.isFinite(rounded)) return 'is not a finite float32';
    view.setFloat32(0, rounded + 0, true);
    return view.getUint32(0, true);
  }
  const range = typeof type === 'number' ? INTEGER_RANGES.get(type) : undefined;
  if (range === undefined) return 'has a param_type that does not fit 32 bits';
  if (!Number.isInteger(value)) return 'is not an integer, as its param_type says';
  if (value < range[0] || value > range[1]) return 'is out of the range of its param_type';
  // A narrow negative value fills only its own bytes; the rest of the field stays zero.
  return type === 2 ? value & 0xff : type === 4 ? value & 0xffff : value >>> 0;
}

/** The value of 32 bits; a type that cannot be in this field is read as a float. */
export function paramFromWire(bits: number, type: number): number {
  view.setUint32(0, bits, true);
  switch (type) {
    case 1:
      return view.getUint8(0);
    case 2:
      return view.getInt8(0);
    case 3:
      return view.getUint16(0, true);
    case 4:
      return view.getInt16(0, true);
    case 5:
      return view.getUint32(0, true);
    case 6:
      return view.getInt32(0, true);
    default:
      return view.getFloat32(0, true);
  }
}
