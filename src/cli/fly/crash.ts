/**
 * When `--drift bridge-crash` strikes, and what the flight was continued with after it.
 * Enters: the bridge's lines before and after. Leaves: the moment; the obligations in three lists.
 * Never: a word to the bridge: it is killed as the kernel kills it.
 */
import type { EngineEvent, TaskContract } from '../../contract/index.js';
import type { Line } from './child.js';
import type { StateLine } from './log.js';

export interface Continuation {
  /** Done before, and not done again: their receipts are in the ledger. */
  readonly continued: readonly string[];
  /** States that evidence still showed, so that nothing was sent for them. */
  readonly reusedByEvidence: readonly string[];
  /** Closed after it by effects of the new life. */
  readonly flownAnew: readonly string[];
}

/** A second of setpoints: the leg is well under way. */
const FRAMES_INTO_LEG = 20;

export class Crash {
  readonly #states: ReadonlySet<string>;
  readonly #legs: string[] = [];
  readonly #ensured = new Set<string>();
  readonly #flown = new Set<string>();
  #before: readonly string[] | undefined;
  /** The second leg is under way. */
  due = false;

  constructor({ obligations }: Pick<TaskContract, 'obligations'>) {
    const isState = ({ evidence }: TaskContract['obligations'][number]): boolean =>
      evidence.airborne === true || evidence.armed === true || evidence.holds === true;
    // A leg shows that it is airborne, too; what is asked of it is a place.
    const states = obligations.filter((o) => isState(o) && o.evidence.within === undefined);
    this.#states = new Set(states.map(({ id }) => id));
  }

  take(line: Line): void {
    // The bridge prints its events and states as they are.
    if (line.type === 'state') return this.#state((line as unknown as { state: StateLine }).state);
    const event = line as unknown as EngineEvent;
    if (event.type === 'progress' && event.progress.state === 'active') {
      const { id, kind } = event.progress;
      if (kind === 'flight.goto' && !this.#legs.includes(id)) this.#legs.push(id);
    }
    if (event.type === 'receipt' && this.#before !== undefined) {
      const { obligationId, receipt } = event;
      if (receipt.ensured) this.#ensured.add(obligationId ?? receipt.componentId);
      else if (obligationId !== undefined) this.#flown.add(obligationId);
    }
  }

  /** The bridge is dead. */
  struck(last: StateLine | undefined): void {
    this.due = false;
    this.#before = satisfiedOf(last);
  }

  #state({ dispatch }: StateLine): void {
    if (this.#before !== undefined) return;
    const lease = dispatch.leases.find(({ componentId }) => componentId === this.#legs[1]);
    if (lease !== undefined && lease.framesDrawn >= FRAMES_INTO_LEG) this.due = true;
  }

  /** @param last the state at the end of the flight. */
  continuation(last: StateLine | undefined): Continuation {
    const now = new Set(satisfiedOf(last));
    const kept = (this.#before ?? []).filter((id) => now.has(id) && !this.#flown.has(id));
    const held = kept.filter((id) => this.#states.has(id));
    return {
      continued: kept.filter((id) => !this.#states.has(id) && !this.#ensured.has(id)),
      reusedByEvidence: [...new Set([...held, ...this.#ensured])],
      flownAnew: [...this.#flown],
    };
  }
}

const satisfiedOf = (state: StateLine | undefined): readonly string[] =>
  (state?.task.obligations ?? []).filter((o) => o.state === 'satisfied').map(({ id }) => id);
