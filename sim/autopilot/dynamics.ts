/**
 * The body: a quadrotor as a point mass that leans to accelerate, with wind, drag and a ground.
 * In: the demanded acceleration and yaw rate, the wind. Out: the true state, north-east-down.
 * Never sees the estimate, a mode or a message.
 */
import { clamp, length, subtract, wrapRad, ZERO, type Ned } from './ned.js';
import type { Truth } from './types.js';

export const GRAVITY_MS2 = 9.80665;

/** Motors and attitude follow a demand with about this lag; a 250 mm class quadrotor. */
const THRUST_LAG_S = 0.12;
/**
 * Drag as linear plus quadratic in the air's relative speed. The pair makes a step of 8 m/s wind
 * push a holding vehicle about 3.4 m off in 3 s, as measured, and costs little at walking speed.
 */
const DRAG_LINEAR = 0.2;
const DRAG_QUADRATIC = 0.08;
/** Steepest lean that position control may ask for (MPC_TILTMAX_AIR). */
const MAX_TILT_RAD = Math.PI / 4;
/** With one motor gone the body is past 100 degrees before it hits the ground 1.5 s later. */
const TUMBLE_RATE_RAD_S = 2.4;

export type Drive =
  | { readonly kind: 'off' }
  | { readonly kind: 'idle' }
  | { readonly kind: 'fly'; readonly accelerationNedMS2: Ned; readonly yawRateRadS: number };

export class Dynamics {
  positionNedM: Ned = ZERO;
  velocityNedMS: Ned = ZERO;
  /** What the rotors add to balancing gravity: zero while hovering in still air. */
  private pushNedMS2: Ned = ZERO;
  yawRad = 0;
  yawRateRadS = 0;
  rollRad = 0;
  pitchRad = 0;
  onGround = true;
  motorFailed = false;
  /** It fell out of the sky and lies there with its motors told to turn, until they are stopped. */
  private crashed = false;

  step(dtS: number, drive: Drive, windNedMS: Ned): void {
    if (this.crashed) {
      if (drive.kind !== 'off') return;
      this.crashed = false;
    }
    if (this.motorFailed && drive.kind === 'fly' && !this.onGround) {
      this.tumble(dtS);
      return;
    }
    const flying = drive.kind === 'fly';
    const wanted = flying ? limitTilt(drive.accelerationNedMS2) : { n: 0, e: 0, d: GRAVITY_MS2 };
    const blend = 1 - Math.exp(-dtS / THRUST_LAG_S);
    this.pushNedMS2 = {
      n: this.pushNedMS2.n + (wanted.n - this.pushNedMS2.n) * blend,
      e: this.pushNedMS2.e + (wanted.e - this.pushNedMS2.e) * blend,
      d: this.pushNedMS2.d + (wanted.d - this.pushNedMS2.d) * blend,
    };
    const drag = this.onGround ? ZERO : dragOf(subtract(this.velocityNedMS, windNedMS));
    this.integrate(dtS, {
      n: this.pushNedMS2.n + drag.n,
      e: this.pushNedMS2.e + drag.e,
      d: this.pushNedMS2.d + drag.d,
    });
    this.turn(dtS, flying ? drive.yawRateRadS : 0);
    this.lean();
  }

  private integrate(dtS: number, accelerationNedMS2: Ned): void {
    // Standing on the ground, only an upward push moves anything.
    if (this.onGround && accelerationNedMS2.d >= 0) {
      this.velocityNedMS = ZERO;
      return;
    }
    this.velocityNedMS = {
      n: this.velocityNedMS.n + accelerationNedMS2.n * dtS,
      e: this.velocityNedMS.e + accelerationNedMS2.e * dtS,
      d: this.velocityNedMS.d + accelerationNedMS2.d * dtS,
    };
    const down = this.positionNedM.d + this.velocityNedMS.d * dtS;
    this.positionNedM = {
      n: this.positionNedM.n + this.velocityNedMS.n * dtS,
      e: this.positionNedM.e + this.velocityNedMS.e * dtS,
      d: Math.min(down, 0),
    };
    this.onGround = down >= 0;
    if (this.onGround) this.velocityNedMS = ZERO;
  }

  private turn(dtS: number, rateRadS: number): void {
    this.yawRateRadS = this.onGround ? 0 : rateRadS;
    this.yawRad = wrapRad(this.yawRad + this.yawRateRadS * dtS);
  }

  /** Attitude is what the horizontal push implies: forward is nose down, right is right down. */
  private lean(): void {
    if (this.onGround) {
      this.rollRad = 0;
      this.pitchRad = 0;
      return;
    }
    const cos = Math.cos(this.yawRad);
    const sin = Math.sin(this.yawRad);
    const forward = this.pushNedMS2.n * cos + this.pushNedMS2.e * sin;
    const right = -this.pushNedMS2.n * sin + this.pushNedMS2.e * cos;
    const lift = Math.max(GRAVITY_MS2 - this.pushNedMS2.d, 1);
    this.pitchRad = -Math.atan2(forward, lift);
    this.rollRad = Math.atan2(right, lift);
  }

  private tumble(dtS: number): void {
    this.rollRad += TUMBLE_RATE_RAD_S * dtS;
    this.integrate(dtS, { n: 0, e: 0, d: GRAVITY_MS2 * 0.35 });
    this.crashed = this.onGround;
  }

  get lying(): boolean {
    return this.crashed;
  }

  get leanAcceleration(): Ned {
    return this.pushNedMS2;
  }

  truth(): Truth {
    return {
      positionNedM: this.positionNedM,
      velocityNedMS: this.velocityNedMS,
      yawRad: this.yawRad,
      onGround: this.onGround,
    };
  }
}

function dragOf(relativeNedMS: Ned): Ned {
  const k = -(DRAG_LINEAR + DRAG_QUADRATIC * length(relativeNedMS));
  return { n: k * relativeNedMS.n, e: k * relativeNedMS.e, d: k * relativeNedMS.d };
}

function limitTilt(accelerationNedMS2: Ned): Ned {
  const down = clamp(accelerationNedMS2.d, -GRAVITY_MS2, GRAVITY_MS2);
  const most = Math.tan(MAX_TILT_RAD) * Math.max(GRAVITY_MS2 - down, 0);
  const size = Math.hypot(accelerationNedMS2.n, accelerationNedMS2.e);
  const k = size > most ? most / size : 1;
  return { n: accelerationNedMS2.n * k, e: accelerationNedMS2.e * k, d: down };
}
