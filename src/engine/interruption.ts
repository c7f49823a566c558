/**
 * Who may end what is being flown: the kinds that the catalog says so of, and only once what was
 * commanded has been seen. Enters: runs, a response. Leaves: yes or no.
 * Never: an end of something whose mode is still to come: it would come after the end.
 */
import { isEffect, type Response } from '../contract/index.js';
import type { Parts } from './parts.js';
import type { Run } from './plan.js';

/** True when this run of a fresh response may end the one that flies. */
export const mayInterrupt = (run: Run, flying: Run): boolean =>
  run.responseId !== flying.responseId &&
  run.admitted?.entry.interrupts.includes(flying.kind) === true &&
  flying.machine?.expects.modes.length === 0;

/** True when every effect of the response may end what is being flown now. */
export function interruptsFlight({ components }: Response, { catalog, plan }: Parts): boolean {
  const flying = plan.runs.find(({ state }) => state === 'active');
  const effects = components
    .map(({ kind }) => (Object.hasOwn(catalog.kinds, kind) ? catalog.kinds[kind] : undefined))
    .filter((entry) => entry === undefined || isEffect(entry));
  return (
    flying !== undefined &&
    effects.length > 0 &&
    effects.every((entry) => entry?.interrupts.includes(flying.kind) === true)
  );
}
