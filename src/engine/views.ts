/**
 * The engine's state as its doors see it. Enters: the parts after a tick. Leaves: plain data.
 * Never: a reference that a door could change.
 */
import { fieldOf } from '../admission/index.js';
import {
  evidenceAgeMs,
  pointsOf,
  type ComponentProgress,
  type EvidenceDatum,
  type Snapshot,
  type VehicleView,
} from '../contract/index.js';
import type { Moment, Parts } from './parts.js';
import type { Run } from './plan.js';

type Vec3 = readonly [number, number, number];

/** Unknown is NaN: a zero would be a place, and an empty battery. */
const vec3 = (value: EvidenceDatum | undefined): Vec3 => {
  const [x = NaN, y = NaN, z = NaN] = Array.isArray(value) ? (value as readonly number[]) : [];
  return [x, y, z];
};
const number = (value: EvidenceDatum | undefined): number =>
  typeof value === 'number' ? value : NaN;
const text = (value: EvidenceDatum | undefined): string => (typeof value === 'string' ? value : '');

export function vehicleView(parts: Parts, { snapshot, nowUs }: Moment): VehicleView {
  const of = (field: string): EvidenceDatum | undefined => snapshot.values.get(field)?.value;
  const armed = snapshot.values.get('vehicle.armed');
  return {
    connected: parts.epochs.connected,
    systemId: parts.link.vehicleSystemId ?? 0,
    armed: of('vehicle.armed') === true,
    mode: text(of('vehicle.mode')),
    landed: text(of('vehicle.landed')),
    failsafe: of('vehicle.failsafe') === true,
    prearmOk: of('vehicle.prearm_ok') === true,
    positionEnuM: vec3(of('vehicle.position')),
    velocityEnuMS: vec3(of('vehicle.velocity')),
    yawEnuRad: number(of('vehicle.yaw')),
    batteryFraction: number(of('vehicle.battery')),
    batteryV: number(of('vehicle.battery_v')),
    linkLossPercent: parts.link.lossPercent,
    heartbeatAgeMs: armed === undefined ? -1 : evidenceAgeMs(armed, nowUs),
    epochs: snapshot.epochs,
  };
}

/** For the energy of the task; undefined while nobody tells it. */
export function batteryFraction({ values }: Snapshot): number | undefined {
  const value = values.get('vehicle.battery')?.value;
  return typeof value === 'number' ? value : undefined;
}

export function progressOf(run: Run, snapshot: Snapshot, nowUs: number): ComponentProgress {
  const typed = run.admitted?.typed;
  const target = typed && pointsOf(typed, undefined, run.admitted?.mission).at(-1);
  return {
    responseId: run.responseId,
    id: run.id,
    kind: run.kind,
    state: run.state,
    reason: run.reason,
    evidenceAgeMs: oldestAgeMs(run, snapshot, nowUs),
    detail: run.detail,
    ...(target === undefined ? {} : { targetEnuM: target }),
  };
}

/** Age of the oldest evidence of its footprint; -1 when it rests on none. */
function oldestAgeMs(run: Run, snapshot: Snapshot, nowUs: number): number {
  const ages = (run.admitted?.entry.footprint ?? [])
    .map((predicate) =>
      snapshot.values.get(fieldOf(predicate.field, run.admitted?.component.params)),
    )
    .filter((value) => value !== undefined)
    .map((value) => evidenceAgeMs(value, nowUs));
  return ages.length === 0 ? -1 : Math.round(Math.max(...ages));
}
