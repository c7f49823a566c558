/**
 * Puts the task's state, as the ledger gives it, against the world as it is.
 * Enters: one moment. Leaves: records of what no longer stands; a catalog in which an effect of
 * ours that is there already closes by evidence.
 * Never: an obligation satisfied (only receipts do that), or one opened again on a doubt: the
 * contrary has to be shown by fresh evidence.
 */
import { evaluatePredicate, type AdmittedComponent } from '../admission/index.js';
import type {
  Catalog,
  EvidenceDatum,
  Predicate,
  TaskContract,
  TaskObligation,
} from '../contract/index.js';
import { predecessors, type ObligationVoidedBody, type TaskTracker } from '../recovery/index.js';
import type { Moment, Parts } from './parts.js';

type Role = 'armed' | 'airborne';

/** HEARTBEAT comes once a second, the landed state five times: as the shipped catalog asks. */
const DISARMED: Predicate = { field: 'vehicle.armed', is: false, maxAgeMs: 3000 };
const ON_GROUND: Predicate = { field: 'vehicle.landed', is: 'on_ground', maxAgeMs: 2000 };

/** The state that must still hold, and what shows the contrary. */
const CONTRARY: Readonly<Record<Role, readonly Predicate[]>> = {
  armed: [DISARMED],
  airborne: [ON_GROUND, DISARMED],
};
const WORDS: Readonly<Record<Role, string>> = {
  armed: 'The vehicle is disarmed.',
  airborne: 'The vehicle is on the ground with its motors off.',
};

export class Reconciliation {
  readonly #parts: Parts;
  readonly #before: ReadonlyMap<string, ReadonlySet<string>>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#before = predecessors(parts.contract.obligations);
  }

  /** Returns the obligations whose deadline passed in this tick. */
  step(moment: Moment): readonly string[] {
    const { tracker, contract } = this.#parts;
    const late = tracker.overdue(moment.nowUs);
    for (const id of late) {
      const deadlineS = contract.obligations.find((o) => o.id === id)?.deadlineS;
      this.#void({
        obligationId: id,
        cause: 'deadline',
        reason: `It was not satisfied within ${deadlineS} s.`,
        neededBy: [],
      });
    }
    const undone = contract.obligations.filter(({ id }) => tracker.stateOf(id) === 'satisfied');
    const found = undone.map((o) => this.#undone(o, moment)).filter((body) => body !== undefined);
    for (const body of found) this.#void(body);
    if (late.length + found.length > 0) {
      this.#parts.recorder.emit({ type: 'task', task: tracker.view(moment.nowUs) });
    }
    return late;
  }

  #void(body: ObligationVoidedBody): void {
    const { recorder } = this.#parts;
    recorder.append('obligation-voided', body);
    const message = `${body.obligationId} no longer stands: ${body.reason}`;
    recorder.emit({ type: 'notice', level: 'warn', message });
  }

  #undone(obligation: TaskObligation, moment: Moment): ObligationVoidedBody | undefined {
    const { id, evidence } = obligation;
    const void_ = (reason: string, neededBy: readonly string[]): ObligationVoidedBody => ({
      obligationId: id,
      cause: 'undone',
      reason,
      neededBy: [...neededBy],
    });
    for (const role of ['airborne', 'armed'] as const) {
      if (evidence[role] !== true || !shows(CONTRARY[role], moment)) continue;
      const neededBy = this.#after(id).filter((after) => this.#needs(after, role));
      if (neededBy.length > 0 && !this.#endedByPlan(role)) return void_(WORDS[role], neededBy);
    }
    if (evidence.holds !== true) return undefined;
    const contrary = (evidence.shown ?? [])
      .map((predicate) => evaluatePredicate(predicate, undefined, moment.snapshot, moment.nowUs))
      // Fresh evidence of another value; missing or old evidence shows nothing.
      .find((finding) => finding?.code === 'HALO-211');
    return contrary && void_(contrary.message, this.#after(id));
  }

  /** Obligations that come after it, directly or not, and are still to be satisfied. */
  #after(id: string): readonly string[] {
    const { contract, tracker } = this.#parts;
    return contract.obligations
      .filter((other) => this.#before.get(other.id)?.has(id) === true)
      .map((other) => other.id)
      .filter((other) => ['open', 'unknown'].includes(tracker.stateOf(other) ?? ''));
  }

  #needs(obligationId: string, role: Role): boolean {
    const { contract, catalog } = this.#parts;
    const kind = contract.obligations.find(({ id }) => id === obligationId)?.target.kind ?? '';
    return catalog.kinds[kind]?.needs.includes(role) === true;
  }

  /** The last that was done about it was an admitted effect that ends it: nobody undid anything. */
  #endedByPlan(role: Role): boolean {
    const last = this.#parts.plan.runs.findLast(({ admitted, lease }) => {
      if (admitted === undefined || lease === undefined) return false;
      return admitted.entry.ends.includes(role) || admitted.entry.provides.includes(role);
    });
    return last?.admitted?.entry.ends.includes(role) === true;
  }
}

/**
 * Why an irreversible effect does not start yet: an earlier life began it, nobody saw its end, and
 * within its deadline it may still come by itself. What the evidence says of it now is no answer.
 */
export function mayStillCome(
  { contract, tracker, lifeStartedUs }: Pick<Parts, 'contract' | 'tracker' | 'lifeStartedUs'>,
  { entry, component }: Pick<AdmittedComponent, 'entry' | 'component'>,
  nowUs: number,
): string | undefined {
  if (entry.effectClass !== 'irreversible') return undefined;
  const begun = contract.obligations.find(
    ({ id, target }) => target.kind === component.kind && tracker.stateOf(id) === 'unknown',
  );
  const leftS = entry.deadlineS - (nowUs - lifeStartedUs) / 1_000_000;
  if (begun === undefined || leftS <= 0) return undefined;
  return `${begun.id} may still come by itself for ${Math.ceil(leftS)} s`;
}

const shows = (predicates: readonly Predicate[], { snapshot, nowUs }: Moment): boolean =>
  predicates.every((p) => evaluatePredicate(p, undefined, snapshot, nowUs) === undefined);

/**
 * The catalog for one response. A kind whose end evidence shows (`completion.shown`) asks in its
 * footprint that it does not show so before. Where this task has done it, or may have done it, and
 * evidence shows the end, that is not asked: then the effect closes by evidence, with no frame.
 */
export function reconciled(
  catalog: Catalog,
  contract: TaskContract,
  tracker: Pick<TaskTracker, 'stateOf'>,
  values: ReadonlyMap<string, { readonly value: EvidenceDatum }>,
): Catalog {
  const done = new Set(
    contract.obligations
      .filter(({ id }) => ['unknown', 'satisfied'].includes(tracker.stateOf(id) ?? ''))
      .map(({ target }) => target.kind),
  );
  const there = Object.entries(catalog.kinds).filter(([kind, { completion }]) => {
    const { shown } = completion;
    if (shown === undefined || !done.has(kind)) return false;
    return values.get(shown.field)?.value === shown.is;
  });
  if (there.length === 0) return catalog;
  const kinds = there.map(([kind, entry]) => {
    const { shown } = entry.completion;
    const footprint = entry.footprint.filter(
      ({ field, is }) => field !== shown?.field || is === undefined || is === shown.is,
    );
    return [kind, { ...entry, footprint }] as const;
  });
  return { ...catalog, kinds: { ...catalog.kinds, ...Object.fromEntries(kinds) } };
}
