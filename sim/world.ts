/**
 * What stands around the vehicle: one tower, and the forward range sensor that sees it.
 * In: the true pose. Out: metres to the tower, or nothing within range. Never sees the estimate.
 */
import type { Truth } from './autopilot/index.js';

/** An upright box on the ground, in metres from home: east, north; width east, depth north. */
export interface Tower {
  readonly eastM: number;
  readonly northM: number;
  readonly widthM: number;
  readonly depthM: number;
  readonly heightM: number;
}

/** Where the example's tower stands: between the legs of the inspection, clear of take-off. */
export const DEFAULT_TOWER: Tower = { eastM: 10, northM: 10, widthM: 4, depthM: 4, heightM: 20 };

export const RANGE_MIN_M = 0.2;
export const RANGE_MAX_M = 30;
/** Standard deviation of a small laser at these distances. */
const RANGE_NOISE_M = 0.02;

/** Metres along the nose, level, to the tower's wall; undefined when it is not in view. */
export function rangeAhead(tower: Tower, truth: Truth): number | undefined {
  const { n, e, d } = truth.positionNedM;
  if (-d > tower.heightM) return undefined;
  const direction = { e: Math.sin(truth.yawRad), n: Math.cos(truth.yawRad) };
  const acrossE = slab(e, direction.e, tower.eastM, tower.widthM / 2);
  const acrossN = slab(n, direction.n, tower.northM, tower.depthM / 2);
  if (acrossE === undefined || acrossN === undefined) return undefined;
  const enter = Math.max(acrossE[0], acrossN[0]);
  const leave = Math.min(acrossE[1], acrossN[1]);
  // Inside the box the wall is where the vehicle already is.
  if (leave < 0 || enter > leave) return undefined;
  const distance = Math.max(enter, 0);
  return distance <= RANGE_MAX_M ? distance : undefined;
}

/** Where a ray is between two parallel walls, as a span of distances along it. */
function slab(
  from: number,
  direction: number,
  middle: number,
  half: number,
): readonly [number, number] | undefined {
  if (Math.abs(direction) < 1e-9) {
    return Math.abs(from - middle) <= half ? [-Infinity, Infinity] : undefined;
  }
  const a = (middle - half - from) / direction;
  const b = (middle + half - from) / direction;
  return a < b ? [a, b] : [b, a];
}

/** A reading with noise; Infinity when nothing is in range, as REP 117 asks. */
export function measureRange(tower: Tower, truth: Truth, random: () => number): number {
  const distance = rangeAhead(tower, truth);
  if (distance === undefined) return Infinity;
  // Twelve uniform numbers less six are close to a standard normal one.
  let sum = -6;
  for (let i = 0; i < 12; i += 1) sum += random();
  return Math.max(RANGE_MIN_M, distance + RANGE_NOISE_M * sum);
}
