/**
 * The supervisor: whether motors may turn at all. Enters: the time, what is commanded, how the
 * vehicle lies. Leaves: its state and the word of bits that clients read. Never: a way out of
 * "locked": on a real vehicle the battery is unplugged.
 */
import type { Model } from './types.js';

export const STEP_US = 40_000;
/** Age of the last setpoint after which the vehicle levels out, and after which it is locked. */
const LEVEL_OUT_US = 500_000;
const SETPOINT_LOST_US = 2_000_000;
/** Armed on the ground without a flight. */
const PREFLIGHT_LIMIT_US = 30_000_000;
/** Flying ends so long after the motors stop; disarming follows. */
const MOTORS_STOPPED_US = 2_000_000;
const LANDED_LIMIT_US = 3_000_000;
/** The arming checks run again only after a while. */
const REARM_US = 200_000;
/** On its head, and far over, before it counts as tumbled. */
const UPSIDE_DOWN_US = 100_000;
const LEANING_US = 1_000_000;
const KICK_LIMIT_US = 1_000_000;

const BIT = {
  canBeArmed: 0,
  armed: 1,
  autoArm: 2,
  canFly: 3,
  flying: 4,
  tumbled: 5,
  locked: 6,
  crashed: 7,
  highLevelActive: 8,
  highLevelFinished: 9,
} as const;

type State = 'idle' | 'ready' | 'flying' | 'landed' | 'crashed' | 'locked';

export interface Seen {
  readonly setpointAgeUs: number;
  /** A setpoint wants the motors to turn. */
  readonly thrustWanted: boolean;
  /** 1 upright, -1 on its head: the share of gravity on the body's z axis. */
  readonly uprightness: number;
}

export class Supervisor {
  #state: State = 'idle';
  #since = 0;
  #motorsLastUs = 0;
  #uprightUs = 0;
  #notOverUs = 0;
  #tumbled = false;
  #kickedUs: number | undefined;
  #levelOut = false;

  constructor(
    private readonly model: Model,
    private readonly protocol: number,
  ) {}

  get armed(): boolean {
    return this.#state === 'ready' || this.#state === 'flying' || this.#state === 'landed';
  }

  get flying(): boolean {
    return this.#state === 'flying';
  }

  get levelOut(): boolean {
    return this.#levelOut;
  }

  get locked(): boolean {
    return this.#state === 'locked';
  }

  step(nowUs: number, seen: Seen): void {
    this.#watchAttitude(nowUs, seen.uprightness);
    if (this.#kickedUs !== undefined && nowUs - this.#kickedUs > KICK_LIMIT_US) this.lock(nowUs);
    this.#levelOut = this.#state === 'flying' && seen.setpointAgeUs > LEVEL_OUT_US;
    if (seen.thrustWanted) this.#motorsLastUs = nowUs;
    const sinceUs = nowUs - this.#since;
    switch (this.#state) {
      case 'idle':
        if (this.model === '2.1' && this.#canBeArmed(nowUs)) this.#enter('ready', nowUs);
        break;
      case 'ready':
        if (this.#tumbled) this.#enter('idle', nowUs);
        else if (seen.thrustWanted) this.#enter('flying', nowUs);
        else if (sinceUs > PREFLIGHT_LIMIT_US) this.#enter('idle', nowUs);
        break;
      case 'flying':
        if (this.#tumbled) this.#enter('crashed', nowUs);
        else if (seen.setpointAgeUs > SETPOINT_LOST_US) this.lock(nowUs);
        else if (nowUs - this.#motorsLastUs > MOTORS_STOPPED_US) this.#enter('landed', nowUs);
        break;
      case 'landed':
        if (seen.thrustWanted) this.#enter('flying', nowUs);
        else if (sinceUs > LANDED_LIMIT_US) this.#enter('idle', nowUs);
        break;
      case 'crashed':
      case 'locked':
        break;
    }
  }

  /** @returns whether the request was carried out. */
  arm(wanted: boolean, nowUs: number): boolean {
    if (wanted) {
      if (this.armed) return true;
      if (!this.#canBeArmed(nowUs)) return false;
      this.#enter('ready', nowUs);
      return true;
    }
    if (this.#state === 'locked' || this.#state === 'crashed') return true;
    // Obeyed in flight as well: it falls. Up to release 2024.10 it then stays locked.
    const fell = this.#state === 'flying';
    this.#enter(fell && this.protocol <= 8 ? 'locked' : 'idle', nowUs);
    return true;
  }

  recover(nowUs: number): boolean {
    if (this.#tumbled || this.#state === 'locked') return false;
    if (this.#state === 'crashed') this.#enter('idle', nowUs);
    return true;
  }

  lock(nowUs: number): void {
    this.#enter('locked', nowUs);
  }

  kick(nowUs: number): void {
    this.#kickedUs = nowUs;
  }

  /** The word that clients read as supervisor.info. */
  bits(nowUs: number, highLevel: { active: boolean; finished: boolean }): number {
    const set = (bit: keyof typeof BIT, on: boolean): number => (on ? 1 << BIT[bit] : 0);
    return (
      set('canBeArmed', this.#canBeArmed(nowUs)) |
      set('armed', this.armed) |
      set('autoArm', this.model === '2.1') |
      set('canFly', this.armed) |
      set('flying', this.#state === 'flying') |
      set('tumbled', this.#tumbled) |
      set('locked', this.#state === 'locked') |
      set('crashed', this.#state === 'crashed') |
      set('highLevelActive', highLevel.active) |
      set('highLevelFinished', highLevel.finished)
    );
  }

  #canBeArmed(nowUs: number): boolean {
    return this.#state === 'idle' && !this.#tumbled && nowUs - this.#since >= REARM_US;
  }

  #watchAttitude(nowUs: number, uprightness: number): void {
    if (uprightness > -0.2) this.#notOverUs = nowUs;
    if (uprightness > 0.5) this.#uprightUs = nowUs;
    const over = nowUs - this.#notOverUs > UPSIDE_DOWN_US;
    this.#tumbled = over || nowUs - this.#uprightUs > LEANING_US;
  }

  #enter(state: State, nowUs: number): void {
    if (this.#state === 'locked' || this.#state === state) return;
    this.#state = state;
    this.#since = nowUs;
    this.#motorsLastUs = nowUs;
    this.#levelOut = false;
  }
}
