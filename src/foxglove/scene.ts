/**
 * The picture in 3D: where the vehicle is and was, and what became of each leg.
 * Enters: EngineState at the publishing rate. Leaves: foxglove.SceneUpdate.
 * Never: an entity that outlives its cause: each one fades by itself when it is not renewed.
 */
import type { ComponentProgress, ComponentState, EngineState } from '../contract/index.js';
import { FRAME_ID, poseOf, timeOf, type FoxgloveTime } from './messages.js';

type Vec = readonly [number, number, number];
interface Color {
  readonly r: number;
  readonly g: number;
  readonly b: number;
  readonly a: number;
}

const rgb = (r: number, g: number, b: number): Color => ({ r, g, b, a: 1 });
const WHITE = rgb(1, 1, 1);
const GREY = rgb(0.6, 0.6, 0.65);

/** Blue: may come. Orange: now. Green: observed. Red: withheld. Magenta: ended without a word. */
export const LEG_COLORS: Readonly<Record<ComponentState, Color>> = {
  pending: rgb(0.25, 0.55, 1),
  'awaiting-approval': rgb(0.25, 0.55, 1),
  'waiting-evidence': rgb(0.25, 0.55, 1),
  active: rgb(1, 0.6, 0.1),
  done: rgb(0.2, 0.8, 0.3),
  delivered: rgb(0.2, 0.8, 0.3),
  withheld: rgb(0.9, 0.15, 0.15),
  interrupted: rgb(0.85, 0.2, 0.85),
  unknown: rgb(0.85, 0.2, 0.85),
};

/** Closer points would not be seen at the scale of a flight. */
const TRAIL_STEP_M = 0.25;
/** 75 m of trail or more, and a message of about 20 kB. */
const TRAIL_MAX = 300;
/** Ten scene periods: a few dropped messages do not make the picture blink. */
const LIFETIME = { sec: 2, nsec: 0 };

const point = ([x, y, z]: Vec): object => ({ x, y, z });
const known = (position: Vec): boolean => position.every(Number.isFinite);
const distanceM = (a: Vec, b: Vec): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

const line = (points: readonly Vec[], thickness: number, color: Color): object => ({
  type: 0,
  pose: poseOf([0, 0, 0]),
  thickness,
  scale_invariant: false,
  points: points.map(point),
  color,
  colors: [],
  indices: [],
});

const label = ([x, y, z]: Vec, text: string, color: Color): object => ({
  pose: poseOf([x, y, z + 0.6]),
  billboard: true,
  font_size: 14,
  scale_invariant: true,
  color,
  text,
});

const entity = (id: string, timestamp: FoxgloveTime, parts: Record<string, object[]>): object => ({
  timestamp,
  frame_id: FRAME_ID,
  id,
  lifetime: LIFETIME,
  frame_locked: false,
  metadata: [],
  arrows: [],
  cubes: [],
  spheres: [],
  cylinders: [],
  lines: [],
  triangles: [],
  texts: [],
  models: [],
  ...parts,
});

function vehicleEntity({ vehicle }: EngineState, timestamp: FoxgloveTime): object {
  const battery = Number.isFinite(vehicle.batteryFraction)
    ? ` · ${Math.round(vehicle.batteryFraction * 100)} %`
    : '';
  const text = `${vehicle.mode} · ${vehicle.armed ? 'armed' : 'disarmed'}${battery}`;
  return entity('vehicle', timestamp, {
    cubes: [
      {
        pose: poseOf(vehicle.positionEnuM, vehicle.yawEnuRad),
        // Larger than a real quadrotor, so that it is seen from the height of a whole plan.
        size: { x: 0.8, y: 0.5, z: 0.2 },
        color: vehicle.failsafe ? LEG_COLORS.withheld : WHITE,
      },
    ],
    texts: [label(vehicle.positionEnuM, text, WHITE)],
  });
}

const isPlaced = ({ vehicle }: EngineState): boolean =>
  known(vehicle.positionEnuM) && Number.isFinite(vehicle.yawEnuRad);

/** Keeps the trail and where the response began. */
export class Scene {
  readonly #trail: Vec[] = [];
  #responseId = '';
  #start: Vec | undefined;

  /** Called at the publishing rate, also while nobody watches: the trail has no gaps. */
  track(state: EngineState): void {
    if (isPlaced(state)) this.#extendTrail(state.vehicle.positionEnuM);
    const responseId = state.components[0]?.responseId ?? '';
    if (responseId === this.#responseId) return;
    this.#responseId = responseId;
    this.#start = this.#trail.at(-1);
  }

  render(state: EngineState, wallMs: number): object {
    const timestamp = timeOf(wallMs);
    const entities = [
      ...(isPlaced(state) ? [vehicleEntity(state, timestamp)] : []),
      ...this.#legEntities(state, timestamp),
      ...(this.#trail.length > 1
        ? [entity('trail', timestamp, { lines: [line(this.#trail, 0.04, GREY)] })]
        : []),
    ];
    return { deletions: [], entities };
  }

  #extendTrail(position: Vec): void {
    const last = this.#trail.at(-1);
    if (last !== undefined && distanceM(last, position) < TRAIL_STEP_M) return;
    this.#trail.push([...position]);
    if (this.#trail.length > TRAIL_MAX) this.#trail.shift();
  }

  #legEntities(state: EngineState, timestamp: FoxgloveTime): object[] {
    let from = this.#start;
    const entities: object[] = [];
    for (const component of state.components) {
      if (component.targetEnuM === undefined || !known(component.targetEnuM)) continue;
      entities.push(this.#legEntity(component, from, component.targetEnuM, timestamp));
      from = component.targetEnuM;
    }
    return entities;
  }

  #legEntity(
    component: ComponentProgress,
    from: Vec | undefined,
    target: Vec,
    timestamp: FoxgloveTime,
  ): object {
    const color = LEG_COLORS[component.state];
    const lines = from === undefined ? [] : [line([from, target], 0.08, color)];
    const spheres = [{ pose: poseOf(target), size: { x: 0.4, y: 0.4, z: 0.4 }, color }];
    const texts = [label(target, `${component.id} · ${component.state}`, color)];
    return entity(`leg ${component.id}`, timestamp, { lines, spheres, texts });
  }
}
