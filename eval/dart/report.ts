/** The report as Markdown. Enters: findings. Leaves: text. Never: a figure that is not in them. */
import type { Audit, Outcome } from './outcome.js';
import { auditOf, strategyOutcome } from './outcome.js';
import { STRATEGY_NAMES, type Row, type StrategyName } from './row.js';

type Cell = string | number;

const table = (head: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

const WHAT: Readonly<Record<StrategyName, string>> = {
  'retry-only': 'the failed step again, where everything stands',
  'coarse-state':
    'back to the newest entry of the failed component by its name; everything since again, consumers too',
  'entry-only': 'back to the entry of the failed instance; its own steps again',
  dart: 'back to the newest admissible checkpoint; nothing where none is',
  'whole-task':
    'everything again after all that can be taken back has been: the measure, no choice',
};

export function reportOf(
  seed: number,
  compared: readonly Row[],
  audited: readonly Row[],
  outcome: Outcome,
  shortfalls: readonly string[],
): string {
  const { conformance: c, witnesses } = outcome;
  return [
    '# Semantic rollback (DART), evaluated on this bridge',
    `Made by \`npm run eval -- dart --json --seed ${seed}\`; the same seed gives the same figures.`,
    shortfalls.length === 0
      ? 'Every published figure is reached.'
      : `**Not reached:** ${shortfalls.join('; ')}.`,
    'What is right is not asked of DART. A case is right when the task, carried to its end after the ' +
      'recovery, ends as a run from scratch does in which nothing failed. A rollback is unsafe when ' +
      'the task then ends otherwise. A block is false when a checkpoint that was held back, tried, ' +
      'leads to the right end in every world that looks the same from outside. The flights are the ' +
      'real engine and the embedded autopilot on a virtual clock; their pictures are judged by where ' +
      'the body was, their words by what reached the operator.',
    '## Strategies',
    strategies(compared),
    STRATEGY_NAMES.map((name) => `- \`${name}\`: ${WHAT[name]}.`).join('\n'),
    'Commitment-sensitive: a committed consumer had used what came of the failed instance. Ways back ' +
      'in flight (arm, take off, fly back) are not counted as steps done again.',
    ...[...new Set(compared.map(({ domain }) => domain))].flatMap((domain) => [
      `### ${domain}`,
      strategies(compared.filter((row) => row.domain === domain)),
    ]),
    '## Safety audit',
    auditText(outcome.audit),
    auditTable(audited),
    'Where DART does not go back it does the whole task again, or, where that would repeat something ' +
      'irreversible, only what is left. Not all of that ends right, and none of it could: what was bad ' +
      'and used stays so once something irreversible came before the doubt was known; a load hangs on ' +
      'in a jammed gripper; local coordinates name other spots after a reset of the estimator.',
    '## Witnesses',
    'The same cases with one condition left out:',
    table(
      ['left out', 'unsafe rollbacks'],
      Object.entries(witnesses).map(([name, unsafe]) => [name, unsafe]),
    ),
    '## Conformance',
    'Residual obligations and boundaries against a C program that knows no checkpoint and no ' +
      `predicate of one, and tries all sets: ${c.contracts.toLocaleString('en')} contracts, ` +
      `${c.states.toLocaleString('en')} states, ${c.questions.toLocaleString('en')} questions, ` +
      `${c.mismatches} mismatches.`,
  ]
    .join('\n\n')
    .concat('\n');
}

function strategies(rows: readonly Row[]): string {
  return table(
    ['strategy', 'right', 'of these sensitive', 'steps again (mean)', 'unsafe', 'false blocks'],
    STRATEGY_NAMES.map((name) => {
      const o = strategyOutcome(rows, name);
      return [
        `\`${name}\``,
        `${o.correct} of ${o.cases}`,
        `${o.correctSensitive} of ${o.commitmentSensitive}`,
        o.stepsReexecuted.toFixed(2),
        o.unsafeRollbacks,
        o.falseBlocks,
      ];
    }),
  );
}

const auditText = ({ rows, recoveries, unsafe, falseBlocks }: Audit): string =>
  `${rows} rows in five domains, ${recoveries} of them with a rollback: ${unsafe} unsafe, ` +
  `${falseBlocks} held back without need.`;

function auditTable(rows: readonly Row[]): string {
  const kinds = [...new Set(rows.map(({ domain, kind }) => `${domain}\n${kind}`))];
  return table(
    ['domain', 'failure', 'rows', 'rolled back', 'ended right', 'unsafe', 'false blocks'],
    kinds.map((key) => {
      const own = rows.filter(({ domain, kind }) => `${domain}\n${kind}` === key);
      const { rows: count, recoveries, unsafe, falseBlocks } = auditOf(own);
      const right = own.filter(({ judged }) => judged.dart.correct).length;
      return [...key.split('\n'), count, recoveries, right, unsafe, falseBlocks];
    }),
  );
}
