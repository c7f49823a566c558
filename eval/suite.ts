/**
 * What an evaluation is to the command that runs it. Enters: a seed, quick or whole.
 * Leaves: a report, its figures, and what fell short. Never: a figure that the seed does not give.
 */
export interface SuiteOptions {
  readonly seed: number;
  /** A small part of each, in about a minute. */
  readonly quick: boolean;
  /** One line for whoever waits. */
  readonly say: (line: string) => void;
}

export interface SuiteResult {
  /** Markdown; the same for the same seed on any machine. */
  readonly report: string;
  /** The last line with --json. */
  readonly outcome: object;
  /** A sentence for each figure that is not reached. */
  readonly shortfalls: readonly string[];
}

export interface Suite {
  readonly name: string;
  readonly run: (options: SuiteOptions) => Promise<SuiteResult>;
}
