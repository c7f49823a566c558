/**
 * Words of the simulated Crazyflie. Enters: nothing. Leaves: types. World: x, y horizontal, z up,
 * metres; yaw counter-clockwise. Never: a unit that a name does not say.
 */

export interface Xyz {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/** What one setpoint asks for; every kind of packet becomes one of these. */
export type Setpoint =
  | { readonly kind: 'off' }
  | { readonly kind: 'velocity'; readonly velocityMS: Xyz; readonly yawRateDegS: number }
  | {
      /** Speeds forward and to the left, height kept. */
      readonly kind: 'hover';
      readonly forwardMS: number;
      readonly leftMS: number;
      readonly zM: number;
      readonly yawRateDegS: number;
    }
  | {
      /** Attitude with pitch nose-up positive, height kept. */
      readonly kind: 'zDistance';
      readonly rollDeg: number;
      readonly pitchDeg: number;
      readonly zM: number;
      readonly yawRateDegS: number;
    }
  | {
      readonly kind: 'attitude';
      readonly rollDeg: number;
      readonly pitchDeg: number;
      /** 0..60000; 0 stops the motors. */
      readonly thrust: number;
      readonly yawRateDegS: number;
    }
  | {
      readonly kind: 'position';
      readonly positionM: Xyz;
      readonly velocityMS: Xyz;
      readonly yawDeg: number;
    };

export const OFF: Setpoint = { kind: 'off' };

/** 2.x arms itself; the Brushless is armed by command before every flight. */
export type Model = '2.1' | 'brushless';

export interface CrazyflieOptions {
  readonly model: Model;
  /** CRTP protocol version: 8 is release 2024.10, 9 2025.02, 10 2025.09, 12 2026.04. */
  readonly protocol: number;
  /** Where the position comes from: a deck aboard, or poses sent by a client. */
  readonly positioning: 'deck' | 'external';
}
