/**
 * The contract's contingency: what happens to a vehicle in the air for which nobody has a plan.
 * Enters: time, obligations, budgets. Leaves: the guardian's action; again when it came to nothing.
 * Never: a contingency against a pilot (the guardian refuses that), or one for a vehicle at rest.
 *
 *   nothing due ──(obligation expired | no candidate left | no plan in the air |
 *        │         time or energy used up | a deadline missed)──►
 *        ▲                                                             running ──► settled
 *        ▲                       held back: as soon as it may                    │
 *        └───────────────────────────(not seen, or taken over)───────────────────┘
 */
import type { TaskStateView } from '../contract/index.js';
import type { Denials } from './denials.js';
import type { Executor } from './executor.js';
import type { Guard } from './guard.js';
import type { Moment, Parts } from './parts.js';
import { isTerminal } from './plan.js';

export class Contingency {
  readonly #parts: Parts;
  readonly #guard: Guard;
  readonly #denials: Denials;
  readonly #executor: Executor;
  #planlessSinceUs: number | undefined;
  #running = false;
  /** Nothing is waited for any more. */
  #due: string | undefined;
  /** Why it could not act when it was due, as it was told last. */
  #heldBack: string | undefined;

  constructor(parts: Parts, rooms: { guard: Guard; denials: Denials; executor: Executor }) {
    this.#parts = parts;
    this.#guard = rooms.guard;
    this.#denials = rooms.denials;
    this.#executor = rooms.executor;
  }

  /** From the action until the vehicle is at rest, or somebody else has it. */
  get running(): boolean {
    return this.#running;
  }

  /** From the next tick on, unless something is planned then or the vehicle is not in the air. */
  due(why: string): void {
    this.#due = why;
  }

  /** @param late obligations whose deadline passed in this tick. */
  step(moment: Moment, task: TaskStateView, late: readonly string[]): void {
    const { nowUs } = moment;
    const overdue = this.#parts.book.overdue(nowUs);
    for (const obligation of overdue) this.#denials.move(obligation.id, 'expired');
    const spent = spentOf(task);
    const why = spent ?? (late.length > 0 ? `too late for ${late.join(', ')}` : undefined);
    if (why !== undefined && !this.#comingDown()) this.#stopEffects(why, moment);
    if (late.length > 0) this.due(`too late for ${late.join(', ')}`);
    if (atRest(moment) && !this.#guard.busy) this.#end('the vehicle is at rest');
    const planned = this.#parts.plan.runs.some((run) => !isTerminal(run));
    if (planned || !inTheAir(moment)) {
      if (planned) this.#running = false;
      this.#planlessSinceUs = undefined;
      this.#heldBack = undefined;
      this.#due = undefined;
      return;
    }
    if (this.#running && !this.#guard.engaged) {
      // Not seen, or somebody else's: patience begins anew.
      this.#running = false;
      this.#planlessSinceUs = nowUs;
    }
    if (this.#running) return;
    this.#planlessSinceUs ??= nowUs;
    const patienceUs = this.#parts.contract.contingencyAfterS * 1_000_000;
    const waiting = this.#parts.book.stillOpen().length > 0;
    if (overdue.length > 0) this.#begin('no fresh candidate came in time', moment);
    else if (this.#due !== undefined) this.#begin(this.#due, moment);
    else if (spent !== undefined) this.#begin(spent, moment);
    else if (!waiting && nowUs - this.#planlessSinceUs >= patienceUs) {
      this.#begin('in the air without a plan', moment);
    }
  }

  #begin(why: string, moment: Moment): void {
    const action = this.#parts.contract.contingency;
    this.#due = undefined;
    const held = this.#guard.heldBack(action, moment);
    // It stays due, and is tried at every tick; the reason why not is written down once.
    if (held !== undefined && held === this.#heldBack) return;
    this.#heldBack = held;
    this.#running = held === undefined;
    this.#guard.act(action, `contingency ${action}: ${why}`, moment);
  }

  /** What is under way is the contingency itself, or nearer to the ground. */
  #comingDown(): boolean {
    const does = this.#executor.motion?.admitted?.typed.does;
    return does === 'land' || does === this.#parts.contract.contingency;
  }

  #stopEffects(why: string, moment: Moment): void {
    const message = `The contract’s contingency: ${why}.`;
    this.#executor.stop({ code: 'HALO-309', message }, 'HALO-309', moment);
  }

  #end(why: string): void {
    this.#running = false;
    this.#guard.release(why);
  }
}

/** What of the budget is used up. */
function spentOf({ budgetTimeLeftS, budgetEnergyLeft }: TaskStateView): string | undefined {
  if (budgetTimeLeftS <= 0) return 'the time of the task is used up';
  if (budgetEnergyLeft !== undefined && budgetEnergyLeft <= 0) {
    return 'the energy of the task is used up';
  }
  return undefined;
}

/** Said by evidence: a vehicle of which nothing is known is not at rest. */
const atRest = ({ snapshot }: Moment): boolean =>
  snapshot.values.get('vehicle.armed')?.value === false;

const inTheAir = ({ snapshot }: Moment): boolean => {
  const landed = snapshot.values.get('vehicle.landed')?.value;
  const armed = snapshot.values.get('vehicle.armed')?.value;
  return armed === true && landed !== undefined && landed !== 'on_ground';
};
