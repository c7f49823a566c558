/**
 * The table of contents of a port. Enters: questions of channel 0. Leaves: size and checksum, or
 * one item. Never: the first version of these questions: firmware has had the second since 2018.
 */
import { Buffer } from 'node:buffer';

export interface TocItem {
  readonly name: string;
  readonly typeByte: number;
}

const ITEM = 2;
const INFO = 3;

/** @param capacity what the log port says of itself after the checksum. */
export function answerToc(
  data: Uint8Array,
  items: readonly TocItem[],
  capacity: readonly number[] = [],
): Uint8Array | undefined {
  if (data[0] === INFO) {
    const head = Buffer.alloc(7);
    head[0] = INFO;
    head.writeUInt16LE(items.length, 1);
    head.writeUInt32LE(checksumOf(items), 3);
    return Uint8Array.from([...head, ...capacity]);
  }
  if (data[0] !== ITEM || data.length < 3) return undefined;
  const id = (data[1] ?? 0) | ((data[2] ?? 0) << 8);
  const item = items[id];
  if (item === undefined) return Uint8Array.of(ITEM);
  const text = `${item.name.replace('.', '\0')}\0`;
  return Uint8Array.from([ITEM, id & 0xff, id >> 8, item.typeByte, ...Buffer.from(text, 'latin1')]);
}

/** CRC-32 over types and names: another table has another number. */
function checksumOf(items: readonly TocItem[]): number {
  let crc = 0xffffffff;
  for (const { name, typeByte } of items) {
    for (const byte of [typeByte, ...Buffer.from(name, 'latin1')]) {
      crc ^= byte;
      for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ ((crc & 1) === 1 ? 0xedb88320 : 0);
    }
  }
  return (crc ^ 0xffffffff) >>> 0;
}
