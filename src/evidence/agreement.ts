/**
 * Sources that must agree: what one says supports only while another confirms it.
 * Enters: values of one moment, the pairs that the operator declares. Leaves: the same values, with
 * a conflict on both of a pair that disagrees. Never: a choice of the one that is right.
 */
import {
  evidenceAgeMs,
  type Agreement,
  type EvidenceDatum,
  type EvidenceValue,
} from '../contract/index.js';

/** Marks in place; `values` is the caller's own copy. */
export function markDisagreements(
  values: Map<string, EvidenceValue>,
  agreements: readonly Agreement[],
  nowUs: number,
): void {
  for (const agreement of agreements) {
    const value = values.get(agreement.field);
    if (value === undefined) continue;
    const witness = values.get(agreement.with);
    const conflict = trouble(value, witness, agreement, nowUs);
    if (conflict === undefined) continue;
    for (const one of [value, witness]) {
      if (one === undefined || one.conflict !== undefined) continue;
      values.set(one.field, Object.freeze({ ...one, conflict }));
    }
  }
}

/** A witness that is silent confirms nothing: fail closed. */
function trouble(
  value: EvidenceValue,
  witness: EvidenceValue | undefined,
  { with: name, tolerance, maxAgeMs }: Agreement,
  nowUs: number,
): string | undefined {
  if (witness === undefined) return `${name} confirms nothing: it is missing`;
  if (witness.conflict !== undefined) return `${name} confirms nothing: ${witness.conflict}`;
  const ageMs = evidenceAgeMs(witness, nowUs);
  // Written so that an age or a difference that is not a number is trouble.
  if (!(ageMs <= maxAgeMs)) return `${name} confirms nothing: it is ${ageMs.toFixed(0)} ms old`;
  const apart = apartOf(value.value, witness.value);
  if (apart <= tolerance) return undefined;
  const [a, b] = [value, witness].map(({ source, value: x }) => `${source} says ${String(x)}`);
  return `${a}, ${b}`;
}

/** Numbers by their difference, vectors by their distance, everything else equal or not. */
function apartOf(a: EvidenceDatum, b: EvidenceDatum): number {
  if (typeof a === 'number' && typeof b === 'number') return Math.abs(a - b);
  if (typeof a === 'object' && typeof b === 'object') {
    return a.length === b.length ? Math.hypot(...a.map((x, i) => x - (b[i] ?? NaN))) : Infinity;
  }
  return a === b ? 0 : Infinity;
}
