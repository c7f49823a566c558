/**
 * Stores a mission aboard, and reads it back.
 *
 *   reading ──► ensured                                 it is stored already, number by number
 *      └──────► offering ──► sending ──► verifying ──► done
 *                MISSION_COUNT   what the vehicle asks for, and nothing else
 *
 * Enters: MISSION_REQUEST(_INT), MISSION_ACK, the list as it is read. Leaves: the admitted items.
 * Never: "done" by an acknowledgement, or an item that the vehicle has not asked for.
 */
import {
  fail,
  numbersOf,
  ok,
  type Envelope,
  type Mission,
  type MissionItem,
  type Observed,
  type Result,
  type WireMessage,
} from '../../contract/index.js';
import { haloError } from '../../platform/index.js';
import { AUTOPILOT, toAutopilot } from '../messages.js';
import { missionDigest, missionItems } from '../mission-items.js';
import { num, type Received } from '../received.js';
import { readHomePair } from '../reading.js';
import { MissionReading } from './mission-reading.js';
import { HORIZONTAL_M } from './route.js';
import { deadlineUs, done, ended, ensured, refused, running, unknown } from './steps.js';
import type { EffectContext, EffectMachine, EffectOptions, EffectStep, Expects } from './types.js';

/**
 * The offer is repeated until the first request comes: PX4 takes it anew as long as none has. Where
 * the end of the reading before it was lost, it says busy for 5 s.
 */
const OFFER_AGAIN_US = 1_000_000;
const OFFERS_MAX = 7;
/** PX4 gives a transfer up after 5 s of silence; before that it hears of nothing else. */
const SILENCE_US = 5_500_000;
/** PX4's reasons come in messages of their own, around the acknowledgement. */
const REASONS_WITHIN_US = 300_000;

/** MAV_MISSION_RESULT */
const ACCEPTED = 0;
/** Said too while another transfer is still open: the next offer may find it closed. */
const BUSY = 1;
const RESULTS = [
  'accepted',
  'not taken now',
  'unsupported frame',
  'unsupported command',
  'no space',
  'invalid',
  'invalid param1',
  'invalid param2',
  'invalid param3',
  'invalid param4',
  'invalid latitude',
  'invalid longitude',
  'invalid altitude',
  'invalid sequence',
  'denied',
  'cancelled',
];

type Phase = 'reading' | 'offering' | 'sending' | 'verifying';

export class MissionUpload implements EffectMachine {
  readonly expects: Expects = { modes: [] };
  readonly envelope: Envelope;
  readonly #items: readonly MissionItem[];
  readonly #hash: string;
  readonly #count: number;
  readonly #targetSystem: number;
  readonly #deadlineUs: number;
  #reading: MissionReading;
  #phase: Phase = 'reading';
  #offers = 0;
  /** Last time that the transfer moved. */
  #movedUs = 0;
  #refusal: { readonly result: number; readonly atUs: number } | undefined;
  readonly #reasons: string[] = [];

  private constructor(count: number, items: readonly MissionItem[], options: EffectOptions) {
    const { targetSystem, nowUs, entry } = options;
    this.#items = items;
    this.#hash = missionDigest(items);
    this.#count = count;
    this.#targetSystem = targetSystem;
    this.envelope = {
      targetSystem,
      targetComponent: AUTOPILOT,
      allowed: [
        { type: 'mission', items },
        { type: 'mission-reading', count: items.length },
      ],
    };
    this.#reading = new MissionReading(targetSystem, items.length);
    this.#deadlineUs = deadlineUs(nowUs, entry.deadlineS);
  }

  static create(mission: Mission, options: EffectOptions): Result<MissionUpload> {
    const home = readHomePair(options.snapshot, options.nowUs);
    if (home === undefined) {
      return fail(haloError('HALO-208', 'Home is not known: no fresh HOME_POSITION.'));
    }
    const acceptanceM = options.entry.completion.horizontalM ?? HORIZONTAL_M;
    const items = missionItems(mission, home, acceptanceM);
    return ok(new MissionUpload(mission.items.length, items, options));
  }

  step(context: EffectContext): EffectStep {
    if (context.nowUs > this.#deadlineUs) return this.#over('not read back in time');
    if (this.#phase === 'reading' || this.#phase === 'verifying') return this.#read(context);
    return this.#transfer(context);
  }

  #read(context: EffectContext): EffectStep {
    // A request while it is read back: the last item had not come, and is asked for again.
    if (this.#phase === 'verifying' && this.#asks(context).length > 0) {
      this.#phase = 'sending';
      return this.#transfer(context);
    }
    const { state, frames, count, items } = this.#reading.step(context);
    if (state === 'reading') return running(this.#phase, this.#reading.progress, frames);
    if (state === 'silent') return this.#over('the vehicle does not tell its mission');
    const same = items !== undefined && missionDigest(items) === this.#hash;
    if (same) {
      const make = this.#phase === 'reading' ? ensured : done;
      return { ...make(`${this.#count} items are stored`, this.#observed), frames };
    }
    if (this.#phase === 'verifying') {
      const what = items === undefined ? `${count ?? 0} items` : 'items with other numbers';
      const message = `the vehicle has stored ${what}, not what was admitted`;
      return { ...ended('refused', 'verifying', 'HALO-512', message), frames };
    }
    this.#phase = 'offering';
    return running('offering', 'another mission is stored, or none', frames);
  }

  #transfer(context: EffectContext): EffectStep {
    const { nowUs } = context;
    const frames: WireMessage[] = [];
    for (const seq of this.#asks(context)) {
      const item = this.#items[seq];
      if (item === undefined) {
        return refused('sending', `the vehicle asks for item ${seq} of ${this.#items.length}`);
      }
      this.#phase = 'sending';
      this.#movedUs = nowUs;
      frames.push(this.#itemMessage(seq, item));
    }
    this.#listen(context);
    const refusal = this.#refusal;
    if (refusal !== undefined) return this.#refused(refusal, nowUs);
    if (this.#phase === 'offering') return this.#offer(nowUs);
    const silent = nowUs - this.#movedUs > SILENCE_US;
    if (this.#phase === 'verifying' || silent) {
      this.#phase = 'verifying';
      this.#reading = new MissionReading(this.#targetSystem, this.#items.length);
      return running('verifying', 'reading it back', frames);
    }
    return running('sending', `${this.#items.length} stored items asked for one by one`, frames);
  }

  #offer(nowUs: number): EffectStep {
    if (this.#offers > 0 && nowUs - this.#movedUs < OFFER_AGAIN_US) {
      return running('offering', 'waiting for the first request');
    }
    if (this.#offers >= OFFERS_MAX) return this.#over('the vehicle asks for no item');
    this.#offers += 1;
    this.#movedUs = nowUs;
    const count = { count: this.#items.length, mission_type: 0, opaque_id: 0 };
    const message = {
      name: 'MISSION_COUNT',
      fields: { ...toAutopilot(this.#targetSystem), ...count },
    };
    return running('offering', `${this.#items.length} stored items`, [message]);
  }

  /** Each item once, however often it was asked for since the last tick. */
  #asks({ heard }: EffectContext): readonly number[] {
    if (this.#offers === 0) return [];
    const asked = heard
      .filter(({ message: { name } }) => name.startsWith('MISSION_REQUEST'))
      .filter((received) => this.#mine(received));
    return [...new Set(asked.map(({ message }) => num(message.fields, 'seq')))];
  }

  #listen({ heard, reasons, nowUs }: EffectContext): void {
    for (const text of reasons) if (!this.#reasons.includes(text)) this.#reasons.push(text);
    for (const received of heard) {
      if (received.message.name !== 'MISSION_ACK' || !this.#mine(received)) continue;
      const result = num(received.message.fields, 'type');
      if (result === ACCEPTED && this.#phase === 'sending') this.#phase = 'verifying';
      const busy = result === BUSY && this.#phase === 'offering' && this.#offers < OFFERS_MAX;
      if (result !== ACCEPTED && !busy) this.#refusal ??= { result, atUs: nowUs };
    }
  }

  #mine({ message: { fields }, componentId }: Received): boolean {
    return this.#offers > 0 && componentId === AUTOPILOT && num(fields, 'mission_type') === 0;
  }

  #refused({ result, atUs }: { result: number; atUs: number }, nowUs: number): EffectStep {
    if (nowUs - atUs < REASONS_WITHIN_US) return running(this.#phase, 'not accepted');
    const word = RESULTS[result] ?? `result ${result}`;
    return refused(this.#phase, [`mission refused: ${word}`, ...this.#reasons].join('; '));
  }

  /** Before an item has left nothing has changed aboard; after that nobody can say. */
  #over(message: string): EffectStep {
    const untouched = this.#phase === 'reading';
    return (untouched ? refused : unknown)(this.#phase, message);
  }

  get #observed(): Observed {
    return { completed: true, missionHash: this.#hash, missionItems: this.#count };
  }

  #itemMessage(seq: number, item: MissionItem): WireMessage {
    const fixed = { current: 0, autocontinue: 1, mission_type: 0 };
    return {
      name: 'MISSION_ITEM_INT',
      fields: { ...toAutopilot(this.#targetSystem), seq, ...numbersOf(item), ...fixed },
    };
  }
}
