/**
 * What each strategy makes of a simulated case, and whether DART held back without need.
 * Enters: cases. Leaves: rows. Never: DART's own predicates as the judge of DART: every answer
 * here comes from running the rest of the task and comparing it with a run without a failure.
 */
import { STRATEGIES, type Checkpoint, type Decision } from '../../src/recovery/dart/index.js';
import { byStrategy, Simulation, type Case, type Decider } from './simulate.js';
import type { Judged, Row, StrategyName } from './row.js';

export function rowOf(of: Case, dart: Decider = byStrategy('dart')): Row {
  const judged = Object.fromEntries(
    STRATEGIES.map((name) => [name, judge(of, name === 'dart' ? dart : byStrategy(name))]),
  ) as Record<StrategyName, Judged>;
  const whole = new Simulation(of).wholeTask();
  judged['whole-task'] = {
    kind: 'whole-task',
    correct: whole.correct,
    stepsReexecuted: whole.reexecuted,
    unsafe: false,
    falseBlock: false,
  };
  const { id, kind, sensitive, domain } = of;
  return { id, kind, sensitive, domain: domain.name, judged };
}

function judge(of: Case, decider: Decider): Judged {
  const simulation = new Simulation(of);
  const decision = decider(simulation.log, of.failure);
  const falseBlock = isFalseBlock(of, decision);
  const { correct, reexecuted } = simulation.recover(decision);
  return {
    kind: decision.kind,
    correct,
    stepsReexecuted: reexecuted,
    unsafe: decision.kind === 'rollback' && !correct,
    falseBlock,
  };
}

/**
 * A checkpoint was held back that would have led to the right end, whichever of the truths that
 * look the same is so.
 */
function isFalseBlock(of: Case, decision: Decision): boolean {
  if (decision.strategy !== 'dart') return false;
  return of.suspects.some((key) =>
    heldBack(of, key, decision).some((checkpoint) =>
      of.worlds.every((hidden) => new Simulation(of, hidden).rollback(key, checkpoint).correct),
    ),
  );
}

/** Newer than the chosen one; all, where none was chosen. */
function heldBack(of: Case, key: string, decision: Decision): readonly Checkpoint[] {
  const { checkpoints = [] } = new Simulation(of).instanceOf(key) ?? {};
  const chosen = decision.kind === 'rollback' ? decision.checkpoint.at : -1;
  return checkpoints.filter(({ at }) => at > chosen);
}
