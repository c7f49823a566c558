/**
 * What the footprint rests on is of now, by our own monotonic clock: neither too old nor stamped
 * ahead of it. Enters: a typed candidate, the snapshot. Leaves: HALO-209, 210.
 * Never: a judgement of the value; a stale one may be as good as it likes.
 */
import type { Finding } from '../../contract/index.js';
import { NO_FINDINGS } from '../findings.js';
import type { Check } from './context.js';

const ofAnotherTime = ({ code }: Finding): boolean => code === 'HALO-209' || code === 'HALO-210';

export const checkFreshness: Check = ({ footprints }, { index }) => {
  const findings = footprints[index] ?? NO_FINDINGS;
  return findings.length === 0 ? NO_FINDINGS : findings.filter(ofAnotherTime);
};
