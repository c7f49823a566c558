/**
 * Comes to a stop in PX4's own hold mode. Enters: mode, velocity, position, landed state.
 * Leaves: one mode command, and where it stands in the end. Never: "stopped" by the mode alone.
 */
import type { Vec3 } from '../frames.js';
import { readVector } from '../reading.js';
import { Dwell, ModeCommand, readLanded, readMode, running, show, unknown } from './steps.js';
import type { EffectContext, EffectStep } from './types.js';

/** Slower than this the braking is over: more than the velocity estimate strays in a hover. */
const STILL_MS = 0.5;

export interface Stopped {
  readonly position: Vec3;
  readonly dwellS: number;
}

export class Stopping {
  readonly #mode: ModeCommand;
  readonly #dwell = new Dwell();
  readonly #dwellS: number;
  #entered = false;

  constructor(targetSystem: number, dwellS: number) {
    this.#mode = new ModeCommand(targetSystem, 'AUTO.LOITER');
    this.#dwellS = dwellS;
  }

  /** The hold was commanded from here: it was not shown before. */
  get sent(): boolean {
    return this.#mode.sent;
  }

  get expects(): readonly string[] {
    return this.#mode.expects;
  }

  /** A step to return, or where it stands. */
  step(context: EffectContext): EffectStep | Stopped {
    const { nowUs, snapshot } = context;
    if (!this.#entered) {
      const step = this.#mode.step(context);
      if (step !== undefined) return step;
      this.#entered = true;
    }
    const mode = readMode(context)?.value;
    if (mode !== undefined && mode !== 'AUTO.LOITER') {
      return unknown('stopping', `the mode became ${mode}`);
    }
    const position = readVector(snapshot, 'vehicle.position', nowUs)?.value;
    const velocity = readVector(snapshot, 'vehicle.velocity', nowUs)?.value;
    if (position === undefined || velocity === undefined) {
      this.#dwell.held(false, nowUs);
      return running('stopping', 'position not known');
    }
    if (readLanded(context)?.value !== 'in_air') {
      return unknown('stopping', 'no longer seen in the air');
    }
    const speedMS = Math.hypot(...velocity);
    const dwellS = this.#dwell.held(speedMS <= STILL_MS, nowUs);
    if (dwellS === undefined || dwellS < this.#dwellS) {
      return running('stopping', `${show(speedMS)} m/s`);
    }
    return { position, dwellS };
  }
}
