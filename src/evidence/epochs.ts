/**
 * Sees discontinuities: what was decided before one of them no longer rests on what it rested on.
 * Enters: signs of the vehicle, and what our own effects are about to change. Leaves: the epochs
 * that moved, each with a sentence. Never: an excuse for a change that nobody of us asked for.
 */
import {
  PILOT_MODES,
  type EpochKind,
  type LandedState,
  type VehicleSign,
} from '../contract/index.js';

/** PX4's heartbeat comes once a second; three missing are no jitter. */
export const LINK_LOST_US = 3_000_000;

/** More than a network reorders, less than the shortest boot (1.3 s to the first heartbeat). */
const BOOT_TIME_FALL_MS = 1000;

/** A GPS estimate wanders within 0.85 m of the truth; a jump beyond twice that is another frame. */
const POSITION_JUMP_M = 2;

/** Home is set again and again within the noise of the estimate. */
const HOME_MOVED_M = 1;
/**
 * In flight PX4 corrects the height of home when that of GPS drifts, in steps of just over 1 m
 * (measured with its own simulation: 1.7 m to and fro within half a minute). Home stays where it
 * is by that; limits are held against the height that it has.
 */
const HOME_ROSE_M = 3;

/**
 * PX4 sets home where it stands whenever it is armed, leaves the ground or has come down: after an
 * arming, a take-off or a landing of ours that follows, and is no move. HOME_POSITION comes within
 * 2 s; meanwhile a take-off has climbed about 3 m.
 */
const HOME_FOLLOWS_US = 4_000_000;
const HOME_HERE_M = 4;

/** HEARTBEAT comes once a second: from then on the vehicle is not heard. */
const SILENT_US = 1_500_000;

/** A message that was overtaken on its way tells of what was a second ago. */
const OVERTAKEN_US = 1_000_000;

/** A failsafe's EVENT comes at once, the heartbeat that shows it up to a second later. */
const FAILSAFE_MEMORY_US = 2_000_000;

const EXPECTATIONS_MAX = 16;

export interface EpochMove {
  readonly kind: EpochKind;
  readonly reason: string;
}

export interface ModeChange {
  readonly from: string;
  readonly to: string;
  readonly by: 'ours' | 'failsafe' | 'foreign';
  readonly atUs: number;
}

interface Expectation<T> {
  readonly what: T;
  readonly untilUs: number;
}

type Vec3 = readonly [number, number, number];

export class EpochTracker {
  #heardUs: number | undefined;
  #lost = false;
  #bootMs: number | undefined;
  #uid: string | undefined;
  #resets: number | undefined;
  #position: Extract<VehicleSign, { type: 'position' }> | undefined;
  #home: Vec3 | undefined;
  #homeFollowsUntilUs = Number.NEGATIVE_INFINITY;
  #armed: boolean | undefined;
  #landed: LandedState | undefined;
  #mode: string | undefined;
  /** The mode in force was brought about by us, or is PX4's own consequence of one that was. */
  #modeIsOurs = false;
  #failsafeUntilUs = Number.NEGATIVE_INFINITY;
  #failsafe = false;
  #tookOffUs = Number.NEGATIVE_INFINITY;
  #modes: Expectation<string>[] = [];
  #armings: Expectation<boolean>[] = [];
  #lastModeChange: ModeChange | undefined;

  /** The next change to one of these modes, until then, is ours. */
  expectMode(names: readonly string[], untilUs: number): void {
    for (const what of names) {
      this.#modes = this.#modes.filter((e) => e.what !== what);
      this.#modes.push({ what, untilUs });
    }
    this.#modes = this.#modes.slice(-EXPECTATIONS_MAX);
  }

  /** The next change of the armed bit to this value, until then, is ours. */
  expectArming(armed: boolean, untilUs: number): void {
    this.#armings = this.#armings.filter((e) => e.what !== armed);
    this.#armings.push({ what: armed, untilUs });
  }

  /** A heartbeat has been heard, and the last is not older than {@link LINK_LOST_US}. */
  get connected(): boolean {
    return this.#heardUs !== undefined && !this.#lost;
  }

  /** The autopilot itself has taken over, now or within the last two seconds. */
  failsafeActive(nowUs: number): boolean {
    return this.#failsafe || nowUs < this.#failsafeUntilUs;
  }

  get lastModeChange(): ModeChange | undefined {
    return this.#lastModeChange;
  }

  /** Takes the signs of one tick, in order. Each move is to be raised in the store. */
  take(signs: readonly VehicleSign[], nowUs: number): readonly EpochMove[] {
    const moves: EpochMove[] = [];
    for (const sign of signs) this.#takeOne(sign, moves);
    // The same home has other numbers in the new frame: that is no move of its own.
    if (moves.some((move) => move.kind === 'estimator')) this.#home = undefined;
    if (this.connected && nowUs - (this.#heardUs ?? nowUs) > LINK_LOST_US) {
      this.#lost = true;
      moves.push({ kind: 'link', reason: 'no heartbeat for more than 3 s' });
    }
    if (!this.#silent(nowUs)) {
      this.#modes = this.#modes.filter((e) => e.untilUs >= nowUs);
      this.#armings = this.#armings.filter((e) => e.untilUs >= nowUs);
    }
    return moves;
  }

  /**
   * While the vehicle is not heard, what we have commanded stays expected: it may have come about,
   * and shows itself once the vehicle is heard again.
   */
  #silent(atUs: number): boolean {
    return this.#heardUs !== undefined && atUs - this.#heardUs > SILENT_US;
  }

  #takeOne(sign: VehicleSign, moves: EpochMove[]): void {
    switch (sign.type) {
      case 'heartbeat':
        return this.#heartbeat(sign, moves);
      case 'mode':
        return this.#modeSeen(sign.mode, sign.atUs, moves);
      case 'landed':
        if (this.#landed === 'on_ground' && sign.landed !== 'on_ground' && this.#modeIsOurs) {
          this.#homeFollowsUntilUs = sign.atUs + HOME_FOLLOWS_US;
        }
        this.#landed = sign.landed;
        return;
      case 'failsafe':
        // It has the vehicle before a mode message says so, and a setpoint of ours would take it
        // back: what was decided before is over now.
        if (!this.failsafeActive(sign.atUs)) moves.push({ kind: 'mode', reason: sign.reason });
        this.#failsafeUntilUs = sign.atUs + FAILSAFE_MEMORY_US;
        return;
      case 'boot-time':
        return this.#bootTime(sign.bootMs, moves);
      case 'identity':
        if (this.#uid !== undefined && this.#uid !== sign.uid) {
          this.#rebooted(`another autopilot answers: ${this.#uid} became ${sign.uid}`, moves);
        }
        this.#uid = sign.uid;
        return;
      case 'estimator-resets':
        if (this.#resets !== undefined && this.#resets !== sign.count) {
          moves.push({
            kind: 'estimator',
            reason: `the estimator was reset (count ${this.#resets} to ${sign.count})`,
          });
        }
        this.#resets = sign.count;
        return;
      case 'position':
        return this.#positionSeen(sign, moves);
      case 'home':
        return this.#homeSeen(sign, moves);
    }
  }

  #heartbeat(sign: Extract<VehicleSign, { type: 'heartbeat' }>, moves: EpochMove[]): void {
    if (this.#silent(sign.atUs)) {
      const afresh = <T>(e: Expectation<T>): Expectation<T> => ({
        ...e,
        untilUs: Math.max(e.untilUs, sign.atUs + SILENT_US),
      });
      this.#modes = this.#modes.map(afresh);
      this.#armings = this.#armings.map(afresh);
    }
    this.#heardUs = sign.atUs;
    this.#lost = false;
    this.#failsafe = sign.failsafe;
    if (sign.failsafe) this.#failsafeUntilUs = sign.atUs + FAILSAFE_MEMORY_US;
    if (this.#armed !== undefined && this.#armed !== sign.armed) {
      const expected = this.#armings.some((e) => e.what === sign.armed && e.untilUs >= sign.atUs);
      this.#armings = this.#armings.filter((e) => e.what !== sign.armed);
      if (expected || (!sign.armed && this.#landedByUs(sign.atUs))) {
        this.#homeFollowsUntilUs = sign.atUs + HOME_FOLLOWS_US;
      } else {
        moves.push({
          kind: 'arming',
          reason: `${sign.armed ? 'armed' : 'disarmed'}, not by us${this.#by(sign.atUs)}`,
        });
      }
    }
    this.#armed = sign.armed;
    this.#modeSeen(sign.mode, sign.atUs, moves);
    this.#correctBy(sign);
  }

  /** CURRENT_MODE may show a failsafe's mode before the heartbeat that says whose it is. */
  #correctBy(sign: Extract<VehicleSign, { type: 'heartbeat' }>): void {
    const last = this.#lastModeChange;
    if (!sign.failsafe || last?.by !== 'foreign' || last.to !== sign.mode) return;
    if (handsOn(sign.mode)) return;
    if (sign.atUs - last.atUs <= FAILSAFE_MEMORY_US) {
      this.#lastModeChange = { ...last, by: 'failsafe' };
    }
  }

  /** Disarmed by a landing of ours; CURRENT_MODE may have told of the mode after it already. */
  #landedByUs(atUs: number): boolean {
    if (!this.#modeIsOurs) return false;
    const change = this.#lastModeChange;
    const justLeft =
      change?.by === 'ours' && endsOnGround(change.from) && atUs - change.atUs <= LINK_LOST_US;
    return endsOnGround(this.#mode) || justLeft;
  }

  #by(atUs: number): string {
    return this.failsafeActive(atUs) ? ' (failsafe)' : '';
  }

  #modeSeen(mode: string, atUs: number, moves: EpochMove[]): void {
    const from = this.#mode;
    if (from === mode) return;
    const overtaken = mode === 'AUTO.TAKEOFF' && atUs - this.#tookOffUs <= OVERTAKEN_US;
    if (overtaken && from === 'AUTO.LOITER') return;
    this.#mode = mode;
    if (from === undefined) return;
    if (from === 'AUTO.TAKEOFF' && mode === 'AUTO.LOITER') this.#tookOffUs = atUs;
    const follows = this.#follows(from, mode);
    // Whose the mode before was, nobody of this life has seen: so nobody has taken over now.
    if (follows && this.#lastModeChange === undefined) return;
    const ours = this.#takeExpected(mode, atUs) || (follows && this.#modeIsOurs);
    const failsafe = this.failsafeActive(atUs) && !handsOn(mode);
    const by = ours ? 'ours' : failsafe ? 'failsafe' : 'foreign';
    this.#modeIsOurs = ours;
    this.#lastModeChange = { from, to: mode, by, atUs };
    if (by === 'ours') return;
    const reason =
      by === 'failsafe' ? `failsafe: ${mode}` : `pilot or ground station took over: ${mode}`;
    moves.push({ kind: 'mode', reason });
  }

  #takeExpected(mode: string, atUs: number): boolean {
    const silent = this.#silent(atUs);
    const found = this.#modes.some((e) => e.what === mode && (silent || e.untilUs >= atUs));
    this.#modes = this.#modes.filter((e) => e.what !== mode);
    return found;
  }

  /** What PX4 does by itself once a mode has come to its end; after one of ours it is ours. */
  #follows(from: string, to: string): boolean {
    if (from === 'AUTO.TAKEOFF') return to === 'AUTO.LOITER';
    // Once down, PX4 goes back to the last mode that can arm: often OFFBOARD.
    return endsOnGround(from) && (this.#armed === false || this.#landed === 'on_ground');
  }

  #bootTime(bootMs: number, moves: EpochMove[]): void {
    const before = this.#bootMs;
    if (before !== undefined && bootMs < before - BOOT_TIME_FALL_MS) {
      this.#rebooted('the vehicle started anew: its boot time went back', moves);
      this.#bootMs = bootMs;
      return;
    }
    this.#bootMs = Math.max(before ?? 0, bootMs);
  }

  /** A new life of the autopilot: nothing of the old one is a baseline any more. */
  #rebooted(reason: string, moves: EpochMove[]): void {
    moves.push(
      { kind: 'vehicle', reason },
      { kind: 'estimator', reason },
      { kind: 'home', reason },
    );
    if (this.#armed === true) moves.push({ kind: 'arming', reason });
    this.#resets = undefined;
    this.#position = undefined;
    this.#home = undefined;
    this.#homeFollowsUntilUs = Number.NEGATIVE_INFINITY;
    this.#armed = undefined;
    this.#landed = undefined;
    this.#mode = undefined;
    this.#modeIsOurs = false;
    this.#failsafe = false;
    this.#failsafeUntilUs = Number.NEGATIVE_INFINITY;
    this.#modes = [];
    this.#armings = [];
  }

  #positionSeen(sign: Extract<VehicleSign, { type: 'position' }>, moves: EpochMove[]): void {
    const before = this.#position;
    const dtS = before === undefined ? 0 : (sign.bootMs - before.bootMs) / 1000;
    if (before !== undefined && dtS < 0) return;
    this.#position = sign;
    if (before === undefined) return;
    const movedM = distanceM(before.positionEnuM, sign.positionEnuM);
    const speedMS = Math.max(
      Math.hypot(...before.velocityEnuMS),
      Math.hypot(...sign.velocityEnuMS),
    );
    if (movedM > speedMS * dtS + POSITION_JUMP_M) {
      const reason = `the position jumped ${movedM.toFixed(1)} m in ${dtS.toFixed(2)} s`;
      moves.push({ kind: 'estimator', reason });
    }
  }

  #homeSeen(sign: Extract<VehicleSign, { type: 'home' }>, moves: EpochMove[]): void {
    const home = sign.positionEnuM;
    const before = this.#home;
    if (before !== undefined && !hasMoved(before, home)) return;
    if (before !== undefined && !this.#homeFollows(sign)) {
      const reason = `home moved ${distanceM(before, home).toFixed(1)} m`;
      moves.push({ kind: 'home', reason });
    }
    this.#home = home;
  }

  /** Home is where the vehicle is, and what sets it there is ours: just seen, or about to be. */
  #homeFollows({ atUs, positionEnuM }: Extract<VehicleSign, { type: 'home' }>): boolean {
    const here = this.#position?.positionEnuM;
    if (here === undefined || distanceM(here, positionEnuM) > HOME_HERE_M) return false;
    if (atUs <= this.#homeFollowsUntilUs) return true;
    // HOME_POSITION may come before the heartbeat or the landed state that explains it.
    const arming = this.#armings.some((e) => e.untilUs >= atUs);
    const standing = this.#landed === 'on_ground' && this.#armed === true && this.#modeIsOurs;
    return arming || standing;
  }
}

/**
 * A failsafe of PX4 that leads into one of these gives the vehicle to a pilot: it hears sticks.
 * ALTCTL alone may also be what is left without a position (measured), with nobody there.
 */
const handsOn = (mode: string): boolean => PILOT_MODES.has(mode) && mode !== 'ALTCTL';

/** Modes that end with the vehicle down and disarmed by itself. */
const endsOnGround = (mode: string | undefined): boolean =>
  mode === 'AUTO.LAND' || mode === 'AUTO.RTL';

const hasMoved = (from: Vec3, to: Vec3): boolean =>
  Math.hypot(to[0] - from[0], to[1] - from[1]) > HOME_MOVED_M ||
  Math.abs(to[2] - from[2]) > HOME_ROSE_M;

const distanceM = (a: Vec3, b: Vec3): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
