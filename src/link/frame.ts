/**
 * MAVLink 2 frames, the writing side. Enters: a payload with its identity. Leaves: the bytes of
 * one frame, signed where asked for. Never: MAVLink 1.
 */
import { assert } from '../platform/index.js';
import { crcByte, crcOf } from './crc.js';
import { SIGNATURE_LENGTH } from './signing.js';

export const MAGIC_V2 = 0xfd;
export const MAGIC_V1 = 0xfe;
/** Magic, length, two flag bytes, sequence, system, component, three bytes of message id. */
export const HEADER_LENGTH = 10;
export const CRC_LENGTH = 2;
/** The one incompatibility flag that MAVLink defines: a signature follows the checksum. */
export const FLAG_SIGNED = 0x01;
export const MAX_FRAME_LENGTH = HEADER_LENGTH + 255 + CRC_LENGTH + SIGNATURE_LENGTH;

export interface FrameParts {
  /** 0..255, counts up per link. */
  readonly sequence: number;
  readonly systemId: number;
  readonly componentId: number;
  readonly messageId: number;
  /** Full or already shortened; trailing zeros are cut off here. */
  readonly payload: Uint8Array;
  readonly crcExtra: number;
}

const isByte = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 0xff;

/**
 * Frames are cut from slabs that are never reused: an ArrayBuffer for each would cost more than
 * all the rest of encoding. So a frame is a view: `frame.buffer` holds its neighbours too.
 */
let slab = new ArrayBuffer(8192);
let slabUsed = 0;

function newBytes(length: number): Uint8Array {
  if (slabUsed + length > slab.byteLength) {
    slab = new ArrayBuffer(8192);
    slabUsed = 0;
  }
  const bytes = new Uint8Array(slab, slabUsed, length);
  slabUsed += length;
  return bytes;
}

/**
 * The bytes of a MAVLink 2 frame. At least one payload byte stays, as MAVLink asks.
 * @param signed flags it as signed, and leaves room for the signature behind the checksum.
 */
export function encodeFrame(parts: FrameParts, signed = false): Uint8Array {
  const { payload, messageId } = parts;
  assert(
    isByte(parts.sequence) && isByte(parts.systemId) && isByte(parts.componentId),
    'sequence and ids are bytes',
  );
  assert(isByte(parts.crcExtra), 'a CRC extra is a byte');
  assert(
    Number.isInteger(messageId) && messageId >= 0 && messageId <= 0xffffff,
    'a message id has 24 bits',
  );
  assert(payload.length >= 1 && payload.length <= 255, 'a payload has 1 to 255 bytes');
  let length = payload.length;
  while (length > 1 && payload[length - 1] === 0) length -= 1;
  const frame = newBytes(HEADER_LENGTH + length + CRC_LENGTH + (signed ? SIGNATURE_LENGTH : 0));
  frame[0] = MAGIC_V2;
  frame[1] = length;
  if (signed) frame[2] = FLAG_SIGNED;
  frame[4] = parts.sequence;
  frame[5] = parts.systemId;
  frame[6] = parts.componentId;
  frame[7] = messageId & 0xff;
  frame[8] = (messageId >>> 8) & 0xff;
  frame[9] = messageId >>> 16;
  frame.set(length === payload.length ? payload : payload.subarray(0, length), HEADER_LENGTH);
  const crc = crcByte(crcOf(frame, 1, HEADER_LENGTH + length), parts.crcExtra);
  frame[HEADER_LENGTH + length] = crc & 0xff;
  frame[HEADER_LENGTH + length + 1] = crc >>> 8;
  return frame;
}
