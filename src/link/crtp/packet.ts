/**
 * One CRTP packet. Enters: bytes from the radio or a datagram; a port, a channel, data. Leaves:
 * the other. Never: a packet longer than the radio carries.
 */
import { assert } from '../../platform/index.js';

export const PORT = {
  console: 0,
  param: 2,
  commanderRpyt: 3,
  memory: 4,
  log: 5,
  localization: 6,
  setpoint: 7,
  highLevel: 8,
  supervisor: 9,
  platform: 13,
  link: 15,
} as const;

export interface CrtpPacket {
  /** 0..15. */
  readonly port: number;
  /** 0..3. */
  readonly channel: number;
  /** 0..30 bytes; one more is taken in, as the radio carries it. */
  readonly data: Uint8Array;
}

/** What a client may send after the header: firmware and other clients hold to it. */
export const DATA_MAX = 30;
const PACKET_MAX = 32;
/** Bits 3 and 2 belong to safelink; without it clients set both. */
const RESERVED = 0b1100;
const NULL_HEADER = 0xf3;

/** Says nothing and asks for an answer. */
export const NULL_PACKET = Uint8Array.of(0xff);

export function encodeCrtp({ port, channel, data }: CrtpPacket): Uint8Array {
  assert(port >= 0 && port <= 15 && channel >= 0 && channel <= 3, 'a CRTP address');
  assert(data.length <= DATA_MAX, 'CRTP data fits a packet');
  const bytes = new Uint8Array(1 + data.length);
  bytes[0] = (port << 4) | RESERVED | channel;
  bytes.set(data, 1);
  return bytes;
}

/** @returns undefined for what is no packet. The data is a copy. */
export function decodeCrtp(bytes: Uint8Array): CrtpPacket | undefined {
  const header = bytes[0];
  if (header === undefined || bytes.length > PACKET_MAX) return undefined;
  return { port: header >> 4, channel: header & 0b11, data: bytes.slice(1) };
}

/** Port 15, channel 3: empty acknowledgements and what the radio chips say to each other. */
export const isNullPacket = (bytes: Uint8Array): boolean =>
  bytes.length === 0 || ((bytes[0] ?? 0) & NULL_HEADER) === NULL_HEADER;
