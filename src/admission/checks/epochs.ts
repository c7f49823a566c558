/**
 * Nothing discontinuous happened since the basis: support drift, seen even when today's values
 * look fine. Enters: a candidate, the basis. Leaves: HALO-212. Never: a comparison of values.
 */
import { epochFindings } from '../support.js';
import type { Check } from './context.js';

export const checkEpochs: Check = ({ basis, snapshot }, { entry }) =>
  entry === undefined || typeof basis !== 'object'
    ? []
    : epochFindings(entry, snapshot.epochs, basis.epochs);
