/**
 * What each telemetry message says, in the words of the evidence: one reader a message.
 * Enters: the fields of one message. Leaves: values, signs, the vehicle's own stamp.
 * Never: state, or a number that the message itself marks as unknown.
 */
import {
  PX4_LANDED,
  type EvidenceDatum,
  type VehicleField,
  type VehicleSign,
} from '../contract/index.js';
import { enuFromNed, wrapRad, yawEnuFromNed, type Vec3 } from './frames.js';
import { modeFromCustom } from './modes.js';
import { big, num, nums, type Received } from './received.js';

export interface Reading {
  readonly values: readonly (readonly [VehicleField, EvidenceDatum])[];
  readonly signs?: readonly VehicleSign[];
  /** The vehicle's own stamp, where the message has one. */
  readonly bootMs?: number;
  /** Remaining fraction of the battery or of the system, by the name of who says so. */
  readonly battery?: { readonly name: string; readonly fraction: number };
}

type Fields = Received['message']['fields'];
type Reader = (fields: Fields, atUs: number) => Reading;

const MAV_STATE_CRITICAL = 5;
const SAFETY_ARMED = 0x80;
/** The pre-arm result is in `health` only: PX4 never sets it in `present` or `enabled`. */
const PREARM_CHECK = 0x10000000;
const UNKNOWN_16 = 0xffff;

/**
 * ESTIMATOR_STATUS: horizontal position, relative or absolute. PX4 says "constant position" also
 * of every vehicle at rest, with or without satellites: then only what it aids the position with
 * (the two "predicted" bits) tells a measured position from an assumed one.
 */
const HAS_POSITION = 8 | 16;
const CONST_POSITION = 128;
const AIDED = 256 | 512;

const ned = (f: Fields, x: string, y: string, z: string): Vec3 => [num(f, x), num(f, y), num(f, z)];

/** Degrees, degrees, metres from the integers of GLOBAL_POSITION_INT and HOME_POSITION. */
const global = (f: Fields, lat: string, lon: string, alt: string): Vec3 => [
  num(f, lat) / 1e7,
  num(f, lon) / 1e7,
  num(f, alt) / 1000,
];

const bootMs = (f: Fields) => ({ bootMs: num(f, 'time_boot_ms') });

const heartbeat: Reader = (f, atUs) => {
  const armed = (num(f, 'base_mode') & SAFETY_ARMED) !== 0;
  const mode = modeFromCustom(num(f, 'custom_mode'));
  // 5 critical, 6 emergency, 7 power-off, 8 terminating.
  const failsafe = num(f, 'system_status') >= MAV_STATE_CRITICAL;
  return {
    values: [
      ['vehicle.armed', armed],
      ['vehicle.mode', mode],
      ['vehicle.failsafe', failsafe],
    ],
    signs: [{ type: 'heartbeat', atUs, armed, mode, failsafe }],
  };
};

/**
 * PX4 shows the mode that somebody asked for beside the one in force: when they differ, it has been
 * imposed by the autopilot itself. On a bad link this is heard although the EVENT was lost.
 */
const currentMode: Reader = (f, atUs) => {
  const [custom, intended] = [num(f, 'custom_mode'), num(f, 'intended_custom_mode')];
  const mode = modeFromCustom(custom);
  const seen: VehicleSign = { type: 'mode', atUs, mode };
  // 0 from an autopilot that does not tell; not a number from one that does not know the field.
  const imposed = intended > 0 && intended !== custom;
  if (!imposed) return { values: [['vehicle.mode', mode]], signs: [seen] };
  const reason = `failsafe: ${mode} instead of ${modeFromCustom(intended)}`;
  return {
    values: [
      ['vehicle.mode', mode],
      ['vehicle.failsafe', true],
    ],
    signs: [{ type: 'failsafe', atUs, reason }, seen],
  };
};

const sysStatus: Reader = (f) => {
  const prearmOk = (num(f, 'onboard_control_sensors_health') & PREARM_CHECK) !== 0;
  const millivolts = num(f, 'voltage_battery');
  const percent = num(f, 'battery_remaining');
  const known = millivolts !== UNKNOWN_16;
  return {
    values: [
      ['vehicle.prearm_ok', prearmOk],
      ...(known ? [['vehicle.battery_v', millivolts / 1000] as const] : []),
    ],
    ...(percent >= 0 ? { battery: { name: 'system', fraction: percent / 100 } } : {}),
  };
};

const batteryStatus: Reader = (f) => {
  const percent = num(f, 'battery_remaining');
  if (!(percent >= 0)) return { values: [] };
  return { values: [], battery: { name: `battery ${num(f, 'id')}`, fraction: percent / 100 } };
};

const extendedSysState: Reader = (f, atUs) => {
  // MAV_LANDED_STATE: 0 undefined, 1 on ground, 2 in air, 3 taking off, 4 landing.
  const [ground, takeoff, air, landing] = PX4_LANDED;
  const landed = [undefined, ground, air, takeoff, landing][num(f, 'landed_state')];
  if (landed === undefined) return { values: [] };
  return { values: [['vehicle.landed', landed]], signs: [{ type: 'landed', atUs, landed }] };
};

const localPosition: Reader = (f, atUs) => {
  const positionEnuM = enuFromNed(ned(f, 'x', 'y', 'z'));
  const velocityEnuMS = enuFromNed(ned(f, 'vx', 'vy', 'vz'));
  const stamp = num(f, 'time_boot_ms');
  return {
    values: [
      ['vehicle.position', positionEnuM],
      ['vehicle.velocity', velocityEnuMS],
    ],
    signs: [{ type: 'position', atUs, bootMs: stamp, positionEnuM, velocityEnuMS }],
    bootMs: stamp,
  };
};

const attitude: Reader = (f) => ({
  values: [['vehicle.yaw', yawEnuFromNed(num(f, 'yaw'))]],
  ...bootMs(f),
});

const attitudeQuaternion: Reader = (f) => {
  const [w, x, y, z] = [num(f, 'q1'), num(f, 'q2'), num(f, 'q3'), num(f, 'q4')];
  const yawNedRad = Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
  return { values: [['vehicle.yaw', yawEnuFromNed(wrapRad(yawNedRad))]], ...bootMs(f) };
};

const homePosition: Reader = (f, atUs) => {
  const positionEnuM = enuFromNed(ned(f, 'x', 'y', 'z'));
  return {
    values: [
      ['vehicle.home', positionEnuM],
      ['vehicle.home_global', global(f, 'latitude', 'longitude', 'altitude')],
    ],
    signs: [{ type: 'home', atUs, positionEnuM }],
  };
};

const estimatorStatus: Reader = (f) => {
  const flags = num(f, 'flags');
  const assumed = (flags & CONST_POSITION) !== 0 && (flags & AIDED) === 0;
  const holds = (flags & HAS_POSITION) !== 0 && !assumed;
  return { values: [['vehicle.estimator_ok', holds]] };
};

const autopilotVersion: Reader = (f, atUs) => {
  const uid2 = nums(f, 'uid2').map((byte) => byte.toString(16).padStart(2, '0'));
  const uid = `${(big(f, 'uid') ?? 0n).toString(16)}-${uid2.join('')}`;
  return { values: [], signs: [{ type: 'identity', atUs, uid }] };
};

/** [roll, pitch, yaw] of a quaternion, rad. */
function euler([w, x, y, z]: readonly [number, number, number, number]): Vec3 {
  return [
    Math.atan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
    Math.asin(Math.min(1, Math.max(-1, 2 * (w * y - z * x)))),
    Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
  ];
}

const YAW_LOCK = 16;
const YAW_IN_VEHICLE_FRAME = 32;
const YAW_IN_EARTH_FRAME = 64;

/** A yaw from north becomes one from the nose by delta_yaw; without that there is no value. */
const gimbalAttitude: Reader = (f) => {
  const [w = NaN, x = NaN, y = NaN, z = NaN] = nums(f, 'q');
  const [roll, pitch, yaw] = euler([w, x, y, z]);
  const flags = num(f, 'flags');
  const told = (flags & (YAW_IN_VEHICLE_FRAME | YAW_IN_EARTH_FRAME)) !== 0;
  const earth = told ? (flags & YAW_IN_EARTH_FRAME) !== 0 : (flags & YAW_LOCK) !== 0;
  const fromNose = wrapRad(earth ? yaw - num(f, 'delta_yaw') : yaw);
  const deg = (rad: number): number => (rad * 180) / Math.PI;
  const known = [roll, pitch, fromNose].every(Number.isFinite);
  return { values: known ? [['vehicle.gimbal', [deg(roll), deg(pitch), deg(fromNose)]]] : [] };
};

/** "No mission" where MISSION_CURRENT tells how many items there are. */
const NO_MISSION = 0xffff;

const missionCurrent: Reader = (f) => {
  const total = num(f, 'total');
  return {
    values: [
      ['vehicle.mission_current', num(f, 'seq')],
      ['vehicle.mission_total', total === NO_MISSION ? 0 : total],
    ],
  };
};

const CAPTURED = 1;

export const READERS: Readonly<Record<string, Reader | undefined>> = {
  HEARTBEAT: heartbeat,
  CURRENT_MODE: currentMode,
  SYS_STATUS: sysStatus,
  BATTERY_STATUS: batteryStatus,
  EXTENDED_SYS_STATE: extendedSysState,
  LOCAL_POSITION_NED: localPosition,
  ATTITUDE: attitude,
  ATTITUDE_QUATERNION: attitudeQuaternion,
  GLOBAL_POSITION_INT: (f) => ({
    values: [['vehicle.global', global(f, 'lat', 'lon', 'alt')]],
    ...bootMs(f),
  }),
  GPS_RAW_INT: (f) => ({ values: [['vehicle.gps_fix', num(f, 'fix_type')]] }),
  HOME_POSITION: homePosition,
  ODOMETRY: (f, atUs) => ({
    values: [],
    signs: [{ type: 'estimator-resets', atUs, count: num(f, 'reset_counter') }],
  }),
  ESTIMATOR_STATUS: estimatorStatus,
  GIMBAL_DEVICE_ATTITUDE_STATUS: gimbalAttitude,
  CAMERA_IMAGE_CAPTURED: (f) => ({
    values:
      num(f, 'capture_result') === CAPTURED ? [['vehicle.image_index', num(f, 'image_index')]] : [],
  }),
  MISSION_CURRENT: missionCurrent,
  MISSION_ITEM_REACHED: (f) => ({ values: [['vehicle.mission_reached', num(f, 'seq')]] }),
  WINCH_STATUS: (f) => ({ values: [['vehicle.winch_m', num(f, 'line_length')]] }),
  SYSTEM_TIME: (f) => ({ values: [], ...bootMs(f) }),
  AUTOPILOT_VERSION: autopilotVersion,
};
