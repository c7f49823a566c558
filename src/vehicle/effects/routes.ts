/**
 * The motions that are routes: goto, follow_path, orbit, yaw. Enters: checked parameters, where the
 * vehicle is and heads. Leaves: a route each. Never: a corner that admission did not judge.
 */
import {
  fail,
  ok,
  orbitPoints,
  type HaloError,
  type Observed,
  type ParamsOf,
  type Result,
} from '../../contract/index.js';
import { haloError } from '../../platform/index.js';
import {
  compassDegFromYawNed,
  wrapRad,
  yawNedFromCompassDeg,
  yawNedFromEnu,
  type Vec3,
} from '../frames.js';
import { readNumber, readVector } from '../reading.js';
import { HORIZONTAL_M, Route, type RouteLeg, type RoutePlan, type RouteSeen } from './route.js';
import type { EffectOptions } from './types.js';

/** MPC_YAWRAUTO_MAX is 60 deg/s; half of it leaves room for its ramps. */
const YAW_RATE_RAD_S = Math.PI / 6;
/** The heading estimate strays by 1 or 2 degrees in a hover. */
const YAW_WITHIN_DEG = 5;
/** A turn on the spot goes nowhere: any speed serves to check that. */
const STILL_MS = 0.1;

interface Start {
  readonly enuM: Vec3;
  readonly yawNedRad: number;
}

/** Where it begins; the heading only when the parameters do not give one. HALO-208. */
function startOf(yawDeg: number | undefined, options: EffectOptions): Result<Start, HaloError> {
  const { snapshot, nowUs } = options;
  const position = readVector(snapshot, 'vehicle.position', nowUs);
  const yaw = readNumber(snapshot, 'vehicle.yaw', nowUs);
  if (position === undefined || (yaw === undefined && yawDeg === undefined)) {
    return fail(haloError('HALO-208', 'A leg starts from a fresh position and heading.'));
  }
  const yawNedRad =
    yawDeg === undefined ? yawNedFromEnu(yaw?.value ?? 0) : yawNedFromCompassDeg(yawDeg);
  return ok({ enuM: position.value, yawNedRad });
}

function routeFrom(
  yawDeg: number | undefined,
  options: EffectOptions,
  plan: (start: Start) => Omit<RoutePlan, 'startEnuM'>,
): Result<Route> {
  const start = startOf(yawDeg, options);
  if (!start.ok) return start;
  return Route.create({ startEnuM: start.value.enuM, ...plan(start.value) }, options);
}

export const createGoto = (
  { positionM, yawDeg, speedMS }: ParamsOf<'goto'>,
  options: EffectOptions,
): Result<Route> =>
  routeFrom(yawDeg, options, ({ yawNedRad }) => ({
    legs: [{ toEnuM: positionM, yawNedRad }],
    speedMS,
  }));

const flown = ({ offRouteM, lengthM }: RouteSeen): Observed => ({
  completed: true,
  lengthM,
  offRouteM,
});

/** Every corner is flown: the point waits there for the vehicle. */
export function createFollowPath(
  { positionsM, yawDeg, speedMS }: ParamsOf<'follow_path'>,
  options: EffectOptions,
): Result<Route> {
  const stopWithinM = options.entry.completion.horizontalM ?? HORIZONTAL_M;
  return routeFrom(yawDeg, options, ({ yawNedRad }) => {
    const legs = positionsM.map((toEnuM): RouteLeg => ({ toEnuM, yawNedRad, stopWithinM }));
    return { legs: nonEmpty(legs), speedMS, observe: flown };
  });
}

/** To the first point of the circle, then round it by chords, facing the centre unless told. */
export function createOrbit(params: ParamsOf<'orbit'>, options: EffectOptions): Result<Route> {
  const { centerM, yawDeg, speedMS } = params;
  const stopWithinM = options.entry.completion.horizontalM ?? HORIZONTAL_M;
  const facing = (a: Vec3, b: Vec3): number => {
    if (yawDeg !== undefined) return yawNedFromCompassDeg(yawDeg);
    const [east, north] = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
    return wrapRad(Math.atan2(centerM[0] - east, centerM[1] - north));
  };
  return routeFrom(yawDeg, options, () => {
    const points = orbitPoints(params);
    const legs = points.map((toEnuM, i): RouteLeg => {
      const before = points[i - 1];
      if (before === undefined) return { toEnuM, yawNedRad: facing(toEnuM, toEnuM), stopWithinM };
      return { toEnuM, yawNedRad: facing(before, toEnuM) };
    });
    const observe = (seen: RouteSeen): Observed => ({ ...flown(seen), turns: params.turns });
    return { legs: nonEmpty(legs), speedMS, observe };
  });
}

/** Stays where it is and turns; done when the heading has been held. */
export function createYaw({ yawDeg }: ParamsOf<'yaw'>, options: EffectOptions): Result<Route> {
  const now = readNumber(options.snapshot, 'vehicle.yaw', options.nowUs);
  if (now === undefined) {
    return fail(haloError('HALO-208', 'A turn starts from a fresh heading.'));
  }
  const turnRad = Math.abs(wrapRad(yawNedFromCompassDeg(yawDeg) - yawNedFromEnu(now.value)));
  const within = options.entry.completion.yawDeg ?? YAW_WITHIN_DEG;
  return routeFrom(yawDeg, options, ({ enuM, yawNedRad }) => ({
    legs: [{ toEnuM: enuM, yawNedRad }],
    speedMS: STILL_MS,
    turnS: turnRad / YAW_RATE_RAD_S,
    yawWithinRad: (within * Math.PI) / 180,
    observe: ({ yawEnuRad, yawErrorRad }) => ({
      completed: true,
      yawDeg: compassDegFromYawNed(yawNedFromEnu(yawEnuRad ?? NaN)),
      yawErrorDeg: (yawErrorRad * 180) / Math.PI,
    }),
  }));
}

/** The schema asks for one point at least. */
function nonEmpty(legs: readonly RouteLeg[]): RoutePlan['legs'] {
  const [first, ...others] = legs;
  return [first ?? { toEnuM: [NaN, NaN, NaN], yawNedRad: NaN }, ...others];
}
