/**
 * A candidate stays within the scope of the obligation that the response discharges.
 * Enters: a candidate, the open obligation. Leaves: HALO-302, 304.
 * Never: a revival of what was not denied: out of scope there is no candidate.
 */
import type { Finding } from '../../contract/index.js';
import { finding } from '../../platform/index.js';
import { NO_FINDINGS } from '../findings.js';
import type { Check } from './context.js';

export const checkScope: Check = ({ openObligation }, { component, place }) => {
  const { kind, replaces } = component;
  if (openObligation === undefined) {
    if (replaces === undefined) return NO_FINDINGS;
    const message = 'replaces stands in a response that discharges no obligation.';
    return [finding('scope', 'HALO-304', message, { path: `${place}.replaces` })];
  }
  const { id, scope } = openObligation;
  const findings: Finding[] = [];
  if (!scope.kinds.includes(kind)) {
    const message = `${kind} may not stand in under obligation ${id}.`;
    const limit = scope.kinds.join(', ');
    findings.push(
      finding('scope', 'HALO-302', message, { observed: kind, limit, path: `${place}.kind` }),
    );
  }
  (replaces ?? []).forEach((replaced, k) => {
    if (scope.componentIds.includes(replaced)) return;
    const message = `${replaced} is not in the scope of obligation ${id}.`;
    findings.push(
      finding('scope', 'HALO-302', message, {
        observed: replaced,
        limit: scope.componentIds.join(', '),
        path: `${place}.replaces[${k}]`,
      }),
    );
  });
  return findings;
};
