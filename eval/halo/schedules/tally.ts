/** What many schedules add up to. Enters: results. Leaves: counts. Never: a dropped violation. */
import { ERRANDS } from './errand.js';
import { FAULT_KINDS, type FaultKind, type Planned } from './faults.js';
import type { ScheduleResult } from './run.js';

export interface Range {
  readonly from: number;
  readonly to: number;
  readonly step: number;
}

export interface Failing {
  readonly seed: number;
  readonly planned: readonly Planned[];
  readonly violations: readonly string[];
}

export interface Tally {
  runs: number;
  frames: number;
  completed: number;
  /** Violations, not schedules with one. */
  violations: number;
  /** Schedules in which a fault of the kind had an effect. */
  readonly fired: Record<FaultKind, number>;
  /** Messages, frames or moments that it touched in all. */
  readonly bites: Record<FaultKind, number>;
  readonly failing: Failing[];
  /** By name: how often flown, and to its end. */
  readonly errands: Record<string, { runs: number; completed: number }>;
}

const zeros = (): Record<FaultKind, number> =>
  Object.fromEntries(FAULT_KINDS.map((kind) => [kind, 0])) as Record<FaultKind, number>; // All.

export const emptyTally = (): Tally => ({
  runs: 0,
  frames: 0,
  completed: 0,
  violations: 0,
  fired: zeros(),
  bites: zeros(),
  failing: [],
  errands: Object.fromEntries(ERRANDS.map(({ name }) => [name, { runs: 0, completed: 0 }])),
});

export function addResult(tally: Tally, result: ScheduleResult): void {
  tally.runs += 1;
  tally.frames += result.frames;
  tally.completed += result.completed ? 1 : 0;
  tally.violations += result.violations.length;
  addErrand(tally, result.errand, 1, result.completed ? 1 : 0);
  for (const kind of FAULT_KINDS) {
    const bites = result.bites[kind] ?? 0;
    tally.bites[kind] += bites;
    tally.fired[kind] += bites > 0 ? 1 : 0;
  }
  if (result.violations.length > 0) {
    const { seed, planned, violations } = result;
    tally.failing.push({ seed, planned, violations });
  }
}

function addErrand({ errands }: Tally, name: string, runs: number, completed: number): void {
  const { runs: before = 0, completed: done = 0 } = errands[name] ?? {};
  errands[name] = { runs: before + runs, completed: done + completed };
}

export function addTally(to: Tally, from: Tally): void {
  to.runs += from.runs;
  to.frames += from.frames;
  to.completed += from.completed;
  to.violations += from.violations;
  for (const kind of FAULT_KINDS) {
    to.fired[kind] += from.fired[kind];
    to.bites[kind] += from.bites[kind];
  }
  to.failing.push(...from.failing);
  for (const [name, one] of Object.entries(from.errands)) {
    addErrand(to, name, one.runs, one.completed);
  }
}
