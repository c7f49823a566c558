/** Which runs there are. Enters: a seed, quick or whole. Leaves: cells. Never: one chosen by its end. */
import type { ConditionName } from '../../src/recovery/index.js';
import { TEMPERS } from './agents.js';
import type { Cell } from './cell.js';
import { FAMILIES, variantsOf } from './faults.js';
import { STRATEGY_NAMES } from './strategies.js';
import { TASKS } from './tasks.js';

/** Seeds of one evaluation never meet those of another one. */
const SEEDS = 10_000;

/** Each task, family and temper once; quick: each family and temper, the tasks in turn. */
export function cellsOf(seed: number, quick: boolean): readonly Cell[] {
  const cells: Cell[] = [];
  FAMILIES.forEach((family, f) =>
    TEMPERS.forEach((temper, t) =>
      TASKS.forEach(({ name: task }, k) => {
        if (quick && k !== (f * TEMPERS.length + t) % TASKS.length) return;
        const variants = variantsOf(family);
        const variant = variants[(t + k) % variants.length] ?? '';
        const own = seed * SEEDS + cells.length;
        for (const strategy of STRATEGY_NAMES) {
          cells.push({ task, family, variant, temper, strategy, seed: own });
        }
      }),
    ),
  );
  return cells;
}

/** Of each condition: the fault that only it stops. */
const WITNESS: Readonly<Record<ConditionName, readonly [family: string, variant: string]>> = {
  admission: ['model error', 'unadmitted'],
  execution: ['tool error', 'claimed'],
  validity: ['forged receipt', 'wrong key'],
  freshness: ['stale receipt', 'before admission'],
  frontier: ['stale receipt', 'earlier frontier'],
  singleton: ['tool error', 'misaddressed'],
  predecessors: ['model error', 'out of order'],
};
export const REMOVED = Object.keys(WITNESS) as readonly ConditionName[]; // The keys are the names.

/** What gets in without it. */
export const CLASS: Readonly<Record<ConditionName, string>> = {
  admission: 'an unauthorized effect counted',
  execution: 'a claimed effect counted',
  validity: 'a forged receipt counted',
  freshness: 'stale evidence counted',
  frontier: 'evidence of another prefix counted',
  singleton: 'an ambiguous closure: a receipt counted for a duty that it does not name',
  predecessors: 'progress out of order',
};

/** The same runs with one condition removed, and with none: then nothing may show. */
export function removalCells(seed: number, quick: boolean): readonly Cell[] {
  // In the second task something stands between: out of order is to be had there.
  const tasks = quick ? TASKS.slice(1, 2) : TASKS;
  return REMOVED.flatMap((condition, c) =>
    tasks.flatMap(({ name: task }, k): readonly Cell[] => {
      const [family, variant] = WITNESS[condition];
      const temper = 'obedient';
      const own = seed * SEEDS + SEEDS / 2 + c * TASKS.length + k;
      const base = { task, family, variant, temper, seed: own, strategy: 'agentmirror' } as const;
      return [
        { ...base, removed: condition, witnesses: condition },
        { ...base, witnesses: condition },
      ];
    }),
  );
}
