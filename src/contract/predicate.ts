/**
 * The test of one value that a predicate of the catalog and the contract's expected evidence share.
 * Enters: a test and a value. Leaves: whether it is met, and the limit in words.
 * Never: freshness (whoever has the time judges that), or a test that a number which is none meets.
 */
import type { EvidenceDatum } from './evidence.js';

/** All that are given must hold; with none, any finite value will do. */
export interface ValueTest {
  readonly is?: boolean | string | number | undefined;
  readonly in?: readonly (string | number)[] | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

export function meets({ is, in: among, min, max }: ValueTest, value: EvidenceDatum): boolean {
  if (!isFinite(value)) return false;
  if (is !== undefined && value !== is) return false;
  if (among !== undefined && !among.some((one) => one === value)) return false;
  if (min !== undefined && !(typeof value === 'number' && value >= min)) return false;
  if (max !== undefined && !(typeof value === 'number' && value <= max)) return false;
  return true;
}

export function limitText({ is, in: among, min, max }: ValueTest): string {
  const parts: string[] = [];
  if (is !== undefined) parts.push(String(is));
  if (among !== undefined) parts.push(among.join(' or '));
  if (min !== undefined) parts.push(`at least ${min}`);
  if (max !== undefined) parts.push(`at most ${max}`);
  return parts.length === 0 ? 'a finite value' : parts.join(', ');
}

function isFinite(value: EvidenceDatum): boolean {
  if (typeof value === 'number') return Number.isFinite(value);
  return typeof value !== 'object' || (value.length > 0 && value.every(Number.isFinite));
}
