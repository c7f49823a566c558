/**
 * What the ledger has of this task in earlier runs: a run that is closed gives no authority to a
 * later one, and its answers are not to be flown again.
 * Enters: records, those of other runs too. Leaves: which response ids are used up;
 * whether its contract was satisfied.
 * Never: a word about another task.
 */
import type { LedgerRecord } from '../contract/index.js';
import { contractBoundSchema, verdictSchema } from './record-bodies.js';

export class TaskHistory {
  readonly #task: string;
  readonly #responseIds = new Set<string>();
  #ofTask = false;
  #done = false;

  constructor(task: string) {
    this.#task = task;
  }

  /** Of an exported state: the run that it came from is of this task, and goes on. */
  restore(responseIds: readonly string[]): void {
    this.#ofTask = true;
    for (const id of responseIds) this.#responseIds.add(id);
  }

  apply(record: LedgerRecord): void {
    if (record.kind === 'contract-bound') {
      const bound = contractBoundSchema.safeParse(record.body);
      this.#ofTask = bound.success && bound.data.task === this.#task;
    }
    if (record.kind !== 'verdict' || !this.#ofTask) return;
    const verdict = verdictSchema.safeParse(record.body);
    if (verdict.success && verdict.data.outcome !== 'refused') {
      this.#responseIds.add(verdict.data.responseId);
    }
  }

  /** The run of this very contract ends, satisfied or not. */
  close(completed: boolean): void {
    this.#done ||= completed;
  }

  /** An earlier run of this very contract satisfied it. */
  get done(): boolean {
    return this.#done;
  }

  /** Of a response that was taken up, in this run or one before. */
  hasTakenUp(responseId: string): boolean {
    return this.#responseIds.has(responseId);
  }

  get responseIds(): readonly string[] {
    return [...this.#responseIds];
  }
}
