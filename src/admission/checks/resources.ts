/**
 * No two components want one resource without an order between them.
 * Enters: a candidate and the course. Leaves: HALO-214 for the later one.
 * Never: an order that the agent did not give. The later one is the later in document order
 * (prerequisites first): the one answer here that depends on where components stand.
 */
import { finding } from '../../platform/index.js';
import { NO_FINDINGS } from '../findings.js';
import type { Check } from './context.js';

export const checkResources: Check = ({ course, candidates }, { index, place }) => {
  const clashes = course.clashes.get(index);
  if (clashes === undefined) return NO_FINDINGS;
  return clashes.map(({ resource, holder }) => {
    const other = candidates[holder]?.component.id ?? '';
    const message = `Wants ${resource}, as ${other} does, and neither requires the other.`;
    return finding('resources', 'HALO-214', message, {
      observed: other,
      remedy: `Order them with requires, for example on ${other}.`,
      path: `${place}.requires`,
    });
  });
};
