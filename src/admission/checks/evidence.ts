/**
 * The footprint holds at admission. Enters: a typed candidate, the snapshot.
 * Leaves: HALO-208, 211, 218, one for each predicate that fails. Never: only the first, or a
 * judgement of age: that is the check of freshness.
 */
import { NO_FINDINGS } from '../findings.js';
import type { Check } from './context.js';

export const checkEvidence: Check = ({ footprints }, { index }) => {
  const findings = footprints[index] ?? NO_FINDINGS;
  if (findings.length === 0) return NO_FINDINGS;
  return findings.filter(({ code }) => code !== 'HALO-209' && code !== 'HALO-210');
};
