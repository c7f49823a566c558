/**
 * Zeroed integer arrays for the work on one response. Enters: a length. Leaves: a typed array.
 * Never: memory that was used before.
 *
 * The engine gives every typed array of more than 64 bytes a buffer of its own, which costs more
 * than all that a usual response does with it; short ones are cut from a slab here.
 */

const SLAB_BYTES = 16 * 1024;

/** Longer arrays are few, and worth their own buffer. */
const CUT_MAX = 256;

let slab = new ArrayBuffer(SLAB_BYTES);
let used = 0;

export function ints(length: number): Int32Array {
  if (length > CUT_MAX) return new Int32Array(length);
  const bytes = 4 * length;
  if (used + bytes > SLAB_BYTES) {
    slab = new ArrayBuffer(SLAB_BYTES);
    used = 0;
  }
  const array = new Int32Array(slab, used, length);
  used += bytes;
  return array;
}
