/**
 * What to do after a failure. Enters: a trace, the failure, a strategy. Leaves: a decision with
 * its reasons. Never: authority: whatever is to be done comes as a fresh response through
 * admission, and is admitted or not.
 *
 * `dart` is the one that the bridge uses. The others are what it is compared with:
 *
 *   retry-only    the failed step again, where everything stands
 *   coarse-state  the state machine's state by its name alone, and everything since again,
 *                 whoever did it
 *   entry-only    the entry of the failed instance, whoever has used what came of it
 */
import {
  ADMISSIBILITY_NAMES,
  admissible,
  checkpoints,
  undone,
  type AdmissibilityName,
} from './checkpoints.js';
import { certify } from './certify.js';
import { localize, nameOf } from './localize.js';
import {
  CERTIFICATES,
  type Decision,
  type Failure,
  type Instance,
  type RefusedCheckpoint,
  type Step,
  type Strategy,
  type Trace,
} from './types.js';

export const decide = (trace: Trace, failure: Failure, strategy: Strategy): Decision =>
  decideWithout(trace, failure, strategy, new Set());

/** `removed`: conditions that are not asked; empty but for tests, through ./testing. */
export function decideWithout(
  trace: Trace,
  failure: Failure,
  strategy: Strategy,
  removed: ReadonlySet<AdmissibilityName>,
): Decision {
  switch (strategy) {
    case 'retry-only':
      return retryOnly(trace, failure);
    case 'coarse-state':
      return coarseState(trace, failure);
    case 'entry-only':
      return entryOnly(trace, failure);
    case 'dart':
      return dart(trace, failure, removed);
  }
}

function dart(trace: Trace, failure: Failure, removed: ReadonlySet<AdmissibilityName>): Decision {
  const located = localize(trace, failure);
  if (!located.unique) {
    const names = located.among.map(nameOf).join(', ');
    const reason = names === '' ? 'nothing open fits the failure' : `it could be any of ${names}`;
    return fromTheStart(trace, { strategy: 'dart', refused: [], reasons: [reason] }, true);
  }
  const { instance } = located;
  const certificate = certify(trace, instance, failure);
  const common = { strategy: 'dart' as const, instance: named(instance), certificate };
  const unmet = CERTIFICATES.filter((name) => !certificate[name].holds).filter(
    (name) => !(name === 'controllable' && removed.has('effectAllowed')),
  );
  if (unmet.length > 0) {
    const reasons = unmet.map((name) => `not ${name}: ${certificate[name].reason}`);
    return fromTheStart(trace, { ...common, refused: [], reasons }, false);
  }
  const refused: RefusedCheckpoint[] = [];
  for (const checkpoint of checkpoints(trace, instance, failure)) {
    const answers = admissible(trace, instance, checkpoint);
    const reasons = ADMISSIBILITY_NAMES.filter(
      (name) => !removed.has(name) && !answers[name].holds,
    ).map((name) => answers[name].reason);
    if (reasons.length > 0) {
      refused.push({ checkpoint, reasons });
      continue;
    }
    const reexecute = undone(instance, checkpoint).map(({ id }) => id);
    const why = [`the newest admissible checkpoint of ${nameOf(instance)}`];
    return { ...common, kind: 'rollback', checkpoint, reexecute, refused, reasons: why };
  }
  const reasons = [`no checkpoint of ${nameOf(instance)} is admissible`];
  return fromTheStart(trace, { ...common, refused, reasons }, false);
}

type Common = Pick<Decision, 'strategy' | 'refused' | 'reasons'> &
  Partial<Pick<Decision, 'instance' | 'certificate'>>;

/** The whole task again, as long as that repeats nothing irreversible. */
function fromTheStart(trace: Trace, common: Common, abstained: boolean): Decision {
  const begun = begunSteps(trace.instances);
  const lasting = begun.filter(
    ({ effect, state }) => effect === 'irreversible' && state !== 'failed',
  );
  if (lasting.length === 0) {
    return { ...common, kind: 'whole-task', abstained, reexecute: begun.map(({ id }) => id) };
  }
  const [kept, unresolved] = [true, false].map((done) =>
    lasting.filter(({ state }) => (state === 'committed') === done).map(({ id }) => id),
  ) as [string[], string[]];
  const reason = `${[...kept, ...unresolved].join(', ')} must not happen twice`;
  const reasons = [...common.reasons, reason];
  return { ...common, kind: 'residual', abstained, kept, unresolved, reasons };
}

function retryOnly(trace: Trace, failure: Failure): Decision {
  const strategy = 'retry-only';
  const steps = begunSteps(trace.instances);
  const failed =
    steps.find(({ id }) => id === failure.step) ??
    steps.findLast(({ state }) => state !== 'committed') ??
    steps.at(-1);
  const reexecute = failed === undefined ? [] : [failed.id];
  return { strategy, kind: 'retry', reexecute, refused: [], reasons: ['the failed step again'] };
}

function coarseState(trace: Trace, failure: Failure): Decision {
  const strategy = 'coarse-state';
  const component = newestFit(trace, failure)?.component;
  const entered = trace.instances.findLast((instance) => instance.component === component);
  const checkpoint = entered?.checkpoints[0];
  if (entered === undefined || checkpoint === undefined) return retryOnly(trace, failure);
  const reexecute = begunSteps(trace.instances)
    .filter(
      ({ begunAt = 0, endedAt = Infinity }) => begunAt > checkpoint.at || endedAt > checkpoint.at,
    )
    .map(({ id }) => id);
  const reasons = [`back to where ${entered.component} was entered last`];
  const instance = named(entered);
  return { strategy, kind: 'rollback', instance, checkpoint, reexecute, refused: [], reasons };
}

function entryOnly(trace: Trace, failure: Failure): Decision {
  const strategy = 'entry-only';
  const failed = newestFit(trace, failure);
  const checkpoint = failed?.checkpoints[0];
  if (failed === undefined || checkpoint === undefined) return retryOnly(trace, failure);
  const reexecute = undone(failed, checkpoint).map(({ id }) => id);
  const reasons = [`back to the entry of ${nameOf(failed)}`];
  const instance = named(failed);
  return { strategy, kind: 'rollback', instance, checkpoint, reexecute, refused: [], reasons };
}

/** A baseline takes the newest that fits where DART abstains. */
function newestFit(trace: Trace, failure: Failure): Instance | undefined {
  const located = localize(trace, failure);
  return located.unique ? located.instance : (located.among.at(-1) ?? trace.instances.at(-1));
}

const begunSteps = (instances: readonly Instance[]): readonly Step[] =>
  instances
    .flatMap(({ steps }) => steps)
    .filter(({ begunAt }) => begunAt !== undefined)
    .toSorted((a, b) => (a.begunAt ?? 0) - (b.begunAt ?? 0));

const named = ({ id, component, entity, occurrence }: Instance) => ({
  id,
  component,
  entity,
  occurrence,
});
