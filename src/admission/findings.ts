/**
 * Lists of findings, for a path on which almost every list is empty.
 * Enters: lists. Leaves: lists. Never: a new list where one of those at hand will do.
 */
import type { Finding } from '../contract/index.js';

export const NO_FINDINGS: readonly Finding[] = Object.freeze([]);

/** Those of `a`, then those of `b`. */
export function joined(a: readonly Finding[], b: readonly Finding[]): readonly Finding[] {
  if (b.length === 0) return a.length === 0 ? NO_FINDINGS : a;
  return a.length === 0 ? b : [...a, ...b];
}
