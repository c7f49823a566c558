/**
 * Position control with PX4's structure and gains: position error to velocity, velocity error to
 * acceleration, heading error to yaw rate.
 * In: the estimate and a target. Out: acceleration and yaw rate. Never sees the truth.
 */
import { add, clamp, horizontal, limitHorizontal, scale, subtract, ZERO, wrapRad } from './ned.js';
import type { Ned } from './ned.js';
import type { ParameterStore } from './parameters.js';

/** One axis is steered by position, by velocity, by both, or not at all (undefined). */
export interface AxisTarget {
  readonly position?: number | undefined;
  readonly velocity?: number | undefined;
  readonly acceleration?: number | undefined;
}

export interface Target {
  readonly n: AxisTarget;
  readonly e: AxisTarget;
  readonly d: AxisTarget;
  readonly yawRad?: number | undefined;
  readonly yawRateRadS?: number | undefined;
  readonly maxHorizontalMS: number;
  readonly maxUpMS: number;
  readonly maxDownMS: number;
  /** The planned modes change their velocity no faster than MPC_ACC_HOR; direct setpoints may. */
  readonly smooth: boolean;
}

export interface Motion {
  readonly positionNedM: Ned;
  readonly velocityNedMS: Ned;
  readonly yawRad: number;
}

export interface Demand {
  readonly accelerationNedMS2: Ned;
  readonly yawRateRadS: number;
  readonly velocityNedMS: Ned;
}

/** The integrator holds at most what a strong wind needs, so that it cannot wind up further. */
const INTEGRAL_LIMIT_MS2 = 8;
/** Heading error to yaw rate, as MC_YAW_P. */
const YAW_P = 2.8;

export class PositionController {
  private integralNedMS2: Ned = ZERO;
  private plannedNedMS: Ned = ZERO;

  constructor(private readonly parameters: ParameterStore) {}

  reset(velocityNedMS: Ned = ZERO): void {
    this.integralNedMS2 = ZERO;
    this.plannedNedMS = velocityNedMS;
  }

  step(dtS: number, motion: Motion, target: Target): Demand {
    const wanted = this.wantedVelocity(motion, target);
    this.plannedNedMS = target.smooth
      ? slew(this.plannedNedMS, wanted, this.parameters.get('MPC_ACC_HOR') * dtS)
      : wanted;
    const error = subtract(this.plannedNedMS, motion.velocityNedMS);
    const get = (name: string): number => this.parameters.get(name);
    const pHor = get('MPC_XY_VEL_P_ACC');
    const feed = {
      n: target.n.acceleration ?? 0,
      e: target.e.acceleration ?? 0,
      d: target.d.acceleration ?? 0,
    };
    const push = limitHorizontal(
      { n: pHor * error.n + feed.n, e: pHor * error.e + feed.e, d: 0 },
      get('MPC_ACC_HOR_MAX'),
    );
    const vertical = clamp(
      get('MPC_Z_VEL_P_ACC') * error.d + feed.d,
      -get('MPC_ACC_UP_MAX'),
      get('MPC_ACC_DOWN_MAX'),
    );
    this.integrate(dtS, error);
    return {
      accelerationNedMS2: add({ n: push.n, e: push.e, d: vertical }, this.integralNedMS2),
      yawRateRadS: this.yawRate(motion, target),
      velocityNedMS: this.plannedNedMS,
    };
  }

  private wantedVelocity(motion: Motion, target: Target): Ned {
    const { positionNedM: at, velocityNedMS: now } = motion;
    const pHor = this.parameters.get('MPC_XY_P');
    const free = limitHorizontal(
      {
        n: axisVelocity(target.n, at.n, now.n, pHor),
        e: axisVelocity(target.e, at.e, now.e, pHor),
        d: 0,
      },
      target.maxHorizontalMS,
    );
    const d = axisVelocity(target.d, at.d, now.d, this.parameters.get('MPC_Z_P'));
    return { n: free.n, e: free.e, d: clamp(d, -target.maxUpMS, target.maxDownMS) };
  }

  private integrate(dtS: number, error: Ned): void {
    const iHor = this.parameters.get('MPC_XY_VEL_I_ACC');
    const iVertical = this.parameters.get('MPC_Z_VEL_I_ACC');
    const next = add(
      this.integralNedMS2,
      scale({ n: iHor * error.n, e: iHor * error.e, d: iVertical * error.d }, dtS),
    );
    const bounded = limitHorizontal(next, INTEGRAL_LIMIT_MS2);
    this.integralNedMS2 = { n: bounded.n, e: bounded.e, d: clamp(next.d, -2, 2) };
  }

  private yawRate(motion: Motion, target: Target): number {
    const limit = (this.parameters.get('MPC_YAWRAUTO_MAX') * Math.PI) / 180;
    if (target.yawRad !== undefined) {
      const rate = YAW_P * wrapRad(target.yawRad - motion.yawRad) + (target.yawRateRadS ?? 0);
      return clamp(rate, -limit, limit);
    }
    return clamp(target.yawRateRadS ?? 0, -limit, limit);
  }
}

function axisVelocity(axis: AxisTarget, at: number, now: number, p: number): number {
  if (axis.position !== undefined) return (axis.position - at) * p + (axis.velocity ?? 0);
  if (axis.velocity !== undefined) return axis.velocity;
  // Only an acceleration is wanted: ask for the velocity there is, so that nothing opposes it.
  return axis.acceleration === undefined ? 0 : now;
}

/** Moves the horizontal velocity towards `wanted` by `most` at most; the vertical at once. */
function slew(from: Ned, wanted: Ned, most: number): Ned {
  const change = { n: wanted.n - from.n, e: wanted.e - from.e, d: 0 };
  const size = horizontal(change);
  const k = size > most ? most / size : 1;
  return { n: from.n + change.n * k, e: from.e + change.e * k, d: wanted.d };
}
