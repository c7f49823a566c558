/**
 * Setpoints from outside and the proof of life that they are.
 * In: SET_POSITION_TARGET_LOCAL_NED and _GLOBAL_INT. Out: the last setpoint taken, and its age.
 * Never clamps a setpoint; one that PX4 would not take leaves no trace but an event.
 */
import { toNed, type GeoPoint, type Ned } from './ned.js';
import type { AxisTarget } from './controller.js';
import type { EventArgument, EventName } from './events.js';
import type { IncomingMessage } from './types.js';

const FRAME_LOCAL_NED = 1;
const FRAME_BODY_NED = 8;
const GLOBAL_FRAMES_ABSOLUTE = [0, 5];
const GLOBAL_FRAMES_RELATIVE = [3, 6];
/** Bits of the type mask: "ignore" for each group, and force in place of acceleration. */
const IGNORE_POSITION = [1, 2, 4] as const;
const IGNORE_VELOCITY = [8, 16, 32] as const;
const IGNORE_ACCELERATION = [64, 128, 256] as const;
const FORCE = 512;
const IGNORE_YAW = 1024;
const IGNORE_YAW_RATE = 2048;

export interface Setpoint {
  readonly n: AxisTarget;
  readonly e: AxisTarget;
  readonly d: AxisTarget;
  readonly yawRad?: number | undefined;
  readonly yawRateRadS?: number | undefined;
}

export interface SetpointContext {
  readonly systemId: number;
  readonly nowUs: number;
  readonly yawRad: number;
  /** Only in OFFBOARD is a setpoint kept; elsewhere it counts as a sign of life only. */
  readonly inOffboard: boolean;
  /** Local frame's zero and the home altitude, for global setpoints. */
  readonly localOrigin: GeoPoint;
  readonly homeAltitudeM: number;
  readonly event: (name: EventName, args?: readonly EventArgument[]) => void;
}

export class SetpointReceiver {
  private lastUs: number | undefined;
  private needsPosition = false;
  private kept: Setpoint | undefined;

  get setpoint(): Setpoint | undefined {
    return this.kept;
  }

  /** Entering OFFBOARD begins without a setpoint: what came earlier was a sign of life only. */
  forget(): void {
    this.kept = undefined;
  }

  /** Is there a stream that OFFBOARD may rely on? Position and velocity need a valid estimate. */
  alive(nowUs: number, lossS: number, positionValid: boolean): boolean {
    if (this.lastUs === undefined || (this.needsPosition && !positionValid)) return false;
    return nowUs - this.lastUs < lossS * 1_000_000;
  }

  /** True when the message was a setpoint message, whether taken or not. */
  handle(message: IncomingMessage, context: SetpointContext): boolean {
    const local = message.name === 'SET_POSITION_TARGET_LOCAL_NED';
    if (!local && message.name !== 'SET_POSITION_TARGET_GLOBAL_INT') return false;
    const component = number(message, 'target_component');
    const mine = number(message, 'target_system') === context.systemId;
    if (!mine || (component !== 0 && component !== 1)) return true;
    const frame = number(message, 'coordinate_frame');
    const position = local
      ? localPosition(message, frame)
      : globalPosition(message, context, frame);
    if (position === undefined) {
      context.event('mavlink_rcv_sp_target_unsup_coord', [{ bytes: 1, value: frame }]);
      return true;
    }
    const setpoint = read(message, position, frame === FRAME_BODY_NED ? context.yawRad : undefined);
    const axes = [setpoint.n, setpoint.e, setpoint.d];
    const has = (key: keyof AxisTarget): boolean => axes.some((axis) => axis[key] !== undefined);
    if (!has('position') && !has('velocity') && !has('acceleration')) {
      context.event('mavlink_rcv_sp_target_invalid');
      return true;
    }
    this.lastUs = context.nowUs;
    this.needsPosition = has('position') || has('velocity');
    if (context.inOffboard) this.kept = setpoint;
    return true;
  }
}

function localPosition(message: IncomingMessage, frame: number): Triple | undefined {
  // A position relative to the body is not supported; its velocities are.
  if (frame === FRAME_BODY_NED) return [NaN, NaN, NaN];
  if (frame !== FRAME_LOCAL_NED) return undefined;
  return [number(message, 'x'), number(message, 'y'), number(message, 'z')];
}

function globalPosition(
  message: IncomingMessage,
  context: SetpointContext,
  frame: number,
): Triple | undefined {
  const relative = GLOBAL_FRAMES_RELATIVE.includes(frame);
  if (!relative && !GLOBAL_FRAMES_ABSOLUTE.includes(frame)) return undefined;
  const ned: Ned = toNed(context.localOrigin, {
    latitudeDeg: number(message, 'lat_int') / 1e7,
    longitudeDeg: number(message, 'lon_int') / 1e7,
    altitudeM: number(message, 'alt') + (relative ? context.homeAltitudeM : 0),
  });
  return [ned.n, ned.e, ned.d];
}

type Triple = readonly [number, number, number];

function read(
  message: IncomingMessage,
  position: Triple,
  bodyYawRad: number | undefined,
): Setpoint {
  const mask = number(message, 'type_mask');
  const velocity = masked(message, ['vx', 'vy', 'vz'], mask, IGNORE_VELOCITY);
  const force = (mask & FORCE) !== 0;
  const acceleration = force
    ? ([NaN, NaN, NaN] as const)
    : masked(message, ['afx', 'afy', 'afz'], mask, IGNORE_ACCELERATION);
  const place = position.map((value, i) =>
    (mask & (IGNORE_POSITION[i] ?? 0)) !== 0 ? NaN : value,
  );
  const v = bodyYawRad === undefined ? velocity : rotate(velocity, bodyYawRad);
  const a = bodyYawRad === undefined ? acceleration : rotate(acceleration, bodyYawRad);
  const axis = (i: 0 | 1 | 2): AxisTarget => ({
    position: finite(place[i]),
    velocity: finite(v[i]),
    acceleration: finite(a[i]),
  });
  return {
    n: axis(0),
    e: axis(1),
    d: axis(2),
    yawRad: (mask & IGNORE_YAW) !== 0 ? undefined : finite(number(message, 'yaw')),
    yawRateRadS: (mask & IGNORE_YAW_RATE) !== 0 ? undefined : finite(number(message, 'yaw_rate')),
  };
}

function masked(
  message: IncomingMessage,
  names: readonly [string, string, string],
  mask: number,
  ignore: Triple,
): Triple {
  const value = (i: 0 | 1 | 2): number =>
    (mask & ignore[i]) !== 0 ? NaN : number(message, names[i]);
  return [value(0), value(1), value(2)];
}

/** Forward-right-down to north-east-down by the heading alone, as PX4 does. */
function rotate(body: Triple, yawRad: number): Triple {
  const cos = Math.cos(yawRad);
  const sin = Math.sin(yawRad);
  return [body[0] * cos - body[1] * sin, body[0] * sin + body[1] * cos, body[2]];
}

function finite(value: number | undefined): number | undefined {
  return value !== undefined && Number.isFinite(value) ? value : undefined;
}

function number(message: IncomingMessage, name: string): number {
  const value = message.fields[name];
  return typeof value === 'number' ? value : NaN;
}
