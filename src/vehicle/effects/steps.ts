/**
 * Small parts that every effect is made of. Enters: readings and sentences. Leaves: steps.
 * Never: a step with an error that has no code.
 */
import type { Code, HaloError, Observed, WireMessage } from '../../contract/index.js';
import { haloError } from '../../platform/index.js';
import { CMD, setModeParams } from '../messages.js';
import type { ModeName } from '../modes.js';
import { readFlag, readText, type Reading } from '../reading.js';
import { Commanding, type Seen } from './commanding.js';
import type { EffectContext, EffectStep } from './types.js';

export const running = (
  phase: string,
  detail: string,
  frames: readonly WireMessage[] = [],
): EffectStep => ({ status: 'running', phase, detail, frames });

export const done = (detail: string, observed: Observed): EffectStep => ({
  status: 'done',
  phase: 'done',
  detail,
  frames: [],
  observed,
});

/** The state was there already: closed by evidence, nothing sent. */
export const ensured = (detail: string, observed: Observed): EffectStep => ({
  ...done(detail, observed),
  ensured: true,
});

/** The vehicle said no. */
export const refused = (phase: string, message: string): EffectStep =>
  ended('refused', phase, 'HALO-509', message);

/** Nobody can say what came of it. */
export const unknown = (phase: string, message: string): EffectStep =>
  ended('unknown', phase, 'HALO-510', message);

/** An end with a code of its own. */
export function ended(status: 'refused' | 'unknown', phase: string, code: Code, message: string) {
  const error: HaloError = haloError(code, message);
  return { status, phase, detail: message, frames: [], error } as const;
}

/** Yes or no for a command whose effect is that a reading has some value. */
export function seenWhen<T>(reading: Reading<T> | undefined, yes: (value: T) => boolean): Seen {
  if (reading === undefined) return { state: 'unseen' };
  return yes(reading.value) ? { state: 'yes' } : { state: 'no', receivedUs: reading.receivedUs };
}

export const readMode = ({ snapshot, nowUs }: Pick<EffectContext, 'snapshot' | 'nowUs'>) =>
  readText(snapshot, 'vehicle.mode', nowUs);

export const readLanded = ({ snapshot, nowUs }: Pick<EffectContext, 'snapshot' | 'nowUs'>) =>
  readText(snapshot, 'vehicle.landed', nowUs);

export const readArmed = ({ snapshot, nowUs }: Pick<EffectContext, 'snapshot' | 'nowUs'>) =>
  readFlag(snapshot, 'vehicle.armed', nowUs);

/** DO_SET_MODE until HEARTBEAT or CURRENT_MODE shows the mode. */
export class ModeCommand {
  readonly mode: ModeName;
  readonly #commanding: Commanding;
  #seen = false;

  constructor(targetSystem: number, mode: ModeName) {
    this.mode = mode;
    this.#commanding = new Commanding(targetSystem, CMD.DO_SET_MODE, setModeParams(mode));
  }

  get sent(): boolean {
    return this.#commanding.sent;
  }

  /** The change is still to come. */
  get expects(): readonly string[] {
    return this.#seen ? [] : [this.mode];
  }

  /** Undefined: the mode is in force. Else a step to return, with the frames to send. */
  step(context: EffectContext): EffectStep | undefined {
    const reading = readMode(context);
    const { state, frames } = this.#commanding.step(
      context,
      seenWhen(reading, (mode) => mode === this.mode),
    );
    const phase = 'entering';
    switch (state) {
      case 'in-effect':
        this.#seen = true;
        return undefined;
      case 'waiting': {
        const now = reading === undefined ? 'mode not known' : `mode is ${reading.value}`;
        return running(phase, `waiting for ${this.mode}; ${now}`, frames);
      }
      case 'refused':
        return refused(phase, `${this.mode} refused: ${this.#commanding.refusal}`);
      case 'unanswered': {
        const now = reading?.value ?? 'not known';
        return unknown(phase, `${this.mode} was commanded three times; the mode is ${now}`);
      }
    }
  }
}

/** How long a condition has held without a break, s. */
export class Dwell {
  #sinceUs: number | undefined;

  /** Seconds so far; a false starts over. */
  held(condition: boolean, nowUs: number): number | undefined {
    if (!condition) {
      this.#sinceUs = undefined;
      return undefined;
    }
    this.#sinceUs ??= nowUs;
    return (nowUs - this.#sinceUs) / 1e6;
  }
}

/** Seconds with one decimal, metres with one decimal: what a pilot reads. */
export const show = (x: number): string => x.toFixed(1);

/** The lease's own deadline: what is not seen by then is unknown. */
export const deadlineUs = (nowUs: number, deadlineS: number): number =>
  nowUs + Math.round(deadlineS * 1e6);

/** PX4 wants 2 Hz as proof of life and fails over after 1 s; 20 Hz is smooth at 10 cm a frame. */
const STREAM_PERIOD_US = 50_000;

/** When the next frame of a stream is due. */
export class Stream {
  static readonly FRAMES_PER_S = 1e6 / STREAM_PERIOD_US;
  #lastUs: number | undefined;

  /** True once for each period. */
  due(nowUs: number): boolean {
    const last = this.#lastUs;
    if (last !== undefined && nowUs - last < STREAM_PERIOD_US) return false;
    // Against the grid, so that ticks of 20 ms still give 20 frames a second.
    const late = last === undefined ? 0 : (nowUs - last) % STREAM_PERIOD_US;
    this.#lastUs = nowUs - late;
    return true;
  }
}
