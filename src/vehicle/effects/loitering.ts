/**
 * PX4's own hold mode, entered and watched. Enters: mode, position, velocity. Leaves: one mode
 * command, and how the vehicle moves in the mode. Never: a mode that was left taken for held.
 */
import type { Vec3 } from '../frames.js';
import { readVector } from '../reading.js';
import { ModeCommand, readMode, running, unknown, type Dwell } from './steps.js';
import type { EffectContext, EffectStep } from './types.js';

/** Slower than this the braking is over: more than the velocity estimate strays in a hover. */
export const STILL_MS = 0.5;

export interface Motion {
  readonly position: Vec3;
  readonly velocity: Vec3;
}

export class Loitering {
  readonly #mode: ModeCommand;
  readonly #dwell: Dwell;
  #entered = false;

  /** @param dwell of whoever waits here: what was not watched was not held, it starts over. */
  constructor(targetSystem: number, dwell: Dwell) {
    this.#mode = new ModeCommand(targetSystem, 'AUTO.LOITER');
    this.#dwell = dwell;
  }

  /** The mode was commanded from here: it was not shown before. */
  get sent(): boolean {
    return this.#mode.sent;
  }

  get expects(): readonly string[] {
    return this.#mode.expects;
  }

  /** A step to return, or how it moves. */
  step(context: EffectContext, phase: string): EffectStep | Motion {
    const { nowUs, snapshot } = context;
    if (!this.#entered) {
      const step = this.#mode.step(context);
      if (step !== undefined) return step;
      this.#entered = true;
    }
    const mode = readMode(context)?.value;
    if (mode !== undefined && mode !== 'AUTO.LOITER') {
      return unknown(phase, `the mode became ${mode}`);
    }
    const position = readVector(snapshot, 'vehicle.position', nowUs)?.value;
    const velocity = readVector(snapshot, 'vehicle.velocity', nowUs)?.value;
    if (position !== undefined && velocity !== undefined) return { position, velocity };
    this.#dwell.held(false, nowUs);
    return running(phase, 'position not known');
  }
}
