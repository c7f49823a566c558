/**
 * What something aboard is that does not fly. In: commands for its component, steps.
 * Out: a result to acknowledge, messages. Never sees a mode, a setpoint or the estimate.
 */
import type { GeoPoint } from '../ned.js';
import type { Fields } from '../types.js';

/** MAV_RESULT */
export const ACCEPTED = 0;
export const DENIED = 2;

export interface DeviceCommand {
  readonly command: number;
  /** The seven parameters, from 1. */
  readonly p: readonly number[];
  /** Who sent it, by system and component. */
  readonly from: string;
}

export interface DeviceView {
  readonly bootUs: number;
  readonly geo: GeoPoint;
}

export type Say = (name: string, fields: Fields) => void;

export interface Device {
  readonly component: number;
  /** Undefined: not a command of this device. */
  handle(command: DeviceCommand, view: DeviceView): number | undefined;
  step(view: DeviceView, say: Say, dtS: number): void;
}
