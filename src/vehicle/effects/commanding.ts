/**
 * One command to the vehicle, until evidence shows that it has taken effect.
 *
 *   unsent ──► waiting ──► in-effect        evidence shows it (an acknowledgement never does)
 *                 │ ├────► refused          the vehicle said no
 *                 │ └────► unanswered       sent three times, and fresh evidence still says no
 *                 └──► (sent again, only when evidence newer than the last send says no)
 *
 * Enters: the steps of an effect. Leaves: frames and a state. Never: a frame sent again blindly.
 */
import type { WireMessage } from '../../contract/index.js';
import { AUTOPILOT, commandLong, type Params } from '../messages.js';
import type { EffectContext } from './types.js';

/** What evidence says of the command's effect, and when the evidence that says no arrived. */
export type Seen =
  | { readonly state: 'yes' }
  | { readonly state: 'no'; readonly receivedUs: number }
  | { readonly state: 'unseen' };

export type CommandState = 'waiting' | 'in-effect' | 'refused' | 'unanswered';

/** Three sends, a second apart: what PX4 and a radio lose together is over by then. */
const SENDS_MAX = 3;
const SEND_AGAIN_US = 1_000_000;

/**
 * A heartbeat that arrives just after the send was composed before it. PX4 takes 18 ms for an
 * answer, its commander runs at 100 Hz, a radio adds 100 ms.
 */
const EVIDENCE_AFTER_US = 200_000;

/** PX4's reasons come in messages of their own, around the acknowledgement. */
const REASONS_WITHIN_US = 300_000;

export const ACCEPTED = 0;
export const IN_PROGRESS = 5;
export const RESULTS = ['accepted', 'temporarily rejected', 'denied', 'unsupported', 'failed'];

export class Commanding {
  readonly #targetSystem: number;
  readonly #command: number;
  readonly #params: Params;
  #sends = 0;
  #firstUs = 0;
  #lastUs = 0;
  #refusal: { readonly result: number; readonly atUs: number } | undefined;
  #reasons: string[] = [];

  constructor(targetSystem: number, command: number, params: Params) {
    this.#targetSystem = targetSystem;
    this.#command = command;
    this.#params = params;
  }

  get sent(): boolean {
    return this.#sends > 0;
  }

  step(
    context: EffectContext,
    seen: Seen,
  ): { readonly state: CommandState; readonly frames: readonly WireMessage[] } {
    const { nowUs } = context;
    if (seen.state === 'yes') return { state: 'in-effect', frames: [] };
    this.#listen(context);
    if (this.#refusal !== undefined) {
      const heard = nowUs - this.#refusal.atUs >= REASONS_WITHIN_US;
      return { state: heard ? 'refused' : 'waiting', frames: [] };
    }
    if (this.#sends === 0) {
      this.#firstUs = nowUs;
      return this.#send(nowUs);
    }
    const saysNo = seen.state === 'no' && seen.receivedUs >= this.#lastUs + EVIDENCE_AFTER_US;
    if (!saysNo || nowUs - this.#lastUs < SEND_AGAIN_US) return { state: 'waiting', frames: [] };
    return this.#sends < SENDS_MAX ? this.#send(nowUs) : { state: 'unanswered', frames: [] };
  }

  /** The vehicle's answer and its reasons, as a sentence. */
  get refusal(): string {
    const result = this.#refusal?.result ?? ACCEPTED;
    const word = RESULTS[result] ?? `result ${result}`;
    return this.#reasons.length === 0 ? word : `${word}: ${this.#reasons.join('; ')}`;
  }

  #listen({ acks, reasons, nowUs }: EffectContext): void {
    if (this.#sends === 0) return;
    for (const text of reasons) if (!this.#reasons.includes(text)) this.#reasons.push(text);
    for (const { command, componentId, result, receivedUs } of acks) {
      if (command !== this.#command || componentId !== AUTOPILOT) continue;
      if (receivedUs < this.#firstUs) continue;
      // PX4 answers DO_SET_MODE twice, and the first is always "accepted": only a no counts.
      if (result === ACCEPTED || result === IN_PROGRESS) continue;
      this.#refusal ??= { result, atUs: nowUs };
    }
  }

  #send(nowUs: number): { readonly state: 'waiting'; readonly frames: readonly WireMessage[] } {
    const frame = commandLong(this.#targetSystem, this.#command, this.#params, this.#sends);
    this.#sends += 1;
    this.#lastUs = nowUs;
    return { state: 'waiting', frames: [frame] };
  }
}
