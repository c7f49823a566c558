/**
 * Sets one parameter, and reads it back.
 *
 *   reading ──► ensured            it has the value already
 *      └──────► setting ──► done   a reading after the setting shows the value
 *
 * Enters: PARAM_VALUE, PARAM_ERROR. Leaves: PARAM_REQUEST_READ, PARAM_SET.
 * Never: "done" by the echo of the setting, another type than the vehicle's, or a safety parameter.
 */
import {
  fail,
  isSafetyParameter,
  MAV_PARAM_TYPE,
  ok,
  type Envelope,
  type ParamsOf,
  type Result,
  type WireMessage,
} from '../../contract/index.js';
import { haloError } from '../../platform/index.js';
import { float32 } from '../frames.js';
import { AUTOPILOT } from '../messages.js';
import {
  PARAMETER_ANSWER_US,
  PARAMETER_TRIES_MAX,
  parameterAddress,
  parameterRequest,
  tellsOfParameter,
} from '../parameter-messages.js';
import { num, type Received } from '../received.js';
import { deadlineUs, done, ensured, refused, running, unknown } from './steps.js';
import type { EffectContext, EffectMachine, EffectOptions, EffectStep, Expects } from './types.js';

/** The setting is read back after this: its own echo is over by then. */
const SETTLE_US = 300_000;

/** MAV_PARAM_ERROR */
const ERRORS = [
  'no error',
  'does not exist',
  'value out of range',
  'permission denied',
  'component not found',
  'read only',
  'type unsupported',
  'type mismatch',
  'read failed',
];

export class ParamSet implements EffectMachine {
  readonly expects: Expects = { modes: [] };
  readonly envelope: Envelope;
  readonly #params: ParamsOf<'param_set'>;
  readonly #value: number;
  readonly #deadlineUs: number;
  #phase: 'reading' | 'setting' | 'verifying' = 'reading';
  #tries = 0;
  #sets = 0;
  #sentUs: number | undefined;

  private constructor(params: ParamsOf<'param_set'>, options: EffectOptions) {
    const { targetSystem, nowUs, entry } = options;
    const { name, type } = params;
    this.#params = params;
    this.#value = type === 'float' ? float32(params.value) : params.value;
    const parameter = { name, paramType: MAV_PARAM_TYPE[type], value: this.#value };
    this.envelope = {
      targetSystem,
      targetComponent: AUTOPILOT,
      allowed: [{ type: 'parameter', ...parameter }],
    };
    this.#deadlineUs = deadlineUs(nowUs, entry.deadlineS);
  }

  static create(params: ParamsOf<'param_set'>, options: EffectOptions): Result<ParamSet> {
    if (isSafetyParameter(params.name)) {
      return fail(haloError('HALO-221', `${params.name} keeps people safe and stays as it is.`));
    }
    return ok(new ParamSet(params, options));
  }

  step(context: EffectContext): EffectStep {
    const { nowUs } = context;
    const { name } = this.#params;
    if (nowUs > this.#deadlineUs) return unknown(this.#phase, `${name} was not read back in time`);
    for (const received of context.heard) {
      const ended = this.#hear(received);
      if (ended !== undefined) return ended;
    }
    if (this.#phase === 'setting') return this.#set(nowUs);
    const waits = this.#sentUs !== undefined && nowUs - this.#sentUs < PARAMETER_ANSWER_US;
    if (waits) return running(this.#phase, `waiting for ${name}`);
    if (this.#tries >= PARAMETER_TRIES_MAX) return this.#silent();
    this.#tries += 1;
    this.#sentUs = nowUs;
    const request = parameterRequest(this.envelope.targetSystem, name);
    return running(this.#phase, `asking for ${name}`, [request]);
  }

  #hear(received: Received): EffectStep | undefined {
    // Asked in an earlier tick: what came within it was said before.
    const asked = this.#sentUs !== undefined && received.receivedUs >= this.#sentUs;
    const { name: wanted, type } = this.#params;
    if (!asked || !tellsOfParameter(received, wanted)) return undefined;
    const { name, fields } = received.message;
    if (name === 'PARAM_ERROR') {
      const why = ERRORS[num(fields, 'error')] ?? `error ${num(fields, 'error')}`;
      return refused(this.#phase, `${wanted}: ${why}`);
    }
    if (name !== 'PARAM_VALUE' || this.#phase === 'setting') return undefined;
    if (num(fields, 'param_type') !== MAV_PARAM_TYPE[type]) {
      return refused(this.#phase, `${wanted} of the vehicle is not a ${type}`);
    }
    const value = num(fields, 'param_value');
    const observed = { completed: true, param: wanted, value };
    if (value === this.#value) {
      const make = this.#sets === 0 ? ensured : done;
      return make(`${wanted} is ${value}`, observed);
    }
    if (this.#sets >= PARAMETER_TRIES_MAX) return refused(this.#phase, `${wanted} stays ${value}`);
    this.#phase = 'setting';
    this.#sentUs = undefined;
    return undefined;
  }

  /** Sends the setting, lets its echo pass, then asks for what the vehicle has. */
  #set(nowUs: number): EffectStep {
    const { name } = this.#params;
    if (this.#sentUs === undefined) {
      this.#sets += 1;
      this.#sentUs = nowUs;
      return running('setting', `${name} to ${this.#value}`, [this.#setting()]);
    }
    if (nowUs - this.#sentUs >= SETTLE_US) {
      this.#phase = 'verifying';
      this.#tries = 0;
      this.#sentUs = undefined;
    }
    return running('setting', `${name} to ${this.#value}`);
  }

  /** Before the setting nothing has changed; after it nobody can say. */
  #silent(): EffectStep {
    const message = `the vehicle does not tell ${this.#params.name}`;
    return this.#sets === 0 ? refused(this.#phase, message) : unknown(this.#phase, message);
  }

  #setting(): WireMessage {
    const { name, type } = this.#params;
    const to = parameterAddress(this.envelope.targetSystem, name);
    const fields = { ...to, param_value: this.#value, param_type: MAV_PARAM_TYPE[type] };
    return { name: 'PARAM_SET', fields };
  }
}
