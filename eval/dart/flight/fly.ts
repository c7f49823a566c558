/**
 * One inspection through the real engine: up to the failure, over the recovery, to its end.
 * Enters: a case, how to decide. Leaves: how it ended. Never: a shortcut: every way back is a
 * fresh response that the engine admits or not.
 */
import type { Component } from '../../../src/contract/index.js';
import { seededRandom } from '../../../src/platform/index.js';
import {
  componentIdOf,
  decide,
  stepIdOf,
  type Checkpoint,
  type Decision,
  type Place,
  type Strategy,
  type Trace,
} from '../../../src/recovery/dart/index.js';
import { Flight } from '../../../test/world/flight.js';
import type { StrategyName } from '../row.js';
import { CATALOG_TEXT, goTo, inTurn, missionOf, type Mission } from './mission.js';
import { IMAGE, Witness } from './witness.js';

/**
 *   unheard   the picture is taken, and its word is lost
 *   unasked   the request for the picture is lost
 *   moved     unheard; nobody answers in time, and the bridge lands
 *   cut-short GPS is lost on a leg: the guardian lands
 *   shifted   the estimator is reset on a leg: numbers name other spots
 *   dropped   the load falls, and the sensor that tells so is silent
 *   jammed    the load hangs on though the gripper opened
 */
export type Trouble =
  'unheard' | 'unasked' | 'moved' | 'cut-short' | 'shifted' | 'dropped' | 'jammed';

export interface FlightCase {
  readonly id: string;
  readonly seed: number;
  readonly kind: string;
  readonly sensitive: boolean;
  readonly trouble: Trouble;
  /** The component that fails. */
  readonly at: string;
  readonly drop: boolean;
  readonly stations: number;
}

export interface Flown {
  readonly view: unknown;
  readonly kind: Decision['kind'];
  readonly reexecuted: number;
  /** Checkpoints of the failed instance that were held back, by their number. */
  readonly heldBack: readonly number[];
}

/** How to go on; `checkpoint` forces a way back that was held back. */
export type Way = StrategyName | { readonly checkpoint: number };

const IMAGE_START_CAPTURE = 2000;
/** 28 components in a row take 80 s; with a way back, and a wait for a contingency, 150. */
const FLIGHT_S = 240;

/** From scratch, with nothing in the way: what a right end is. */
export function flyUndisturbed(of: Pick<FlightCase, 'seed' | 'drop' | 'stations'>): unknown {
  const mission = missionOf(seededRandom(of.seed), of);
  const { flight, witness } = ready(mission, of.seed);
  submit(flight, mission.plan);
  toTheEnd(flight);
  return witness.view();
}

export function fly(of: FlightCase, way: Way): Flown {
  const mission = missionOf(seededRandom(of.seed), of);
  const { flight, witness } = ready(mission, of.seed);
  submit(flight, mission.plan);
  disturb(flight, of);
  const { trace } = flight.replayed().trace;
  const instance = trace.instances.find(({ steps }) => steps.some((s) => s.id === stepOf(of)));
  const checkpoints = instance?.checkpoints ?? [];
  const decision = decisionOf(of, way, trace, checkpoints);
  const told = flight.context().rollback;
  if (way === 'dart' && told?.kind !== decision.kind) {
    throw new Error(`the bridge told ${told?.kind ?? 'nothing'}, not ${decision.kind}`);
  }
  const begun = new Set(
    trace.instances.flatMap(({ steps }) =>
      steps.filter((s) => s.begunAt !== undefined).map((s) => componentIdOf(s.id)),
    ),
  );
  if (decision.kind === 'whole-task') witness.startAgain();
  const response = responseFor(flight, mission, decision, begun);
  submit(flight, response);
  toTheEnd(flight);
  const chosen = decision.kind === 'rollback' ? decision.checkpoint.at : -1;
  return {
    view: witness.view(),
    kind: decision.kind,
    reexecuted: response.filter(({ id }) => begun.has(id)).length,
    heldBack: checkpoints.flatMap(({ at }, k) => (at > chosen ? [k] : [])),
  };
}

const stepOf = ({ at }: FlightCase): string => stepIdOf(1, at);

function ready(mission: Mission, seed: number) {
  const { contract } = mission;
  const flight = new Flight({ seed, contract, catalog: CATALOG_TEXT, devices: true }).ready();
  flight.seconds(1);
  return { flight, witness: new Witness(flight, mission) };
}

function decisionOf(
  of: FlightCase,
  way: Way,
  trace: Trace,
  checkpoints: readonly Checkpoint[],
): Decision {
  const failure = { step: stepOf(of) };
  if (typeof way === 'string' && way !== 'whole-task') return decide(trace, failure, way);
  const entry = decide(trace, failure, 'entry-only' satisfies Strategy);
  const steps = trace.instances.flatMap((i) => i.steps);
  const common = { strategy: 'entry-only' as const, refused: [], reasons: [] };
  if (way === 'whole-task') {
    const reexecute = steps.filter((s) => s.begunAt !== undefined).map(({ id }) => id);
    return { ...common, kind: 'whole-task', abstained: false, reexecute };
  }
  const checkpoint = checkpoints[way.checkpoint];
  if (checkpoint === undefined || entry.kind !== 'rollback') throw new Error('no such checkpoint');
  const own = trace.instances.find(({ steps: s }) => s.some(({ id }) => id === stepOf(of)));
  const reexecute = (own?.steps ?? [])
    .filter(({ begunAt = -1, endedAt = Infinity }) => begunAt >= 0 && endedAt > checkpoint.at)
    .map(({ id }) => id);
  return { ...common, kind: 'rollback', checkpoint, reexecute };
}

function disturb(flight: Flight, { trouble, at }: FlightCase): void {
  flight.until(at, () => ['active', 'awaiting-approval'].includes(flight.stateOf(at)), FLIGHT_S);
  const over = (): boolean => ['unknown', 'interrupted'].includes(flight.stateOf(at));
  switch (trouble) {
    case 'unheard':
    case 'unasked':
    case 'moved': {
      if (trouble === 'unasked') flight.wire.loses = (f) => f.command === IMAGE_START_CAPTURE;
      else flight.wire.deafTo.add(IMAGE);
      flight.until(`the end of ${at}`, over, 15);
      flight.wire.loses = () => false;
      flight.wire.deafTo.clear();
      if (trouble === 'moved') flight.until('the contingency', () => flight.atRest, 60);
      return;
    }
    case 'cut-short':
    case 'shifted': {
      flight.seconds(0.8);
      if (trouble === 'cut-short') flight.inject({ name: 'gps-loss', seconds: 4 });
      else flight.inject({ name: 'estimator-reset', jumpNedM: { n: 4, e: 0, d: 0 } });
      flight.until(`the end of ${at}`, over, 15);
      flight.until('the landing', () => flight.atRest, 90);
      flight.seconds(2);
      return;
    }
    case 'dropped':
    case 'jammed': {
      if (trouble === 'jammed') flight.vehicle.autopilot.jamGripper();
      else flight.wire.loses = (f) => (f.command === 211 ? silence(flight) : false);
      approve(flight, at);
      flight.until(`the end of ${at}`, over, 20);
      flight.loadSensed = true;
    }
  }
}

/** From the moment of the command nobody tells of the load. */
function silence(flight: Flight): false {
  flight.loadSensed = false;
  return false;
}

function approve(flight: Flight, id: string): void {
  const asks = (): boolean => flight.stateOf(id) === 'awaiting-approval';
  flight.until(`the question of ${id}`, asks, FLIGHT_S);
  const shown = flight.engine.state().components.findLast((c) => c.id === id)?.reason ?? '';
  flight.approve(/[0-9a-f]{64}/.exec(shown)?.[0] ?? '');
}

/** What the decision asks for, then what is left of the plan. */
function responseFor(
  flight: Flight,
  { plan }: Mission,
  decision: Decision,
  begun: ReadonlySet<string>,
): readonly Component[] {
  const { landed } = flight.engine.state().vehicle;
  const airborne = landed !== 'on_ground';
  if (decision.kind === 'whole-task') {
    const first: Component[] = airborne ? [{ id: 'back-down', kind: 'flight.land' }] : [];
    return [...first, ...plan];
  }
  const again = 'reexecute' in decision ? decision.reexecute.map(componentIdOf) : [];
  const gone = flight.vehicle.autopilot.status().released;
  const unresolved = decision.kind === 'residual' ? decision.unresolved.map(componentIdOf) : [];
  // Looked at: what did not happen is still to be done.
  const redo = [...again, ...(gone ? [] : unresolved)];
  const order = [
    ...redo.flatMap((id) => plan.filter((c) => c.id === id)),
    ...plan.filter(({ id }) => !begun.has(id) && !redo.includes(id)),
  ];
  const place = decision.kind === 'rollback' ? decision.checkpoint.place : undefined;
  return decision.kind === 'retry' ? order : [...wayBack(airborne, place), ...order];
}

function wayBack(airborne: boolean, place: Place | null | undefined): readonly Component[] {
  const up: readonly Component[] = [
    { id: 'back-arm', kind: 'flight.arm' },
    { id: 'back-up', kind: 'flight.takeoff', params: { altitudeM: 3 } },
  ];
  if (!place) return [];
  const [east, north, upM] = place.positionEnuM;
  // Where the vehicle stood at low height it is not sent below what the catalog permits.
  const back = goTo('back', [east, north, Math.max(upM, 1.6)]);
  return [...(airborne ? [] : up), back];
}

let responses = 0;

function submit(flight: Flight, components: readonly Component[]): void {
  responses += 1;
  const { open } = flight;
  flight.submit({
    protocol: 'halo/1',
    id: `r-${responses}`,
    task: 'inspect-stations',
    components: inTurn(components),
    ...(open === undefined ? {} : { discharges: open.id }),
  });
}

/** All of it has come to an end, and the vehicle is down: by the plan, or by the contingency. */
function toTheEnd(flight: Flight): void {
  const still = new Set(['pending', 'active', 'waiting-evidence', 'awaiting-approval']);
  const asked = new Set<string>();
  const over = (): boolean => {
    const { components } = flight.engine.state();
    const question = components.find((c) => c.state === 'awaiting-approval');
    if (question !== undefined && !asked.has(question.reason)) {
      asked.add(question.reason);
      return true;
    }
    return flight.atRest && !components.some(({ state }) => still.has(state));
  };
  for (;;) {
    flight.until('the end of the flight', over, FLIGHT_S);
    const question = flight.engine.state().components.find((c) => c.state === 'awaiting-approval');
    if (question === undefined) return;
    approve(flight, question.id);
    flight.until('its start', () => flight.stateOf(question.id) !== 'awaiting-approval', 5);
  }
}
