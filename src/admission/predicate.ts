/**
 * One evidence predicate against one snapshot: freshness on both sides, then the value.
 * Enters: a predicate of the catalog, params, a snapshot, the time. Leaves: a finding, or none.
 * Never: support from evidence that is missing, old, from the future, conflicting or not finite.
 */
import {
  evidenceAgeMs,
  FUTURE_TOLERANCE_MS,
  limitText,
  meets,
  type Code,
  type EvidenceDatum,
  type EvidenceValue,
  type Finding,
  type Predicate,
  type Snapshot,
} from '../contract/index.js';
import { finding } from '../platform/index.js';

type Params = Readonly<Record<string, unknown>> | undefined;

/** The params that a field depends on: with other values it is another field. */
export const paramsIn = (template: string): readonly string[] =>
  template.includes('{') ? [...template.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name) : [];

/** What stands for `{name}`; a param that is not text stays as it is, and names no evidence. */
export function filledBy(name: string, params: Params): string {
  const value = params !== undefined && Object.hasOwn(params, name) ? params[name] : undefined;
  return typeof value === 'string' ? value : `{${name}}`;
}

/** Replaces each `{param}`. */
export function fieldOf(template: string, params: Params): string {
  const open = template.indexOf('{');
  if (open === -1) return template;
  const close = template.indexOf('}', open);
  if (close === -1) return template;
  const filled = filledBy(template.slice(open + 1, close), params);
  return template.slice(0, open) + filled + fieldOf(template.slice(close + 1), params);
}

/** HALO-208 missing, 218 conflict, 210 from the future, 209 too old, 211 value. */
export function evaluatePredicate(
  predicate: Predicate,
  params: Params,
  snapshot: Snapshot,
  nowUs: number,
): Finding | undefined {
  const field = fieldOf(predicate.field, params);
  const evidence = snapshot.values.get(field);
  if (evidence === undefined) {
    const message = `No evidence of ${field}${because(snapshot, field)}.`;
    return finding('evidence', 'HALO-208', message, { field, limit: ageLimit(predicate) });
  }
  const ageMs = evidenceAgeMs(evidence, nowUs);
  if (evidence.conflict !== undefined) {
    const message = `Sources of ${field} disagree: ${evidence.conflict}`;
    return refusal('HALO-218', message, evidence, ageMs, 'one source, or agreement');
  }
  const aheadMs = (Math.max(evidence.receivedUs, evidence.stampUs ?? 0) - nowUs) / 1000;
  if (aheadMs > FUTURE_TOLERANCE_MS) {
    const message = `${field} is stamped ${aheadMs.toFixed(0)} ms ahead of our clock.`;
    const limit = `at most ${FUTURE_TOLERANCE_MS} ms ahead`;
    return refusal('HALO-210', message, evidence, ageMs, limit);
  }
  // Written so that an age that is not a number refuses.
  if (!(ageMs <= predicate.maxAgeMs)) {
    const limit = ageLimit(predicate);
    const why = because(snapshot, field);
    const message = `${field} is ${ageMs.toFixed(0)} ms old, needed is ${limit}${why}.`;
    return refusal('HALO-209', message, evidence, ageMs, limit);
  }
  if (meets(predicate, evidence.value)) return undefined;
  const limit = limitText(predicate);
  const message = `${field} is ${datumText(evidence.value)}, needed is ${limit}.`;
  return refusal('HALO-211', message, evidence, ageMs, limit);
}

function because({ silences }: Snapshot, field: string): string {
  const reason = silences?.get(field);
  return reason === undefined ? '' : ` (${reason})`;
}

function refusal(
  code: Code,
  message: string,
  evidence: EvidenceValue,
  ageMs: number,
  limit: string,
): Finding {
  const { field, source, value } = evidence;
  return finding('evidence', code, message, {
    field,
    observed: datumText(value),
    limit,
    source,
    // A time that is not a number is no age; the message says what is wrong.
    ...(Number.isFinite(ageMs) ? { ageMs } : {}),
  });
}

const ageLimit = (predicate: Predicate): string => `at most ${predicate.maxAgeMs} ms old`;

/** Three decimals: millimetres, and a thousandth of the battery. */
function datumText(value: EvidenceDatum): string {
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'object') return `[${value.map(numberText).join(', ')}]`;
  return String(value);
}

export const numberText = (value: number): string => String(Number(value.toFixed(3)));
