/**
 * The fields of the longer telemetry messages.
 * In: a view of the vehicle. Out: the fields as MAVLink wants them, or undefined: not now.
 * Never decides when a message is sent.
 */
import { GRAVITY_MS2 } from './dynamics.js';
import { horizontal, type GeoPoint } from './ned.js';
import type { TelemetryView } from './telemetry-view.js';
import type { Fields } from './types.js';

export const big = (value: number): bigint => BigInt(Math.round(value));
export const whole = (value: number, low: number, high: number): number =>
  Math.min(Math.max(Math.round(value), low), high);
const int16 = (value: number): number => whole(value, -32_768, 32_767);
export const degE7 = (value: number): number => Math.round(value * 1e7);
export const mm = (value: number): number => Math.round(value * 1000);
export const headingCdeg = (yawRad: number): number =>
  whole((((yawRad * 180) / Math.PI + 360) % 360) * 100, 0, 35_999);

function quaternion(roll: number, pitch: number, yaw: number): number[] {
  const [cr, sr] = [Math.cos(roll / 2), Math.sin(roll / 2)];
  const [cp, sp] = [Math.cos(pitch / 2), Math.sin(pitch / 2)];
  const [cy, sy] = [Math.cos(yaw / 2), Math.sin(yaw / 2)];
  return [
    cr * cp * cy + sr * sp * sy,
    sr * cp * cy - cr * sp * sy,
    cr * sp * cy + sr * cp * sy,
    cr * cp * sy - sr * sp * cy,
  ];
}

export const attitudeOf = (v: TelemetryView): number[] =>
  quaternion(v.rollRad, v.pitchRad, v.motion.yawRad);

/** MAV_STATE: not ready 0, standby 3, active 4, failsafe 5, terminated 8. */
export function systemStatus(v: TelemetryView): number {
  if (v.inTermination) return 8;
  if (v.armed) return v.inFailsafe ? 5 : 4;
  return v.ready ? 3 : 0;
}

/** SYS_STATUS bits: the sensors of this body, and the pre-arm verdict that shows in health only. */
const SENSORS = 0x1 | 0x2 | 0x4 | 0x8 | 0x20 | 0x200000 | 0x2000000;
const RC_RECEIVER = 0x10000;
const GPS = 0x20;
const AHRS = 0x200000;
const PREARM_CHECK = 0x10000000;

export function sysStatus(v: TelemetryView): Fields {
  let health = SENSORS;
  if (!v.gpsFix) health &= ~GPS;
  if (!v.aligned) health &= ~AHRS;
  if (v.manualControl) health |= RC_RECEIVER;
  if (v.ready) health |= PREARM_CHECK;
  return {
    onboard_control_sensors_present: SENSORS | RC_RECEIVER,
    onboard_control_sensors_enabled: SENSORS | RC_RECEIVER,
    onboard_control_sensors_health: health >>> 0,
    load: 110,
    voltage_battery: mm(v.batteryVoltageV),
    current_battery: int16(v.batteryCurrentA * 100),
    battery_remaining: whole(v.batteryFraction * 100, 0, 100),
    drop_rate_comm: 0,
    errors_comm: 0,
    errors_count1: 0,
    errors_count2: 0,
    errors_count3: 0,
    errors_count4: 0,
  };
}

export function landedState(v: TelemetryView): number {
  if (v.landed) return 1;
  if (v.navState === 'AUTO.TAKEOFF') return 3;
  return v.navState === 'AUTO.LAND' ? 4 : 2;
}

export function globalPosition(v: TelemetryView): Fields | undefined {
  if (!v.positionValid) return undefined;
  const { velocityNedMS: speed, yawRad } = v.motion;
  const homeAltitudeM = v.home?.geo.altitudeM ?? v.localOrigin.altitudeM;
  return {
    time_boot_ms: v.timeMs,
    lat: degE7(v.geo.latitudeDeg),
    lon: degE7(v.geo.longitudeDeg),
    alt: mm(v.geo.altitudeM),
    relative_alt: mm(v.geo.altitudeM - homeAltitudeM),
    vx: int16(speed.n * 100),
    vy: int16(speed.e * 100),
    vz: int16(speed.d * 100),
    hdg: headingCdeg(yawRad),
  };
}

export function localPosition(v: TelemetryView): Fields | undefined {
  if (!v.aligned) return undefined;
  const { positionNedM: at, velocityNedMS: speed } = v.motion;
  return {
    time_boot_ms: v.timeMs,
    x: at.n,
    y: at.e,
    z: at.d,
    vx: speed.n,
    vy: speed.e,
    vz: speed.d,
  };
}

/** 21 numbers of an upper triangle, with the three position variances on its diagonal. */
function covariance(first: number, second: number, third: number): number[] {
  const values = new Array<number>(21).fill(0);
  values[0] = first;
  values[6] = second;
  values[11] = third;
  return values;
}

export function odometry(v: TelemetryView): Fields | undefined {
  if (!v.aligned) return undefined;
  const { positionNedM: at, velocityNedMS: speed, yawRad } = v.motion;
  const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
  const spread = v.positionValid ? 0.05 : 25;
  return {
    time_usec: big(v.bootUs),
    x: at.n,
    y: at.e,
    z: at.d,
    q: attitudeOf(v),
    vx: speed.n * cos + speed.e * sin,
    vy: speed.e * cos - speed.n * sin,
    vz: speed.d,
    rollspeed: 0,
    pitchspeed: 0,
    yawspeed: v.yawRateRadS,
    pose_covariance: covariance(spread, spread, 0.01),
    velocity_covariance: covariance(0.01, 0.01, 0.01),
    frame_id: 1,
    child_frame_id: 8,
    reset_counter: v.resetCounter,
    estimator_type: 8,
    quality: 0,
  };
}

export function gpsRaw(v: TelemetryView): Fields {
  const speed = horizontal(v.motion.velocityNedMS);
  return {
    time_usec: big(v.bootUs),
    lat: v.gpsFix ? degE7(v.geo.latitudeDeg) : 0,
    lon: v.gpsFix ? degE7(v.geo.longitudeDeg) : 0,
    alt: v.gpsFix ? mm(v.geo.altitudeM) : 0,
    eph: v.gpsFix ? 90 : 10_000,
    epv: v.gpsFix ? 178 : 10_000,
    vel: v.gpsFix ? whole(speed * 100, 0, 65_534) : 0,
    cog: 0,
    fix_type: v.gpsFix ? 3 : 0,
    satellites_visible: v.gpsFix ? 10 : 0,
    alt_ellipsoid: v.gpsFix ? mm(v.geo.altitudeM) : 0,
    h_acc: v.gpsFix ? 900 : 100_000,
    v_acc: v.gpsFix ? 1780 : 100_000,
    vel_acc: 250,
    hdg_acc: 0,
    yaw: 0,
  };
}

export function highresImu(v: TelemetryView): Fields {
  const a = v.accelerationNedMS2;
  const [cos, sin] = [Math.cos(v.motion.yawRad), Math.sin(v.motion.yawRad)];
  return {
    time_usec: big(v.bootUs),
    xacc: a.n * cos + a.e * sin,
    yacc: a.e * cos - a.n * sin,
    zacc: a.d - GRAVITY_MS2,
    xgyro: 0,
    ygyro: 0,
    zgyro: v.yawRateRadS,
    xmag: 0.21 * cos,
    ymag: -0.21 * sin,
    zmag: 0.43,
    abs_pressure: pressureHpa(v.geo),
    diff_pressure: 0,
    pressure_alt: v.geo.altitudeM,
    temperature: 25,
    fields_updated: 0x1fff,
    id: 0,
  };
}

/** The standard atmosphere near the ground: 12 Pa a metre is within 2 % up to 1 km. */
export const pressureHpa = (geo: GeoPoint): number =>
  1013.25 * (1 - 2.25577e-5 * geo.altitudeM) ** 5.25588;

export function homePosition(v: TelemetryView): Fields | undefined {
  if (v.home === undefined) return undefined;
  return {
    latitude: degE7(v.home.geo.latitudeDeg),
    longitude: degE7(v.home.geo.longitudeDeg),
    altitude: mm(v.home.geo.altitudeM),
    x: v.home.localNedM.n,
    y: v.home.localNedM.e,
    z: v.home.localNedM.d,
    q: [1, 0, 0, 0],
    approach_x: 0,
    approach_y: 0,
    approach_z: 0,
    time_usec: big(v.bootUs),
  };
}

export function positionTarget(v: TelemetryView): Fields | undefined {
  const { target, demand } = v;
  if (target === undefined || demand === undefined) return undefined;
  const place = [target.n.position, target.e.position, target.d.position];
  return {
    time_boot_ms: v.timeMs,
    coordinate_frame: 1,
    type_mask: place.reduce<number>((m, value, i) => (value === undefined ? m | (1 << i) : m), 0),
    x: place[0] ?? NaN,
    y: place[1] ?? NaN,
    z: place[2] ?? NaN,
    vx: demand.velocityNedMS.n,
    vy: demand.velocityNedMS.e,
    vz: demand.velocityNedMS.d,
    afx: demand.accelerationNedMS2.n,
    afy: demand.accelerationNedMS2.e,
    afz: demand.accelerationNedMS2.d,
    yaw: target.yawRad ?? NaN,
    yaw_rate: demand.yawRateRadS,
  };
}

export function altitude(v: TelemetryView): Fields {
  const homeAltitudeM = v.home?.geo.altitudeM ?? v.localOrigin.altitudeM;
  return {
    time_usec: big(v.bootUs),
    altitude_monotonic: v.geo.altitudeM,
    altitude_amsl: v.geo.altitudeM,
    altitude_local: -v.motion.positionNedM.d,
    altitude_relative: v.geo.altitudeM - homeAltitudeM,
    altitude_terrain: homeAltitudeM,
    bottom_clearance: v.heightAboveGroundM,
  };
}

/** A laser looking down, 0.2 to 50 m; nothing is reported beyond. */
export function distanceSensor(v: TelemetryView): Fields {
  return {
    time_boot_ms: v.timeMs,
    min_distance: 20,
    max_distance: 5000,
    current_distance: whole(v.heightAboveGroundM * 100, 0, 5001),
    type: 0,
    id: 0,
    orientation: 25,
    covariance: 0,
    horizontal_fov: 0,
    vertical_fov: 0,
    quaternion: [0, 0, 0, 0],
    signal_quality: v.heightAboveGroundM > 50 ? 1 : 100,
  };
}

export function servoOutput(v: TelemetryView): Fields {
  const motor = v.armed ? whole(1000 + v.thrustFraction * 1000, 1000, 2000) : 900;
  const fields: Record<string, number> = { time_usec: v.bootUs % 2 ** 32, port: 0 };
  for (let i = 1; i <= 8; i += 1) fields[`servo${i}_raw`] = i <= 4 ? motor : 0;
  return fields;
}

const UNSEEN_CELL = 65_535;

export function batteryStatus(v: TelemetryView): Fields {
  const cell = mm(v.batteryVoltageV / 4);
  return {
    id: 0,
    battery_function: 0,
    type: 0,
    temperature: 32_767,
    voltages: Array.from({ length: 10 }, (_, i) => (i < 4 ? cell : UNSEEN_CELL)),
    current_battery: int16(v.batteryCurrentA * 100),
    current_consumed: Math.round(v.batteryUsedMah),
    energy_consumed: -1,
    battery_remaining: whole(v.batteryFraction * 100, 0, 100),
    time_remaining: 0,
    // MAV_BATTERY_CHARGE_STATE: 1 ok, 2 low, 3 critical, 4 emergency.
    charge_state: v.batteryWarning + 1,
    voltages_ext: [0, 0, 0, 0],
    mode: 0,
    fault_bitmask: 0,
  };
}

/**
 * ESTIMATOR_STATUS flags as PX4 sets them: attitude, velocities, positions, and that satellites aid
 * them; without a position what is left. A vehicle at rest is "constant position" either way.
 */
const ESTIMATOR_ALL = 0x1 | 0x2 | 0x4 | 0x8 | 0x10 | 0x20 | 0x100 | 0x200;
const ESTIMATOR_BLIND = 0x1 | 0x4 | 0x20;
const ESTIMATOR_CONSTANT = 0x80;

export function estimatorStatus(v: TelemetryView): Fields {
  return {
    time_usec: big(v.bootUs),
    flags:
      (v.positionValid ? ESTIMATOR_ALL : ESTIMATOR_BLIND) |
      (v.landed && !v.armed ? ESTIMATOR_CONSTANT : 0),
    vel_ratio: 0.05,
    pos_horiz_ratio: 0.05,
    pos_vert_ratio: 0.02,
    mag_ratio: 0.03,
    hagl_ratio: 0,
    tas_ratio: 0,
    pos_horiz_accuracy: v.positionValid ? 0.3 : 5,
    pos_vert_accuracy: 0.2,
  };
}

/** MAV_STANDARD_MODE of the modes that have one. */
export const STANDARD_MODES: Readonly<Record<string, number>> = {
  POSCTL: 1,
  ALTCTL: 3,
  'AUTO.RTL': 5,
  'AUTO.LAND': 6,
  'AUTO.TAKEOFF': 7,
  'AUTO.MISSION': 4,
};
