/**
 * A candidate is of a later generation than the denial that it answers: nothing that was decided
 * before it comes back by it. Enters: the open obligation, the generation of this admission.
 * Leaves: HALO-314. Never: a revival of what was decided with the denial or before.
 */
import { finding } from '../../platform/index.js';
import { NO_FINDINGS } from '../findings.js';
import type { Check } from './context.js';

export const checkGeneration: Check = ({ openObligation, generation }, { place }) => {
  if (openObligation === undefined || generation > openObligation.generation) return NO_FINDINGS;
  const denied = openObligation.generation;
  const message = `Generation ${generation} cannot answer a denial of ${denied}.`;
  const limit = `above ${denied}`;
  return [
    finding('generation', 'HALO-314', message, {
      observed: String(generation),
      limit,
      path: place,
    }),
  ];
};
