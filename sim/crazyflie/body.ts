/**
 * The body and its controller: a setpoint moves a small quadrotor. Enters: the setpoint, whether
 * motors may turn, the time step. Leaves: the true state in the Crazyflie's frame. Never: a packet
 * or a mode. The physics are those of the embedded autopilot, turned from north-east-down.
 */
import { Dynamics, GRAVITY_MS2, type Drive } from '../autopilot/dynamics.js';
import { clamp, wrapRad, ZERO } from '../autopilot/ned.js';
import type { Setpoint, Xyz } from './types.js';

const RAD = Math.PI / 180;
/** Position error to speed, speed error to acceleration: firm enough for the lag of the motors. */
const POSITION_GAIN = 1.8;
const VELOCITY_GAIN = 3.5;
/** The firmware's own limit of horizontal and vertical speed in position control. */
const SPEED_MAX_MS = 1;
const ACCELERATION_MAX_MS2 = 5;
const YAW_GAIN = 3;
/** Thrust that carries a Crazyflie: about 60 % of the range. */
const HOVER_THRUST = 38_000;

export class Body {
  readonly #dynamics = new Dynamics();
  /** Height that levelling out keeps. */
  #levelZM: number | undefined;

  get positionM(): Xyz {
    const { n, e, d } = this.#dynamics.positionNedM;
    return { x: n, y: clean(-e), z: clean(-d) };
  }

  get velocityMS(): Xyz {
    const { n, e, d } = this.#dynamics.velocityNedMS;
    return { x: n, y: clean(-e), z: clean(-d) };
  }

  get yawRad(): number {
    return clean(-this.#dynamics.yawRad);
  }

  /** Right side down is positive. */
  get rollRad(): number {
    return this.#dynamics.rollRad;
  }

  /** Nose up is positive. */
  get pitchRad(): number {
    return this.#dynamics.pitchRad;
  }

  get onGround(): boolean {
    return this.#dynamics.onGround;
  }

  /** A motor fails: the body flips while it flies. */
  failMotor(): void {
    this.#dynamics.motorFailed = true;
  }

  /** @param setpoint undefined: motors stand still. */
  step(dtS: number, setpoint: Setpoint | undefined, levelOut: boolean): void {
    if (!levelOut) this.#levelZM = undefined;
    else this.#levelZM ??= this.positionM.z;
    this.#dynamics.step(dtS, this.#drive(setpoint, levelOut), ZERO);
  }

  #drive(setpoint: Setpoint | undefined, levelOut: boolean): Drive {
    if (setpoint === undefined || setpoint.kind === 'off') return { kind: 'off' };
    if (levelOut) {
      return this.#fly({ x: 0, y: 0, z: this.#climb(this.#levelZM ?? 0, 0) }, 0);
    }
    switch (setpoint.kind) {
      case 'velocity':
        return this.#fly(this.#towards(setpoint.velocityMS), setpoint.yawRateDegS * RAD);
      case 'hover': {
        const velocityMS = this.#toWorld(setpoint.forwardMS, setpoint.leftMS);
        const push = this.#towards({ ...velocityMS, z: 0 });
        const z = this.#climb(setpoint.zM, 0);
        return this.#fly({ ...push, z }, setpoint.yawRateDegS * RAD);
      }
      case 'zDistance': {
        const push = this.#leaning(setpoint.rollDeg, setpoint.pitchDeg);
        return this.#fly({ ...push, z: this.#climb(setpoint.zM, 0) }, setpoint.yawRateDegS * RAD);
      }
      case 'attitude': {
        if (setpoint.thrust === 0) return { kind: 'off' };
        const push = this.#leaning(setpoint.rollDeg, setpoint.pitchDeg);
        const z = GRAVITY_MS2 * (setpoint.thrust / HOVER_THRUST - 1);
        return this.#fly({ ...push, z }, setpoint.yawRateDegS * RAD);
      }
      case 'position':
        return this.#reach(setpoint.positionM, setpoint.velocityMS, setpoint.yawDeg * RAD);
    }
  }

  #reach(target: Xyz, feedMS: Xyz, yawRad: number): Drive {
    const at = this.positionM;
    const wanted = (to: number, from: number, feed: number): number =>
      clamp(POSITION_GAIN * (to - from) + feed, -SPEED_MAX_MS, SPEED_MAX_MS);
    const push = this.#towards({
      x: wanted(target.x, at.x, feedMS.x),
      y: wanted(target.y, at.y, feedMS.y),
      z: 0,
    });
    const yawRateRadS = YAW_GAIN * wrapRad(yawRad - this.yawRad);
    return this.#fly({ ...push, z: this.#climb(target.z, feedMS.z) }, yawRateRadS);
  }

  #towards(velocityMS: Xyz): Xyz {
    const now = this.velocityMS;
    const push = (wanted: number, is: number): number =>
      clamp(VELOCITY_GAIN * (wanted - is), -ACCELERATION_MAX_MS2, ACCELERATION_MAX_MS2);
    return {
      x: push(velocityMS.x, now.x),
      y: push(velocityMS.y, now.y),
      z: push(velocityMS.z, now.z),
    };
  }

  #climb(zM: number, feedMS: number): number {
    const speed = clamp(POSITION_GAIN * (zM - this.positionM.z) + feedMS, -1, SPEED_MAX_MS);
    return this.#towards({ x: 0, y: 0, z: speed }).z;
  }

  /** Right side down pushes to the right, nose up pushes back. */
  #leaning(rollDeg: number, pitchDeg: number): Xyz {
    const forward = -GRAVITY_MS2 * Math.tan(pitchDeg * RAD);
    const left = -GRAVITY_MS2 * Math.tan(rollDeg * RAD);
    return { ...this.#toWorld(forward, left), z: 0 };
  }

  #toWorld(forward: number, left: number): { x: number; y: number } {
    const cos = Math.cos(this.yawRad);
    const sin = Math.sin(this.yawRad);
    return { x: forward * cos - left * sin, y: forward * sin + left * cos };
  }

  #fly(accelerationMS2: Xyz, yawRateRadS: number): Drive {
    const { x, y, z } = accelerationMS2;
    return {
      kind: 'fly',
      accelerationNedMS2: { n: x, e: -y, d: -z },
      yawRateRadS: -yawRateRadS,
    };
  }
}

/** No minus zero in what is told. */
const clean = (value: number): number => (value === 0 ? 0 : value);
