/**
 * What the simulated Crazyflie reports and lets be set: a part of the firmware's tables, with its
 * names, types and units. Enters: the vehicle's values by name. Leaves: tables. Never: an item
 * that the firmware does not have.
 */
import type { ValueType } from '../../src/link/index.js';

export interface LogItem {
  readonly name: string;
  readonly type: ValueType;
}

const floats = (group: string, ...names: readonly string[]): LogItem[] =>
  names.map((name) => ({ name: `${group}.${name}`, type: 'float' }));

export const LOG_ITEMS: readonly LogItem[] = [
  ...floats('stateEstimate', 'x', 'y', 'z', 'vx', 'vy', 'vz', 'roll', 'pitch', 'yaw'),
  ...floats('stateEstimate', 'qx', 'qy', 'qz', 'qw'),
  { name: 'stateEstimateZ.x', type: 'i16' },
  { name: 'stateEstimateZ.y', type: 'i16' },
  { name: 'stateEstimateZ.z', type: 'i16' },
  ...floats('kalman', 'varPX', 'varPY', 'varPZ'),
  { name: 'pm.vbat', type: 'float' },
  { name: 'pm.state', type: 'i8' },
  { name: 'pm.batteryLevel', type: 'u8' },
  { name: 'supervisor.info', type: 'u16' },
  { name: 'radio.rssi', type: 'u8' },
  { name: 'range.zrange', type: 'u16' },
];

export interface ParamItem {
  readonly name: string;
  readonly type: ValueType;
  readonly initial: number;
  readonly readOnly?: boolean;
}

export const PARAM_ITEMS: readonly ParamItem[] = [
  { name: 'stabilizer.estimator', type: 'u8', initial: 2 },
  { name: 'stabilizer.controller', type: 'u8', initial: 1 },
  { name: 'stabilizer.stop', type: 'u8', initial: 0 },
  { name: 'kalman.resetEstimation', type: 'u8', initial: 0 },
  { name: 'kalman.initialX', type: 'float', initial: 0 },
  { name: 'kalman.initialY', type: 'float', initial: 0 },
  { name: 'kalman.initialYaw', type: 'float', initial: 0 },
  { name: 'hlCommander.vtoff', type: 'float', initial: 0.5 },
  { name: 'hlCommander.vland', type: 'float', initial: 0.5 },
  { name: 'hlCommander.groupmask', type: 'u8', initial: 0 },
  { name: 'pm.lowVoltage', type: 'float', initial: 3.2 },
  { name: 'pm.criticalLowVoltage', type: 'float', initial: 3 },
  { name: 'supervisor.landedTimeout', type: 'u16', initial: 3000 },
  { name: 'supervisor.prefltTimeout', type: 'u16', initial: 30_000 },
  { name: 'deck.bcFlow2', type: 'u8', initial: 1, readOnly: true },
  { name: 'deck.bcLighthouse4', type: 'u8', initial: 0, readOnly: true },
  { name: 'firmware.revision0', type: 'u32', initial: 0x20260801, readOnly: true },
];
