/**
 * The trusted state of a task: which obligations are satisfied, and by which receipts.
 * Enters: the ledger's records in order, at start and live alike. Leaves: state and judgements.
 * Never: a change that no record shows, an advance without its conditions, or the model's word.
 *
 * The frontier is the hash of the record on which the satisfied obligations rest: the last
 * `state-advanced`, or the `contract-bound` when nothing is satisfied yet. By the hash chain it
 * commits to everything before it. A receipt carries the frontier at its issue, so it can only
 * add to that very prefix. Whatever else the ledger gains meanwhile does not move the frontier.
 *
 * An advance in the ledger is not believed but judged again: a `state-advanced` without a receipt
 * that earns it is damage (HALO-602).
 */
import {
  fail,
  ok,
  type Code,
  type HaloError,
  type LedgerRecord,
  type Receipt,
  type RecordKind,
  type Result,
  type TaskContract,
  type TaskObligation,
  type TaskObligationState,
  type TaskStateView,
} from '../contract/index.js';
import { assert, haloError } from '../platform/index.js';
import {
  CONDITION_NAMES,
  CONDITIONS,
  type ConditionName,
  type JudgeContext,
} from './conditions.js';
import { Effects } from './effects.js';
import { narrow } from './matching.js';
import { fulfils, mayFulfil } from './observed.js';
import {
  contractBoundSchema,
  leaseEndedSchema,
  leaseGrantedSchema,
  receiptSchema,
  runOpenedSchema,
  stateAdvancedSchema,
  vehicleEpochSchema,
  verdictSchema,
  type StateAdvancedBody,
} from './record-bodies.js';
import { TaskClock } from './task-clock.js';

export type Judgement =
  | { readonly advance: true; readonly obligationId: string }
  | {
      readonly advance: false;
      readonly error: HaloError;
      /** The condition that was not met. */
      readonly condition: ConditionName;
      /** True when the receipt holds but is simply not of the contract, like that of an arming. */
      readonly benign: boolean;
    };

export interface TrackerOptions {
  readonly contract: TaskContract;
  /** The ledger's own check: `(receipt) => ledger.verifyReceipt(receipt)`. */
  readonly verifySignature: (receipt: Receipt) => boolean;
}

interface ObligationEntry {
  readonly obligation: TaskObligation;
  state: TaskObligationState;
  receiptId: string | undefined;
}

/** No record stands before the first: what the frontier is while no contract is bound. */
const NO_FRONTIER = '0'.repeat(64);

const OPENING: ReadonlySet<RecordKind> = new Set(['run-opened', 'contract-bound']);

export class TaskTracker {
  readonly contract: TaskContract;
  readonly #verify: (receipt: Receipt) => boolean;
  readonly #conditions: readonly ConditionName[];
  readonly #obligations = new Map<string, ObligationEntry>();
  readonly #takenUp = new Set<string>();
  #holdsVehicle = false;
  #effects = new Effects();
  #judged: { readonly receiptId: string; readonly judgement: Judgement } | undefined;
  #clock: TaskClock | undefined;
  #runId = '';
  #bound = false;
  #epoch = 0;
  #frontier = { hash: NO_FRONTIER, seq: 0 };
  #generation = 0;
  #attempts = 0;

  constructor(options: TrackerOptions, removed: ReadonlySet<ConditionName>) {
    this.contract = options.contract;
    this.#verify = options.verifySignature;
    this.#conditions = CONDITION_NAMES.filter((name) => !removed.has(name));
    this.#reset();
  }

  /** True while a run of this very contract is open: then the run goes on, under its `runId`. */
  get bound(): boolean {
    return this.#bound;
  }

  get runId(): string {
    return this.#runId;
  }

  /** See the head of this file; 64 zeros while no contract is bound. */
  get frontier(): string {
    return this.#frontier.hash;
  }

  /** Of the last verdict in the ledger of this run; the next admission takes the next number. */
  get generation(): number {
    return this.#generation;
  }

  get completed(): boolean {
    return [...this.#obligations.values()].every(({ state }) => state === 'satisfied');
  }

  /**
   * An advance that the last receipt earned and no record shows: the process ended between the
   * two. Whoever opens the next life writes it as `state-advanced`, after its opening.
   */
  get earned(): StateAdvancedBody | undefined {
    const judged = this.#judged;
    if (judged?.judgement.advance !== true) return undefined;
    return { receiptId: judged.receiptId, obligationId: judged.judgement.obligationId };
  }

  /** A response with this id was taken up in this run, in this life of the bridge or another. */
  hasTakenUp(responseId: string): boolean {
    return this.#takenUp.has(responseId);
  }

  /**
   * The last who had the vehicle was the bridge, in this life or an earlier one: it was granted a
   * lease, and no pilot has taken over since.
   */
  get holdsVehicle(): boolean {
    return this.#holdsVehicle;
  }

  stateOf(obligationId: string): TaskObligationState | undefined {
    return this.#obligations.get(obligationId)?.state;
  }

  /** Error HALO-602: an advance that nothing in the ledger earns, or a body that does not fit. */
  apply(record: LedgerRecord): Result<void> {
    if (record.epoch !== this.#epoch) this.#newLife(record);
    else this.#clock?.see(record);
    // Records of a run under another contract, or of one that is closed, are not this task's.
    if (!this.#bound && !OPENING.has(record.kind)) return ok(undefined);
    switch (record.kind) {
      case 'run-opened':
        return this.#read(record, runOpenedSchema, ({ runId }) => {
          this.#reset();
          this.#runId = runId;
        });
      case 'contract-bound':
        return this.#read(record, contractBoundSchema, ({ digest }) => {
          this.#reset();
          this.#bound = digest === this.contract.digest;
          this.#frontier = { hash: record.hash, seq: record.seq };
          this.#clock = new TaskClock(record);
        });
      case 'verdict':
        return this.#read(record, verdictSchema, (verdict) => {
          this.#generation = Math.max(this.#generation, verdict.generation);
          if (verdict.outcome !== 'refused') {
            this.#attempts += 1;
            this.#takenUp.add(verdict.responseId);
          }
          this.#effects.admitted(verdict.generation, verdict.admitted, record);
        });
      case 'lease-granted':
        return this.#read(record, leaseGrantedSchema, (lease) => {
          this.#holdsVehicle = true;
          if (lease.authority === 'agent') this.#effects.granted(lease, record);
        });
      case 'vehicle-epoch':
        return this.#read(record, vehicleEpochSchema, ({ moved, modeBy }) => {
          if (moved.includes('mode') && modeBy === 'foreign') this.#holdsVehicle = false;
        });
      case 'lease-ended':
        return this.#read(record, leaseEndedSchema, (ended) => {
          if (this.#effects.ended(ended) === 'unknown') this.#markUnknown(ended.leaseId);
        });
      case 'receipt':
        return this.#takeReceipt(record);
      case 'state-advanced':
        return this.#advance(record);
      case 'run-closed':
        this.#bound = false;
        return ok(undefined);
      default:
        return ok(undefined);
    }
  }

  /** What the receipt would change. Changes nothing itself. */
  judgeReceipt(receipt: Receipt, nowUs: number): Judgement {
    const matches = this.#matches(receipt);
    const context: JudgeContext = {
      receipt,
      nowUs,
      runId: this.#runId,
      bootEpoch: this.#epoch,
      frontier: this.frontier,
      admission: this.#effects.admission(receipt),
      execution: this.#effects.execution(receipt),
      seenBefore: this.#effects.seen(receipt.id),
      verifySignature: this.#verify,
      matches,
      isSatisfied: (id) => this.#obligations.get(id)?.state === 'satisfied',
    };
    for (const condition of this.#conditions) {
      const refusal = CONDITIONS[condition](context);
      if (refusal === undefined) continue;
      const error = haloError(refusal.code, refusal.message);
      return { advance: false, error, condition, benign: refusal.code === 'HALO-614' };
    }
    const [obligation] = matches;
    if (obligation !== undefined) return { advance: true, obligationId: obligation.id };
    const error = haloError('HALO-614', `Receipt ${receipt.id} fulfils no open obligation.`);
    return { advance: false, error, condition: 'singleton', benign: true };
  }

  /**
   * Records the receipt and what follows from it: `state-advanced`, `receipt-refused`, or, for
   * one that is simply not of the contract, nothing more. Returns the receipt's own record too.
   */
  settle(
    receipt: Receipt,
    append: (kind: RecordKind, body: unknown) => LedgerRecord,
  ): { readonly judgement: Judgement; readonly record: LedgerRecord } {
    const record = append('receipt', receipt);
    const taken = this.apply(record);
    assert(taken.ok && this.#judged?.receiptId === receipt.id, 'a signed receipt has its form');
    const { judgement } = this.#judged;
    if (judgement.advance) {
      const { obligationId } = judgement;
      const advanced = this.apply(
        append('state-advanced', { receiptId: receipt.id, obligationId }),
      );
      assert(advanced.ok, 'an advance that was judged in this turn holds');
    } else if (!judgement.benign) {
      const { code, message } = judgement.error;
      const { condition } = judgement;
      this.apply(append('receipt-refused', { receiptId: receipt.id, code, message, condition }));
    }
    return { judgement, record };
  }

  /** `nowUs` is of this life: its first record has been applied. */
  view(nowUs: number): TaskStateView {
    const { budget, task } = this.contract;
    return {
      task,
      runId: this.#runId,
      frontier: this.#frontier.hash,
      ledgerSeq: this.#frontier.seq,
      generation: this.#generation,
      obligations: [...this.#obligations.values()].map(({ obligation, state, receiptId }) => ({
        id: obligation.id,
        state,
        after: obligation.after,
        targetKind: obligation.target.kind,
        ...(receiptId === undefined ? {} : { receiptId }),
      })),
      budgetTimeLeftS: Math.max(0, budget.timeS - (this.#clock?.usedS(nowUs) ?? 0)),
      budgetAttemptsLeft: Math.max(0, budget.attempts - this.#attempts),
    };
  }

  /** A later receipt of the same boot epoch is judged against what this life has authorized. */
  #newLife(record: LedgerRecord): void {
    this.#epoch = record.epoch;
    this.#clock?.newLife(record);
    for (const leaseId of this.#effects.inFlight()) this.#markUnknown(leaseId);
    this.#effects.endLife();
  }

  #markUnknown(leaseId: string): void {
    const meant = this.#effects.admissionOfLease(leaseId);
    if (meant === undefined) return;
    const possible = [...this.#obligations.values()].filter(
      ({ obligation, state }) => state === 'open' && mayFulfil(obligation, meant),
    );
    const obligations = possible.map(({ obligation }) => obligation);
    for (const { id } of narrow(obligations, meant.fulfils, this.contract.obligations)) {
      const entry = this.#obligations.get(id);
      if (entry !== undefined) entry.state = 'unknown';
    }
  }

  #matches(receipt: Receipt): readonly TaskObligation[] {
    const unsatisfied = [...this.#obligations.values()]
      .filter(({ state, obligation }) => state !== 'satisfied' && fulfils(obligation, receipt))
      .map(({ obligation }) => obligation);
    return narrow(unsatisfied, receipt.fulfils, this.contract.obligations);
  }

  #takeReceipt(record: LedgerRecord): Result<void> {
    return this.#read(record, receiptSchema, (receipt) => {
      const judgement = this.judgeReceipt(receipt, record.tUs);
      this.#judged = { receiptId: receipt.id, judgement };
      this.#effects.settled(receipt);
    });
  }

  #advance(record: LedgerRecord): Result<void> {
    const body = stateAdvancedSchema.safeParse(record.body);
    const judged = this.#judged;
    this.#judged = undefined;
    const earned =
      body.success &&
      judged?.receiptId === body.data.receiptId &&
      judged.judgement.advance &&
      judged.judgement.obligationId === body.data.obligationId;
    const entry = earned ? this.#obligations.get(body.data.obligationId) : undefined;
    if (entry === undefined) return this.#damage(record, 'no receipt before it earns the advance');
    entry.state = 'satisfied';
    entry.receiptId = judged?.receiptId;
    this.#frontier = { hash: record.hash, seq: record.seq };
    return ok(undefined);
  }

  #reset(): void {
    this.#bound = false;
    this.#frontier = { hash: NO_FRONTIER, seq: 0 };
    this.#generation = 0;
    this.#attempts = 0;
    this.#takenUp.clear();
    this.#holdsVehicle = false;
    this.#effects = new Effects();
    this.#judged = undefined;
    this.#clock = undefined;
    for (const obligation of this.contract.obligations) {
      this.#obligations.set(obligation.id, { obligation, state: 'open', receiptId: undefined });
    }
  }

  #read<T>(record: LedgerRecord, schema: Parser<T>, use: (body: T) => void): Result<void> {
    const body = schema.safeParse(record.body);
    if (!body.success) return this.#damage(record, 'its body does not fit its kind');
    use(body.data);
    return ok(undefined);
  }

  #damage(record: LedgerRecord, reason: string): Result<never> {
    const code: Code = 'HALO-602';
    const message = `Record ${record.seq} (${record.kind}) does not hold: ${reason}.`;
    return fail(haloError(code, message, `seq ${record.seq}`));
  }
}

interface Parser<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false };
}

/** A tracker with all conditions on. Feed it every record of the ledger, old ones first. */
export const createTaskTracker = (options: TrackerOptions): TaskTracker =>
  new TaskTracker(options, new Set());
