/**
 * The trusted state of a task, rebuilt from the ledger. Enters: nothing. Leaves: types.
 * Never: a field that the admission reads as authority.
 */
import type { TaskContract } from './task-contract.js';
import type { LocalizedObligation } from './verdict.js';

export type TaskObligationState = 'open' | 'satisfied' | 'unknown';

export interface TaskObligationView {
  readonly id: string;
  readonly state: TaskObligationState;
  readonly after: readonly string[];
  readonly targetKind: string;
  readonly receiptId?: string;
}

export interface TaskStateView {
  readonly task: string;
  readonly runId: string;
  /** Hash of the last committed record that the state rests on. */
  readonly frontier: string;
  readonly ledgerSeq: number;
  readonly generation: number;
  readonly obligations: readonly TaskObligationView[];
  readonly budgetTimeLeftS: number;
  readonly budgetAttemptsLeft: number;
}

/** Guidance for the agent. It authorizes nothing: no check reads it. */
export interface RecoveryContext {
  readonly task: string;
  readonly snapshotId: string;
  readonly frontier: string;
  readonly open: readonly {
    readonly id: string;
    readonly target: TaskContract['obligations'][number]['target'];
    readonly blockedBy: readonly string[];
  }[];
  readonly unknown: readonly string[];
  readonly satisfied: readonly string[];
  readonly denied: readonly LocalizedObligation[];
  readonly budgetTimeLeftS: number;
  readonly budgetAttemptsLeft: number;
  readonly text: string;
}
