/**
 * Chance. Enters: the machine's entropy, or a seed. Leaves: bytes and numbers.
 * Never: a seeded number where a secret is needed.
 */
import { randomBytes } from 'node:crypto';

/** Lower-case hex from the machine's entropy. */
export const randomHex = (bytes: number): string => randomBytes(bytes).toString('hex');

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
