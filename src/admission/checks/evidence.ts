/**
 * The footprint holds at admission. Enters: a typed candidate, the snapshot.
 * Leaves: HALO-208, 211, 218, one for each predicate that fails. Never: only the first, or a
 * judgement of age: that is the check of freshness.
 */
import type { Finding } from '../../contract/index.js';
import { NO_FINDINGS } from '../findings.js';
import { footprintFindings } from '../support.js';
import type { Candidate, Check, CheckContext } from './context.js';

/** All findings of the footprint, of either check. */
export const footprintOf = (
  { snapshot, nowUs, footprintOfKind }: CheckContext,
  { typed }: Candidate,
): readonly Finding[] => {
  if (typed === undefined) return NO_FINDINGS;
  return footprintOfKind.get(typed.entry) ?? footprintFindings(typed, snapshot, nowUs, 'admit');
};

export const checkEvidence: Check = (context, candidate) => {
  const findings = footprintOf(context, candidate);
  if (findings.length === 0) return NO_FINDINGS;
  return findings.filter(({ code }) => code !== 'HALO-209' && code !== 'HALO-210');
};
