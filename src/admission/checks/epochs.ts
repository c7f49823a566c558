/**
 * Nothing discontinuous happened since the basis: support drift, seen even when today's values
 * look fine. Enters: a candidate, the basis. Leaves: HALO-212. Never: a comparison of values.
 */
import { NO_FINDINGS } from '../findings.js';
import { epochFindings } from '../support.js';
import type { Check } from './context.js';

export const checkEpochs: Check = ({ basis, snapshot }, { entry }) =>
  entry === undefined || typeof basis !== 'object'
    ? NO_FINDINGS
    : epochFindings(entry, snapshot.epochs, basis.epochs);
