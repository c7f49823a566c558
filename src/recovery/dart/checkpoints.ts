/**
 * The checkpoints of an instance, and which of them may be gone back to. Enters: trace, instance.
 * Leaves: candidates, newest first; for each whether it is admissible, with reasons.
 * Never: a state that cannot really be reached, or a way back over what cannot be undone.
 */
import type { Answer, Checkpoint, Failure, Instance, Step, Trace } from './types.js';

/** Before the first step in doubt: a checkpoint after it holds what is in doubt. */
export function checkpoints(
  _trace: Trace,
  instance: Instance,
  failure: Failure = {},
): readonly Checkpoint[] {
  const doubtAt = onsetAt(instance, failure);
  return instance.checkpoints.filter(({ at }) => at <= doubtAt).toReversed();
}

/** Where the first step in doubt began: the one that is named, or one that came to no good end. */
function onsetAt({ steps }: Instance, { onset, step }: Failure): number {
  const doubted = steps.filter(
    ({ id, state }) => id === (onset ?? step) || (state !== 'committed' && state !== 'waiting'),
  );
  return Math.min(...doubted.map(({ begunAt = Infinity }) => begunAt));
}

/** What going back to the checkpoint takes back, in the order in which it was begun. */
export function undone({ steps }: Instance, { at }: Checkpoint): readonly Step[] {
  return steps
    .filter(({ begunAt }) => begunAt !== undefined)
    .filter(({ begunAt = 0, endedAt = Infinity }) => begunAt > at || endedAt > at)
    .toSorted((a, b) => (a.begunAt ?? 0) - (b.begunAt ?? 0));
}

export interface Admissibility {
  readonly restorable: Answer;
  readonly noCommittedConflict: Answer;
  readonly effectAllowed: Answer;
}

export const ADMISSIBILITY_NAMES = ['restorable', 'noCommittedConflict', 'effectAllowed'] as const;
export type AdmissibilityName = (typeof ADMISSIBILITY_NAMES)[number];

export function admissible(
  trace: Trace,
  instance: Instance,
  checkpoint: Checkpoint,
): Admissibility {
  return {
    restorable: restorable(trace, checkpoint),
    noCommittedConflict: noCommittedConflict(trace, instance, checkpoint),
    effectAllowed: effectAllowed(instance, checkpoint),
  };
}

export const yes = (reason: string): Answer => ({ holds: true, reason });
export const no = (reason: string): Answer => ({ holds: false, reason });

/** A place in a frame of reference that is gone names another spot of the world now. */
function restorable(trace: Trace, { place, frame }: Checkpoint): Answer {
  if (place === undefined) return yes('it has no place');
  if (place === null) return no('nobody knew where the vehicle stood');
  return frame === trace.frame
    ? yes('the vehicle can be flown back there')
    : no('the frame of reference has moved since');
}

/** A consumer that is done with what would be taken back would keep what is no longer so. */
function noCommittedConflict(trace: Trace, instance: Instance, checkpoint: Checkpoint): Answer {
  const users = usersOf(trace, instance, checkpoint).filter(({ state }) => state === 'committed');
  return users.length === 0
    ? yes('no committed step outside used what would be taken back')
    : no(`${users.map(({ id }) => id).join(', ')} used what would be taken back, and is committed`);
}

/** What may have happened counts as happened. */
function effectAllowed(instance: Instance, checkpoint: Checkpoint): Answer {
  const lasting = undone(instance, checkpoint).filter(
    ({ effect, state }) => effect === 'irreversible' && state !== 'failed',
  );
  return lasting.length === 0
    ? yes('nothing that would be taken back is irreversible')
    : no(`${lasting.map(({ id }) => id).join(', ')} cannot be taken back`);
}

/** Steps outside that began on what going back to the checkpoint takes back. */
export function usersOf(trace: Trace, instance: Instance, checkpoint: Checkpoint): readonly Step[] {
  const back = new Set(undone(instance, checkpoint).map(({ id }) => id));
  const consumers = new Set(
    trace.consumptions.filter(({ producer }) => back.has(producer)).map((c) => c.consumer),
  );
  return trace.instances
    .filter(({ id }) => id !== instance.id)
    .flatMap(({ steps }) => steps)
    .filter(({ id }) => consumers.has(id));
}
