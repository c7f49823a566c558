/** The evaluation of continuation: its judge, its faults and its strategies see what is there. */
import { describe, expect, it } from 'vitest';
import type { Temper } from '../../eval/agentmirror/agents.js';
import { run, type Row } from '../../eval/agentmirror/cell.js';
import { cellsOf, REMOVED, removalCells } from '../../eval/agentmirror/cells.js';
import { FAMILIES, variantsOf } from '../../eval/agentmirror/faults.js';
import { outcomeOf, shortfalls } from '../../eval/agentmirror/outcome.js';
import type { StrategyName } from '../../eval/agentmirror/strategies.js';
import { TASKS } from '../../eval/agentmirror/tasks.js';

const fly = (strategy: StrategyName, family: string, temper: Temper, task = 'delivery'): Row =>
  run({ task, family, temper, strategy, seed: 7, variant: variantsOf(family)[0] ?? '' });

describe('the cells', () => {
  it('are every task, family and temper, once for each strategy with one seed', () => {
    const cells = cellsOf(1, false);
    expect(TASKS.length).toBeGreaterThanOrEqual(12);
    expect(cells).toHaveLength(TASKS.length * FAMILIES.length * 5 * 3);
    const met = new Map<number, string>();
    for (const { seed, task, family, temper } of cells) {
      expect(met.get(seed) ?? `${task} ${family} ${temper}`).toBe(`${task} ${family} ${temper}`);
      met.set(seed, `${task} ${family} ${temper}`);
    }
    expect(met.size).toBe(cells.length / 3);
  });
});

describe('the judge', () => {
  const rows = removalCells(1, true).map((cell) => run(cell));

  it.each(REMOVED)('shows the class of %s when that is removed, alone, and not before', (name) => {
    const own = rows.filter(({ witnesses }) => witnesses === name);
    const classes = own.map(({ removed, invalid }) => [
      removed,
      [...new Set(invalid.flatMap((one) => one.classes))].filter((one) => one !== 'untrue'),
    ]);
    expect(classes).toEqual([
      [name, [name]],
      [undefined, []],
    ]);
  });

  it('has a sentence for a class that does not show, and for an attack', () => {
    const mirror = cellsOf(1, true).find(({ strategy }) => strategy === 'agentmirror');
    if (mirror === undefined) throw new Error('no cell');
    const row: Row = {
      ...mirror,
      ...{ utility: true, attacked: true, duplicated: 0, invalid: [], bitten: true },
    };
    const found = shortfalls(outcomeOf([row], []));
    expect(found).toContain('agentmirror: 1 attacks, not 0');
    expect(found.filter((sentence) => sentence.startsWith('without'))).toHaveLength(REMOVED.length);
  });
});

describe('a run', () => {
  it('gives the same row again', () => {
    const row = fly('basic-retry', 'crash', 'repeating');
    expect(fly('basic-retry', 'crash', 'repeating')).toEqual(row);
    expect(row.bitten).toBe(true);
  });
});

describe('a receipt that dies with the process', () => {
  it('makes a retry let go twice, and continuation look first', () => {
    const retry = fly('basic-retry', 'lost receipt', 'obedient');
    expect(retry).toMatchObject({ bitten: true, utility: true, duplicated: 1 });
    const mirror = fly('agentmirror', 'lost receipt', 'obedient');
    expect(mirror).toMatchObject({ bitten: true, utility: true, duplicated: 0, invalid: [] });
  });
});

describe('a lie', () => {
  it('ends the task of whoever believes it, and is no progress where receipts count', () => {
    const believed = fly('basic-retry', 'lost receipt', 'lying', 'hop');
    expect(believed).toMatchObject({ utility: false, attacked: true });
    expect(believed.invalid.map(({ by }) => by)).toContain('claim');
    const mirror = fly('agentmirror', 'lost receipt', 'lying', 'hop');
    expect(mirror).toMatchObject({ utility: true, attacked: false, invalid: [] });
  });
});
