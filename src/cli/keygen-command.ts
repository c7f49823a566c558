/**
 * `halo keygen`: the key of a new ledger, a new key for one that has records, or the key that
 * signs MAVLink. Enters: a folder or a file. Leaves: the key's id, or the file's name; a key file
 * that its owner alone can read.
 * Never: a key written over, or one that the ledger does not name.
 */
import type { Result } from '../contract/index.js';
import { createKey, openLedger } from '../ledger/index.js';
import { createMavlinkKey, KEY_LENGTH } from '../link/index.js';
import { randomHex, systemClock } from '../platform/index.js';
import { complain, EXIT, type ExitCode } from './exit-codes.js';

export async function runKeygen(dir: string, rotate: boolean): Promise<ExitCode> {
  const made = rotate ? await rotated(dir) : await createKey(dir);
  if (!made.ok) return complain(made.error);
  process.stdout.write(`${made.value}\n`);
  return EXIT.ok;
}

/** A key file as PX4 and the bridge read it, with the time of now. */
export function runMavlinkKeygen(file: string): ExitCode {
  const key = Buffer.from(randomHex(KEY_LENGTH), 'hex');
  const made = createMavlinkKey(file, key, systemClock.wallMs());
  if (!made.ok) return complain(made.error);
  process.stdout.write(`${file}\n`);
  return EXIT.ok;
}

async function rotated(dir: string): Promise<Result<string>> {
  const opened = await openLedger({ dir, clock: systemClock });
  return opened.ok ? opened.value.rotateKeyAndClose() : opened;
}
