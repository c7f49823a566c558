/**
 * The state estimate: the truth with slowly wandering errors, a GPS that can be lost, and a local
 * frame that can be reset.
 * In: the true state. Out: local position, velocity, validity. Never steers anything.
 */
import { add, scale, toGeo, ZERO, type GeoPoint, type Ned } from './ned.js';
import type { Motion } from './controller.js';
import type { Truth } from './types.js';

/**
 * Standard deviations of the wandering error. Hovering at one setpoint, the measured estimate
 * scattered by 0.19, 0.28 and 0.07 m, control included; the truth was at most 1.39 m off.
 */
const POSITION_STD: Ned = { n: 0.18, e: 0.22, d: 0.07 };
/** A GPS error wanders over tens of seconds: fast enough to see, slow enough to follow. */
const WANDER_S = 20;
const VELOCITY_STD_MS = 0.03;
/** After GPS is lost the position drifts like a slow walk, until it is given up. */
const DRIFT_MS = 0.4;
/** Measured from SIM_GPS_USED=0 to pre-arm false on the ground, and to the failsafe in the air. */
const GIVE_UP_GROUND_S = 5.4;
const GIVE_UP_AIR_S = 6.2;
/** EKF and GPS are fit for arming 4.4 s or, as often, about 6.5 s after boot. */
const READY_S = [4.4, 6.5] as const;

export class Estimator {
  private wander: Ned = ZERO;
  private drift: Ned = ZERO;
  private originShift: Ned = ZERO;
  private velocityError: Ned = ZERO;
  private lostForS = 0;
  private readonly readyAtS: number;
  private readonly driftDirectionRad: number;
  private ageS = 0;
  private landed = true;
  gpsPresent = true;
  resetCounter = 0;

  constructor(
    private readonly origin: GeoPoint,
    private readonly random: () => number,
    private readonly noise: number,
  ) {
    this.readyAtS = random() < 0.5 ? READY_S[0] : READY_S[1];
    this.driftDirectionRad = random() * 2 * Math.PI;
  }

  step(dtS: number, truth: Truth): void {
    this.ageS += dtS;
    this.landed = truth.onGround;
    const keep = Math.exp(-dtS / WANDER_S);
    const stir = this.noise * Math.sqrt(1 - keep * keep);
    this.wander = {
      n: this.wander.n * keep + POSITION_STD.n * stir * this.gaussian(),
      e: this.wander.e * keep + POSITION_STD.e * stir * this.gaussian(),
      d: this.wander.d * keep + POSITION_STD.d * stir * this.gaussian(),
    };
    const velocityKeep = Math.exp(-dtS / 0.5);
    const velocityStir = this.noise * VELOCITY_STD_MS * Math.sqrt(1 - velocityKeep * velocityKeep);
    this.velocityError = {
      n: this.velocityError.n * velocityKeep + velocityStir * this.gaussian(),
      e: this.velocityError.e * velocityKeep + velocityStir * this.gaussian(),
      d: this.velocityError.d * velocityKeep + velocityStir * this.gaussian(),
    };
    this.followGps(dtS);
  }

  private followGps(dtS: number): void {
    if (this.gpsPresent) {
      this.lostForS = 0;
      // The fused position pulls back to the satellites within seconds.
      this.drift = scale(this.drift, Math.exp(-dtS / 2));
      return;
    }
    this.lostForS += dtS;
    if (this.landed) return;
    const step = DRIFT_MS * dtS;
    this.drift = add(this.drift, {
      n: step * Math.cos(this.driftDirectionRad),
      e: step * Math.sin(this.driftDirectionRad),
      d: 0,
    });
  }

  /** Local numbers jump by `jumpNedM`: the origin moves, the place on earth does not. */
  reset(jumpNedM: Ned): void {
    this.originShift = add(this.originShift, jumpNedM);
    this.resetCounter = (this.resetCounter + 1) & 0xff;
  }

  estimate(truth: Truth): Motion {
    return {
      positionNedM: add(this.absolute(truth), this.originShift),
      velocityNedMS: add(truth.velocityNedMS, this.velocityError),
      yawRad: truth.yawRad,
    };
  }

  /** Where the estimate believes to be on earth; a reset of the local frame does not move it. */
  geo(truth: Truth): GeoPoint {
    return toGeo(this.origin, this.absolute(truth));
  }

  /** The point on earth that the local frame now calls zero. */
  localOrigin(): GeoPoint {
    return toGeo(this.origin, scale(this.originShift, -1));
  }

  /** Local coordinates of a point given relative to the place of boot. */
  toLocal(fromHomeNedM: Ned): Ned {
    return add(fromHomeNedM, this.originShift);
  }

  private absolute(truth: Truth): Ned {
    return add(truth.positionNedM, add(this.wander, this.drift));
  }

  get aligned(): boolean {
    return this.ageS >= this.readyAtS;
  }

  /** False when the horizontal position is not to be relied on. */
  get positionValid(): boolean {
    const patience = this.landed ? GIVE_UP_GROUND_S : GIVE_UP_AIR_S;
    return this.aligned && this.lostForS < patience;
  }

  /** Standard normal, by Box and Muller. */
  private gaussian(): number {
    if (this.noise === 0) return 0;
    const u = Math.max(this.random(), 1e-12);
    return Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * this.random());
  }
}
