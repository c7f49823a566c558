/**
 * The words that the parts of the embedded autopilot share: messages in and out, options, faults.
 * Never holds behaviour.
 */
import type { GeoPoint, Ned } from './ned.js';

export type FieldValue = number | bigint | string | readonly number[];
export type Fields = Readonly<Record<string, FieldValue>>;

/** A message on its way out; names and fields are those of the MAVLink definition. */
export interface OutgoingMessage {
  readonly name: string;
  readonly fields: Fields;
  /** Component that says it; absent: the autopilot. */
  readonly componentId?: number;
}

/** A message that came in, with the ids of the packet that carried it. */
export interface IncomingMessage extends OutgoingMessage {
  readonly systemId: number;
  readonly componentId: number;
}

/** Something an operator can make happen to a running vehicle. Distances in metres. */
export type Fault =
  | { readonly name: 'battery-drop'; readonly fraction: number }
  | { readonly name: 'estimator-reset'; readonly jumpNedM: Ned }
  | { readonly name: 'pilot-takeover' }
  | { readonly name: 'gps-loss'; readonly seconds: number }
  | { readonly name: 'vehicle-reboot' }
  | { readonly name: 'link-loss'; readonly seconds: number }
  | { readonly name: 'range-silent'; readonly seconds: number }
  | { readonly name: 'wind-gust'; readonly windNedMS: Ned; readonly seconds: number }
  | { readonly name: 'arming-refused'; readonly seconds: number }
  | { readonly name: 'motor-failure' };

export type FaultName = Fault['name'];

export interface AutopilotOptions {
  /** MAVLink system id, 1 to 254: PX4 gives instance N the id N + 1. */
  readonly systemId: number;
  /** Where the vehicle stands at boot; the ground is level at this altitude. */
  readonly home: GeoPoint;
  /** Uniform in [0, 1); the only source of chance in the core. */
  readonly random: () => number;
  /** Parameters that differ from PX4's defaults. */
  readonly parameters?: Readonly<Record<string, number>>;
  readonly windNedMS?: Ned;
  /** 1: noise as measured; 0: none, for tests that compare numbers. */
  readonly noise?: number;
  /** A camera, a gimbal, a gripper and a winch are aboard. */
  readonly devices?: boolean;
}

/** The truth of the simulated body: what no message to the outside may be computed from. */
export interface Truth {
  readonly positionNedM: Ned;
  readonly velocityNedMS: Ned;
  readonly yawRad: number;
  readonly onGround: boolean;
}

/** What an onlooker wants to know at a glance. */
export interface AutopilotStatus {
  readonly booted: boolean;
  readonly ready: boolean;
  readonly armed: boolean;
  readonly mode: string;
  readonly landed: boolean;
  readonly failsafe: boolean;
  readonly batteryFraction: number;
  readonly rangeSilent: boolean;
  /** The load has left the gripper; false too when there is none. */
  readonly released: boolean;
}
