/**
 * The wire between bridge and vehicle, watched from outside of both. Enters: datagrams.
 * Leaves: what made the vehicle act, and how old what the bridge had heard was at that moment.
 * Never: a word of what the bridge believes.
 */
import { messageInfo } from '../../../src/link/index.js';
import { wireDigest } from '../../../src/gate/index.js';
import type { TruthTimes } from './truth.js';
import type { OutgoingMessage } from '../../../sim/autopilot/index.js';

export const ID = {
  heartbeat: 0,
  gps: 24,
  parameter: 20,
  position: 32,
  landed: 245,
  estimator: 230,
  odometry: 331,
  command: 76,
  setpoint: 84,
} as const;

/** HEARTBEAT, PING, TIMESYNC, STATUSTEXT. A parameter is asked for through the gate as well. */
const HARMLESS: ReadonlySet<number> = new Set([0, 4, 111, 253]);
/** PARAM_REQUEST_READ of these: what the bridge looks at when it first hears the vehicle. */
const LOOKED_AT: ReadonlySet<string> = new Set([
  'COM_OBL_RC_ACT',
  'COM_OF_LOSS_T',
  'COM_RC_IN_MODE',
  'NAV_DLL_ACT',
  'RTL_RETURN_ALT',
]);
/** Of the name in PARAM_REQUEST_READ: 16 bytes, padded with zeros. */
const NAME_AT = 4;

/** RUN_PREARM_CHECKS, SET_MESSAGE_INTERVAL, REQUEST_MESSAGE: they ask, and move nothing. */
export const HARMLESS_COMMANDS: ReadonlySet<number> = new Set([401, 511, 512]);

const HEADER = 10;
const CRC = 2;

export interface Sent {
  readonly atUs: number;
  readonly id: number;
  readonly digest: string;
  readonly command: number | undefined;
  /** North, east, down, of a setpoint that asks for a place. */
  readonly nedM: readonly [number, number, number] | undefined;
  /** Of a setpoint that asks for a velocity alone, m/s. */
  readonly speedMS: number | undefined;
  readonly hex: string;
  /** When the bridge had last heard HEARTBEAT, GPS_RAW_INT, landed state, ESTIMATOR_STATUS. */
  readonly heardUs: Readonly<Record<'heartbeat' | 'gps' | 'landed' | 'estimator', number>>;
  /** When the newest position that the bridge had heard was measured, by the vehicle's truth. */
  readonly positionBornUs: number;
  /** Records of the ledger that were on disk by then. */
  readonly durableSeq: number;
  /** When what it may rest on last held in truth. */
  readonly truth: TruthTimes;
}

/** What the bridge could not have missed: a frame that it heard says that the world has jumped. */
export interface Jump {
  readonly atUs: number;
  readonly what: 'the estimator was reset' | 'the vehicle started anew' | 'it was disarmed';
}

/** A mode or an arming that a heartbeat has told the bridge. */
export interface ToldState {
  readonly atUs: number;
  readonly armed: boolean;
  readonly customMode: number;
}

function isHarmless(bytes: Uint8Array): boolean {
  const id = idOf(bytes);
  if (id !== ID.parameter) return HARMLESS.has(id);
  const name = Buffer.from(untruncated(bytes, id)).toString('latin1', NAME_AT);
  return LOOKED_AT.has(name.replace(/\0+$/, ''));
}

const idOf = (bytes: Uint8Array): number =>
  (bytes[7] ?? 0) | ((bytes[8] ?? 0) << 8) | ((bytes[9] ?? 0) << 16);

/** What the bridge rests on; damaged on its way, it must not have heard it. */
const WATCHED: ReadonlySet<string> = new Set([
  'HEARTBEAT',
  'GPS_RAW_INT',
  'LOCAL_POSITION_NED',
  'EXTENDED_SYS_STATE',
  'ESTIMATOR_STATUS',
  'ODOMETRY',
]);

const { heartbeat, gps, position, landed, estimator, odometry } = ID;
const HEARD: ReadonlySet<number> = new Set([heartbeat, gps, position, landed, estimator, odometry]);

const ARMED_BIT = 128;
/** Byte of ODOMETRY's payload that counts resets of the estimator. */
const RESET_COUNTER = 230;
/** More than a network reorders. */
const BOOT_TIME_FALL_MS = 1000;
/** Of a setpoint's type mask: x, y and z are to be ignored. */
const NO_PLACE = 7;

export class Tap {
  readonly sent: Sent[] = [];
  readonly arrivedHex: { readonly atUs: number; readonly hex: string }[] = [];
  /** Changes only. */
  readonly told: ToldState[] = [];
  readonly jumps: Jump[] = [];
  #resets = { bornUs: -Infinity, count: -1 };
  #boot = { bornUs: -Infinity, ms: -Infinity };
  #heard = { heartbeat: -Infinity, gps: -Infinity, landed: -Infinity, estimator: -Infinity };
  #positionBornUs = -Infinity;
  /** When what lies in a frame was measured, by the frame's bytes. */
  readonly #born = new Map<string, number>();

  /** A frame leaves the vehicle's side, perhaps long after it was made. */
  leaves(bytes: Uint8Array, message: OutgoingMessage, bornUs: number): void {
    if (WATCHED.has(message.name)) this.#born.set(hexOf(bytes), bornUs);
  }

  heard(bytes: Uint8Array, nowUs: number): void {
    if (bytes[5] !== 1) return; // Of another system: the bridge must not have heard it.
    const id = idOf(bytes);
    if (!HEARD.has(id)) return;
    const bornUs = this.#born.get(hexOf(bytes));
    if (bornUs === undefined) return; // Damaged on its way.
    if (id === ID.odometry) this.#odometry(bytes, bornUs, nowUs);
    else if (id === ID.position) this.#position(bytes, bornUs, nowUs);
    else if (id === ID.gps) this.#heard = { ...this.#heard, gps: nowUs };
    else if (id === ID.landed) this.#heard = { ...this.#heard, landed: nowUs };
    else if (id === ID.estimator) this.#heard = { ...this.#heard, estimator: nowUs };
    else {
      this.#heard = { ...this.#heard, heartbeat: nowUs };
      this.#heartbeat(bytes, nowUs);
    }
  }

  #position(bytes: Uint8Array, bornUs: number, nowUs: number): void {
    this.#positionBornUs = Math.max(this.#positionBornUs, bornUs);
    if (bornUs <= this.#boot.bornUs) return;
    const ms = new DataView(untruncated(bytes, ID.position).buffer).getUint32(0, true);
    const fell = ms < this.#boot.ms - BOOT_TIME_FALL_MS;
    this.#boot = { bornUs, ms };
    if (fell) this.jumps.push({ atUs: nowUs, what: 'the vehicle started anew' });
  }

  #odometry(bytes: Uint8Array, bornUs: number, nowUs: number): void {
    if (bornUs <= this.#resets.bornUs) return;
    const count = untruncated(bytes, ID.odometry)[RESET_COUNTER] ?? 0;
    const moved = this.#resets.count !== -1 && this.#resets.count !== count;
    this.#resets = { bornUs, count };
    if (moved) this.jumps.push({ atUs: nowUs, what: 'the estimator was reset' });
  }

  #heartbeat(bytes: Uint8Array, nowUs: number): void {
    const payload = untruncated(bytes, ID.heartbeat);
    const customMode = new DataView(payload.buffer).getUint32(0, true);
    const armed = ((payload[6] ?? 0) & ARMED_BIT) !== 0;
    const last = this.told.at(-1);
    if (last?.armed === armed && last.customMode === customMode) return;
    this.told.push({ atUs: nowUs, armed, customMode });
    if (last?.armed === true && !armed) this.jumps.push({ atUs: nowUs, what: 'it was disarmed' });
  }

  sends(bytes: Uint8Array, nowUs: number, durableSeq: number, truth: TruthTimes): void {
    const id = idOf(bytes);
    if (isHarmless(bytes)) return;
    const payload = untruncated(bytes, id);
    const view = new DataView(payload.buffer);
    const command = id === ID.command ? view.getUint16(28, true) : undefined;
    if (command !== undefined && HARMLESS_COMMANDS.has(command)) return;
    const float = (at: number): number => view.getFloat32(at, true);
    const setpoint = id === ID.setpoint;
    const noPlace = setpoint && (view.getUint16(48, true) & NO_PLACE) === NO_PLACE;
    this.sent.push({
      atUs: nowUs,
      id,
      digest: wireDigest(id, payload),
      command,
      nedM: setpoint && !noPlace ? [float(4), float(8), float(12)] : undefined,
      speedMS: noPlace ? Math.hypot(float(16), float(20), float(24)) : undefined,
      hex: hexOf(bytes),
      heardUs: this.#heard,
      positionBornUs: this.#positionBornUs,
      durableSeq,
      truth,
    });
  }

  arrived(bytes: Uint8Array, nowUs: number): void {
    if (isHarmless(bytes)) return;
    this.arrivedHex.push({ atUs: nowUs, hex: hexOf(bytes) });
  }
}

function untruncated(bytes: Uint8Array, id: number): Uint8Array {
  const payload = new Uint8Array(messageInfo(id)?.payloadLength ?? 255);
  payload.set(bytes.subarray(HEADER, bytes.length - CRC).subarray(0, payload.length));
  return payload;
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
