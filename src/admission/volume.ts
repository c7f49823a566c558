/**
 * The permitted volume of a target: altitude above home, distance from home, length of the leg.
 * Enters: a typed component, where it sets out, where home is. Leaves: findings.
 * Never: a clamped target, or a limit that passes because the evidence for it is missing.
 */
import {
  insidePolygon,
  pointsOf,
  staysInside,
  type Finding,
  type KindLimits,
  type Predicate,
  type Snapshot,
  type Typed,
} from '../contract/index.js';
import { finding } from '../platform/index.js';
import { joined, NO_FINDINGS } from './findings.js';
import { evaluatePredicate, numberText } from './predicate.js';
import type { PointEnuM, TypedComponent } from './types.js';

/** A known point, or why it is not known. */
export type PointReading = PointEnuM | Finding;

/** PX4 sends its position at 30 Hz; a second without it is no position. */
const POSITION: Predicate = { field: 'vehicle.position', maxAgeMs: 1000 };

/** PX4 repeats its home every 2 s at the slowest, and a move raises an epoch. */
const HOME: Predicate = { field: 'vehicle.home', maxAgeMs: 5000 };

export const readPosition = (snapshot: Snapshot, nowUs: number): PointReading =>
  readPoint(POSITION, snapshot, nowUs);

export const readHome = (snapshot: Snapshot, nowUs: number): PointReading =>
  readPoint(HOME, snapshot, nowUs);

function readPoint(predicate: Predicate, snapshot: Snapshot, nowUs: number): PointReading {
  const trouble = evaluatePredicate(predicate, undefined, snapshot, nowUs);
  if (trouble !== undefined) return { ...trouble, rule: 'limits' };
  const { field } = predicate;
  const value = snapshot.values.get(field)?.value;
  const [east, north, up] = typeof value === 'object' ? value : [];
  if (east === undefined || north === undefined || up === undefined) {
    const message = `${field} is not a point of three coordinates.`;
    return finding('limits', 'HALO-211', message, { field });
  }
  return [east, north, up];
}

export const isPoint = (reading: PointReading): reading is PointEnuM => Array.isArray(reading);

/** HALO-215, or the reason why home or the start of the leg is not known. */
export function volumeFindings(
  component: TypedComponent,
  from: PointReading | undefined,
  home: PointReading,
  place?: string,
): readonly Finding[] {
  const { typed, entry, mission } = component;
  const start = from !== undefined && isPoint(from) ? from : undefined;
  // A velocity leads from where it begins: without that nothing can be said of where it ends.
  if (typed.does === 'velocity' && from !== undefined && !isPoint(from)) return [from];
  const stored = typed.does === 'mission_upload';
  const points = stored
    ? typed.params.items.map((item) => item.positionM)
    : pointsOf(typed, start, mission);
  if (points.length === 0) return NO_FINDINGS;
  const param = PLACES[typed.does];
  const where = place === undefined || param === undefined ? {} : { path: `${place}.${param}` };
  return joined(
    pointFindings(points, entry.limits, home, where),
    // What is stored begins where its first item is; the way there is judged at its start.
    legFindings(points, entry.limits, stored ? points[0] : from, where),
  );
}

/** The parameter that says where it leads. */
const PLACES: Partial<Record<Typed['does'], string>> = {
  goto: 'params.positionM',
  follow_path: 'params.positionsM',
  orbit: 'params.centerM',
  velocity: 'params.velocityMS',
  mission_upload: 'params.items',
  mission_start: 'params.of',
};

type Where = { readonly path?: string };

/** Each corner within altitude and distance: between two of them the straight way is within too. */
function pointFindings(
  points: readonly PointEnuM[],
  limits: KindLimits,
  home: PointReading,
  where: Where,
): readonly Finding[] {
  const { altitudeMinM = -Infinity, altitudeMaxM = Infinity, homeDistanceMaxM } = limits;
  const bounded = altitudeMinM !== -Infinity || altitudeMaxM !== Infinity;
  if (!bounded && homeDistanceMaxM === undefined) return NO_FINDINGS;
  if (!isPoint(home)) return [home];
  for (const point of points) {
    const heightM = point[2] - home[2];
    const distanceM = Math.sqrt((point[0] - home[0]) ** 2 + (point[1] - home[1]) ** 2);
    const findings = joined(
      judge('Target altitude above home', heightM, altitudeMinM, altitudeMaxM, where),
      judge('Target distance from home', distanceM, 0, homeDistanceMaxM ?? Infinity, where),
    );
    // The first corner outside tells enough; a path of 64 would tell it 64 times.
    if (findings.length > 0) return findings;
  }
  return NO_FINDINGS;
}

/** Every straight leg within its length and inside the geofence, the first from the start. */
function legFindings(
  points: readonly PointEnuM[],
  { legMaxM, geofenceEnuM }: KindLimits,
  from: PointReading | undefined,
  where: Where,
): readonly Finding[] {
  if ((legMaxM === undefined && geofenceEnuM === undefined) || from === undefined) {
    return NO_FINDINGS;
  }
  if (!isPoint(from)) return [from];
  const corners = [from, ...points];
  for (const [i, to] of points.entries()) {
    const begin = corners[i] ?? from;
    const length = judge('Leg length', distance3M(begin, to), 0, legMaxM ?? Infinity, where);
    if (length.length > 0) return length;
    const [a, b] = [flat(begin), flat(to)];
    if (geofenceEnuM === undefined || staysInside(a, b, geofenceEnuM)) continue;
    const observed = `from [${a.map(numberText).join(', ')}] to [${b.map(numberText).join(', ')}]`;
    const message = `The way ${observed} m leaves the geofence.`;
    const detail = { observed, limit: 'inside geofenceEnuM', ...where };
    return [finding('limits', 'HALO-215', message, detail)];
  }
  return NO_FINDINGS;
}

/** Where the vehicle is now, within the limits of what it flies: for motions without a target. */
export function placeFindings(
  limits: KindLimits,
  at: PointReading,
  home: PointReading,
): readonly Finding[] {
  if (!isPoint(at)) return [at];
  const outside = pointFindings([at], limits, home, {});
  if (outside.length > 0 || limits.geofenceEnuM === undefined) return outside;
  if (insidePolygon(flat(at), limits.geofenceEnuM)) return NO_FINDINGS;
  const observed = `[${flat(at).map(numberText).join(', ')}]`;
  const detail = { observed, limit: 'inside geofenceEnuM' };
  return [finding('limits', 'HALO-215', `The vehicle at ${observed} m left the geofence.`, detail)];
}

function judge(
  what: string,
  valueM: number,
  minM: number,
  maxM: number,
  where: Where,
): readonly Finding[] {
  if (valueM >= minM && valueM <= maxM) return NO_FINDINGS;
  const limit = valueM < minM ? `at least ${minM} m` : `at most ${maxM} m`;
  const observed = `${numberText(valueM)} m`;
  const message = `${what} is ${observed}, permitted is ${limit}.`;
  return [finding('limits', 'HALO-215', message, { observed, limit, ...where })];
}

const flat = (point: PointEnuM): readonly [number, number] => [point[0], point[1]];

const distance3M = (a: PointEnuM, b: PointEnuM): number =>
  // Not Math.hypot: no overflow within 100 km, and ten times as fast.
  Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2);
