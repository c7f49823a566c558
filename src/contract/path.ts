/**
 * Where a motion leads, from its parameters alone: the corners that admission judges and that the
 * vehicle side flies are the same. Enters: typed parameters. Leaves: points, local ENU, metres.
 * Never: evidence; where a motion begins is for the caller to say.
 */
import type { ParamsOf, Typed } from './params.js';

export type EnuM = readonly [number, number, number];

/** What an upload stores aboard. */
export type Mission = ParamsOf<'mission_upload'>;

/** The chords of an orbit leave its circle by this: less than a hover strays, so that a gate which
 * checks straight segments checks the circle. */
const SAGITTA_M = 0.1;
/** A small circle is flown rounder than the sagitta asks for: 30 degrees of heading a chord. */
const CHORDS_MIN = 12;

const rad = (deg: number): number => (deg * Math.PI) / 180;

/** The corners of an orbit's polygon from its first point to its last; all lie on the circle. */
export function orbitPoints(params: ParamsOf<'orbit'>): readonly EnuM[] {
  const { centerM, radiusM, startDeg, turns, direction } = params;
  const chords = Math.max(CHORDS_MIN, Math.ceil(Math.PI / Math.acos(1 - SAGITTA_M / radiusM)));
  const steps = Math.max(1, Math.ceil(chords * turns));
  const sign = direction === 'clockwise' ? 1 : -1;
  return Array.from({ length: steps + 1 }, (_, step) => {
    const bearing = rad(startDeg + (sign * 360 * turns * step) / steps);
    return [
      centerM[0] + radiusM * Math.sin(bearing),
      centerM[1] + radiusM * Math.cos(bearing),
      centerM[2],
    ];
  });
}

/** Items of a mission that a start of it flies, first to last; empty when there are none. */
export function missionLegs(
  { fromItem = 0, untilItem }: ParamsOf<'mission_start'>,
  mission: Mission,
): Mission['items'] {
  return mission.items.slice(fromItem, untilItem === undefined ? undefined : untilItem + 1);
}

/**
 * Points that the motion passes after its beginning; empty for what leads nowhere. A start leads
 * where the mission that it names does.
 */
export function pointsOf(typed: Typed, from: EnuM | undefined, mission?: Mission): readonly EnuM[] {
  switch (typed.does) {
    case 'goto':
      return [typed.params.positionM];
    case 'follow_path':
      return typed.params.positionsM;
    case 'orbit':
      return orbitPoints(typed.params);
    case 'velocity': {
      const { velocityMS, durationS } = typed.params;
      return from === undefined ? [] : [along(from, velocityMS, durationS)];
    }
    case 'mission_start':
      return mission ? missionLegs(typed.params, mission).map((item) => item.positionM) : [];
    default:
      return [];
  }
}

const along = (from: EnuM, velocity: EnuM, seconds: number): EnuM => [
  from[0] + velocity[0] * seconds,
  from[1] + velocity[1] * seconds,
  from[2] + velocity[2] * seconds,
];

type Point2 = readonly [number, number];

/** True when the point is inside the polygon or on its edge; false for anything not finite. */
export function insidePolygon([x, y]: Point2, polygon: readonly Point2[]): boolean {
  let inside = false;
  for (let i = 0; i < polygon.length; i += 1) {
    const [a, b] = edge(polygon, i);
    if (onSegment([x, y], a, b)) return true;
    const crosses = a[1] > y !== b[1] > y;
    if (crosses && x < ((b[0] - a[0]) * (y - a[1])) / (b[1] - a[1]) + a[0]) inside = !inside;
  }
  return inside;
}

/**
 * True when the whole straight way stays inside: both ends, and the middle of every piece between
 * two places where it meets an edge, so that a way through a corner is judged too.
 */
export function staysInside(from: Point2, to: Point2, polygon: readonly Point2[]): boolean {
  const at = (t: number): Point2 => [
    from[0] + t * (to[0] - from[0]),
    from[1] + t * (to[1] - from[1]),
  ];
  const meets = polygon.flatMap((_, i) => meeting(from, to, ...edge(polygon, i)));
  const cuts = [0, ...meets.sort((a, b) => a - b), 1];
  if (!insidePolygon(from, polygon) || !insidePolygon(to, polygon)) return false;
  return cuts.every((t, i) => i === 0 || insidePolygon(at((t + (cuts[i - 1] ?? t)) / 2), polygon));
}

/** Where along the way (0 to 1) it meets the edge; nothing when they are parallel or apart. */
function meeting(from: Point2, to: Point2, a: Point2, b: Point2): readonly number[] {
  const [c, d] = [side(a, b, from), side(a, b, to)];
  if (c === d) return [];
  const t = c / (c - d);
  return t > 0 && t < 1 && side(from, to, a) * side(from, to, b) <= 0 ? [t] : [];
}

/** True when no two edges of the polygon cross: only then has it one inside. */
export function isSimplePolygon(polygon: readonly Point2[]): boolean {
  return polygon.every((_, i) =>
    polygon.every((__, j) => j <= i || !properlyCross(...edge(polygon, i), ...edge(polygon, j))),
  );
}

function edge(polygon: readonly Point2[], i: number): readonly [Point2, Point2] {
  const a = polygon[i] ?? [NaN, NaN];
  return [a, polygon[(i + 1) % polygon.length] ?? a];
}

/** Twice the signed area: the side of the line a-b on which c lies. */
const side = (a: Point2, b: Point2, c: Point2): number =>
  (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);

function properlyCross(a: Point2, b: Point2, c: Point2, d: Point2): boolean {
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

function onSegment(p: Point2, a: Point2, b: Point2): boolean {
  if (side(a, b, p) !== 0) return false;
  const within = (i: 0 | 1): boolean =>
    p[i] >= Math.min(a[i], b[i]) && p[i] <= Math.max(a[i], b[i]);
  return within(0) && within(1);
}
