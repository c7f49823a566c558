/**
 * Chance. Enters: the machine's entropy, or a seed. Leaves: bytes and numbers.
 * Never: a seeded number where a secret is needed.
 */
import { randomBytes } from 'node:crypto';

/** The machine takes as long for 16 bytes as for 4 KiB, and each frame needs a token. */
const POOL_BYTES = 4096;
let pool = '';
let used = 0;

/** Lower-case hex from the machine's entropy; each byte of it is given out once. */
export function randomHex(bytes: number): string {
  const digits = 2 * bytes;
  if (used + digits > pool.length) {
    pool = randomBytes(Math.max(POOL_BYTES, bytes)).toString('hex');
    used = 0;
  }
  used += digits;
  return pool.slice(used - digits, used);
}

/** Seeded, repeatable numbers in [0, 1): mulberry32, good for tests and simulation only. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
