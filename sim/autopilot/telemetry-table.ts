/**
 * Every telemetry message and the function that fills it; the short ones are written here.
 * In: a view of the vehicle. Out: the fields as MAVLink wants them, or undefined: not now.
 * Never decides when a message is sent.
 */
import { baseMode, customMode } from './modes.js';
import { horizontal } from './ned.js';
import {
  altitude,
  attitudeOf,
  batteryStatus,
  big,
  degE7,
  distanceSensor,
  estimatorStatus,
  globalPosition,
  gpsRaw,
  headingCdeg,
  highresImu,
  homePosition,
  landedState,
  localPosition,
  mm,
  odometry,
  positionTarget,
  pressureHpa,
  servoOutput,
  STANDARD_MODES,
  sysStatus,
  systemStatus,
  whole,
} from './telemetry-fields.js';
import type { TelemetryView } from './telemetry-view.js';
import type { Fields } from './types.js';

export type Builder = (view: TelemetryView) => Fields | undefined;

/** By message name; what PX4's port for companions sends, except remote identification. */
export const TELEMETRY: Readonly<Record<string, Builder>> = {
  HEARTBEAT: (v) => ({
    type: 2,
    autopilot: 12,
    base_mode: baseMode(v.navState, v.armed),
    custom_mode: customMode(v.navState),
    system_status: systemStatus(v),
    mavlink_version: 3,
  }),
  ATTITUDE: (v) => ({
    time_boot_ms: v.timeMs,
    roll: v.rollRad,
    pitch: v.pitchRad,
    yaw: v.motion.yawRad,
    rollspeed: 0,
    pitchspeed: 0,
    yawspeed: v.yawRateRadS,
  }),
  ATTITUDE_QUATERNION: (v) => {
    const [q1 = 1, q2 = 0, q3 = 0, q4 = 0] = attitudeOf(v);
    return {
      time_boot_ms: v.timeMs,
      ...{ q1, q2, q3, q4 },
      rollspeed: 0,
      pitchspeed: 0,
      yawspeed: v.yawRateRadS,
      repr_offset_q: [0, 0, 0, 0],
    };
  },
  ATTITUDE_TARGET: (v) => ({
    time_boot_ms: v.timeMs,
    type_mask: 0,
    q: attitudeOf(v),
    body_roll_rate: 0,
    body_pitch_rate: 0,
    body_yaw_rate: v.yawRateRadS,
    thrust: v.thrustFraction,
  }),
  HIGHRES_IMU: highresImu,
  GLOBAL_POSITION_INT: globalPosition,
  LOCAL_POSITION_NED: localPosition,
  ODOMETRY: odometry,
  ALTITUDE: altitude,
  DISTANCE_SENSOR: distanceSensor,
  SERVO_OUTPUT_RAW: servoOutput,
  POSITION_TARGET_LOCAL_NED: positionTarget,
  VFR_HUD: (v) => ({
    airspeed: horizontal(v.motion.velocityNedMS),
    groundspeed: horizontal(v.motion.velocityNedMS),
    heading: Math.floor(headingCdeg(v.motion.yawRad) / 100),
    throttle: whole(v.thrustFraction * 100, 0, 100),
    alt: v.geo.altitudeM,
    climb: -v.motion.velocityNedMS.d,
  }),
  GPS_RAW_INT: gpsRaw,
  EXTENDED_SYS_STATE: (v) => ({ vtol_state: 0, landed_state: landedState(v) }),
  SYS_STATUS: sysStatus,
  ESTIMATOR_STATUS: estimatorStatus,
  TIMESYNC: (v) => ({ tc1: 0n, ts1: big(v.bootUs * 1000) }),
  PING: (v) => ({
    time_usec: big(v.bootUs),
    seq: v.pingSequence,
    target_system: 0,
    target_component: 0,
  }),
  SCALED_PRESSURE: (v) => ({
    time_boot_ms: v.timeMs,
    press_abs: pressureHpa(v.geo),
    press_diff: 0,
    temperature: 2500,
  }),
  SYSTEM_TIME: (v) => ({
    time_unix_usec: v.gpsFix ? big(v.unixUs) : 0n,
    time_boot_ms: v.timeMs,
  }),
  LINK_NODE_STATUS: (v) => ({
    timestamp: big(v.bootUs / 1000),
    tx_rate: 29_200,
    rx_rate: 0,
    messages_sent: 0,
    messages_received: 0,
    messages_lost: 0,
    rx_parse_err: 0,
    tx_overflows: 0,
    rx_overflows: 0,
    tx_buf: 0,
    rx_buf: 0,
  }),
  MISSION_CURRENT: (v) => v.mission,
  BATTERY_STATUS: batteryStatus,
  HOME_POSITION: homePosition,
  VIBRATION: (v) => ({
    time_usec: big(v.bootUs),
    vibration_x: 0.01,
    vibration_y: 0.01,
    vibration_z: 0.01,
    clipping_0: 0,
    clipping_1: 0,
    clipping_2: 0,
  }),
  CURRENT_MODE: (v) => ({
    standard_mode: STANDARD_MODES[v.navState] ?? 0,
    custom_mode: customMode(v.navState),
    intended_custom_mode: customMode(v.intendedMode),
  }),
  CURRENT_EVENT_SEQUENCE: (v) => ({ sequence: v.eventSequence, flags: 0 }),
  TIME_ESTIMATE_TO_TARGET: () => ({
    safe_return: -1,
    land: -1,
    mission_next_item: -1,
    mission_end: -1,
    commanded_action: -1,
  }),
  AUTOPILOT_VERSION: (v) => ({
    // Float parameters 2, missions in integers 4, COMMAND_INT 8, bytewise integers 16, local and
    // global setpoints 128 and 256, termination 2048, MAVLink 2 8192: less than PX4 claims, for
    // this stand-in does less.
    capabilities: 2n | 4n | 8n | 16n | 128n | 256n | 2048n | 8192n,
    uid: 0x5349480000000000n + BigInt(v.systemId),
    // 1.17.0, alpha (0x40).
    flight_sw_version: 0x01110040,
    middleware_sw_version: 0x01110040,
    os_sw_version: 0,
    board_version: 0,
    vendor_id: 0,
    product_id: 0,
    flight_custom_version: [0, 0, 0, 0, 0, 0, 0, 0],
    middleware_custom_version: [0, 0, 0, 0, 0, 0, 0, 0],
    os_custom_version: [0, 0, 0, 0, 0, 0, 0, 0],
    uid2: Array.from({ length: 18 }, (_, i) => (i === 17 ? v.systemId : i === 0 ? 0x53 : 0)),
  }),
  PROTOCOL_VERSION: () => ({
    version: 200,
    min_version: 100,
    max_version: 200,
    spec_version_hash: [0, 0, 0, 0, 0, 0, 0, 0],
    library_version_hash: [0, 0, 0, 0, 0, 0, 0, 0],
  }),
  GPS_GLOBAL_ORIGIN: (v) => ({
    latitude: degE7(v.localOrigin.latitudeDeg),
    longitude: degE7(v.localOrigin.longitudeDeg),
    altitude: mm(v.localOrigin.altitudeM),
    time_usec: big(v.bootUs),
  }),
};
