/**
 * The envelope of an admitted effect: the frames that it may send, decided at admission and
 * checked by the gate for each frame, without asking the effect.
 * Enters: an envelope and a wire message. Leaves: a refusal, or none.
 * Never: a rewritten number (refuse, don't clamp).
 */
import type { WireMessage } from './binding.js';
import { isSafetyParameter } from './parameters.js';
import {
  missionDiffers,
  type AllowedMission,
  type AllowedMissionItem,
  type AllowedMissionReading,
} from './mission-envelope.js';
import type { HaloError } from './result.js';

/** COMMAND_LONG with exactly these parameters; NaN stands for NaN. `confirmation` may rise. */
export interface AllowedCommand {
  readonly type: 'command';
  readonly command: number;
  readonly params: readonly [number, number, number, number, number, number, number];
}

/**
 * SET_POSITION_TARGET_LOCAL_NED with position and yaw, on the straight segment `fromNedM` to
 * `toNedM` in the local NED frame.
 */
export interface AllowedSetpoint {
  readonly type: 'setpoint';
  readonly coordinateFrame: number;
  readonly typeMask: number;
  readonly fromNedM: readonly [number, number, number];
  readonly toNedM: readonly [number, number, number];
  readonly yawNedRad: number;
  /** The point moves along the segment no faster than this: PX4 flies after it. */
  readonly speedMS: number;
}

/**
 * SET_POSITION_TARGET_LOCAL_NED with exactly this velocity for at most `forUs`, or with none.
 */
export interface AllowedVelocity {
  readonly type: 'velocity';
  readonly coordinateFrame: number;
  readonly typeMask: number;
  readonly velocityNedMS: readonly [number, number, number];
  readonly yawNedRad: number;
  /** From the first frame that moves to the last. */
  readonly forUs: number;
}

/** PARAM_SET of exactly this value, and the reading of the same parameter. */
export interface AllowedParameter {
  readonly type: 'parameter';
  readonly name: string;
  /** MAV_PARAM_TYPE */
  readonly paramType: number;
  readonly value: number;
}

export type Allowed =
  | AllowedCommand
  | AllowedSetpoint
  | AllowedVelocity
  | AllowedParameter
  | AllowedMission
  | AllowedMissionReading
  | AllowedMissionItem;

export interface Envelope {
  readonly targetSystem: number;
  readonly targetComponent: number;
  readonly allowed: readonly Allowed[];
}

/** 5 cm: float32 at 10 km from the origin is exact to 1 mm; a real detour is larger than this. */
export const SEGMENT_TOLERANCE_M = 0.05;

/** The point that a setpoint names, and when it left. */
export interface SentPoint {
  readonly nedM: readonly [number, number, number];
  readonly yawNedRad: number;
  readonly atUs: number;
}

/**
 * The point of a setpoint that is about to leave; undefined for any other message.
 * Call it for messages that {@link insideEnvelope} holds.
 */
export function setpointOf(message: WireMessage, atUs: number): SentPoint | undefined {
  if (message.name !== 'SET_POSITION_TARGET_LOCAL_NED') return undefined;
  const { type_mask: mask, x, y, z, yaw } = message.fields;
  // A setpoint of velocity names no point.
  if (typeof mask !== 'number' || (mask & IGNORE_POSITION) === IGNORE_POSITION) return undefined;
  if (typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number') return undefined;
  return { nedM: [x, y, z], yawNedRad: typeof yaw === 'number' ? yaw : NaN, atUs };
}

/** The three position bits of a setpoint's type mask. */
const IGNORE_POSITION = 7;

/** True for a setpoint that asks for a velocity other than none. */
export const movesByVelocity = ({ name, fields }: WireMessage): boolean =>
  name === 'SET_POSITION_TARGET_LOCAL_NED' && VELOCITY.some((field) => fields[field] !== 0);

/** HALO-412: a velocity is sent for longer than was admitted. */
export function outlasts(
  envelope: Envelope,
  sinceUs: number,
  nowUs: number,
): HaloError | undefined {
  const forUs = Math.max(
    0,
    ...envelope.allowed.flatMap((a) => (a.type === 'velocity' ? [a.forUs] : [])),
  );
  if (nowUs - sinceUs <= forUs) return undefined;
  const [wentS, allowedS] = [(nowUs - sinceUs) / 1e6, forUs / 1e6];
  return outside(
    `a velocity for ${wentS.toFixed(2)} s where ${allowedS.toFixed(2)} s are admitted`,
  );
}

/** HALO-412: between two setpoints the point went farther than the admitted speed allows. */
export function outrunsSpeed(
  envelope: Envelope,
  before: SentPoint,
  next: SentPoint,
): HaloError | undefined {
  let speedMS = 0;
  for (const one of envelope.allowed) {
    if (one.type === 'setpoint') speedMS = Math.max(speedMS, one.speedMS);
  }
  const [x, y, z] = next.nedM;
  const wentM = lengthM(x - before.nedM[0], y - before.nedM[1], z - before.nedM[2]);
  const allowedM = (speedMS * (next.atUs - before.atUs)) / 1e6 + SEGMENT_TOLERANCE_M;
  if (wentM <= allowedM) return undefined;
  return outside(
    `the point moves ${wentM.toFixed(2)} m where ${allowedM.toFixed(2)} m are admitted`,
  );
}

/** HALO-414: not a message of this effect. HALO-412: its content leaves what was admitted. */
export function insideEnvelope(envelope: Envelope, message: WireMessage): HaloError | undefined {
  const f = message.fields;
  if (
    f['target_system'] !== envelope.targetSystem ||
    f['target_component'] !== envelope.targetComponent
  ) {
    return outside(`addressed to ${String(f['target_system'])}/${String(f['target_component'])}`);
  }
  const reasons: string[] = [];
  for (const allowed of envelope.allowed) {
    const reason = differs(allowed, message);
    if (reason === undefined) return undefined;
    if (reason !== 'other') reasons.push(reason);
  }
  return reasons.length === 0
    ? {
        code: 'HALO-414',
        message: `${message.name} is not a message of this effect.`,
        remedy: 'An effect sends only its own messages.',
      }
    : outside(reasons.join('; '));
}

function differs(allowed: Allowed, message: WireMessage): string | undefined {
  switch (allowed.type) {
    case 'command':
      return commandDiffers(allowed, message);
    case 'setpoint':
      return setpointDiffers(allowed, message);
    case 'velocity':
      return velocityDiffers(allowed, message);
    case 'parameter':
      return parameterDiffers(allowed, message);
    case 'mission':
    case 'mission-reading':
    case 'mission-item':
      return missionDiffers(allowed, message);
  }
}

const outside = (what: string): HaloError => ({
  code: 'HALO-412',
  message: `The frame leaves the admitted envelope: ${what}.`,
  remedy: 'Nothing was sent; the effect and the admission disagree.',
});

const same = (a: unknown, b: number): boolean => typeof a === 'number' && Object.is(a + 0, b + 0);

function commandDiffers(allowed: AllowedCommand, message: WireMessage): string | undefined {
  if (message.name !== 'COMMAND_LONG' || message.fields['command'] !== allowed.command)
    return 'other';
  const wrong = allowed.params.findIndex((p, i) => !same(message.fields[`param${i + 1}`], p));
  if (wrong === -1) return undefined;
  const name = `param${wrong + 1}`;
  return `command ${allowed.command} ${name} is ${String(message.fields[name])}`;
}

const UNUSED = ['vx', 'vy', 'vz', 'afx', 'afy', 'afz', 'yaw_rate'] as const;

function setpointDiffers(allowed: AllowedSetpoint, message: WireMessage): string | undefined {
  if (message.name !== 'SET_POSITION_TARGET_LOCAL_NED') return 'other';
  const f = message.fields;
  if (f['coordinate_frame'] !== allowed.coordinateFrame) return 'coordinate frame';
  if (f['type_mask'] !== allowed.typeMask) return 'type mask';
  if (UNUSED.some((name) => f[name] !== 0)) return 'a masked field is not zero';
  if (!same(f['yaw'], allowed.yawNedRad)) return `yaw ${String(f['yaw'])}`;
  const offM = distanceToSegmentM([f['x'], f['y'], f['z']], allowed.fromNedM, allowed.toNedM);
  return offM <= SEGMENT_TOLERANCE_M ? undefined : `position ${offM.toFixed(2)} m off the segment`;
}

function parameterDiffers(allowed: AllowedParameter, message: WireMessage): string | undefined {
  const { name, fields: f } = message;
  if (name !== 'PARAM_SET' && name !== 'PARAM_REQUEST_READ') return 'other';
  if (f['param_id'] !== allowed.name) return `parameter ${String(f['param_id'])}`;
  if (name === 'PARAM_REQUEST_READ') return f['param_index'] === -1 ? undefined : 'an index';
  // Here too, so that no catalog and no effect can open this.
  if (isSafetyParameter(allowed.name)) return `${allowed.name} is a safety parameter`;
  if (f['param_type'] !== allowed.paramType) return `type ${String(f['param_type'])}`;
  return same(f['param_value'], allowed.value) ? undefined : `value ${String(f['param_value'])}`;
}

const VELOCITY = ['vx', 'vy', 'vz'] as const;
const NOT_VELOCITY = ['x', 'y', 'z', 'afx', 'afy', 'afz', 'yaw_rate'] as const;

function velocityDiffers(allowed: AllowedVelocity, message: WireMessage): string | undefined {
  if (message.name !== 'SET_POSITION_TARGET_LOCAL_NED') return 'other';
  const f = message.fields;
  if (f['coordinate_frame'] !== allowed.coordinateFrame) return 'coordinate frame';
  if (f['type_mask'] !== allowed.typeMask) return 'type mask';
  if (NOT_VELOCITY.some((name) => f[name] !== 0)) return 'a masked field is not zero';
  if (!same(f['yaw'], allowed.yawNedRad)) return `yaw ${String(f['yaw'])}`;
  const stops = VELOCITY.every((name) => f[name] === 0);
  const moves = VELOCITY.every((name, i) => same(f[name], allowed.velocityNedMS[i] ?? NaN));
  if (stops || moves) return undefined;
  return `velocity ${VELOCITY.map((name) => String(f[name])).join(', ')}`;
}
// Written out, as is the rest of the arithmetic here: it runs for every setpoint.
const lengthM = (x: number, y: number, z: number): number => Math.sqrt(x * x + y * y + z * z);

/** Infinity for anything that is not three finite numbers. */
function distanceToSegmentM(
  [x, y, z]: readonly [unknown, unknown, unknown],
  from: readonly [number, number, number],
  to: readonly [number, number, number],
): number {
  if (typeof x !== 'number' || typeof y !== 'number' || typeof z !== 'number') return Infinity;
  const { offM } = footOn([x, y, z], from, to);
  return Number.isNaN(offM) ? Infinity : offM;
}

/** The place on a segment that is nearest to a point: how far along it, and how far away. */
export function footOn(
  [x, y, z]: readonly [number, number, number],
  [fromX, fromY, fromZ]: readonly [number, number, number],
  to: readonly [number, number, number],
): { readonly alongM: number; readonly offM: number } {
  const [dx, dy, dz] = [to[0] - fromX, to[1] - fromY, to[2] - fromZ];
  const length2 = dx * dx + dy * dy + dz * dz;
  const along = dx * (x - fromX) + dy * (y - fromY) + dz * (z - fromZ);
  const t = length2 === 0 ? 0 : Math.min(1, Math.max(0, along / length2));
  const offM = lengthM(x - fromX - t * dx, y - fromY - t * dy, z - fromZ - t * dz);
  return { alongM: t * Math.sqrt(length2), offM };
}
