/**
 * Whether the boundary of the failed instance can be recovered over at all. Enters: a trace, the
 * instance, the failure. Leaves: four answers, each with its reason. Never: the choice of a way.
 *
 *   decidable     no other instance is at work: what happens is this one's doing
 *   closed        what it was handed is complete: all it used from outside is committed
 *   separable     doing it again stays inside: nobody outside is at work on what it would change
 *   controllable  the effect policy permits the way back, at least to the newest checkpoint
 *
 * Separable and controllable are asked of the newest checkpoint before the doubt: an older takes
 * back more, so that it can only be worse.
 */
import { admissible, checkpoints, no, usersOf, yes } from './checkpoints.js';
import { nameOf } from './localize.js';
import type { Answer, Certificate, Checkpoint, Failure, Instance, Step, Trace } from './types.js';

export function certify(trace: Trace, instance: Instance, failure: Failure = {}): Certificate {
  const [newest] = checkpoints(trace, instance, failure);
  return {
    decidable: decidable(trace, instance),
    closed: closed(trace, instance),
    separable: newest ? separable(trace, instance, newest) : no(NO_CHECKPOINT),
    controllable: newest ? admissible(trace, instance, newest).effectAllowed : no(NO_CHECKPOINT),
  };
}

const NO_CHECKPOINT = 'there is no checkpoint before the doubt';

const AT_WORK: ReadonlySet<Step['state']> = new Set(['under-way', 'unknown']);

function decidable(trace: Trace, instance: Instance): Answer {
  const busy = trace.instances.filter(
    ({ id, steps }) => id !== instance.id && steps.some(({ state }) => state === 'under-way'),
  );
  return busy.length === 0
    ? yes(`${nameOf(instance)} alone was at work`)
    : no(`${busy.map(nameOf).join(', ')} is at work too`);
}

function closed(trace: Trace, instance: Instance): Answer {
  const own = new Set(instance.steps.map(({ id }) => id));
  const used = new Set(
    trace.consumptions.filter(({ consumer }) => own.has(consumer)).map((c) => c.producer),
  );
  const open = trace.instances
    .flatMap(({ steps }) => steps)
    .filter(({ id, state }) => used.has(id) && !own.has(id) && state !== 'committed');
  return open.length === 0
    ? yes('all that it was handed is committed')
    : no(`it rests on ${open.map(({ id }) => id).join(', ')}, which is not committed`);
}

function separable(trace: Trace, instance: Instance, newest: Checkpoint): Answer {
  const users = usersOf(trace, instance, newest).filter(({ state }) => AT_WORK.has(state));
  return users.length === 0
    ? yes('doing it again stays inside the instance')
    : no(`${users.map(({ id }) => id).join(', ')} is at work on what would be done again`);
}
