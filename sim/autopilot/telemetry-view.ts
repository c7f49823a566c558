/**
 * What telemetry may tell: the estimate and the vehicle's own state, gathered once a step.
 * Never the truth: only sensors of the simulated body appear here.
 */
import type { GeoPoint, Ned } from './ned.js';
import type { Demand, Motion, Target } from './controller.js';
import type { NavState } from './modes.js';
import type { Fields } from './types.js';

export interface TelemetryView {
  readonly bootUs: number;
  readonly timeMs: number;
  /** Unix time in microseconds that the GPS gives; simulated, so it counts from a fixed day. */
  readonly unixUs: number;
  readonly motion: Motion;
  readonly rollRad: number;
  readonly pitchRad: number;
  readonly yawRateRadS: number;
  readonly accelerationNedMS2: Ned;
  readonly geo: GeoPoint;
  readonly localOrigin: GeoPoint;
  readonly home: { readonly geo: GeoPoint; readonly localNedM: Ned } | undefined;
  readonly heightAboveGroundM: number;
  readonly positionValid: boolean;
  readonly aligned: boolean;
  readonly gpsFix: boolean;
  readonly resetCounter: number;
  readonly armed: boolean;
  readonly navState: NavState;
  readonly intendedMode: NavState;
  readonly ready: boolean;
  readonly inFailsafe: boolean;
  readonly inTermination: boolean;
  readonly landed: boolean;
  readonly manualControl: boolean;
  readonly thrustFraction: number;
  readonly batteryFraction: number;
  readonly batteryVoltageV: number;
  readonly batteryCurrentA: number;
  readonly batteryUsedMah: number;
  readonly batteryWarning: 0 | 1 | 2 | 3;
  readonly target: Target | undefined;
  readonly demand: Demand | undefined;
  readonly eventSequence: number;
  readonly mission: Fields;
  readonly systemId: number;
  /** Counts up with every PING and TIMESYNC of our own. */
  readonly pingSequence: number;
}
