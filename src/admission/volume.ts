/**
 * The permitted volume of a target: altitude above home, distance from home, length of the leg.
 * Enters: a typed component, where it sets out, where home is. Leaves: findings.
 * Never: a clamped target, or a limit that passes because the evidence for it is missing.
 */
import type { Finding, Predicate, Snapshot } from '../contract/index.js';
import { finding } from '../platform/index.js';
import { NO_FINDINGS } from './findings.js';
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
  { typed, entry }: TypedComponent,
  from: PointReading | undefined,
  home: PointReading,
  place?: string,
): readonly Finding[] {
  if (typed.does !== 'goto') return NO_FINDINGS;
  const { altitudeMinM, altitudeMaxM, homeDistanceMaxM, legMaxM } = entry.limits;
  const target = typed.params.positionM;
  const findings: Finding[] = [];
  const judge = (what: string, valueM: number, minM: number, maxM: number): void => {
    if (valueM >= minM && valueM <= maxM) return;
    const limit = valueM < minM ? `at least ${minM} m` : `at most ${maxM} m`;
    const observed = `${numberText(valueM)} m`;
    const path = place === undefined ? {} : { path: `${place}.params.positionM` };
    const message = `${what} is ${observed}, permitted is ${limit}.`;
    findings.push(finding('limits', 'HALO-215', message, { observed, limit, ...path }));
  };
  if (altitudeMinM !== undefined || altitudeMaxM !== undefined || homeDistanceMaxM !== undefined) {
    if (isPoint(home)) {
      const heightM = target[2] - home[2];
      judge(
        'Target altitude above home',
        heightM,
        altitudeMinM ?? -Infinity,
        altitudeMaxM ?? Infinity,
      );
      const distanceM = Math.hypot(target[0] - home[0], target[1] - home[1]);
      judge('Target distance from home', distanceM, 0, homeDistanceMaxM ?? Infinity);
    } else {
      findings.push(home);
    }
  }
  if (legMaxM !== undefined && from !== undefined) {
    if (isPoint(from)) judge('Leg length', distance3M(from, target), 0, legMaxM);
    else findings.push(from);
  }
  return findings;
}

const distance3M = (a: PointEnuM, b: PointEnuM): number =>
  // Not Math.hypot: no overflow within 100 km, and ten times as fast.
  Math.sqrt((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2 + (a[2] - b[2]) ** 2);
