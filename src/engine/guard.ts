/**
 * The guardian at work: the bridge's own authority for hold, land and return, and for the hand-over
 * to hold after a leg. Enters: a cause. Leaves: mode commands through the same gate and ledger.
 * Never: an action against a pilot, against the autopilot's own failsafe, or on the ground.
 *
 *   idle ──act──► acting ──mode seen──► watching ──release / landed──► idle
 *                   └──not seen──► land instead ──► …
 */
import {
  EPOCH_KINDS,
  type AllowedSetpoint,
  type EpochKind,
  type GuardianAction,
} from '../contract/index.js';
import type { Lease } from '../gate/index.js';
import { createGuardian, createHandover, type EffectMachine } from '../vehicle/index.js';
import {
  endLease,
  expectChanges,
  grantLease,
  sendFrames,
  type Moment,
  type Parts,
} from './parts.js';

type Acting = Exclude<GuardianAction, 'continue'>;
type Doing = Acting | 'handover';

/** 20 Hz of hand-over stream and a few commands, over at most 10 s. */
const GUARDIAN_FRAMES = 400;
const GUARDIAN_DEADLINE_US = 10_000_000;

/** A reboot voids it; nothing else may keep the guardian from a safe mode. */
const SAFE_MODE_EPOCHS: readonly EpochKind[] = ['vehicle'];
/** The hand-over streams a point of the local frame: what voids a leg voids it as well. */
const STREAM_EPOCHS: readonly EpochKind[] = EPOCH_KINDS;

const CAUTION: Readonly<Record<Doing, number>> = { handover: 0, hold: 1, return: 2, land: 3 };

const PILOT = 'the pilot has control';
/** At 400 datagrams a second half a second fills a usual socket buffer. */
const STANDSTILL_US = 500_000;

/**
 * What is read within 100 ms of a standstill's end was waiting in the socket: a full buffer keeps
 * the old and drops the new, so that a pilot who took over meanwhile is not in it.
 */
const BACKLOG_US = 100_000;
const UNREAD = 'after a standstill the vehicle’s mode is still to be heard';
const DISARMED = 'disarmed';
const ON_GROUND = 'on the ground';
/** The modes that effects and guardian bring about: in any other one somebody else flies. */
const OUR_MODES: ReadonlySet<string> = new Set([
  'OFFBOARD',
  'AUTO.TAKEOFF',
  'AUTO.LOITER',
  'AUTO.RTL',
  'AUTO.LAND',
]);

/**
 * The landed state comes ten times a second, the mode twice: a landing that a pilot commands is
 * seen before its mode. These are the modes in which a landing is ours, by the last one seen.
 */
const OUR_LANDINGS: ReadonlySet<string> = new Set(['AUTO.LAND', 'AUTO.RTL']);
const AT_REST: ReadonlySet<string> = new Set([DISARMED, ON_GROUND]);

interface Current {
  readonly doing: Doing;
  readonly reason: string;
  readonly machine: EffectMachine;
  readonly lease: Lease;
  seen: boolean;
}

export class Guard {
  readonly #parts: Parts;
  #current: Current | undefined;
  #wokenUs = Infinity;
  #resumedUs = -Infinity;
  /** An action that waits for the news after a standstill. */
  #waiting: { readonly action: GuardianAction; readonly reason: string } | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * True while a mode is commanded and not seen yet: motion waits for it, also for the hold of a
   * hand-over, which would end the leg that began before it was seen.
   */
  get busy(): boolean {
    return this.#current !== undefined && !this.#current.seen;
  }

  /** True from the action until it is released: the vehicle is in the guardian's hands. */
  get engaged(): boolean {
    return this.#current !== undefined && this.#current.doing !== 'handover';
  }

  get doing(): Doing | undefined {
    return this.#current?.doing;
  }

  /**
   * Acts in this very tick. A stronger action that is already on stays. Returns what is done, with
   * the reason when it is nothing.
   */
  act(action: GuardianAction, reason: string, moment: Moment): string {
    const held = this.heldBack(action, moment);
    this.#waiting = held === UNREAD ? { action, reason } : undefined;
    if (held !== undefined) {
      // On the ground there is nothing to guard, and nothing to tell of.
      if (!AT_REST.has(held)) this.#note('none', `${reason} (${held})`);
      return held;
    }
    const wanted = action as Acting;
    const current = this.#current;
    if (current !== undefined && CAUTION[current.doing] >= CAUTION[wanted]) return current.doing;
    this.#begin(wanted, reason, moment, createGuardian(wanted, this.#options(moment)));
    return wanted;
  }

  /** After a leg that no other follows at once: its last setpoint until AUTO.LOITER is seen. */
  handOver(setpoint: AllowedSetpoint, moment: Moment): void {
    if (this.#current !== undefined) return;
    const machine = createHandover(setpoint, this.#options(moment));
    this.#begin('handover', 'the leg is done, and no other takes its stream over', moment, machine);
  }

  /** First thing in every tick: a tick that comes late ends a standstill of the bridge. */
  wake(nowUs: number): void {
    if (nowUs - this.#wokenUs >= STANDSTILL_US) this.#resumedUs = nowUs;
    this.#wokenUs = nowUs;
  }

  /** What the vehicle did during a standstill is still to be heard: nothing may be begun. */
  unread({ snapshot }: Moment): boolean {
    const heardUs = snapshot.values.get('vehicle.mode')?.receivedUs ?? -Infinity;
    return heardUs < this.#resumedUs + BACKLOG_US;
  }

  step(moment: Moment): void {
    const waiting = this.#waiting;
    if (waiting !== undefined && this.heldBack(waiting.action, moment) !== UNREAD) {
      this.act(waiting.action, waiting.reason, moment);
    }
    const current = this.#current;
    if (current === undefined || current.seen) return;
    const lost = this.#parts.gate.review(current.lease, moment.nowUs);
    if (lost !== undefined) return this.#voided(current, lost.message, moment);
    const step = current.machine.step(moment);
    expectChanges(this.#parts, current.machine, moment.nowUs);
    const refused = sendFrames(this.#parts, current.lease, step.frames, moment.nowUs);
    if (refused !== undefined) return this.#voided(current, refused.message, moment);
    if (step.status === 'running') return;
    if (step.status !== 'done') {
      return this.#failed(current, step.error?.message ?? step.detail, moment);
    }
    current.seen = true;
    endLease(this.#parts, current.lease, { code: 'done', message: 'the vehicle shows the mode' });
    this.#note(`${current.doing} seen`, current.reason);
    if (current.doing === 'handover') this.#current = undefined;
  }

  /** Fresh admission takes the vehicle back, or there is nothing left to guard. */
  release(why: string): void {
    this.#waiting = undefined;
    const current = this.#current;
    if (current === undefined) return;
    this.#current = undefined;
    if (!current.seen) endLease(this.#parts, current.lease, { code: 'handed-over', message: why });
    if (current.doing !== 'handover') this.#note('released', why);
  }

  /** Why nothing can be done: a pilot or the failsafe has the vehicle, or it is not flying. */
  heldBack(action: GuardianAction, moment: Moment): string | undefined {
    const { snapshot, nowUs } = moment;
    if (action === 'continue') return 'the catalog says continue';
    const { epochs, tracker } = this.#parts;
    if (!epochs.connected) return 'no link to act over';
    if (this.unread(moment)) return UNREAD;
    if (epochs.lastModeChange?.by === 'foreign') return PILOT;
    if (epochs.failsafeActive(nowUs)) return 'the autopilot’s own failsafe acts';
    // What came before this life of the bridge, the ledger tells; and the mode itself.
    if (epochs.lastModeChange === undefined && tracker.heldBy === undefined) return PILOT;
    const mode = snapshot.values.get('vehicle.mode')?.value;
    if (typeof mode === 'string' && !OUR_MODES.has(mode) && !this.#isOurMission(mode)) return PILOT;
    if (snapshot.values.get('vehicle.armed')?.value === false) return DISARMED;
    const landed = snapshot.values.get('vehicle.landed')?.value;
    if (landed === 'on_ground') return ON_GROUND;
    const ours = OUR_LANDINGS.has(epochs.lastModeChange?.to ?? '');
    return landed === 'landing' && !ours ? 'somebody else lands it' : undefined;
  }

  /** Others start missions too: it is ours as commanded in this life, or as the ledger tells. */
  #isOurMission(mode: string): boolean {
    const { epochs, tracker, catalog } = this.#parts;
    if (mode !== 'AUTO.MISSION') return false;
    if (epochs.lastModeChange !== undefined) return epochs.lastModeChange.by === 'ours';
    const entry = catalog.kinds[tracker.heldBy ?? ''];
    return entry?.does === 'mission_start';
  }

  #options(moment: Moment) {
    const targetSystem = this.#parts.link.vehicleSystemId ?? 0;
    return { snapshot: moment.snapshot, nowUs: moment.nowUs, targetSystem };
  }

  #begin(doing: Doing, reason: string, moment: Moment, machine: EffectMachine): void {
    this.release('another guardian action takes over');
    const grant = {
      componentId: `guardian-${doing}`,
      componentDigest: '',
      kind: `guardian.${doing}`,
      authority: 'guardian' as const,
      generation: 0,
      catalogDigest: this.#parts.catalog.digest,
      envelope: machine.envelope,
      framesAllowed: GUARDIAN_FRAMES,
      deadlineUs: moment.nowUs + GUARDIAN_DEADLINE_US,
      epochs: moment.snapshot.epochs,
      boundEpochs: doing === 'handover' ? STREAM_EPOCHS : SAFE_MODE_EPOCHS,
    };
    this.#note(doing, reason);
    const lease = grantLease(this.#parts, grant, moment.nowUs);
    this.#current = { doing, reason, machine, lease, seen: false };
    expectChanges(this.#parts, machine, moment.nowUs);
    this.step(moment);
  }

  /** A mode that is not seen is trouble: land is the last thing that the bridge can ask for. */
  #failed(current: Current, why: string, moment: Moment): void {
    endLease(this.#parts, current.lease, { code: 'HALO-510', message: why });
    this.#current = undefined;
    this.#note(`${current.doing} not seen`, why);
    if (current.doing === 'hold' || current.doing === 'handover' || current.doing === 'return') {
      this.act('land', `${current.doing} was not seen: ${why}`, moment);
    }
  }

  /** Without its stream a hand-over is a plain hold; an action without its lease is trouble. */
  #voided(current: Current, why: string, moment: Moment): void {
    if (current.doing !== 'handover') return this.#failed(current, why, moment);
    endLease(this.#parts, current.lease, { code: 'HALO-510', message: why });
    this.#current = undefined;
    this.act('hold', `the hand-over ended: ${why}`, moment);
  }

  #note(action: string, reason: string): void {
    this.#parts.recorder.append('guardian-action', { action, reason });
    this.#parts.recorder.emit({ type: 'guardian', action, reason });
  }
}
