/**
 * Return: PX4's own way home, at its own height. Enters: mode, position, home.
 * Leaves: one mode command. Never: "done" on the mode alone; the place must have been seen.
 */
import type { Envelope, Observed } from '../../contract/index.js';
import { horizontalM } from '../frames.js';
import { allowMode, AUTOPILOT } from '../messages.js';
import { readVector } from '../reading.js';
import {
  deadlineUs,
  done,
  Dwell,
  ensured,
  ModeCommand,
  readArmed,
  readLanded,
  readMode,
  running,
  show,
  unknown,
} from './steps.js';
import type { EffectContext, EffectMachine, EffectOptions, EffectStep, Expects } from './types.js';

const HORIZONTAL_M = 1;
const DWELL_S = 1;

export class ReturnHome implements EffectMachine {
  readonly envelope: Envelope;
  readonly #mode: ModeCommand;
  readonly #dwell = new Dwell();
  readonly #horizontalM: number;
  readonly #dwellS: number;
  readonly #deadlineUs: number;
  #entered = false;

  constructor({ targetSystem, nowUs, entry }: EffectOptions) {
    this.envelope = { targetSystem, targetComponent: AUTOPILOT, allowed: [allowMode('AUTO.RTL')] };
    this.#mode = new ModeCommand(targetSystem, 'AUTO.RTL');
    this.#horizontalM = entry.completion.horizontalM ?? HORIZONTAL_M;
    this.#dwellS = entry.completion.dwellS ?? DWELL_S;
    this.#deadlineUs = deadlineUs(nowUs, entry.deadlineS);
  }

  get expects(): Expects {
    return { modes: this.#mode.expects };
  }

  step(context: EffectContext): EffectStep {
    const { nowUs } = context;
    const distanceM = homeDistanceM(context);
    const near = distanceM !== undefined && distanceM <= this.#horizontalM;
    const down = readLanded(context)?.value === 'on_ground' && readArmed(context)?.value === false;
    if (near && down && !this.#mode.sent) {
      return ensured('already home, on the ground', this.#observed(context, distanceM, 0));
    }
    if (nowUs > this.#deadlineUs) return unknown('returning', 'home not reached in time');
    if (!this.#entered) {
      const step = this.#mode.step(context);
      if (step !== undefined) return step;
      this.#entered = true;
    }
    const heldS = this.#dwell.held(near, nowUs);
    if (near && heldS !== undefined && heldS >= this.#dwellS) {
      return done(`${show(distanceM)} m from home`, this.#observed(context, distanceM, heldS));
    }
    const mode = readMode(context)?.value;
    const landing = mode === 'AUTO.RTL' || mode === 'AUTO.LAND';
    if (mode !== undefined && !landing && !down) {
      return unknown('returning', `the return was left for ${mode}`);
    }
    const left = distanceM === undefined ? 'home not known' : `${show(distanceM)} m from home`;
    return running('returning', left);
  }

  #observed(context: EffectContext, homeDistanceM: number, dwellS: number): Observed {
    const position = readVector(context.snapshot, 'vehicle.position', context.nowUs)?.value;
    const landed = readLanded(context)?.value === 'on_ground';
    const disarmed = readArmed(context)?.value === false;
    return {
      homeDistanceM,
      dwellS,
      ...(position === undefined ? {} : { position }),
      ...(landed ? { landed } : { airborne: true }),
      ...(disarmed ? { disarmed } : {}),
    };
  }
}

/** Horizontal distance from home, m. */
function homeDistanceM({ snapshot, nowUs }: EffectContext): number | undefined {
  const position = readVector(snapshot, 'vehicle.position', nowUs)?.value;
  const home = readVector(snapshot, 'vehicle.home', nowUs)?.value;
  return position && home && horizontalM(position, home);
}
