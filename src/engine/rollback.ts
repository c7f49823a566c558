/**
 * Semantic rollback in flight: checkpoints as they come about, and the decision after a failure.
 * Enters: runs that begin, are done or are denied, with the moment. Leaves: ledger records.
 * Never: a motion, or authority: a decision is told to the agent, whose fresh response is judged
 * like any other.
 */
import { isEffect } from '../contract/index.js';
import { componentIdOf, decide, nameOf, stepIdOf, type Place } from '../recovery/index.js';
import type { CheckpointBody, Decision, RollbackDecisionBody } from '../recovery/index.js';
import { readNumber, readText, readVector } from '../vehicle/index.js';
import type { Moment, Parts } from './parts.js';
import type { Run } from './plan.js';

const idOf = (run: Run): string => stepIdOf(run.generation, run.id);

/** Before its lease: where the first step of an instance finds the vehicle. */
export function markEntry(parts: Parts, run: Run, moment: Moment): void {
  const { trace } = parts.tracker;
  if (trace.instanceOf(idOf(run)) === undefined) mark(parts, run, 'entry', moment);
}

/** After its receipt. With the last step of its instance that one has exited. */
export function markCommit(parts: Parts, run: Run, moment: Moment): void {
  const instance = parts.tracker.trace.instanceOf(idOf(run));
  if (instance === undefined) return;
  mark(parts, run, instance.state === 'exited' ? 'exit' : 'commit', moment);
}

function mark(parts: Parts, run: Run, kind: CheckpointBody['kind'], moment: Moment): void {
  const placed = parts.tracker.trace.placedOf(idOf(run));
  if (placed === undefined) return;
  const { component, entity } = placed;
  const { generation, id: componentId } = run;
  const said = run.admitted !== undefined && !isEffect(run.admitted.entry);
  const where = said ? undefined : placeOf(moment);
  const body: CheckpointBody = {
    kind,
    generation,
    componentId,
    component,
    entity,
    ...(where === undefined ? {} : { place: where }),
  };
  parts.recorder.append('checkpoint', body);
}

/** Undefined on the ground: there is nowhere to fly back to. Null when nobody knows. */
function placeOf({ snapshot, nowUs }: Moment): Place | null | undefined {
  if (readText(snapshot, 'vehicle.landed', nowUs)?.value === 'on_ground') return undefined;
  const position = readVector(snapshot, 'vehicle.position', nowUs);
  if (position === undefined) return null;
  const yaw = readNumber(snapshot, 'vehicle.yaw', nowUs)?.value;
  return { positionEnuM: position.value, ...(yaw === undefined ? {} : { yawEnuRad: yaw }) };
}

/** After a denial of something whose instance was entered: before, nothing has to be taken back. */
export function decideAfter(parts: Parts, run: Run): void {
  const fold = parts.tracker.trace;
  if (fold.instanceOf(idOf(run)) === undefined) return;
  const decision = decide(fold.trace, { step: idOf(run) }, 'dart');
  const body = bodyOf(decision, run);
  if (body === undefined) return;
  parts.recorder.append('rollback-decision', body);
}

function bodyOf(decision: Decision, run: Run): RollbackDecisionBody | undefined {
  if (decision.kind === 'retry') return undefined;
  const ids = (steps: readonly string[]): string[] => [...new Set(steps.map(componentIdOf))];
  const again = 'reexecute' in decision ? ids(decision.reexecute) : [];
  // Withheld before it began, it is what is left to do of its instance.
  const reexecute =
    decision.kind === 'rollback' && !again.includes(run.id) ? [...again, run.id] : again;
  const place = decision.kind === 'rollback' ? decision.checkpoint.place : undefined;
  return {
    generation: run.generation,
    componentId: run.id,
    kind: decision.kind,
    abstained: decision.kind !== 'rollback' && decision.abstained,
    instance: decision.instance === undefined ? '' : nameOf(decision.instance),
    ...(place ? { place } : {}),
    reexecute,
    kept: decision.kind === 'residual' ? ids(decision.kept) : [],
    unresolved: decision.kind === 'residual' ? ids(decision.unresolved) : [],
    certificate: { ...decision.certificate },
    refused: decision.refused.map(({ checkpoint: { kind, at }, reasons }) => ({
      kind,
      at,
      reasons: [...reasons],
    })),
    reasons: [...decision.reasons],
  };
}
