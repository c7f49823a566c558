/**
 * The wire between bridge and vehicle, watched from outside of both. Enters: datagrams.
 * Leaves: what made the vehicle act, and how old what the bridge had heard was at that moment.
 * Never: a word of what the bridge believes.
 */
import { messageInfo } from '../../../src/link/index.js';
import { wireDigest } from '../../../src/gate/index.js';
import type { OutgoingMessage } from '../../../sim/autopilot/index.js';

export const ID = {
  heartbeat: 0,
  gps: 24,
  position: 32,
  landed: 245,
  estimator: 230,
  command: 76,
  setpoint: 84,
} as const;

/** HEARTBEAT, PING, PARAM_REQUEST_READ, PARAM_REQUEST_LIST, TIMESYNC, STATUSTEXT. */
const HARMLESS: ReadonlySet<number> = new Set([0, 4, 20, 21, 111, 253]);
/** SET_MESSAGE_INTERVAL, REQUEST_MESSAGE. */
const HARMLESS_COMMANDS: ReadonlySet<number> = new Set([511, 512]);

const HEADER = 10;
const CRC = 2;

export interface Sent {
  readonly atUs: number;
  readonly id: number;
  readonly digest: string;
  readonly command: number | undefined;
  /** North, east, down, of a setpoint. */
  readonly nedM: readonly [number, number, number] | undefined;
  readonly hex: string;
  /** When the bridge had last heard HEARTBEAT, GPS_RAW_INT, landed state, ESTIMATOR_STATUS. */
  readonly heardUs: Readonly<Record<'heartbeat' | 'gps' | 'landed' | 'estimator', number>>;
  /** When the newest position that the bridge had heard was measured, by the vehicle's truth. */
  readonly positionBornUs: number;
}

/** A mode or an arming that a heartbeat has told the bridge. */
export interface ToldState {
  readonly atUs: number;
  readonly armed: boolean;
  readonly customMode: number;
}

const idOf = (bytes: Uint8Array): number =>
  (bytes[7] ?? 0) | ((bytes[8] ?? 0) << 8) | ((bytes[9] ?? 0) << 16);

const ARMED_BIT = 128;

export class Tap {
  readonly sent: Sent[] = [];
  readonly arrivedHex: { readonly atUs: number; readonly hex: string }[] = [];
  /** Changes only. */
  readonly told: ToldState[] = [];
  #heard = { heartbeat: -Infinity, gps: -Infinity, landed: -Infinity, estimator: -Infinity };
  #positionBornUs = -Infinity;
  /** When what lies in a frame was measured, by the frame's bytes. */
  readonly #born = new Map<string, number>();

  /** A frame leaves the vehicle's side, perhaps long after it was made. */
  leaves(bytes: Uint8Array, message: OutgoingMessage, bornUs: number): void {
    if (message.name === 'LOCAL_POSITION_NED') this.#born.set(hexOf(bytes), bornUs);
  }

  heard(bytes: Uint8Array, nowUs: number): void {
    if (bytes[5] !== 1) return; // Of another system: the bridge must not have heard it.
    const id = idOf(bytes);
    if (id === ID.position) {
      const bornUs = this.#born.get(hexOf(bytes));
      if (bornUs !== undefined) this.#positionBornUs = Math.max(this.#positionBornUs, bornUs);
    } else if (id === ID.heartbeat) {
      this.#heard = { ...this.#heard, heartbeat: nowUs };
      this.#heartbeat(bytes, nowUs);
    } else if (id === ID.gps) this.#heard = { ...this.#heard, gps: nowUs };
    else if (id === ID.landed) this.#heard = { ...this.#heard, landed: nowUs };
    else if (id === ID.estimator) this.#heard = { ...this.#heard, estimator: nowUs };
  }

  #heartbeat(bytes: Uint8Array, nowUs: number): void {
    const payload = untruncated(bytes, ID.heartbeat);
    const customMode = new DataView(payload.buffer).getUint32(0, true);
    const armed = ((payload[6] ?? 0) & ARMED_BIT) !== 0;
    const last = this.told.at(-1);
    if (last?.armed === armed && last.customMode === customMode) return;
    this.told.push({ atUs: nowUs, armed, customMode });
  }

  sends(bytes: Uint8Array, nowUs: number): void {
    const id = idOf(bytes);
    if (HARMLESS.has(id)) return;
    const payload = untruncated(bytes, id);
    const view = new DataView(payload.buffer);
    const command = id === ID.command ? view.getUint16(28, true) : undefined;
    if (command !== undefined && HARMLESS_COMMANDS.has(command)) return;
    const float = (at: number): number => view.getFloat32(at, true);
    this.sent.push({
      atUs: nowUs,
      id,
      digest: wireDigest(id, payload),
      command,
      nedM: id === ID.setpoint ? [float(4), float(8), float(12)] : undefined,
      hex: hexOf(bytes),
      heardUs: this.#heard,
      positionBornUs: this.#positionBornUs,
    });
  }

  arrived(bytes: Uint8Array, nowUs: number): void {
    if (HARMLESS.has(idOf(bytes))) return;
    this.arrivedHex.push({ atUs: nowUs, hex: hexOf(bytes) });
  }
}

function untruncated(bytes: Uint8Array, id: number): Uint8Array {
  const payload = new Uint8Array(messageInfo(id)?.payloadLength ?? 255);
  payload.set(bytes.subarray(HEADER, bytes.length - CRC).subarray(0, payload.length));
  return payload;
}

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
