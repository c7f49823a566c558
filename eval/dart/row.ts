/** One case as it was judged. Enters: nothing. Leaves: types. */
import type { Decision, Strategy } from '../../src/recovery/dart/index.js';

/** `whole-task` is what all are measured by: correct where nothing is irreversible, and long. */
export type StrategyName = Strategy | 'whole-task';
export const STRATEGY_NAMES: readonly StrategyName[] = [
  'retry-only',
  'coarse-state',
  'entry-only',
  'dart',
  'whole-task',
];

export interface Judged {
  readonly kind: Decision['kind'];
  /** The task ends as one does in which nothing failed. */
  readonly correct: boolean;
  /** Steps that had been begun before the failure, and were done again. */
  readonly stepsReexecuted: number;
  /** Rolled back, and the task did not end as it should. */
  readonly unsafe: boolean;
  /** A way back that was held back would have been right. */
  readonly falseBlock: boolean;
}

export interface Row {
  readonly id: string;
  readonly domain: string;
  readonly kind: string;
  readonly sensitive: boolean;
  readonly judged: Readonly<Record<StrategyName, Judged>>;
}
