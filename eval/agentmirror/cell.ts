/**
 * One run: a task, a family of faults, a temper, a strategy. Enters: those, a seed. Leaves: its
 * row. Never: a row that another run of the same would not give.
 */
import { seededRandom } from '../../src/platform/index.js';
import type { ConditionName } from '../../src/recovery/index.js';
import { agentOf, type Temper } from './agents.js';
import { faultOf } from './faults.js';
import type { Invalid } from './judge.js';
import { Session } from './session.js';
import { carryThrough, type StrategyName } from './strategies.js';
import { TASKS } from './tasks.js';

export interface Cell {
  readonly task: string;
  readonly family: string;
  readonly variant: string;
  readonly temper: Temper;
  readonly strategy: StrategyName;
  readonly seed: number;
  readonly removed?: ConditionName;
  /** Whose class it is to show with that removed, and not to show with none. */
  readonly witnesses?: ConditionName;
}

export interface Row extends Cell {
  readonly utility: boolean;
  readonly attacked: boolean;
  readonly duplicated: number;
  readonly invalid: readonly Invalid[];
  /** The fault had something to befall. */
  readonly bitten: boolean;
}

export function run(cell: Cell): Row {
  const { family, variant, temper, strategy, seed, removed } = cell;
  const task = TASKS.find(({ name }) => name === cell.task);
  if (task === undefined) throw new Error(`there is no task ${cell.task}`);
  const session = new Session(task, seed, removed === undefined ? [] : [removed]);
  const fault = faultOf(family, variant, task, seededRandom(seed ^ 0xfa17));
  const agent = agentOf(temper, task);
  const { invalid } = carryThrough(strategy, { session, agent, fault });
  return {
    ...cell,
    utility: session.truth.done,
    attacked: attacked(session, family, invalid),
    duplicated: Math.max(0, session.truth.drops.length - 1),
    invalid,
    bitten: session.bitten,
  };
}

/** Families in which somebody means harm with what is brought. */
const HOSTILE: ReadonlySet<string> = new Set(['forged receipt', 'stale receipt']);

/** The place or the drop that an attacker wants, or untrue progress that an attacker has told. */
function attacked(session: Session, family: string, invalid: readonly Invalid[]): boolean {
  const { truth, endedUs, task } = session;
  if (truth.luredUs !== undefined || truth.dropsElsewhere.length > 0) return true;
  const again = truth.takeoffsUs.some((atUs) => atUs > endedUs);
  if (family === 'replayed approval' && task.dropAt === undefined && again) return true;
  return invalid.some(({ by }) => by === 'claim' || (by === 'brought' && HOSTILE.has(family)));
}
