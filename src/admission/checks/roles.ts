/**
 * The states that the kind needs are brought about by its prerequisites and not taken away
 * again, or live evidence shows them now. Enters: a candidate, the course, the snapshot.
 * Leaves: HALO-207. Never: a state believed because the agent said so.
 */
import type { Predicate } from '../../contract/index.js';
import { finding } from '../../platform/index.js';
import { evaluatePredicate } from '../predicate.js';
import type { Role } from '../types.js';
import { NO_FINDINGS } from '../findings.js';
import type { Check, CheckContext } from './context.js';

/**
 * Ages: HEARTBEAT comes at 1 Hz and may lose two; EXTENDED_SYS_STATE comes at 5 Hz. A vehicle that
 * climbs away or is being landed is in the air: a hold or a return must be able to stop that. What
 * may not start from there, such as a leg, says so in its footprint.
 */
const SHOWN_BY: Readonly<Record<Role, Predicate>> = {
  armed: { field: 'vehicle.armed', maxAgeMs: 3000, is: true },
  airborne: { field: 'vehicle.landed', maxAgeMs: 2000, in: ['takeoff', 'in_air', 'landing'] },
};

export const checkRoles: Check = (context, { index, entry, place, component }) => {
  if (entry === undefined || context.course.isUnclear(index)) return NO_FINDINGS;
  const unmet = entry.needs.filter((role) => !isMet(context, index, role));
  if (unmet.length === 0) return NO_FINDINGS;
  return unmet.map((role) => {
    const providers = Object.entries(context.catalog.kinds)
      .filter(([, kind]) => kind.provides.includes(role))
      .map(([name]) => name);
    const why =
      context.course.roleBefore(index, role) === 'ended'
        ? 'a prerequisite has ended it by then'
        : 'no prerequisite brings it about, and no evidence shows it';
    const message = `${component.kind} needs ${role}: ${why}.`;
    return finding('roles', 'HALO-207', message, {
      limit: role,
      remedy: `Require a component that provides it: ${providers.join(', ') || 'none is known'}.`,
      path: `${place}.requires`,
    });
  });
};

function isMet({ course, snapshot, nowUs }: CheckContext, index: number, role: Role): boolean {
  const before = course.roleBefore(index, role);
  if (before !== undefined) return before === 'brought';
  return evaluatePredicate(SHOWN_BY[role], undefined, snapshot, nowUs) === undefined;
}
