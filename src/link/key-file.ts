/**
 * The file of a MAVLink signing key, laid out as PX4 reads it: 32 bytes of key, then the timestamp
 * as 64 bits, little end first. So one file serves the bridge and the vehicle.
 * Enters: a path. Leaves: the key; the reserved timestamp, durable. Never: a key that others of
 * the machine can read, one written over, or its bytes in a message.
 */
import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  write,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { fail, ok, type HaloError, type Result } from '../contract/index.js';
import { linkError } from './errors.js';
import { isZeroKey, KEY_LENGTH, LinkSigning, RESERVE, signingTime } from './signing.js';

const FILE_LENGTH = KEY_LENGTH + 8;
/** The bridge has one link to a vehicle, under an id that is the vehicle's own. */
const LINK_ID = 0;

export interface MavlinkKey {
  readonly key: Uint8Array;
  /** Every timestamp up to this one may have been used. */
  readonly timestamp: number;
}

/** An open key file, with the signing of the one link that uses it. */
export interface OpenSigning {
  readonly signing: LinkSigning;
  /** Writes the newest timestamp down, so that the next life goes on right behind it. */
  close(): Promise<void>;
}

const stampBytes = (timestamp: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(timestamp));
  return bytes;
};

const trouble = (path: string, why: string, remedy?: string): HaloError => ({
  ...linkError('HALO-515', `${path} ${why}.`, remedy),
  path,
});

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A new file, mode 0600; never one written over. Errors: HALO-515. */
export function createMavlinkKey(path: string, key: Uint8Array, wallMs: number): Result<void> {
  let fd: number;
  try {
    fd = openSync(path, 'wx', 0o600);
  } catch (error) {
    const there = reason(error).includes('EEXIST');
    const why = there ? 'is there already, and is not written over' : `: ${reason(error)}`;
    return fail(trouble(path, why, there ? 'Keep it, or name another file.' : undefined));
  }
  try {
    writeSync(fd, Buffer.concat([key, stampBytes(signingTime(wallMs))]));
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  return ok(undefined);
}

/** Reads a key and writes nothing. Errors: HALO-515. */
export function readMavlinkKey(path: string): Result<MavlinkKey> {
  const opened = open(path, 'r');
  if (!opened.ok) return opened;
  closeSync(opened.value.fd);
  return ok(opened.value);
}

function open(path: string, flags: 'r' | 'r+'): Result<MavlinkKey & { readonly fd: number }> {
  let fd: number;
  try {
    fd = openSync(path, flags);
  } catch (error) {
    return fail(trouble(path, `cannot be opened: ${reason(error)}`));
  }
  const refuse = (why: string): Result<never> => {
    closeSync(fd);
    return fail(trouble(path, why));
  };
  const { mode, size } = fstatSync(fd);
  if ((mode & 0o077) !== 0) {
    return refuse(`has mode 0${(mode & 0o777).toString(8)}: others can read the key`);
  }
  const bytes = new Uint8Array(FILE_LENGTH);
  if (size !== FILE_LENGTH || readSync(fd, bytes) !== FILE_LENGTH) {
    return refuse(`has ${size} bytes; a key file has ${FILE_LENGTH}`);
  }
  const key = bytes.slice(0, KEY_LENGTH);
  if (isZeroKey(key)) return refuse('holds the all-zero key, which everybody knows');
  const stamp = new DataView(bytes.buffer).getBigUint64(KEY_LENGTH, true);
  if (stamp >= 1n << 48n) return refuse('holds a timestamp beyond 48 bits');
  return ok({ fd, key, timestamp: Number(stamp) });
}

const writeLater = promisify(write);
const syncLater = promisify(fdatasync);

/** Opens the key for one link and reserves its first timestamps. Errors: HALO-515. */
export function openSigning(path: string, wallMs: () => number): Result<OpenSigning> {
  const opened = open(path, 'r+');
  if (!opened.ok) return opened;
  const { fd, key, timestamp } = opened.value;
  const now = (): number => signingTime(wallMs());
  const reservedUntil = Math.max(now(), timestamp) + RESERVE;
  const keep = (until: number): void => {
    writeSync(fd, stampBytes(until), 0, 8, KEY_LENGTH);
    fdatasyncSync(fd);
  };
  try {
    keep(reservedUntil);
  } catch (error) {
    closeSync(fd);
    return fail(trouble(path, `cannot be written: ${reason(error)}`));
  }
  let closed = false;
  let writing: Promise<unknown> = Promise.resolve();
  const reserve = async (until: number): Promise<boolean> => {
    if (closed) return false;
    const kept = writeLater(fd, stampBytes(until), 0, 8, KEY_LENGTH).then(() => syncLater(fd));
    writing = kept.catch(() => undefined);
    return kept.then(
      () => true,
      () => false,
    );
  };
  const usedUntil = timestamp;
  const options = { key, linkId: LINK_ID, now, usedUntil, reservedUntil, reserve };
  const signing = new LinkSigning(options);
  const close = async (): Promise<void> => {
    if (closed) return;
    closed = true;
    await writing;
    try {
      keep(signing.latest);
    } catch {
      // What was reserved stands there: the next life begins a few seconds ahead.
    } finally {
      closeSync(fd);
    }
  };
  return ok({ signing, close });
}
