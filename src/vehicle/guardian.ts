/**
 * The guardian's actions, and the end of a leg that nothing follows: safe modes, commanded and
 * awaited. Enters: evidence of the mode. Leaves: mode commands; for the handover the last setpoint
 * until PX4 holds by itself. Never: "done" by going silent, or a third way when landing fails.
 */
import type {
  AllowedSetpoint,
  Envelope,
  GuardianAction,
  Snapshot,
  WireMessage,
} from '../contract/index.js';
import {
  done,
  ensured,
  ModeCommand,
  readArmed,
  readLanded,
  readMode,
  running,
  Stream,
  unknown,
} from './effects/steps.js';
import type { EffectContext, EffectMachine, EffectStep, Expects } from './effects/types.js';
import { allowMode, AUTOPILOT, positionTarget } from './messages.js';
import type { ModeName } from './modes.js';

/** Three sends a second apart, and a heartbeat to see the last by. */
const MODE_WITHIN_US = 5_000_000;

export interface GuardianOptions {
  readonly snapshot: Snapshot;
  readonly nowUs: number;
  readonly targetSystem: number;
}

/** What is tried, in order: when a mode is not seen in time, the next one. */
const WAYS: Readonly<Record<Exclude<GuardianAction, 'continue'>, readonly ModeName[]>> = {
  hold: ['AUTO.LOITER', 'AUTO.LAND'],
  return: ['AUTO.RTL', 'AUTO.LAND'],
  land: ['AUTO.LAND'],
};

/**
 * Commands the safe mode and is done when the vehicle shows it; what happens then is PX4's own
 * doing. A hold or a return that is not seen within 5 s becomes a landing.
 */
export function createGuardian(
  action: Exclude<GuardianAction, 'continue'>,
  options: GuardianOptions,
): EffectMachine {
  return new SafeMode(WAYS[action], options);
}

class SafeMode implements EffectMachine {
  readonly envelope: Envelope;
  readonly #targetSystem: number;
  #ways: readonly ModeName[];
  #mode: ModeCommand;
  #sinceUs: number;

  constructor(ways: readonly ModeName[], { targetSystem, nowUs }: GuardianOptions) {
    this.envelope = { targetSystem, targetComponent: AUTOPILOT, allowed: ways.map(allowMode) };
    this.#targetSystem = targetSystem;
    this.#ways = ways;
    this.#mode = new ModeCommand(targetSystem, ways[0] ?? 'AUTO.LAND');
    this.#sinceUs = nowUs;
  }

  get expects(): Expects {
    return { modes: this.#mode.expects };
  }

  step(context: EffectContext): EffectStep {
    const down = readLanded(context)?.value === 'on_ground' && readArmed(context)?.value === false;
    if (down) return ensured('on the ground, disarmed', { landed: true, disarmed: true });
    const fresh = !this.#mode.sent;
    const step = this.#mode.step(context);
    if (step === undefined) {
      const { mode } = this.#mode;
      return fresh ? ensured(`${mode} already`, { mode }) : done(`${mode} seen`, { mode });
    }
    const late = context.nowUs - this.#sinceUs > MODE_WITHIN_US;
    if (step.status === 'running' && !late) return step;
    return this.#escalate(context, step);
  }

  #escalate(context: EffectContext, step: EffectStep): EffectStep {
    const [failed, ...left] = this.#ways;
    const next = left[0];
    if (failed === undefined || next === undefined) {
      const now = readMode(context)?.value ?? 'not known';
      return step.status === 'running'
        ? unknown('guarding', `${this.#mode.mode} not seen in time; the mode is ${now}`)
        : step;
    }
    this.#ways = left;
    this.#mode = new ModeCommand(this.#targetSystem, next);
    this.#sinceUs = context.nowUs;
    const first = this.#mode.step(context);
    const detail = `${failed} not seen; ${next} instead`;
    return first === undefined
      ? done(detail, { mode: next })
      : running('guarding', detail, first.frames);
  }
}

/**
 * After a route with nothing following: streams exactly its target, from the same lease, until
 * AUTO.LOITER is seen. `leg` is the setpoint entry of the route's envelope.
 */
export function createHandover(leg: AllowedSetpoint, options: GuardianOptions): EffectMachine {
  return new Handover(leg, options);
}

class Handover implements EffectMachine {
  readonly envelope: Envelope;
  readonly #leg: AllowedSetpoint;
  readonly #targetSystem: number;
  readonly #mode: ModeCommand;
  readonly #startUs: number;
  readonly #stream = new Stream();

  constructor(leg: AllowedSetpoint, { targetSystem, nowUs }: GuardianOptions) {
    const target = { ...leg, fromNedM: leg.toNedM };
    this.envelope = {
      targetSystem,
      targetComponent: AUTOPILOT,
      allowed: [target, allowMode('AUTO.LOITER')],
    };
    this.#leg = leg;
    this.#targetSystem = targetSystem;
    this.#mode = new ModeCommand(targetSystem, 'AUTO.LOITER');
    this.#startUs = nowUs;
  }

  get expects(): Expects {
    return { modes: this.#mode.expects };
  }

  step(context: EffectContext): EffectStep {
    const mode = readMode(context)?.value;
    const step = this.#mode.step(context);
    if (step === undefined) return done('holding by AUTO.LOITER', { mode: 'AUTO.LOITER' });
    if (step.status !== 'running') return step;
    // Someone else flies: a setpoint now could bring OFFBOARD back.
    if (mode !== undefined && mode !== 'OFFBOARD') {
      return unknown('handing over', `the mode became ${mode}`);
    }
    if (context.nowUs - this.#startUs > MODE_WITHIN_US) {
      return unknown('handing over', 'AUTO.LOITER not seen in time');
    }
    const frames = [...this.#last(context.nowUs), ...step.frames];
    return running('handing over', step.detail, frames);
  }

  #last(nowUs: number): readonly WireMessage[] {
    if (!this.#stream.due(nowUs)) return [];
    return [positionTarget(this.#targetSystem, this.#leg.toNedM, this.#leg.yawNedRad)];
  }
}
