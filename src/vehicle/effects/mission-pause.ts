/**
 * Brings whatever is flown to a stop, in PX4's own hold mode. Enters: mode, velocity, position.
 * Leaves: one mode command, or none where the vehicle holds already. Never: a way back into what
 * was flown; that is another start.
 */
import type { Envelope } from '../../contract/index.js';
import { allowMode, AUTOPILOT } from '../messages.js';
import { deadlineUs, done, ensured, unknown } from './steps.js';
import { Stopping } from './stopping.js';
import type { EffectContext, EffectMachine, EffectOptions, EffectStep, Expects } from './types.js';

const DWELL_S = 0.5;

export class MissionPause implements EffectMachine {
  readonly envelope: Envelope;
  readonly #stopping: Stopping;
  readonly #deadlineUs: number;

  constructor({ targetSystem, nowUs, entry }: EffectOptions) {
    this.envelope = {
      targetSystem,
      targetComponent: AUTOPILOT,
      allowed: [allowMode('AUTO.LOITER')],
    };
    this.#stopping = new Stopping(targetSystem, entry.completion.dwellS ?? DWELL_S);
    this.#deadlineUs = deadlineUs(nowUs, entry.deadlineS);
  }

  get expects(): Expects {
    return { modes: this.#stopping.expects };
  }

  step(context: EffectContext): EffectStep {
    if (context.nowUs > this.#deadlineUs) return unknown('stopping', 'not seen to stop in time');
    const step = this.#stopping.step(context);
    if ('status' in step) return step;
    const { position } = step;
    const make = this.#stopping.sent ? done : ensured;
    return make('holding', { airborne: true, position, mode: 'AUTO.LOITER' });
  }
}
