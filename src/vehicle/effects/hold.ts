/**
 * Hold: stay in place for a time, by PX4's own hold mode. Enters: mode, position, speed.
 * Leaves: one mode command. Never: "done" for a vehicle that sank or drifted meanwhile, or whose
 * position was not seen.
 */
import type { Envelope, ParamsOf } from '../../contract/index.js';
import { horizontalM, type Vec3 } from '../frames.js';
import { allowMode, AUTOPILOT } from '../messages.js';
import { Loitering, STILL_MS, type Motion } from './loitering.js';
import { deadlineUs, done, Dwell, readLanded, running, show, unknown } from './steps.js';
import type { EffectContext, EffectMachine, EffectOptions, EffectStep, Expects } from './types.js';

/** Twice the worst stray of a GPS hover. */
const DRIFT_MAX_M = 2;
/** The height estimate strays 0.07 m in a hover: one metre is a climb or a fall. */
const HEIGHT_BAND_M = 1;

export class Hold implements EffectMachine {
  readonly envelope: Envelope;
  readonly #dwell = new Dwell();
  readonly #loitering: Loitering;
  readonly #durationS: number;
  readonly #deadlineUs: number;
  #heightM: number | undefined;
  #anchor: Vec3 | undefined;

  constructor(params: ParamsOf<'hold'>, { targetSystem, nowUs, entry }: EffectOptions) {
    this.envelope = {
      targetSystem,
      targetComponent: AUTOPILOT,
      allowed: [allowMode('AUTO.LOITER')],
    };
    this.#loitering = new Loitering(targetSystem, this.#dwell);
    this.#durationS = params.durationS;
    this.#deadlineUs = deadlineUs(nowUs, entry.deadlineS);
  }

  get expects(): Expects {
    return { modes: this.#loitering.expects };
  }

  step(context: EffectContext): EffectStep {
    const { nowUs } = context;
    if (nowUs > this.#deadlineUs) return unknown('holding', 'not held long enough in time');
    const motion = this.#loitering.step(context, 'holding');
    if ('status' in motion) return motion;
    const landed = readLanded(context)?.value;
    if (landed === undefined || landed === 'on_ground') {
      return unknown('holding', 'no longer seen in the air');
    }
    if (landed !== 'in_air') {
      // Out of a landing or a climb the mode is seen first: it holds once it shows that it does.
      this.#dwell.held(false, nowUs);
      return running('holding', `still seen as ${landed}`);
    }
    return this.#watch(motion, nowUs);
  }

  #watch({ position, velocity }: Motion, nowUs: number): EffectStep {
    this.#heightM ??= position[2];
    const riseM = position[2] - this.#heightM;
    if (Math.abs(riseM) > HEIGHT_BAND_M) {
      const word = riseM < 0 ? 'sank' : 'climbed';
      return unknown('holding', `${word} ${show(Math.abs(riseM))} m while holding`);
    }
    if (this.#anchor === undefined && Math.hypot(...velocity) > STILL_MS) {
      return running('braking', `${show(Math.hypot(...velocity))} m/s`);
    }
    this.#anchor ??= position;
    const driftM = horizontalM(position, this.#anchor);
    if (driftM > DRIFT_MAX_M) return unknown('holding', `drifted ${show(driftM)} m while holding`);
    const heldS = this.#dwell.held(true, nowUs) ?? 0;
    if (heldS < this.#durationS) {
      return running('holding', `${show(heldS)} s of ${show(this.#durationS)} s`);
    }
    return done(`held for ${show(heldS)} s`, {
      airborne: true,
      position,
      dwellS: heldS,
      mode: 'AUTO.LOITER',
      driftM,
    });
  }
}
