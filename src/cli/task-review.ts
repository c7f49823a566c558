/**
 * A task as its ledger tells it. Enters: records, oldest first, signatures checked. Leaves: whether
 * each advance was earned; the state of each duty. Never: a word of the bridge that wrote them.
 */
import {
  fail,
  ok,
  taskContractSchema,
  type LedgerRecord,
  type Result,
  type TaskObligationView,
} from '../contract/index.js';
import type { LedgerReview } from '../ledger/index.js';
import { digestOf, haloError } from '../platform/index.js';
import { createTaskTracker, type TaskTracker } from '../recovery/index.js';

/**
 * Judges each task again, by the contract that its own ledger binds: an advance without the
 * receipt that earns it does not hold. Signatures have been checked before a record comes here.
 */
export class TaskReview implements LedgerReview {
  #tracker: TaskTracker | undefined;
  #opening: LedgerRecord | undefined;

  apply(record: LedgerRecord): Result<void> {
    if (record.kind === 'run-opened') this.#opening = record;
    const bound = record.kind === 'contract-bound' ? this.#bind(record) : ok(undefined);
    if (!bound.ok) return bound;
    return this.#tracker?.apply(record) ?? ok(undefined);
  }

  state(): unknown {
    return this.#tracker?.bound === true ? this.#tracker.exported() : undefined;
  }

  /** Duties of the task as the records leave them. */
  obligations(): readonly TaskObligationView[] {
    return this.#tracker?.view(0).obligations ?? [];
  }

  #bind({ body }: LedgerRecord): Result<void> {
    this.#tracker = undefined;
    const { contract, digest } = (body ?? {}) as { contract?: unknown; digest?: unknown };
    // A ledger of something else than a task: there is nothing to judge.
    if (typeof contract !== 'object' || contract === null) return ok(undefined);
    const written: Record<string, unknown> = { ...contract };
    delete written['digest'];
    const parsed = taskContractSchema.safeParse(written);
    if (!parsed.success || digest !== digestOf(written)) {
      return fail(haloError('HALO-602', 'The contract that it binds is not that of its digest.'));
    }
    const bound = { ...parsed.data, digest };
    this.#tracker = createTaskTracker({ contract: bound, verifySignature: () => true });
    return this.#opening === undefined ? ok(undefined) : this.#tracker.apply(this.#opening);
  }
}
