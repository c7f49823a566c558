/**
 * Words of semantic rollback. Enters: nothing. Leaves: types.
 * Never: a word that only a flight has: a trace is of any agent that works in steps.
 *
 *   step       one act of an agent: in flight, one admitted component
 *   instance   the steps that belong together: what (component), on what (entity), the how-manieth
 *              time (occurrence); in flight a leg with everything that is done where it ends
 *   checkpoint a moment of an instance that can be brought back
 *
 *   entered ─► active ─► committed ─► exited
 *                 ▲          │
 *                 └──────────┘        from each but the last also: failed
 *
 * Positions in a trace (`at`, `begunAt`, `endedAt`) are numbers that only grow: in flight the
 * sequence of the ledger record.
 */
import type { KindEntry } from '../../contract/index.js';

export type EffectClass = KindEntry['effectClass'];

export const INSTANCE_STATES = ['entered', 'active', 'committed', 'exited', 'failed'] as const;
export type InstanceState = (typeof INSTANCE_STATES)[number];

/**
 *   waiting     not begun
 *   under-way   begun, and nobody knows yet how it ends
 *   committed   done, and seen to be done
 *   failed      ended, and its effect has not happened
 *   unknown     ended, and its effect may have happened
 */
export const STEP_STATES = ['waiting', 'under-way', 'committed', 'failed', 'unknown'] as const;
export type StepState = (typeof STEP_STATES)[number];

export interface Step {
  readonly id: string;
  readonly effect: EffectClass;
  readonly state: StepState;
  readonly begunAt?: number | undefined;
  readonly endedAt?: number | undefined;
}

/** Where the vehicle stood: local ENU in metres, and the heading, counter-clockwise from east. */
export interface Place {
  readonly positionEnuM: readonly [number, number, number];
  readonly yawEnuRad?: number | undefined;
}

export const CHECKPOINT_KINDS = ['entry', 'commit', 'exit'] as const;
export type CheckpointKind = (typeof CHECKPOINT_KINDS)[number];

export interface Checkpoint {
  readonly kind: CheckpointKind;
  readonly at: number;
  /** Absent: it has no place. Null: it has one, and nobody knew it. */
  readonly place?: Place | null;
  /** Which frame of reference `place` is in: a discontinuity begins another. */
  readonly frame: number;
}

export interface InstanceName {
  readonly component: string;
  readonly entity: string;
  /** From 1: the how-manieth instance of this component on this entity. */
  readonly occurrence: number;
}

export interface Instance extends InstanceName {
  readonly id: string;
  readonly state: InstanceState;
  readonly steps: readonly Step[];
  /** Oldest first. */
  readonly checkpoints: readonly Checkpoint[];
}

/** `consumer` began at `at` on what `producer` had brought about. */
export interface Consumption {
  readonly consumer: string;
  readonly producer: string;
  readonly at: number;
}

export interface Trace {
  /** In order of entry. */
  readonly instances: readonly Instance[];
  readonly consumptions: readonly Consumption[];
  /** The frame of reference that holds now. */
  readonly frame: number;
}

/** What is known of a failure: each member that is given narrows down what failed. */
export interface Failure extends Partial<InstanceName> {
  /** The step that failed. */
  readonly step?: string | undefined;
  /**
   * The earliest step whose outcome is in doubt, when that is not the one that failed: then it was
   * found out later, and the instance may have exited long ago.
   */
  readonly onset?: string | undefined;
}

/** One answer with the reason for it, for people. */
export interface Answer {
  readonly holds: boolean;
  readonly reason: string;
}

export const CERTIFICATES = ['decidable', 'closed', 'separable', 'controllable'] as const;
export type Certificate = Readonly<Record<(typeof CERTIFICATES)[number], Answer>>;

export const STRATEGIES = ['retry-only', 'coarse-state', 'entry-only', 'dart'] as const;
export type Strategy = (typeof STRATEGIES)[number];

export interface RefusedCheckpoint {
  readonly checkpoint: Checkpoint;
  readonly reasons: readonly string[];
}

interface DecisionCommon {
  readonly strategy: Strategy;
  /** Of the failed instance; absent when it could not be told which. */
  readonly instance?: InstanceName & { readonly id: string };
  readonly certificate?: Certificate;
  /** Checkpoints that were looked at first, newest first. */
  readonly refused: readonly RefusedCheckpoint[];
  readonly reasons: readonly string[];
}

/**
 *   retry        the failed step again, where everything stands (never by `dart`)
 *   rollback     back to the checkpoint; then these steps again, in this order
 *   whole-task   back to the beginning; then these steps again
 *   residual     the whole task cannot be done again without repeating an irreversible effect:
 *                nothing that is done is repeated, and what the contract leaves open is to be done;
 *                `unresolved` must be looked at before anything
 */
export type Decision = DecisionCommon &
  (
    | { readonly kind: 'retry'; readonly reexecute: readonly string[] }
    | {
        readonly kind: 'rollback';
        readonly checkpoint: Checkpoint;
        readonly reexecute: readonly string[];
      }
    | {
        readonly kind: 'whole-task';
        readonly abstained: boolean;
        readonly reexecute: readonly string[];
      }
    | {
        readonly kind: 'residual';
        readonly abstained: boolean;
        readonly kept: readonly string[];
        readonly unresolved: readonly string[];
      }
  );
