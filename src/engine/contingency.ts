/**
 * The contract's contingency: what happens to a vehicle in the air for which nobody has a plan.
 * Enters: time, obligations, budgets. Leaves: the guardian's action, once.
 * Never: a contingency against a pilot (the guardian refuses that), or one for a vehicle at rest.
 *
 *   nothing due ──(obligation expired | no plan in the air | time used up)──► running ──► settled
 */
import type { Denials } from './denials.js';
import type { Guard } from './guard.js';
import type { Moment, Parts } from './parts.js';
import { isTerminal } from './plan.js';

export class Contingency {
  readonly #parts: Parts;
  readonly #guard: Guard;
  readonly #denials: Denials;
  #planlessSinceUs: number | undefined;
  #running = false;

  constructor(parts: Parts, guard: Guard, denials: Denials) {
    this.#parts = parts;
    this.#guard = guard;
    this.#denials = denials;
  }

  /** From the action until the vehicle is at rest, or somebody else has it. */
  get running(): boolean {
    return this.#running;
  }

  step(moment: Moment, timeLeftS: number): void {
    const { nowUs } = moment;
    const overdue = this.#parts.book.overdue(nowUs);
    for (const obligation of overdue) this.#denials.move(obligation.id, 'expired');
    if (atRest(moment) && !this.#guard.busy) this.#end('the vehicle is at rest');
    if (!inTheAir(moment)) {
      this.#planlessSinceUs = undefined;
      return;
    }
    const planned = this.#parts.plan.runs.some((run) => !isTerminal(run));
    if (planned && this.#running) this.#running = false;
    if (planned && timeLeftS > 0) {
      this.#planlessSinceUs = undefined;
      return;
    }
    if (this.#running) return;
    this.#planlessSinceUs ??= nowUs;
    const patienceUs = this.#parts.contract.contingencyAfterS * 1_000_000;
    const waiting = this.#parts.book.stillOpen().length > 0;
    if (overdue.length > 0 && !planned) this.#begin('no fresh candidate came in time', moment);
    else if (timeLeftS <= 0) this.#begin('the time of the task is used up', moment);
    else if (!waiting && nowUs - this.#planlessSinceUs >= patienceUs) {
      this.#begin('in the air without a plan', moment);
    }
  }

  #begin(why: string, moment: Moment): void {
    this.#running = true;
    const action = this.#parts.contract.contingency;
    this.#guard.act(action, `contingency ${action}: ${why}`, moment);
  }

  #end(why: string): void {
    this.#running = false;
    this.#guard.release(why);
  }
}

/** Said by evidence: a vehicle of which nothing is known is not at rest. */
const atRest = ({ snapshot }: Moment): boolean =>
  snapshot.values.get('vehicle.armed')?.value === false;

const inTheAir = ({ snapshot }: Moment): boolean => {
  const landed = snapshot.values.get('vehicle.landed')?.value;
  const armed = snapshot.values.get('vehicle.armed')?.value;
  return armed === true && landed !== undefined && landed !== 'on_ground';
};
