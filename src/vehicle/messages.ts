/**
 * The messages that effects and housekeeping send, field by field, and what an envelope says of
 * them. Enters: numbers. Leaves: WireMessage. Never: a field left to a default.
 */
import type {
  AllowedCommand,
  AllowedSetpoint,
  AllowedVelocity,
  WireMessage,
} from '../contract/index.js';
import { float32, float32Vec, type Vec3 } from './frames.js';
import { modeNumbers, type ModeName } from './modes.js';

/** MAV_COMP_ID_AUTOPILOT1 */
export const AUTOPILOT = 1;

/** The two fields with which a message says for whom it is. */
export const toAutopilot = (targetSystem: number) => ({
  target_system: targetSystem,
  target_component: AUTOPILOT,
});

export const CMD = {
  NAV_TAKEOFF: 22,
  DO_SET_MODE: 176,
  DO_GRIPPER: 211,
  ARM_DISARM: 400,
  RUN_PREARM_CHECKS: 401,
  SET_MESSAGE_INTERVAL: 511,
  REQUEST_MESSAGE: 512,
  GIMBAL_PITCHYAW: 1000,
  GIMBAL_CONFIGURE: 1001,
  IMAGE_START_CAPTURE: 2000,
  DO_WINCH: 42600,
} as const;

export type Params = AllowedCommand['params'];

/** COMMAND_LONG; `confirmation` counts the times that it was sent before. */
export function commandLong(
  targetSystem: number,
  command: number,
  params: Params,
  confirmation = 0,
  targetComponent = AUTOPILOT,
): WireMessage {
  const [param1, param2, param3, param4, param5, param6, param7] = params;
  return {
    name: 'COMMAND_LONG',
    fields: {
      target_system: targetSystem,
      target_component: targetComponent,
      command,
      confirmation,
      ...{ param1, param2, param3, param4, param5, param6, param7 },
    },
  };
}

export const allowCommand = (command: number, params: Params): AllowedCommand => ({
  type: 'command',
  command,
  params,
});

/** MAV_MODE_FLAG_CUSTOM_MODE_ENABLED: the mode is in the next two parameters. */
const CUSTOM_MODE = 1;

export function setModeParams(mode: ModeName): Params {
  const { main, sub } = modeNumbers(mode);
  return [CUSTOM_MODE, main, sub, 0, 0, 0, 0];
}

export const allowMode = (mode: ModeName): AllowedCommand =>
  allowCommand(CMD.DO_SET_MODE, setModeParams(mode));

/** Use position and yaw; ignore velocity, acceleration and yaw rate. */
export const POSITION_YAW_MASK = 0b1001_1111_1000;

/** MAV_FRAME_LOCAL_NED */
const LOCAL_NED = 1;

/** A segment that setpoints may lie on: the numbers as float32, as the wire has them. */
export const allowSegment = (
  fromNedM: Vec3,
  toNedM: Vec3,
  yawNedRad: number,
  speedMS: number,
): AllowedSetpoint => ({
  type: 'setpoint',
  coordinateFrame: LOCAL_NED,
  typeMask: POSITION_YAW_MASK,
  fromNedM: float32Vec(fromNedM),
  toNedM: float32Vec(toNedM),
  yawNedRad: float32(yawNedRad),
  speedMS,
});

/** SET_POSITION_TARGET_LOCAL_NED with position and yaw. */
export function positionTarget(
  targetSystem: number,
  positionNedM: Vec3,
  yawNedRad: number,
): WireMessage {
  const [x, y, z] = float32Vec(positionNedM);
  return {
    name: 'SET_POSITION_TARGET_LOCAL_NED',
    fields: {
      // PX4 stamps setpoints itself; a time of ours would be the one number that nobody checks.
      time_boot_ms: 0,
      target_system: targetSystem,
      target_component: AUTOPILOT,
      coordinate_frame: LOCAL_NED,
      type_mask: POSITION_YAW_MASK,
      ...{ x, y, z, vx: 0, vy: 0, vz: 0, afx: 0, afy: 0, afz: 0 },
      yaw: float32(yawNedRad),
      yaw_rate: 0,
    },
  };
}

/** Use velocity and yaw; ignore position, acceleration and yaw rate. */
const VELOCITY_YAW_MASK = 0b1001_1100_0111;

/** A velocity that may be asked for over `forUs`: the numbers as float32, as the wire has them. */
export const allowVelocity = (
  velocityNedMS: Vec3,
  yawNedRad: number,
  forUs: number,
): AllowedVelocity => ({
  type: 'velocity',
  coordinateFrame: LOCAL_NED,
  typeMask: VELOCITY_YAW_MASK,
  velocityNedMS: float32Vec(velocityNedMS),
  yawNedRad: float32(yawNedRad),
  forUs,
});

/** SET_POSITION_TARGET_LOCAL_NED with velocity and yaw. */
export function velocityTarget(
  targetSystem: number,
  velocityNedMS: Vec3,
  yawNedRad: number,
): WireMessage {
  const [vx, vy, vz] = float32Vec(velocityNedMS);
  return {
    name: 'SET_POSITION_TARGET_LOCAL_NED',
    fields: {
      time_boot_ms: 0,
      target_system: targetSystem,
      target_component: AUTOPILOT,
      coordinate_frame: LOCAL_NED,
      type_mask: VELOCITY_YAW_MASK,
      ...{ x: 0, y: 0, z: 0, vx, vy, vz, afx: 0, afy: 0, afz: 0 },
      yaw: float32(yawNedRad),
      yaw_rate: 0,
    },
  };
}
