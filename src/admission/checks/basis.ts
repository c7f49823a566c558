/**
 * The basis that the response names is known, and there is one where the kind insists.
 * Enters: a candidate, the basis. Leaves: HALO-213.
 * Never: a refusal of what depends on no epoch: a report needs no basis.
 */
import { finding } from '../../platform/index.js';
import { NO_FINDINGS } from '../findings.js';
import type { Check } from './context.js';

export const checkBasis: Check = ({ basis }, { component, entry }) => {
  if (entry === undefined) return NO_FINDINGS;
  const detail = { path: 'basis' };
  if (basis === 'unknown' && (entry.epochs.length > 0 || entry.basisRequired)) {
    const message = `The named basis is not kept, and ${component.kind} rests on what moved since.`;
    return [finding('basis', 'HALO-213', message, detail)];
  }
  if (basis === undefined && entry.basisRequired) {
    const message = `${component.kind} is taken only on a named basis.`;
    const remedy = 'Ask for the state, and name its snapshot as basis.';
    return [finding('basis', 'HALO-213', message, { ...detail, remedy })];
  }
  return NO_FINDINGS;
};
