/**
 * Arm and disarm. Enters: evidence of the armed bit. Leaves: the command, in a mode that can arm.
 * Never: a result by acknowledgement, a forced arming, or a disarming in the air.
 */
import { fail, ok, type Envelope, type Result } from '../../contract/index.js';
import { haloError } from '../../platform/index.js';
import { allowCommand, allowMode, AUTOPILOT, CMD, type Params } from '../messages.js';
import { ARMING_MODE, ARMS_SAFELY } from '../modes.js';
import { Commanding } from './commanding.js';
import {
  deadlineUs,
  done,
  ensured,
  ModeCommand,
  readArmed,
  readLanded,
  readMode,
  refused,
  running,
  seenWhen,
  unknown,
} from './steps.js';
import type { EffectContext, EffectMachine, EffectOptions, EffectStep, Expects } from './types.js';

const ARM: Params = [1, 0, 0, 0, 0, 0, 0];
const DISARM: Params = [0, 0, 0, 0, 0, 0, 0];

export class Arm implements EffectMachine {
  readonly envelope: Envelope;
  readonly #mode: ModeCommand;
  readonly #command: Commanding;
  readonly #deadlineUs: number;
  #modeReady = false;
  #armed = false;

  constructor({ targetSystem, nowUs, entry }: EffectOptions) {
    this.envelope = {
      targetSystem,
      targetComponent: AUTOPILOT,
      allowed: [allowCommand(CMD.ARM_DISARM, ARM), allowMode(ARMING_MODE)],
    };
    this.#mode = new ModeCommand(targetSystem, ARMING_MODE);
    this.#command = new Commanding(targetSystem, CMD.ARM_DISARM, ARM);
    this.#deadlineUs = deadlineUs(nowUs, entry.deadlineS);
  }

  get expects(): Expects {
    if (this.#armed) return { modes: [] };
    return { modes: this.#modeReady ? [] : this.#mode.expects, armed: true };
  }

  step(context: EffectContext): EffectStep {
    const armed = readArmed(context);
    const { state } = seenWhen(armed, (is) => is);
    if (state === 'yes') {
      this.#armed = true;
      const make = this.#command.sent ? done : ensured;
      return make(this.#command.sent ? 'armed' : 'already armed', { armed: true });
    }
    if (context.nowUs > this.#deadlineUs) return unknown('arming', 'not seen armed in time');
    if (armed === undefined) return running('arming', 'armed state not known');
    return this.#enterMode(context) ?? this.#arm(context);
  }

  #enterMode(context: EffectContext): EffectStep | undefined {
    if (this.#modeReady) return undefined;
    const mode = readMode(context);
    if (mode === undefined) return running('entering', 'mode not known');
    const step = ARMS_SAFELY.includes(mode.value) ? undefined : this.#mode.step(context);
    this.#modeReady = step === undefined;
    return step;
  }

  #arm(context: EffectContext): EffectStep {
    const seen = seenWhen(readArmed(context), (is) => is);
    const { state, frames } = this.#command.step(context, seen);
    if (state === 'refused') return refused('arming', `arming refused: ${this.#command.refusal}`);
    if (state === 'unanswered') return unknown('arming', 'commanded three times; not armed');
    return running('arming', 'waiting for the armed state', frames);
  }
}

export class Disarm implements EffectMachine {
  readonly envelope: Envelope;
  readonly #command: Commanding;
  readonly #deadlineUs: number;
  #disarmed = false;

  private constructor({ targetSystem, nowUs, entry }: EffectOptions) {
    this.envelope = {
      targetSystem,
      targetComponent: AUTOPILOT,
      allowed: [allowCommand(CMD.ARM_DISARM, DISARM)],
    };
    this.#command = new Commanding(targetSystem, CMD.ARM_DISARM, DISARM);
    this.#deadlineUs = deadlineUs(nowUs, entry.deadlineS);
  }

  static create(options: EffectOptions): Result<Disarm> {
    const landed = readLanded(options)?.value ?? 'not known';
    if (landed !== 'on_ground') {
      return fail(haloError('HALO-211', `Disarming needs on_ground; the vehicle is ${landed}.`));
    }
    return ok(new Disarm(options));
  }

  get expects(): Expects {
    return this.#disarmed ? { modes: [] } : { modes: [], armed: false };
  }

  step(context: EffectContext): EffectStep {
    const seen = seenWhen(readArmed(context), (is) => !is);
    if (seen.state === 'yes') {
      this.#disarmed = true;
      const observed = { disarmed: true };
      return this.#command.sent
        ? done('disarmed', observed)
        : ensured('already disarmed', observed);
    }
    if (context.nowUs > this.#deadlineUs) return unknown('disarming', 'not seen disarmed in time');
    if (!this.#command.sent && readLanded(context)?.value !== 'on_ground') {
      return running('disarming', 'not seen on the ground');
    }
    const { state, frames } = this.#command.step(context, seen);
    if (state === 'refused') return refused('disarming', `refused: ${this.#command.refusal}`);
    if (state === 'unanswered') return unknown('disarming', 'commanded three times; still armed');
    return running('disarming', 'waiting for the armed state to end', frames);
  }
}
