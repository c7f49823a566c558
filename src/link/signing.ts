/**
 * MAVLink 2 signatures. Enters: frames, the shared key, the time. Leaves: signed frames, and what
 * a received signature is worth. Never: one timestamp used twice, in this life or the next, or a
 * frame believed that is unsigned, of another key, or not newer than the last of its stream.
 *
 * Source: the MAVLink guide, "Message Signing". A signature is the link id, a time of 48 bits and
 * the first 48 bits of SHA-256 over the key, the frame with its checksum, link id and time.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { assert } from '../platform/index.js';

export const KEY_LENGTH = 32;
/** Link id, 48-bit timestamp, 48 bits of hash: follows the checksum of a signed frame. */
export const SIGNATURE_LENGTH = 13;
const STAMP_LENGTH = 7;
/** PX4 without a key signs with this one: it proves nothing. */
const ZERO_KEY = new Uint8Array(KEY_LENGTH);
/** 2015-01-01, where the time of signatures begins. */
const EPOCH_MS = Date.UTC(2015, 0, 1);
/** Units of 10 us in a second. */
const SECOND = 100_000;
/** A stream that is heard for the first time may lag behind us by a minute, as MAVLink says. */
const NEW_STREAM_LAG = 60 * SECOND;
/**
 * How far ahead timestamps are reserved on the disk: one small write in five seconds, and a crash
 * brings the clock of signatures forward by ten at most.
 */
export const RESERVE = 10 * SECOND;
/** More than the components that any vehicle carries; only holders of the key add to them. */
const STREAMS_MAX = 1024;

/** Wall time as signatures count it: 10 us since 2015. */
export const signingTime = (wallMs: number): number =>
  Math.max(0, Math.floor((wallMs - EPOCH_MS) * 100));

/**
 * What a frame's signature is worth. `late` holds, and is not newer than what we know: a replay,
 * or a vehicle that has not heard our time yet.
 */
export type SignatureVerdict =
  'valid' | 'unsigned' | 'zero-key' | 'wrong-key' | 'late' | 'replayed';

export interface SignedFrame {
  /** From the start byte to the end of the signature, when there is one. */
  readonly bytes: Uint8Array;
  readonly signed: boolean;
  readonly systemId: number;
  readonly componentId: number;
}

/** Writes a signature behind the first `length` bytes of a frame, which end with its checksum. */
export function signInto(
  frame: Uint8Array,
  length: number,
  key: Uint8Array,
  by: { readonly linkId: number; readonly timestamp: number },
): void {
  const view = new DataView(frame.buffer, frame.byteOffset + length, SIGNATURE_LENGTH);
  view.setUint8(0, by.linkId);
  view.setUint32(1, by.timestamp % 2 ** 32, true);
  view.setUint16(5, Math.floor(by.timestamp / 2 ** 32), true);
  frame.set(hashOf(frame.subarray(0, length + STAMP_LENGTH), key), length + STAMP_LENGTH);
}

const hashOf = (covered: Uint8Array, key: Uint8Array): Uint8Array =>
  createHash('sha256').update(key).update(covered).digest().subarray(0, 6);

function holds({ bytes }: SignedFrame, key: Uint8Array): boolean {
  const end = bytes.length - SIGNATURE_LENGTH + STAMP_LENGTH;
  return timingSafeEqual(bytes.subarray(end), hashOf(bytes.subarray(0, end), key));
}

export interface SigningOptions {
  readonly key: Uint8Array;
  /** 0..255: tells the links of one system apart. */
  readonly linkId: number;
  /** Time as {@link signingTime} counts it. It may jump back: timestamps do not. */
  readonly now: () => number;
  /** All timestamps up to this one may have been used or seen in an earlier life. */
  readonly usedUntil: number;
  /** Ours up to here are on the disk already. */
  readonly reservedUntil: number;
  /** Puts a timestamp on the disk, so that no later life uses one up to it. */
  readonly reserve: (until: number) => Promise<boolean>;
}

export class LinkSigning {
  readonly #options: SigningOptions;
  readonly #streams = new Map<number, number>();
  #latest: number;
  #reserved: number;
  #reserving = false;

  constructor(options: SigningOptions) {
    const { key, usedUntil } = options;
    assert(
      key.length === KEY_LENGTH && !isZeroKey(key),
      'a signing key has 32 bytes, not all zero',
    );
    this.#options = options;
    this.#latest = usedUntil;
    this.#reserved = options.reservedUntil;
  }

  /** The newest timestamp that was used or seen: to be kept when the link closes. */
  get latest(): number {
    return this.#latest;
  }

  /** Signs a frame that has room behind its `length` bytes. False: no timestamp may be used yet. */
  sign(frame: Uint8Array, length: number): boolean {
    const timestamp = Math.max(this.#options.now(), this.#latest + 1);
    this.#reserveFor(timestamp);
    if (timestamp >= this.#reserved) return false;
    this.#latest = timestamp;
    signInto(frame, length, this.#options.key, { linkId: this.#options.linkId, timestamp });
    return true;
  }

  /** Judges a frame whose checksum holds, and remembers the time of one that is valid. */
  judge(frame: SignedFrame): SignatureVerdict {
    if (!frame.signed) return 'unsigned';
    if (!holds(frame, this.#options.key)) return holds(frame, ZERO_KEY) ? 'zero-key' : 'wrong-key';
    const { bytes, systemId, componentId } = frame;
    const at = bytes.length - SIGNATURE_LENGTH;
    const view = new DataView(bytes.buffer, bytes.byteOffset + at, SIGNATURE_LENGTH);
    const timestamp = view.getUint32(1, true) + view.getUint16(5, true) * 2 ** 32;
    const stream = (systemId << 16) | (componentId << 8) | view.getUint8(0);
    const last = this.#streams.get(stream);
    if (last !== undefined && timestamp <= last) return 'replayed';
    if (last === undefined && !this.#mayBegin(timestamp)) return 'late';
    this.#streams.set(stream, timestamp);
    this.#latest = Math.max(this.#latest, timestamp);
    this.#reserveFor(timestamp);
    return 'valid';
  }

  #mayBegin(timestamp: number): boolean {
    if (this.#streams.size >= STREAMS_MAX || timestamp <= this.#options.usedUntil) return false;
    return timestamp + NEW_STREAM_LAG >= Math.max(this.#options.now(), this.#latest);
  }

  #reserveFor(timestamp: number): void {
    if (this.#reserving || timestamp + RESERVE / 2 < this.#reserved) return;
    this.#reserving = true;
    const until = timestamp + RESERVE;
    void this.#options.reserve(until).then((kept) => {
      this.#reserving = false;
      if (kept) this.#reserved = until;
    });
  }
}

export const isZeroKey = (key: Uint8Array): boolean => key.every((byte) => byte === 0);
