/**
 * Land where the vehicle is, by PX4's own landing. Enters: landed state, armed bit, mode.
 * Leaves: the mode command; once down, the way out of a mode that a stream could take off from.
 * Never: "done" before the ground and the end of the motors have been seen.
 */
import type { Envelope, Observed } from '../../contract/index.js';
import { allowMode, AUTOPILOT } from '../messages.js';
import { readVector } from '../reading.js';
import {
  deadlineUs,
  done,
  ensured,
  ModeCommand,
  readArmed,
  readLanded,
  readMode,
  running,
  unknown,
} from './steps.js';
import type { EffectContext, EffectMachine, EffectOptions, EffectStep, Expects } from './types.js';

/** PX4 goes back to the mode before the landing; one retry and a heartbeat fit into this. */
const PARK_WITHIN_US = 3_000_000;

/** Disarmed in one of these, nothing but a command of ours makes it fly. */
const PARKED = ['AUTO.LOITER', 'AUTO.LAND', 'AUTO.TAKEOFF', 'AUTO.RTL'];

export class Land implements EffectMachine {
  readonly envelope: Envelope;
  readonly #mode: ModeCommand;
  readonly #park: ModeCommand;
  readonly #deadlineUs: number;
  #entered = false;
  #downUs: number | undefined;

  constructor({ targetSystem, nowUs, entry }: EffectOptions) {
    this.envelope = {
      targetSystem,
      targetComponent: AUTOPILOT,
      allowed: [allowMode('AUTO.LAND'), allowMode('AUTO.LOITER')],
    };
    this.#mode = new ModeCommand(targetSystem, 'AUTO.LAND');
    this.#park = new ModeCommand(targetSystem, 'AUTO.LOITER');
    this.#deadlineUs = deadlineUs(nowUs, entry.deadlineS);
  }

  get expects(): Expects {
    // Disarming is PX4's own consequence of a landing of ours; whoever keeps epochs knows that.
    if (this.#downUs !== undefined) return { modes: this.#park.expects, armed: false };
    return { modes: this.#mode.expects, armed: false };
  }

  step(context: EffectContext): EffectStep {
    const { nowUs } = context;
    const landed = readLanded(context)?.value;
    const armed = readArmed(context)?.value;
    if (landed === 'on_ground' && armed === false) return this.#down(context);
    if (nowUs > this.#deadlineUs) return unknown('landing', 'not seen down and disarmed in time');
    if (!this.#entered) {
      const step = this.#mode.step(context);
      if (step !== undefined) return step;
      this.#entered = true;
    }
    const mode = readMode(context)?.value;
    // On the ground PX4 may show the mode it goes back to before it shows that it is disarmed.
    if (mode !== undefined && mode !== 'AUTO.LAND' && landed !== 'on_ground') {
      return unknown('landing', `the landing was left for ${mode}`);
    }
    const where = landed === 'on_ground' ? 'down, waiting for the motors to stop' : 'coming down';
    return running('landing', where);
  }

  /** Down. In OFFBOARD a stream and an arming would be a take-off: leave that mode. */
  #down(context: EffectContext): EffectStep {
    if (!this.#entered && this.#downUs === undefined && !this.#mode.sent) {
      return ensured('already on the ground', this.#observed(context));
    }
    this.#downUs ??= context.nowUs;
    const mode = readMode(context)?.value;
    const parked = mode !== undefined && PARKED.includes(mode);
    const late = context.nowUs - this.#downUs > PARK_WITHIN_US;
    const step = parked || late ? undefined : this.#park.step(context);
    if (step?.status === 'running') return { ...step, phase: 'parking' };
    return done('landed and disarmed', this.#observed(context));
  }

  #observed({ snapshot, nowUs }: EffectContext): Observed {
    const position = readVector(snapshot, 'vehicle.position', nowUs)?.value;
    const flags = { landed: true, disarmed: true };
    return position === undefined ? flags : { ...flags, position };
  }
}
