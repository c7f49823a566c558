/**
 * How far along its admitted legs a lease is, and where its next setpoint may lie: on from there,
 * by no more than the admitted speed allows along the way. So legs are flown in their order and
 * none is left out, also where a path crosses itself or turns back on itself.
 * Enters: an envelope, a place on its way, setpoints. Leaves: the next place, or none.
 * Never: a place behind the last one, or one that is near in space and far along the way.
 */
import {
  footOn,
  SEGMENT_TOLERANCE_M,
  type AllowedSetpoint,
  type Envelope,
  type SentPoint,
} from './envelope.js';

/** The legs of an envelope in their order, with the way to the start of each. */
export interface Legs {
  readonly segments: readonly AllowedSetpoint[];
  readonly waysM: readonly number[];
  readonly speedMS: number;
}

export interface Place {
  /** Number of the leg, from 0. */
  readonly leg: number;
  /** From the start of the first leg, along all before. */
  readonly wayM: number;
}

export const START: Place = { leg: 0, wayM: 0 };

/** Undefined for an effect that sends no positions. */
export function legsOf({ allowed }: Envelope): Legs | undefined {
  const segments = allowed.filter((one) => one.type === 'setpoint');
  if (segments.length === 0) return undefined;
  let wayM = 0;
  const waysM = segments.map(({ fromNedM: a, toNedM: b }) => {
    const startM = wayM;
    wayM += Math.sqrt((b[0] - a[0]) ** 2 + (b[1] - a[1]) ** 2 + (b[2] - a[2]) ** 2);
    return startM;
  });
  return { segments, waysM, speedMS: Math.max(...segments.map(({ speedMS }) => speedMS)) };
}

/** Setpoints are float32: exact to 1 mm at 10 km. A step back is longer than this. */
const BACK_M = 0.02;
/** Off the leg by the tolerance, and as much behind where the last one was taken for a corner. */
const AHEAD_M = 2 * SEGMENT_TOLERANCE_M;

/**
 * The first place on the way, from the last one on, where the setpoint can be. One that is behind
 * within the tolerance counts as the last place, so that none creeps back.
 */
export function nextPlace(
  { segments, waysM, speedMS }: Legs,
  last: Place,
  before: SentPoint,
  next: SentPoint,
): Place | undefined {
  const mostM = last.wayM + (speedMS * (next.atUs - before.atUs)) / 1e6 + AHEAD_M;
  for (let leg = last.leg; leg < segments.length; leg += 1) {
    const segment = segments[leg];
    const startM = waysM[leg];
    if (segment === undefined || startM === undefined || startM > mostM) return undefined;
    if (segment.yawNedRad !== next.yawNedRad) continue;
    const { alongM, offM } = footOn(next.nedM, segment.fromNedM, segment.toNedM);
    const wayM = startM + alongM;
    if (offM > SEGMENT_TOLERANCE_M || wayM < last.wayM - BACK_M || wayM > mostM) continue;
    return { leg, wayM: Math.max(wayM, last.wayM) };
  }
  return undefined;
}
