/**
 * How each obligation of the contract stands. Enters: what the ledger's records say of them.
 * Leaves: their states, and which of them a receipt could close.
 * Never: a change that the tracker did not read from a record. The state is plain data.
 */
import type {
  ReceiptBody,
  TaskContract,
  TaskObligation,
  TaskObligationState,
  TaskObligationView,
  UndoneView,
} from '../contract/index.js';
import { narrow } from './matching.js';
import { fulfils, mayFulfil } from './observed.js';
import type { AdmittedEntry, ObligationVoidedBody } from './record-bodies.js';
import type { TrackerState } from './tracker-state.js';

export interface ObligationStanding {
  state: TaskObligationState;
  receiptId?: string;
  undone?: UndoneView;
}

export class Obligations {
  readonly #contract: TaskContract['obligations'];
  readonly #standing: Map<string, ObligationStanding>;

  constructor({ obligations }: TaskContract) {
    this.#contract = obligations;
    this.#standing = new Map(obligations.map(({ id }) => [id, { state: 'open' }]));
  }

  /** For a snapshot of the ledger. */
  exported(): TrackerState['obligations'] {
    return [...this.#standing].map(([id, standing]) => [id, { ...standing }]);
  }

  restore(standings: TrackerState['obligations']): void {
    for (const [id, standing] of standings) this.#standing.set(id, { ...standing });
  }

  stateOf(id: string): TaskObligationState | undefined {
    return this.#standing.get(id)?.state;
  }

  get completed(): boolean {
    return this.#contract.every(({ id }) => this.stateOf(id) === 'satisfied');
  }

  /**
   * Predecessors that still keep the obligation from being closed. One that was satisfied and that
   * the world has undone since counts for those that need it, and for no other: coming down closes
   * although nothing is in the air any more.
   */
  missing({ id, after }: TaskObligation): readonly string[] {
    const needed = this.#contract.filter(
      (other) => this.#standing.get(other.id)?.undone?.neededBy.includes(id) === true,
    );
    const direct = after.filter((name) => {
      const before = this.#standing.get(name);
      return before?.state !== 'satisfied' && before?.undone === undefined;
    });
    return [...new Set([...direct, ...needed.map((other) => other.id)])];
  }

  /** Those that the receipt could close. */
  matches(receipt: ReceiptBody): readonly TaskObligation[] {
    const closable = this.#contract.filter((obligation) => {
      const state = this.stateOf(obligation.id);
      return state !== 'satisfied' && state !== 'missed' && fulfils(obligation, receipt);
    });
    return narrow(closable, receipt.fulfils, this.#contract);
  }

  /** The effect of the admitted component may have happened, and nobody saw it. */
  markUnknown(meant: AdmittedEntry): void {
    const possible = this.#contract.filter(
      (obligation) => this.stateOf(obligation.id) === 'open' && mayFulfil(obligation, meant),
    );
    for (const { id } of narrow(possible, meant.fulfils, this.#contract)) {
      const standing = this.#standing.get(id);
      if (standing !== undefined) standing.state = 'unknown';
    }
  }

  /** False for an id that is not of the contract. */
  satisfy(id: string, receiptId: string): boolean {
    if (!this.#standing.has(id)) return false;
    this.#standing.set(id, { state: 'satisfied', receiptId });
    return true;
  }

  /** Its deadline passed, or what closed it holds no more. */
  void({ obligationId, cause, reason, neededBy }: ObligationVoidedBody): void {
    const standing = this.#standing.get(obligationId);
    if (standing === undefined) return;
    if (cause === 'deadline') standing.state = 'missed';
    else this.#standing.set(obligationId, { state: 'open', undone: { reason, neededBy } });
  }

  /** Those that a deadline has passed, `usedS` after the task began. */
  overdue(usedS: number): readonly string[] {
    return this.#contract
      .filter(({ id, deadlineS }) => {
        const state = this.stateOf(id);
        if (state === 'satisfied' || state === 'missed') return false;
        return deadlineS !== undefined && usedS >= deadlineS;
      })
      .map(({ id }) => id);
  }

  views(): readonly TaskObligationView[] {
    return this.#contract.map(({ id, after, target }) => {
      const { state = 'open', receiptId, undone } = this.#standing.get(id) ?? {};
      return {
        id,
        state,
        after,
        targetKind: target.kind,
        ...(receiptId === undefined ? {} : { receiptId }),
        ...(undone === undefined ? {} : { undone }),
      };
    });
  }
}
