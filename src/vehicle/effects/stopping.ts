/**
 * Comes to a stop in PX4's own hold mode. Enters: mode, velocity, position, landed state.
 * Leaves: one mode command, and where it stands in the end. Never: "stopped" by the mode alone.
 */
import type { Vec3 } from '../frames.js';
import { Loitering, STILL_MS } from './loitering.js';
import { Dwell, readLanded, running, show, unknown } from './steps.js';
import type { EffectContext, EffectStep } from './types.js';

export interface Stopped {
  readonly position: Vec3;
  readonly dwellS: number;
}

export class Stopping {
  readonly #dwell = new Dwell();
  readonly #dwellS: number;
  readonly #loitering: Loitering;

  constructor(targetSystem: number, dwellS: number) {
    this.#loitering = new Loitering(targetSystem, this.#dwell);
    this.#dwellS = dwellS;
  }

  /** The hold was commanded from here: it was not shown before. */
  get sent(): boolean {
    return this.#loitering.sent;
  }

  get expects(): readonly string[] {
    return this.#loitering.expects;
  }

  /** A step to return, or where it stands. */
  step(context: EffectContext): EffectStep | Stopped {
    const motion = this.#loitering.step(context, 'stopping');
    if ('status' in motion) return motion;
    if (readLanded(context)?.value !== 'in_air') {
      return unknown('stopping', 'no longer seen in the air');
    }
    const speedMS = Math.hypot(...motion.velocity);
    const dwellS = this.#dwell.held(speedMS <= STILL_MS, context.nowUs);
    if (dwellS === undefined || dwellS < this.#dwellS) {
      return running('stopping', `${show(speedMS)} m/s`);
    }
    return { position: motion.position, dwellS };
  }
}
