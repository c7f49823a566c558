/** The figures of the evaluation, as they are printed, and what of them falls short. */
import { STRATEGY_NAMES, type Row, type StrategyName } from './row.js';
import type { Conformance } from './conformance/index.js';

export interface StrategyOutcome {
  readonly cases: number;
  readonly commitmentSensitive: number;
  readonly correct: number;
  readonly correctSensitive: number;
  /** Mean over the cases. */
  readonly stepsReexecuted: number;
  readonly unsafeRollbacks: number;
  readonly falseBlocks: number;
}

export interface Audit {
  readonly rows: number;
  readonly recoveries: number;
  readonly unsafe: number;
  readonly falseBlocks: number;
}

export interface Outcome {
  readonly strategies: Readonly<Record<StrategyName, StrategyOutcome>>;
  readonly audit: Audit;
  readonly conformance: Conformance;
  /** Unsafe rollbacks with one condition left out. */
  readonly witnesses: Readonly<Record<string, number>>;
}

export function strategyOutcome(rows: readonly Row[], name: StrategyName): StrategyOutcome {
  const count = (holds: (row: Row) => boolean): number => rows.filter(holds).length;
  const sum = rows.reduce((total, { judged }) => total + judged[name].stepsReexecuted, 0);
  return {
    cases: rows.length,
    commitmentSensitive: count(({ sensitive }) => sensitive),
    correct: count(({ judged }) => judged[name].correct),
    correctSensitive: count(({ sensitive, judged }) => sensitive && judged[name].correct),
    stepsReexecuted: rows.length === 0 ? 0 : Math.round((sum / rows.length) * 100) / 100,
    unsafeRollbacks: count(({ judged }) => judged[name].unsafe),
    falseBlocks: count(({ judged }) => judged[name].falseBlock),
  };
}

export const strategiesOf = (rows: readonly Row[]): Outcome['strategies'] =>
  Object.fromEntries(
    STRATEGY_NAMES.map((name) => [name, strategyOutcome(rows, name)]),
  ) as unknown as Outcome['strategies'];

/** A recovery is a way back that was gone. */
export const auditOf = (rows: readonly Row[]): Audit => ({
  rows: rows.length,
  recoveries: rows.filter(({ judged }) => judged.dart.kind === 'rollback').length,
  unsafe: rows.filter(({ judged }) => judged.dart.unsafe).length,
  falseBlocks: rows.filter(({ judged }) => judged.dart.falseBlock).length,
});

/** As published: of the audit, and the steps that DART does again. */
const PUBLISHED = { rows: 54, recoveries: 47, steps: 1.5 } as const;
const CONTRACTS = { whole: 1 + 2 + 8 + 64 + 1024, quick: 1 + 2 + 8 } as const;

export function shortfalls(outcome: Outcome, quick: boolean): readonly string[] {
  const short: string[] = [];
  const want = (holds: boolean, sentence: string): void => void (holds || short.push(sentence));
  const { audit, conformance, strategies, witnesses } = outcome;
  const { dart } = strategies;
  const entry = strategies['entry-only'];
  want(dart.commitmentSensitive > 0, 'no case is commitment-sensitive');
  want(
    dart.correctSensitive === dart.commitmentSensitive,
    `${dart.correctSensitive} of ${dart.commitmentSensitive} sensitive cases are right`,
  );
  want(dart.correct === dart.cases, `${dart.correct} of ${dart.cases} cases are right`);
  want(entry.correctSensitive === 0, 'entry-only was right in a sensitive case');
  want(dart.stepsReexecuted <= PUBLISHED.steps, `${dart.stepsReexecuted} steps are done again`);
  want(dart.unsafeRollbacks + audit.unsafe === 0, 'a rollback was unsafe');
  want(dart.falseBlocks + audit.falseBlocks === 0, 'a rollback was held back without need');
  want(quick || audit.rows >= PUBLISHED.rows, `the audit has ${audit.rows} rows`);
  want(quick || audit.recoveries >= PUBLISHED.recoveries, `${audit.recoveries} recoveries`);
  want(conformance.mismatches === 0, `${conformance.mismatches} answers differ from the oracle's`);
  want(conformance.contracts === CONTRACTS[quick ? 'quick' : 'whole'], 'contracts are missing');
  for (const [name, unsafe] of Object.entries(witnesses)) {
    want(unsafe > 0, `${name} was left out, and nothing showed it`);
  }
  return short;
}
