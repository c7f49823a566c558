/**
 * Which instance failed. Enters: a trace, what is known of the failure. Leaves: one instance, or
 * those among which nobody can choose. Never: a guess.
 */
import type { Failure, Instance, InstanceName, Trace } from './types.js';

export type Located =
  | { readonly unique: true; readonly instance: Instance }
  | { readonly unique: false; readonly among: readonly Instance[] };

/**
 * What fails now is open; what is found out later (`onset`) may have exited. Nothing of the
 * failure is weighed: two that fit are ambiguous, and so is none.
 */
export function localize(trace: Trace, failure: Failure): Located {
  const fitting = trace.instances.filter(
    (instance) => (failure.onset !== undefined || isOpen(instance)) && fits(instance, failure),
  );
  const [instance] = fitting;
  if (instance === undefined || fitting.length > 1) return { unique: false, among: fitting };
  return { unique: true, instance };
}

export const isOpen = ({ state }: Instance): boolean => state !== 'exited';

function fits(instance: Instance, failure: Failure): boolean {
  const { step, onset } = failure;
  const has = (id: string): boolean => instance.steps.some((s) => s.id === id);
  return (
    (step === undefined || has(step)) &&
    (onset === undefined || has(onset)) &&
    (failure.component === undefined || failure.component === instance.component) &&
    (failure.entity === undefined || failure.entity === instance.entity) &&
    (failure.occurrence === undefined || failure.occurrence === instance.occurrence)
  );
}

export const nameOf = ({ component, entity, occurrence }: InstanceName): string =>
  `${component}${entity === '' ? '' : ` ${entity}`}${occurrence === 1 ? '' : ` #${occurrence}`}`;
