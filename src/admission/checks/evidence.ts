/**
 * The footprint holds at admission. Enters: a typed candidate, the snapshot.
 * Leaves: HALO-208 to 211, 218, one for each predicate that fails. Never: only the first.
 */
import { NO_FINDINGS } from '../findings.js';
import { footprintFindings } from '../support.js';
import type { Check } from './context.js';

export const checkEvidence: Check = ({ snapshot, nowUs, footprintOfKind }, { typed }) => {
  if (typed === undefined) return NO_FINDINGS;
  return footprintOfKind.get(typed.entry) ?? footprintFindings(typed, snapshot, nowUs, 'admit');
};
