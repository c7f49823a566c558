/**
 * Frames out of a byte stream. Enters: chunks of any size, from one source. Leaves: the frames
 * whose checksum holds, in order, each with its own copy of the payload. Never: more than one
 * unfinished frame kept, time that grows faster than the bytes, or an exception for any input.
 *
 * After a byte that starts no valid frame the search goes on at the very next byte. So a false
 * start (noise, an unknown id, a wrong checksum) never swallows the frames behind it.
 */
import { crcByte, crcOf } from './crc.js';
import { messageInfo } from './dictionary.js';
import { CRC_LENGTH, FLAG_SIGNED, HEADER_LENGTH, MAGIC_V1, MAGIC_V2 } from './frame.js';
import { SIGNATURE_LENGTH, type SignatureVerdict, type SignedFrame } from './signing.js';

export interface ReceivedFrame {
  readonly systemId: number;
  readonly componentId: number;
  readonly sequence: number;
  readonly messageId: number;
  readonly payload: Uint8Array;
  /** Carries a signature. Alone this proves nothing. */
  readonly signed: boolean;
  /** What the signature is worth, where somebody judges: nobody does on a link without a key. */
  readonly verdict?: SignatureVerdict;
}

/** Judges each frame whose checksum holds, once, in the order of arrival. */
export type SignatureJudge = (frame: SignedFrame) => SignatureVerdict;

export interface ParserStats {
  readonly bytes: number;
  readonly frames: number;
  /** Bytes that belonged to no frame. */
  readonly noiseBytes: number;
  /** Starts that looked like a frame and failed the checksum; noise makes some too. */
  readonly badCrc: number;
  /** Starts with a message id that the dictionary does not have. */
  readonly unknownIds: number;
  /** Starts with incompatibility flags that this parser does not know. */
  readonly unknownFlags: number;
  /** Whole MAVLink 1 frames, which were skipped. */
  readonly mavlink1: number;
}

type Counts = { -readonly [K in keyof ParserStats]: number };

/** What stands at one place: a frame of some length, a false start, or too few bytes to tell. */
type Look =
  | { readonly frame: ReceivedFrame; readonly length: number }
  | { readonly skip: 'mavlink1'; readonly length: number }
  | 'noise'
  | 'badCrc'
  | 'unknownIds'
  | 'unknownFlags'
  | 'unfinished';

const HEADER_LENGTH_V1 = 6;
/** One unfinished frame (279 bytes) fits, and chunks are taken in pieces of 745 bytes or more. */
const BUFFER_LENGTH = 1024;

function crcHolds(bytes: Uint8Array, at: number, crcAt: number, crcExtra: number): boolean {
  const crc = crcByte(crcOf(bytes, at + 1, crcAt), crcExtra);
  return bytes[crcAt] === (crc & 0xff) && bytes[crcAt + 1] === crc >>> 8;
}

function lookV2(bytes: Uint8Array, at: number, end: number): Look {
  const flags = at + 2 < end ? (bytes[at + 2] ?? 0) : 0;
  if ((flags & ~FLAG_SIGNED) !== 0) return 'unknownFlags';
  if (at + HEADER_LENGTH > end) return 'unfinished';
  const messageId =
    (bytes[at + 7] ?? 0) | ((bytes[at + 8] ?? 0) << 8) | ((bytes[at + 9] ?? 0) << 16);
  const info = messageInfo(messageId);
  if (info === undefined) return 'unknownIds';
  const signed = flags === FLAG_SIGNED;
  const crcAt = at + HEADER_LENGTH + (bytes[at + 1] ?? 0);
  const frameEnd = crcAt + CRC_LENGTH + (signed ? SIGNATURE_LENGTH : 0);
  if (frameEnd > end) return 'unfinished';
  if (!crcHolds(bytes, at, crcAt, info.crcExtra)) return 'badCrc';
  const frame = {
    systemId: bytes[at + 5] ?? 0,
    componentId: bytes[at + 6] ?? 0,
    sequence: bytes[at + 4] ?? 0,
    messageId,
    payload: bytes.slice(at + HEADER_LENGTH, crcAt),
    signed,
  };
  return { frame, length: frameEnd - at };
}

function lookV1(bytes: Uint8Array, at: number, end: number): Look {
  if (at + HEADER_LENGTH_V1 > end) return 'unfinished';
  const info = messageInfo(bytes[at + 5] ?? 0);
  // MAVLink 1 never shortens a payload: a wrong length exposes a false start at once.
  if (info === undefined || bytes[at + 1] !== info.baseLength) return 'noise';
  const crcAt = at + HEADER_LENGTH_V1 + info.baseLength;
  if (crcAt + CRC_LENGTH > end) return 'unfinished';
  if (!crcHolds(bytes, at, crcAt, info.crcExtra)) return 'noise';
  return { skip: 'mavlink1', length: crcAt + CRC_LENGTH - at };
}

function look(bytes: Uint8Array, at: number, end: number): Look {
  if (bytes[at] === MAGIC_V2) return lookV2(bytes, at, end);
  return bytes[at] === MAGIC_V1 ? lookV1(bytes, at, end) : 'noise';
}

/** True when the chunk is nothing but complete frames with valid checksums. */
function isWholeFrames(chunk: Uint8Array): boolean {
  let at = 0;
  while (at < chunk.length) {
    const found = look(chunk, at, chunk.length);
    if (typeof found === 'string') return false;
    at += found.length;
  }
  return at > 0;
}

export class FrameParser {
  readonly #buffer = new Uint8Array(BUFFER_LENGTH);
  readonly #judge: SignatureJudge | undefined;
  #held = 0;
  readonly #counts: Counts = {
    bytes: 0,
    frames: 0,
    noiseBytes: 0,
    badCrc: 0,
    unknownIds: 0,
    unknownFlags: 0,
    mavlink1: 0,
  };

  /** @param judge of signatures; without one nobody looks at them. */
  constructor(judge?: SignatureJudge) {
    this.#judge = judge;
  }

  get stats(): ParserStats {
    return { ...this.#counts };
  }

  /** Bytes kept for a frame that is not complete yet: at most 279. */
  get heldBytes(): number {
    return this.#held;
  }

  push(chunk: Uint8Array): readonly ReceivedFrame[] {
    const frames: ReceivedFrame[] = [];
    this.#counts.bytes += chunk.length;
    if (this.#held > 0 && isWholeFrames(chunk)) {
      // A datagram of whole frames proves that what is held is noise or was cut off. Without
      // this, a false start would delay good frames until up to 279 more bytes have come.
      this.#counts.noiseBytes += this.#held;
      this.#held = 0;
    }
    let taken = 0;
    while (taken < chunk.length) {
      const piece = chunk.subarray(taken, taken + BUFFER_LENGTH - this.#held);
      this.#buffer.set(piece, this.#held);
      taken += piece.length;
      this.#scan(this.#held + piece.length, frames);
    }
    return frames;
  }

  #scan(end: number, frames: ReceivedFrame[]): void {
    let at = 0;
    while (at < end) {
      const found = look(this.#buffer, at, end);
      if (found === 'unfinished') break;
      if (typeof found === 'string') {
        if (found !== 'noise') this.#counts[found] += 1;
        this.#counts.noiseBytes += 1;
        at += 1;
        continue;
      }
      if ('frame' in found) {
        this.#counts.frames += 1;
        frames.push(this.#judged(found.frame, at, at + found.length));
      } else {
        this.#counts[found.skip] += 1;
      }
      at += found.length;
    }
    this.#buffer.copyWithin(0, at, end);
    this.#held = end - at;
  }

  #judged(frame: ReceivedFrame, from: number, to: number): ReceivedFrame {
    if (this.#judge === undefined) return frame;
    const { signed, systemId, componentId } = frame;
    const bytes = this.#buffer.subarray(from, to);
    return { ...frame, verdict: this.#judge({ bytes, signed, systemId, componentId }) };
  }
}
