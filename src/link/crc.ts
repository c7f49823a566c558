/**
 * The checksum of MAVLink: X.25, 16 bits. Enters: bytes and the checksum so far. Leaves: the
 * checksum. Never: a byte outside the given range is read.
 */

/** Start value of every MAVLink checksum. */
export const CRC_START = 0xffff;

// Reflected polynomial 0x8408, tabulated: a table turns eight shifts a byte into one look-up.
const TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0x8408 : crc >>> 1;
  return crc;
});

/** Continues `crc` with one byte. */
export const crcByte = (crc: number, byte: number): number =>
  (crc >>> 8) ^ (TABLE[(crc ^ byte) & 0xff] ?? 0);

/** Continues `crc` with `bytes[start..end)`. */
export function crcOf(bytes: Uint8Array, start: number, end: number, crc = CRC_START): number {
  let sum = crc;
  for (let i = start; i < end; i++) sum = crcByte(sum, bytes[i] ?? 0);
  return sum;
}
