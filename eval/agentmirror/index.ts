/**
 * AgentMirror's evaluation on this bridge. Enters: a seed, quick or whole. Leaves: report, figures,
 * what fell short. Never: a part that is left out without a word.
 */
import type { Suite, SuiteOptions, SuiteResult } from '../suite.js';
import { cellsOf, removalCells } from './cells.js';
import { flyAll } from './fly-all.js';
import { outcomeOf, shortfalls } from './outcome.js';
import { reportOf } from './report.js';

/** A line now and then shows that it goes on. */
const EVERY = 100;

async function run({ seed, quick, say }: SuiteOptions): Promise<SuiteResult> {
  const cells = cellsOf(seed, quick);
  const all = [...cells, ...removalCells(seed, quick)];
  say('runs …');
  const flown = await flyAll(all, (done) => {
    if (done % EVERY === 0) say(`  ${done} of ${all.length}`);
  });
  const rows = flown.slice(0, cells.length);
  const outcome = outcomeOf(rows, flown.slice(cells.length));
  const short = shortfalls(outcome);
  for (const row of rows) {
    const { task, family, variant, temper, strategy, seed: own, attacked, duplicated } = row;
    if (strategy !== 'agentmirror') continue;
    if (row.utility && !attacked && duplicated === 0 && row.invalid.length === 0) continue;
    const what = row.utility ? 'unsafe' : 'not done';
    say(`  ${what}: ${task}, ${family} (${variant}), ${temper}, seed ${own}`);
  }
  return { report: reportOf(seed, rows, outcome, short), outcome, shortfalls: short };
}

export const agentmirrorSuite: Suite = { name: 'agentmirror', run };
