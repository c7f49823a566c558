/**
 * Reads the list that the vehicle has stored, by MAVLink's mission transfer.
 *
 *   asking for the list ──► asking item by item ──► read
 *        └──────────────────────┴──► silent       asked several times, and no answer
 *
 * Enters: MISSION_COUNT, MISSION_ITEM_INT. Leaves: requests, and the end of the transfer.
 * Never: a list with a gap, or one that is read although its length already tells another.
 */
import type { MissionItem, WireMessage } from '../../contract/index.js';
import { AUTOPILOT, toAutopilot } from '../messages.js';
import { itemFrom } from '../mission-items.js';
import { num, type Received } from '../received.js';
import type { EffectContext } from './types.js';

/** PX4 answers within milliseconds, a radio within half a second. */
const ANSWER_WITHIN_US = 500_000;
/** A link that loses a third both ways answers one question of six so seldom. */
const TRIES_MAX = 6;
/** MAV_MISSION_RESULT */
const ACCEPTED = 0;
const CANCELLED = 15;

export interface MissionRead {
  readonly state: 'reading' | 'read' | 'silent';
  readonly frames: readonly WireMessage[];
  /** Items that are stored, once the vehicle has told. */
  readonly count?: number;
  /** All of them, when there are as many as expected; else none. */
  readonly items?: readonly MissionItem[];
}

export class MissionReading {
  readonly #targetSystem: number;
  readonly #expected: number;
  #items: MissionItem[] = [];
  #listed = false;
  #sentUs: number | undefined;
  #tries = 0;

  constructor(targetSystem: number, expected: number) {
    this.#targetSystem = targetSystem;
    this.#expected = expected;
  }

  get progress(): string {
    return `${this.#items.length} of ${this.#expected} stored items read`;
  }

  step({ heard, nowUs }: EffectContext): MissionRead {
    for (const received of heard) {
      const count = this.#hear(received);
      if (count !== undefined) {
        return { state: 'read', frames: [this.#end(count === 0 ? ACCEPTED : CANCELLED)], count };
      }
    }
    if (this.#listed && this.#items.length === this.#expected) {
      const [count, items] = [this.#expected, this.#items];
      return { state: 'read', frames: [this.#end(ACCEPTED)], count, items };
    }
    const waits = this.#sentUs !== undefined && nowUs - this.#sentUs < ANSWER_WITHIN_US;
    if (waits) return { state: 'reading', frames: [] };
    if (this.#tries >= TRIES_MAX) return { state: 'silent', frames: [] };
    this.#tries += 1;
    this.#sentUs = nowUs;
    return { state: 'reading', frames: [this.#question()] };
  }

  /** The number of stored items when it is not the expected one. */
  #hear({ message: { name, fields }, receivedUs, componentId }: Received): number | undefined {
    const asked = this.#sentUs !== undefined && receivedUs >= this.#sentUs;
    if (!asked || componentId !== AUTOPILOT || num(fields, 'mission_type') !== 0) return undefined;
    if (name === 'MISSION_COUNT' && !this.#listed) {
      const count = num(fields, 'count');
      if (count !== this.#expected) return count;
      this.#listed = true;
      this.#answered();
    }
    if (name === 'MISSION_ACK' && num(fields, 'type') !== ACCEPTED) {
      // PX4 ended the transfer, as it does for a question out of its turn: from the beginning.
      [this.#listed, this.#items, this.#sentUs] = [false, [], undefined];
    }
    const next = this.#items.length;
    if (name === 'MISSION_ITEM_INT' && this.#listed && num(fields, 'seq') === next) {
      this.#items.push(itemFrom(fields));
      this.#answered();
    }
    return undefined;
  }

  #answered(): void {
    this.#sentUs = undefined;
    this.#tries = 0;
  }

  #question(): WireMessage {
    const fields = { ...toAutopilot(this.#targetSystem), mission_type: 0 };
    if (!this.#listed) return { name: 'MISSION_REQUEST_LIST', fields };
    return { name: 'MISSION_REQUEST_INT', fields: { ...fields, seq: this.#items.length } };
  }

  /** Without it PX4 takes nothing new before its own time-out. */
  #end(type: number): WireMessage {
    const fields = { ...toAutopilot(this.#targetSystem), type, mission_type: 0, opaque_id: 0 };
    return { name: 'MISSION_ACK', fields };
  }
}
