/**
 * Reading a snapshot with care. Enters: a snapshot and a field. Leaves: the value with the time of
 * its arrival, or undefined. Never: a value that is stale, from the future, in conflict or of
 * another type than asked for.
 */
import {
  evidenceAgeMs,
  FUTURE_TOLERANCE_MS,
  type EvidenceDatum,
  type Snapshot,
  type VehicleField,
} from '../contract/index.js';
import type { Vec3 } from './frames.js';

export interface Reading<T> {
  readonly value: T;
  readonly receivedUs: number;
}

/**
 * Oldest evidence that an effect decides by, in ms: about three periods of the message that brings
 * it (see requests.ts), so that two lost packets do not stop a flight.
 */
export const MAX_AGE_MS = {
  /** HEARTBEAT at 1 Hz, which cannot be asked for more often. */
  state: 2500,
  /** EXTENDED_SYS_STATE at 10 Hz; 5 Hz when PX4 does not oblige. */
  landed: 1000,
  /** LOCAL_POSITION_NED and ATTITUDE at 30 Hz or more; at 2 m/s this is one metre. */
  motion: 500,
  /** HOME_POSITION at 1 Hz; 0.5 Hz by default. It moves with an epoch only. */
  home: 5000,
  /** PX4 tells the attitude of a gimbal at 1 Hz on an onboard link; a winch speaks at 1 Hz too. */
  device: 3500,
  /** MISSION_CURRENT at 1 Hz and whenever it changes. */
  mission: 3500,
} as const;

const AGES: Partial<Record<VehicleField, number>> = {
  'vehicle.armed': MAX_AGE_MS.state,
  'vehicle.mode': MAX_AGE_MS.state,
  'vehicle.landed': MAX_AGE_MS.landed,
  'vehicle.position': MAX_AGE_MS.motion,
  'vehicle.velocity': MAX_AGE_MS.motion,
  'vehicle.yaw': MAX_AGE_MS.motion,
  'vehicle.home': MAX_AGE_MS.home,
  'vehicle.home_global': MAX_AGE_MS.home,
  'vehicle.gimbal': MAX_AGE_MS.device,
  'vehicle.winch_m': MAX_AGE_MS.device,
  'vehicle.mission_current': MAX_AGE_MS.mission,
  'vehicle.mission_reached': MAX_AGE_MS.mission,
  'vehicle.mission_total': MAX_AGE_MS.mission,
};

const read = (snapshot: Snapshot, field: VehicleField, nowUs: number) =>
  readField(snapshot, field, AGES[field] ?? 0, nowUs);

/** Any field, with the age that the caller knows for it; the time is that of its birth. */
export function readField(
  snapshot: Snapshot,
  field: string,
  maxAgeMs: number,
  nowUs: number,
): (Reading<EvidenceDatum> & { readonly bornUs: number }) | undefined {
  const found = snapshot.values.get(field);
  if (found === undefined || found.conflict !== undefined) return undefined;
  const ageMs = evidenceAgeMs(found, nowUs);
  const aheadMs = (Math.max(found.receivedUs, found.stampUs ?? nowUs) - nowUs) / 1000;
  const future = aheadMs > FUTURE_TOLERANCE_MS;
  // Written so that a time that is not a number is no reading.
  if (future || !(ageMs <= maxAgeMs)) return undefined;
  return { ...found, bornUs: Math.min(found.receivedUs, found.stampUs ?? found.receivedUs) };
}

export function readFlag(snapshot: Snapshot, field: 'vehicle.armed', nowUs: number) {
  const found = read(snapshot, field, nowUs);
  if (typeof found?.value !== 'boolean') return undefined;
  return { value: found.value, receivedUs: found.receivedUs };
}

export function readText(
  snapshot: Snapshot,
  field: 'vehicle.mode' | 'vehicle.landed',
  nowUs: number,
): Reading<string> | undefined {
  const found = read(snapshot, field, nowUs);
  if (typeof found?.value !== 'string') return undefined;
  return { value: found.value, receivedUs: found.receivedUs };
}

export function readNumber(
  snapshot: Snapshot,
  field:
    | 'vehicle.yaw'
    | 'vehicle.winch_m'
    | 'vehicle.mission_current'
    | 'vehicle.mission_reached'
    | 'vehicle.mission_total',
  nowUs: number,
): Reading<number> | undefined {
  const found = read(snapshot, field, nowUs);
  if (typeof found?.value !== 'number') return undefined;
  return { value: found.value, receivedUs: found.receivedUs };
}

export function readVector(
  snapshot: Snapshot,
  field:
    | 'vehicle.position'
    | 'vehicle.velocity'
    | 'vehicle.home'
    | 'vehicle.home_global'
    | 'vehicle.gimbal',
  nowUs: number,
): Reading<Vec3> | undefined {
  const found = read(snapshot, field, nowUs);
  if (typeof found?.value !== 'object') return undefined;
  const [a, b, c] = found.value;
  if (a === undefined || b === undefined || c === undefined) return undefined;
  return { value: [a, b, c], receivedUs: found.receivedUs };
}

/** The one home in both frames, of one message. */
export interface Home {
  readonly enuM: Vec3;
  /** [latitude deg, longitude deg, altitude AMSL m] */
  readonly global: Vec3;
}

/** Home in both frames. They come in one message; two that do not belong together are no home. */
export function readHomePair(snapshot: Snapshot, nowUs: number): Home | undefined {
  const enuM = readVector(snapshot, 'vehicle.home', nowUs);
  const global = readVector(snapshot, 'vehicle.home_global', nowUs);
  if (enuM === undefined || enuM.receivedUs !== global?.receivedUs) return undefined;
  return { enuM: enuM.value, global: global.value };
}
