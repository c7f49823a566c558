/**
 * What the vehicle side tells the evidence side about continuity, beside plain values: the facts
 * from which epochs are raised. Enters: nothing. Leaves: types, and which modes are a
 * pilot's. Never: a judgement.
 */
import type { LandedState } from './evidence.js';

export type VehicleSign =
  | {
      readonly type: 'heartbeat';
      readonly atUs: number;
      readonly armed: boolean;
      readonly mode: string;
      /** MAV_STATE_CRITICAL or beyond: a failsafe is active. */
      readonly failsafe: boolean;
    }
  /** CURRENT_MODE: between two heartbeats. */
  | { readonly type: 'mode'; readonly atUs: number; readonly mode: string }
  | { readonly type: 'landed'; readonly atUs: number; readonly landed: LandedState }
  /** The autopilot says in an EVENT that a failsafe has begun. */
  | { readonly type: 'failsafe'; readonly atUs: number; readonly reason: string }
  | { readonly type: 'boot-time'; readonly atUs: number; readonly bootMs: number }
  | { readonly type: 'identity'; readonly atUs: number; readonly uid: string }
  /** A count that the estimator raises with each jump of its solution. */
  | { readonly type: 'estimator-resets'; readonly atUs: number; readonly count: number }
  | {
      readonly type: 'position';
      readonly atUs: number;
      readonly bootMs: number;
      readonly positionEnuM: readonly [number, number, number];
      readonly velocityEnuMS: readonly [number, number, number];
    }
  | {
      readonly type: 'home';
      readonly atUs: number;
      readonly positionEnuM: readonly [number, number, number];
    };

/** PX4's modes in which sticks fly: whoever has them has the vehicle, whatever else is known. */
export const PILOT_MODES: ReadonlySet<string> = new Set([
  'MANUAL',
  'ALTCTL',
  'POSCTL',
  'ACRO',
  'STABILIZED',
  'RATTITUDE',
]);
