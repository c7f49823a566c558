/**
 * The obligation that a component means to fulfil is one of the contract.
 * Enters: a candidate, the contract. Leaves: HALO-217. Never: a claim that it is fulfilled.
 */
import { finding } from '../../platform/index.js';
import { NO_FINDINGS } from '../findings.js';
import type { Check } from './context.js';

export const checkHint: Check = ({ contract }, { component, place }) => {
  const { fulfils } = component;
  if (fulfils === undefined || contract.obligations.some(({ id }) => id === fulfils))
    return NO_FINDINGS;
  const message = `The contract of ${contract.task} has no obligation ${fulfils}.`;
  const limit = contract.obligations.map(({ id }) => id).join(', ');
  return [
    finding('hint', 'HALO-217', message, {
      observed: fulfils,
      limit,
      path: `${place}.fulfils`,
    }),
  ];
};
