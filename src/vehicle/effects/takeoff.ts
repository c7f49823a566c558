/**
 * Take-off to a height above home, by PX4's own take-off mode. Enters: home, the armed bit, the
 * landed state. Leaves: one command with the height as altitude above sea level.
 * Never: a second take-off in the air, or "done" before the height has been held.
 */
import {
  fail,
  ok,
  type Envelope,
  type Observed,
  type ParamsOf,
  type Result,
} from '../../contract/index.js';
import { haloError } from '../../platform/index.js';
import { float32, type Vec3 } from '../frames.js';
import { allowCommand, AUTOPILOT, CMD, type Params } from '../messages.js';
import { readVector } from '../reading.js';
import { Commanding, type Seen } from './commanding.js';
import {
  deadlineUs,
  done,
  Dwell,
  ensured,
  readArmed,
  readLanded,
  readMode,
  refused,
  running,
  show,
  unknown,
} from './steps.js';
import type { EffectContext, EffectMachine, EffectOptions, EffectStep, Expects } from './types.js';

/** Twice the spread of PX4's height estimate in a hover, with room for its slow last metre. */
const VERTICAL_M = 0.6;
const DWELL_S = 0.5;

export class Takeoff implements EffectMachine {
  readonly envelope: Envelope;
  readonly #command: Commanding;
  readonly #dwell = new Dwell();
  readonly #altitudeM: number;
  /**
   * Up coordinate of the home that the command was counted from. PX4 sets home anew when it is
   * armed and when it leaves the ground; what was commanded stays what it was.
   */
  readonly #homeUpM: number;
  readonly #verticalM: number;
  readonly #dwellS: number;
  readonly #deadlineUs: number;
  /** In the air, or in the take-off mode: the command has taken effect. */
  #taken = false;
  #modeSeen = false;

  private constructor(
    altitudeM: number,
    home: { readonly global: Vec3; readonly enuM: Vec3 },
    options: EffectOptions,
  ) {
    const { targetSystem, nowUs, entry } = options;
    const amslM = float32(home.global[2] + altitudeM);
    // NaN: stay over this place, keep this heading.
    const params: Params = [0, 0, 0, Number.NaN, Number.NaN, Number.NaN, amslM];
    this.envelope = {
      targetSystem,
      targetComponent: AUTOPILOT,
      allowed: [allowCommand(CMD.NAV_TAKEOFF, params)],
    };
    this.#command = new Commanding(targetSystem, CMD.NAV_TAKEOFF, params);
    this.#altitudeM = altitudeM;
    this.#homeUpM = home.enuM[2];
    this.#verticalM = entry.completion.verticalM ?? VERTICAL_M;
    this.#dwellS = entry.completion.dwellS ?? DWELL_S;
    this.#deadlineUs = deadlineUs(nowUs, entry.deadlineS);
  }

  static create(params: ParamsOf<'takeoff'>, options: EffectOptions): Result<Takeoff> {
    const { snapshot, nowUs } = options;
    const global = readVector(snapshot, 'vehicle.home_global', nowUs)?.value;
    const enuM = readVector(snapshot, 'vehicle.home', nowUs)?.value;
    if (global === undefined || enuM === undefined) {
      return fail(haloError('HALO-208', 'Home is not known: no fresh HOME_POSITION.'));
    }
    const effect = new Takeoff(params.altitudeM, { global, enuM }, options);
    const landed = readLanded(options)?.value;
    const heightM = effect.#heightM(options);
    if (landed === undefined || heightM === undefined) {
      return fail(haloError('HALO-208', 'Landed state or position is not known.'));
    }
    if (landed !== 'on_ground' && !effect.#atHeight(heightM)) {
      const message = `The vehicle is ${landed} at ${show(heightM)} m already; use a goto.`;
      return fail(haloError('HALO-211', message));
    }
    return ok(effect);
  }

  get expects(): Expects {
    return { modes: this.#modeSeen ? [] : ['AUTO.TAKEOFF'] };
  }

  step(context: EffectContext): EffectStep {
    const heightM = this.#heightM(context);
    const landed = readLanded(context)?.value;
    const mode = readMode(context)?.value;
    this.#modeSeen ||= mode === 'AUTO.TAKEOFF';
    this.#taken ||= this.#modeSeen || (landed !== undefined && landed !== 'on_ground');
    const up = landed === 'in_air' && heightM !== undefined && this.#atHeight(heightM);
    if (up && !this.#command.sent) return ensured('already airborne', this.#observed(context, 0));
    const heldS = this.#dwell.held(up && mode === 'AUTO.LOITER', context.nowUs);
    if (heldS !== undefined && heldS >= this.#dwellS) {
      return done(`airborne at ${show(heightM ?? 0)} m`, this.#observed(context, heldS));
    }
    if (context.nowUs > this.#deadlineUs) return unknown('climbing', 'height not reached in time');
    return this.#trouble(context, mode) ?? this.#climb(context, heightM);
  }

  #climb(context: EffectContext, heightM: number | undefined): EffectStep {
    const { state, frames } = this.#command.step(context, this.#seen(context));
    if (state === 'refused') return refused('climbing', `refused: ${this.#command.refusal}`);
    if (state === 'unanswered') return unknown('climbing', 'commanded three times; still down');
    const height = heightM === undefined ? 'height not known' : `${show(heightM)} m`;
    return running('climbing', `${height} of ${show(this.#altitudeM)} m`, frames);
  }

  /** On the ground, and not in the take-off mode: both said by evidence. */
  #seen(context: EffectContext): Seen {
    if (this.#taken) return { state: 'yes' };
    const [landed, mode] = [readLanded(context), readMode(context)];
    if (landed === undefined || mode === undefined) return { state: 'unseen' };
    return { state: 'no', receivedUs: Math.min(landed.receivedUs, mode.receivedUs) };
  }

  #trouble(context: EffectContext, mode: string | undefined): EffectStep | undefined {
    if (!this.#command.sent) return undefined;
    if (readArmed(context)?.value === false) return unknown('climbing', 'disarmed on the way up');
    const gone = mode !== undefined && mode !== 'AUTO.TAKEOFF' && mode !== 'AUTO.LOITER';
    const climbing = this.#taken && readLanded(context)?.value !== 'on_ground';
    return gone && climbing ? unknown('climbing', `the mode became ${mode}`) : undefined;
  }

  #atHeight(heightM: number): boolean {
    return Math.abs(heightM - this.#altitudeM) <= this.#verticalM;
  }

  #observed(context: EffectContext, dwellS: number): Observed {
    const position = readVector(context.snapshot, 'vehicle.position', context.nowUs)?.value;
    const altitudeM = this.#heightM(context);
    return {
      airborne: true,
      dwellS,
      ...(position === undefined ? {} : { position }),
      ...(altitudeM === undefined ? {} : { altitudeM }),
    };
  }

  /** Height above the home of the command, in the local frame. */
  #heightM({ snapshot, nowUs }: Pick<EffectContext, 'snapshot' | 'nowUs'>): number | undefined {
    const position = readVector(snapshot, 'vehicle.position', nowUs)?.value;
    return position === undefined ? undefined : position[2] - this.#homeUpM;
  }
}
