/**
 * Reads named parameters of the autopilot, one at a time. Enters: the clock, PARAM_VALUE and
 * PARAM_ERROR. Leaves: PARAM_REQUEST_READ, which changes nothing; what was told.
 * Never: a setting, a request without end, or an answer that came before it was asked for.
 */
import {
  MAV_PARAM_TYPE,
  PARAMETER_TYPES,
  type ParameterType,
  type WireMessage,
} from '../contract/index.js';
import {
  PARAMETER_ANSWER_US,
  PARAMETER_TRIES_MAX,
  parameterRequest,
  tellsOfParameter,
} from './parameter-messages.js';
import { num, type Received } from './received.js';

/** MAV_PARAM_ERROR_DOES_NOT_EXIST */
const DOES_NOT_EXIST = 1;

export type ParameterReading =
  | { readonly state: 'told'; readonly type: ParameterType; readonly value: number }
  | { readonly state: 'absent' | 'silent' };

export class ParameterReader {
  readonly #target: number;
  readonly #names: readonly string[];
  readonly #readings = new Map<string, ParameterReading>();
  #waiting: string[];
  #sentUs: number | undefined;
  #tries = 0;

  constructor(targetSystem: number, names: readonly string[]) {
    this.#target = targetSystem;
    this.#names = names;
    this.#waiting = [...names];
  }

  /** After a reboot or a lost link: asks for everything again. */
  restart(): void {
    this.#readings.clear();
    this.#waiting = [...this.#names];
    this.#sentUs = undefined;
    this.#tries = 0;
  }

  /** True once every parameter was told, is not there, or was given up. */
  get settled(): boolean {
    return this.#waiting.length === 0;
  }

  get readings(): ReadonlyMap<string, ParameterReading> {
    return this.#readings;
  }

  /** Messages for this tick; `heard` is what the vehicle said since the last one. */
  step(nowUs: number, heard: readonly Received[]): readonly WireMessage[] {
    const name = this.#waiting[0];
    if (name === undefined) return [];
    if (this.#sentUs !== undefined) {
      const sentUs = this.#sentUs;
      const reading = heard
        .filter((r) => r.receivedUs >= sentUs)
        .map((r) => readingOf(r, name))
        .find((r) => r !== undefined);
      if (reading !== undefined) return this.#next(name, reading, nowUs);
      if (nowUs - sentUs < PARAMETER_ANSWER_US) return [];
      if (this.#tries >= PARAMETER_TRIES_MAX) return this.#next(name, { state: 'silent' }, nowUs);
    }
    this.#tries += 1;
    this.#sentUs = nowUs;
    return [parameterRequest(this.#target, name)];
  }

  #next(name: string, reading: ParameterReading, nowUs: number): readonly WireMessage[] {
    this.#readings.set(name, reading);
    this.#waiting.shift();
    this.#sentUs = undefined;
    this.#tries = 0;
    return this.step(nowUs, []);
  }
}

function readingOf(received: Received, wanted: string): ParameterReading | undefined {
  if (!tellsOfParameter(received, wanted)) return undefined;
  const { name, fields } = received.message;
  if (name === 'PARAM_ERROR') {
    return { state: num(fields, 'error') === DOES_NOT_EXIST ? 'absent' : 'silent' };
  }
  if (name !== 'PARAM_VALUE') return undefined;
  const told = num(fields, 'param_type');
  const type = PARAMETER_TYPES.find((t) => MAV_PARAM_TYPE[t] === told);
  const value = num(fields, 'param_value');
  return type === undefined || Number.isNaN(value)
    ? { state: 'silent' }
    : { state: 'told', type, value };
}
