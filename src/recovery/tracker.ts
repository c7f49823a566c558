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
  type LedgerRecord,
  type Receipt,
  type ReceiptBody,
  type RecordKind,
  type Result,
  type TaskContract,
  type TaskObligationState,
  type TaskStateView,
} from '../contract/index.js';
import { assert, haloError } from '../platform/index.js';
import {
  CONDITION_NAMES,
  judge,
  type ConditionName,
  type JudgeContext,
  type Judgement,
} from './conditions.js';
import { TraceFold } from './dart/index.js';
import { Effects } from './effects.js';
import { EnergyMeter } from './energy.js';
import { Obligations } from './obligations.js';
import {
  contractBoundSchema,
  leaseEndedSchema,
  leaseGrantedSchema,
  obligationVoidedSchema,
  receiptSchema,
  runOpenedSchema,
  stateAdvancedSchema,
  vehicleEpochSchema,
  verdictSchema,
  type BodyParser,
  type StateAdvancedBody,
} from './record-bodies.js';
import { TaskClock } from './task-clock.js';
import { TaskHistory } from './task-history.js';
import { trackerStateSchema, type TrackerState } from './tracker-state.js';

export interface TrackerOptions {
  readonly contract: TaskContract;
  /** The ledger's own check: `(receipt) => ledger.verifyReceipt(receipt)`. */
  readonly verifySignature: (receipt: Receipt) => boolean;
}

/** No record stands before the first: what the frontier is while no contract is bound. */
const NO_FRONTIER = '0'.repeat(64);

const NOTHING: StateAdvancedBody = { receiptId: '', obligationId: '' };

const OPENING: ReadonlySet<RecordKind> = new Set(['run-opened', 'contract-bound']);

export class TaskTracker {
  readonly contract: TaskContract;
  /** What began, what used what, and where it can be gone back to. */
  readonly trace = new TraceFold();
  /** Earlier runs of this task, beside the one that is open. */
  readonly history: TaskHistory;
  readonly #verify: (receipt: Receipt) => boolean;
  readonly #conditions: readonly ConditionName[];
  #obligations: Obligations;
  #heldBy: string | undefined;
  #effects = new Effects();
  #judged: { readonly receiptId: string; readonly judgement: Judgement } | undefined;
  #clock: TaskClock | undefined;
  #energy = new EnergyMeter();
  #runId = '';
  #bound = false;
  #seq = 0;
  #epoch = 0;
  #frontier = { hash: NO_FRONTIER, seq: 0 };
  #generation = 0;
  #attempts = 0;

  constructor(options: TrackerOptions, removed: ReadonlySet<ConditionName>) {
    this.contract = options.contract;
    this.#obligations = new Obligations(options.contract);
    this.history = new TaskHistory(options.contract.task);
    this.#verify = options.verifySignature;
    this.#conditions = CONDITION_NAMES.filter((name) => !removed.has(name));
  }

  /** What all records so far come to, for a snapshot of the ledger. Only while bound. */
  exported(): TrackerState {
    assert(this.#bound && this.#clock !== undefined, 'a state is exported while it is bound');
    return {
      v: 1,
      seq: this.#seq,
      epoch: this.#epoch,
      contractDigest: this.contract.digest,
      runId: this.#runId,
      frontier: this.#frontier,
      generation: this.#generation,
      attempts: this.#attempts,
      takenUp: [...this.history.responseIds],
      ...(this.#heldBy === undefined ? {} : { heldBy: this.#heldBy }),
      ...(this.earned === undefined ? {} : { earned: this.earned }),
      effects: this.#effects.exported(),
      clock: this.#clock.exported(),
      energy: this.#energy.exported(),
      obligations: this.#obligations.exported(),
      trace: this.trace.exported(),
    };
  }

  /** In place of the records that it came from. False, and no change, unless of this contract. */
  restore(exported: unknown): boolean {
    const parsed = trackerStateSchema.safeParse(exported);
    if (!parsed.success || parsed.data.contractDigest !== this.contract.digest) return false;
    const { takenUp, earned, effects, clock, energy, obligations, trace, ...rest } = parsed.data;
    this.#reset();
    this.#bound = true;
    this.#seq = rest.seq;
    this.#epoch = rest.epoch;
    this.#runId = rest.runId;
    this.#frontier = rest.frontier;
    this.#generation = rest.generation;
    this.#attempts = rest.attempts;
    this.#heldBy = rest.heldBy;
    this.history.restore(takenUp);
    if (earned !== undefined) {
      const { receiptId, obligationId } = earned;
      this.#judged = { receiptId, judgement: { advance: true, obligationId } };
    }
    this.#effects.restore(effects);
    this.#clock = TaskClock.restored(clock);
    this.#energy.restore(energy);
    this.#obligations.restore(obligations);
    this.trace.restore(trace);
    return true;
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
    return this.#obligations.completed;
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

  /**
   * The last who had the vehicle was the bridge, in this life or an earlier one: the kind that it
   * was granted a lease for last. Undefined once a pilot has taken over.
   */
  get heldBy(): string | undefined {
    return this.#heldBy;
  }

  stateOf(obligationId: string): TaskObligationState | undefined {
    return this.#obligations.stateOf(obligationId);
  }

  /** Obligations whose deadline has passed and that no record calls missed yet. */
  overdue(nowUs: number): readonly string[] {
    return this.#obligations.overdue(this.#clock?.usedS(nowUs) ?? 0);
  }

  /** Error HALO-602: an advance that nothing in the ledger earns, or a body that does not fit. */
  apply(record: LedgerRecord): Result<void> {
    this.#seq = record.seq;
    if (record.epoch !== this.#epoch) this.#newLife(record);
    else this.#clock?.see(record);
    this.history.apply(record);
    // Records of a run under another contract, or of one that is closed, are not this task's.
    if (!this.#bound && !OPENING.has(record.kind)) return ok(undefined);
    this.trace.apply(record);
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
          if (verdict.batteryFraction !== undefined) this.#energy.see(verdict.batteryFraction);
          if (verdict.outcome !== 'refused') this.#attempts += 1;
          this.#effects.admitted(verdict.generation, verdict.admitted, record);
        });
      case 'lease-granted':
        return this.#read(record, leaseGrantedSchema, (lease) => {
          this.#heldBy = lease.kind;
          if (lease.authority === 'agent') this.#effects.granted(lease, record);
        });
      case 'vehicle-epoch':
        return this.#read(record, vehicleEpochSchema, ({ moved, modeBy }) => {
          if (moved.includes('mode') && modeBy === 'foreign') this.#heldBy = undefined;
        });
      case 'lease-ended':
        return this.#read(record, leaseEndedSchema, (ended) => {
          if (this.#effects.ended(ended) === 'unknown') this.#markUnknown(ended.leaseId);
        });
      case 'receipt':
        return this.#takeReceipt(record);
      case 'state-advanced':
        return this.#advance(record);
      case 'obligation-voided':
        return this.#read(record, obligationVoidedSchema, (body) => this.#obligations.void(body));
      case 'run-closed':
        this.history.close(this.completed);
        this.#bound = false;
        return ok(undefined);
      default:
        return ok(undefined);
    }
  }

  /** The obligation for which such a receipt is to be signed; undefined when it closes none. */
  obligationOf(body: ReceiptBody): string | undefined {
    const matches = this.#obligations.matches(body);
    return matches.length === 1 ? matches[0]?.id : undefined;
  }

  /** What the receipt would change. Changes nothing itself. */
  judgeReceipt(receipt: Receipt, nowUs: number): Judgement {
    const matches = this.#obligations.matches(receipt);
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
      missing: (obligation) => this.#obligations.missing(obligation),
    };
    return judge(context, this.#conditions);
  }

  /**
   * Records the receipt and what follows from it: `state-advanced`, or `receipt-refused` with the
   * condition that was not met. Returns the receipt's own record too.
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
    } else {
      const { condition, error } = judgement;
      const { code, message, path, remedy } = error;
      const receiptId = receipt.id;
      const body = { receiptId, code, message, condition, path, remedy };
      this.apply(append('receipt-refused', body));
    }
    return { judgement, record };
  }

  /** `nowUs` is of this life: its first record has been applied. */
  view(nowUs: number, batteryFraction?: number): TaskStateView {
    const { budget, task } = this.contract;
    const used = this.#energy.used(batteryFraction);
    const { energyFraction } = budget;
    return {
      task,
      runId: this.#runId,
      frontier: this.#frontier.hash,
      ledgerSeq: this.#frontier.seq,
      generation: this.#generation,
      obligations: this.#obligations.views(),
      budgetTimeLeftS: Math.max(0, budget.timeS - (this.#clock?.usedS(nowUs) ?? 0)),
      budgetAttemptsLeft: Math.max(0, budget.attempts - this.#attempts),
      ...(energyFraction === undefined || used === undefined
        ? {}
        : { budgetEnergyLeft: Math.max(0, energyFraction - used) }),
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
    if (meant !== undefined) this.#obligations.markUnknown(meant);
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
    const { receiptId, obligationId } = earned ? body.data : NOTHING;
    if (!this.#obligations.satisfy(obligationId, receiptId)) {
      return this.#damage(record, 'no receipt before it earns the advance');
    }
    this.#frontier = { hash: record.hash, seq: record.seq };
    return ok(undefined);
  }

  #reset(): void {
    this.#bound = false;
    this.trace.reset();
    this.#frontier = { hash: NO_FRONTIER, seq: 0 };
    this.#generation = 0;
    this.#attempts = 0;
    this.#heldBy = undefined;
    this.#effects = new Effects();
    this.#judged = undefined;
    this.#clock = undefined;
    this.#energy = new EnergyMeter();
    this.#obligations = new Obligations(this.contract);
  }

  #read<T>(record: LedgerRecord, schema: BodyParser<T>, use: (body: T) => void): Result<void> {
    const body = schema.safeParse(record.body);
    if (!body.success) return this.#damage(record, 'its body does not fit its kind');
    use(body.data);
    return ok(undefined);
  }

  #damage(record: LedgerRecord, reason: string): Result<never> {
    const message = `Record ${record.seq} (${record.kind}) does not hold: ${reason}.`;
    return fail(haloError('HALO-602', message, `seq ${record.seq}`));
  }
}

/** A tracker with all conditions on. Feed it every record of the ledger, old ones first. */
export const createTaskTracker = (options: TrackerOptions): TaskTracker =>
  new TaskTracker(options, new Set());
