/**
 * The trusted state of a task, rebuilt from the ledger. Enters: nothing. Leaves: types.
 * Never: a field that the admission reads as authority.
 */
import type { TaskContract } from './task-contract.js';
import type { LocalizedObligation } from './verdict.js';

/** `missed`: its deadline passed; no receipt closes it any more. */
export type TaskObligationState = 'open' | 'satisfied' | 'unknown' | 'missed';

/** What closed the obligation held once, and the world has undone it (ADR 7). */
export interface UndoneView {
  readonly reason: string;
  /** Obligations that cannot be closed before it is closed again. */
  readonly neededBy: readonly string[];
}

export interface TaskObligationView {
  readonly id: string;
  readonly state: TaskObligationState;
  readonly after: readonly string[];
  readonly targetKind: string;
  readonly receiptId?: string;
  /** Set while it is open again because the world undid it. */
  readonly undone?: UndoneView;
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
  /** Of a full battery; absent when the contract bounds none or no battery was known yet. */
  readonly budgetEnergyLeft?: number;
}

/** How to go on after a failure: see docs/recovery.md. It authorizes nothing either. */
export interface RollbackAdvice {
  readonly kind: 'rollback' | 'whole-task' | 'residual';
  readonly componentId: string;
  /** Where to fly back to, by a fresh flight: metres, local ENU. */
  readonly positionEnuM?: readonly [number, number, number];
  /** Components to be done again, in this order. */
  readonly reexecute: readonly string[];
  /** Irreversible and done: never again. */
  readonly kept: readonly string[];
  /** Irreversible, and nobody knows: to be looked at first. */
  readonly unresolved: readonly string[];
  readonly reasons: readonly string[];
  readonly text: string;
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
    readonly irreversible: boolean;
  }[];
  readonly unknown: readonly string[];
  readonly satisfied: readonly string[];
  readonly missed: readonly string[];
  /** Events that the world has undone: what they stood for must be brought about afresh. */
  readonly invalidated: readonly ({ readonly id: string } & UndoneView)[];
  readonly denied: readonly LocalizedObligation[];
  readonly budgetTimeLeftS: number;
  readonly budgetAttemptsLeft: number;
  readonly budgetEnergyLeft?: number;
  /** Of the last failure, until a fresh response is taken up. */
  readonly rollback?: RollbackAdvice;
  readonly text: string;
}
