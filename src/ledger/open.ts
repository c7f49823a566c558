/**
 * Opens a ledger: lock, verify and fold in one reading, mend a torn tail, raise the boot epoch.
 * Enters: a folder. Leaves: a Ledger, or why it must not be written.
 * Never: a ledger opened over damage, nor a change to a folder that another writer holds.
 */
import { dirname, join } from 'node:path';
import { fail, ok, type HaloError, type LedgerRecord, type Result } from '../contract/index.js';
import { haloError, type Clock } from '../platform/index.js';
import { AnchorCheck, readAnchor, writeAnchor, type Anchor } from './anchor.js';
import { Committer, SEGMENT_BYTES } from './committer.js';
import { realFiles, type FilePort } from './files.js';
import { Keyring } from './keyring.js';
import { generateKey, KEY_FILE, KEYS_DIR, loadKey, NEXT_KEY_FILE, type LedgerKey } from './keys.js';
import { adoptNextKey, Ledger } from './ledger.js';
import { acquireLock, type WriterLock } from './lock.js';
import { archiveBefore, forgery, readSnapshot, unusable, type Snapshot } from './snapshot.js';
import { listSegments, segmentName, walk, type WalkEnd } from './walk.js';

/** Whoever follows the records: at opening the old ones, before anything in the folder changes. */
export interface LedgerFold {
  /**
   * Takes back a state that {@link Ledger.compact} was given. False when it is none of this fold:
   * then all records come, and the fold must be as new.
   */
  restore(state: unknown): boolean;
  /** In order, each once. Bodies of `frames` are left out: no state rests on them. */
  apply(record: LedgerRecord): Result<void>;
}

export interface LedgerOptions {
  /** One folder a vehicle; created when missing. */
  readonly dir: string;
  readonly clock: Clock;
  /** Makes the key of a new ledger. Without it a folder without key is refused. */
  readonly generateKeys?: boolean;
  readonly fold?: LedgerFold;
  /** Learns the keys while the records come, for a fold that checks receipts. */
  readonly keyring?: Keyring;
}

/** What tests exchange: see ./testing. */
export interface LedgerMachine {
  readonly files: FilePort;
  readonly segmentBytes: number;
}

/**
 * Errors: HALO-601 (held by a living writer), HALO-602 (damaged), HALO-604 (disk), HALO-605 (key
 * missing or of another ledger), HALO-606 (newer format), HALO-607 (key file open to others); and
 * what `fold` says.
 */
export function openLedger(options: LedgerOptions): Promise<Result<Ledger>> {
  return openLedgerOn({ files: realFiles, segmentBytes: SEGMENT_BYTES }, options);
}

export async function openLedgerOn(
  machine: LedgerMachine,
  options: LedgerOptions,
): Promise<Result<Ledger>> {
  const { files } = machine;
  const { dir } = options;
  let lock: WriterLock | undefined;
  try {
    await files.makeDir(join(dir, KEYS_DIR));
    await files.syncDir(dirname(dir));
    const locked = await acquireLock(files, dir);
    if (!locked.ok) return locked;
    lock = locked.value;
    const opened = await openLocked(machine, options, lock);
    if (!opened.ok) await lock.release();
    return opened;
  } catch (error) {
    await lock?.release().catch(() => undefined);
    const reason = error instanceof Error ? error.message : String(error);
    return fail(haloError('HALO-604', `The ledger cannot be opened: ${reason}.`, dir));
  }
}

async function openLocked(
  machine: LedgerMachine,
  options: LedgerOptions,
  lock: WriterLock,
): Promise<Result<Ledger>> {
  const { files, segmentBytes } = machine;
  const { dir, clock } = options;
  const anchor = await readAnchor(files, dir);
  if (!anchor.ok) return anchor;
  const loaded = await loadKey(files, dir);
  if (!loaded.ok) return loaded;
  const keyring = options.keyring ?? new Keyring();
  const history = await readHistory(files, options, keyring, anchor.value, loaded.value);
  if (!history.ok) return history;
  const { end, snapshot, reports } = history.value;
  const key = await keyFor(files, options, loaded.value, end, keyring.currentId);
  if (!key.ok) return key;

  const name = segmentName(end.lastSegment);
  // Also with nothing to cut: what a killed process wrote has been read, and may not be on disk.
  if (end.segments > 0) await files.truncate(join(dir, name), end.lastSegmentBytes);
  if (end.tornBytes > 0) {
    const message = `${end.tornBytes} bytes of a write that did not finish were cut.`;
    reports.push(haloError('HALO-603', message, name));
  }
  const bootEpoch = (anchor.value?.epoch ?? 0) + 1;
  const { head } = end;
  if (keyring.currentId === undefined) {
    const { keyId, publicKeyPem: publicKey } = key.value;
    keyring.add({ keyId, publicKey, fromEpoch: bootEpoch });
  }
  await writeAnchor(files, dir, { epoch: bootEpoch, seq: head.seq, hash: head.hash });
  const file = await files.openAppend(join(dir, segmentName(end.lastSegment)));
  await files.syncDir(dir);
  // What a compaction that was cut short has left.
  if (snapshot !== undefined) await archiveBefore(files, dir, snapshot.segment);
  const committer = new Committer({
    files,
    dir,
    segmentBytes,
    file,
    segment: end.lastSegment,
    segmentFirstSeq: end.lastSegmentFirstSeq,
    size: end.lastSegmentBytes,
    durableSeq: head.seq,
  });
  const parts = { dir, clock, files, lock, key: key.value, keyring, committer };
  return ok(new Ledger({ ...parts, bootEpoch, opened: head, snapshot, reports }));
}

interface History {
  readonly end: WalkEnd;
  readonly snapshot: Snapshot | undefined;
  readonly reports: HaloError[];
}

async function readHistory(
  files: FilePort,
  { dir, fold }: LedgerOptions,
  keyring: Keyring,
  anchor: Anchor | undefined,
  key: LedgerKey | undefined,
): Promise<Result<History>> {
  const found = await readSnapshot(files, dir);
  const taken = found === undefined ? undefined : takeSnapshot(found, keyring, key, fold);
  const snapshot = taken !== undefined && 'hash' in taken ? taken : undefined;
  const reports = taken !== undefined && !('hash' in taken) ? [taken] : [];
  const check = new AnchorCheck(anchor).begin(snapshot);
  const from = snapshot && { head: snapshot, segment: snapshot.segment };
  const end = await walk(files, dir, { bodies: 'state', ...(from && { from }) }, (record) => {
    check.see(record);
    const reason = keyring.learn(record);
    if (reason !== undefined) return reason;
    const applied = fold?.apply(record);
    return applied?.ok === false ? applied.error : undefined;
  });
  if (!end.ok) return end;
  const trouble = check.trouble(end.value.head);
  if (trouble === undefined) return ok({ end: end.value, snapshot, reports });
  const message = `The ledger was changed while it was closed: ${trouble}.`;
  return fail(haloError('HALO-602', message, dir));
}

/** The snapshot when keys and fold have taken it over; otherwise why it cannot be used. */
function takeSnapshot(
  found: Snapshot | HaloError,
  keyring: Keyring,
  key: LedgerKey | undefined,
  fold: LedgerFold | undefined,
): Snapshot | HaloError {
  if ('code' in found) return found;
  if (key === undefined) return unusable('the folder has no key to check it with');
  const forged = forgery(found, key.publicKeyPem);
  if (forged !== undefined) return forged;
  if (!keyring.restore(found.keys)) return unusable('its keys do not hold');
  if (fold === undefined || fold.restore(found.state)) return found;
  keyring.restore([]);
  return unusable('its state is none that this version and this task can go on from');
}

async function keyFor(
  files: FilePort,
  { dir, generateKeys }: LedgerOptions,
  found: LedgerKey | undefined,
  { head }: WalkEnd,
  expected: string | undefined,
): Promise<Result<LedgerKey>> {
  const path = join(dir, KEYS_DIR, KEY_FILE);
  if (found === undefined) {
    if (head.seq === 0 && generateKeys === true) return ok(await generateKey(files, dir));
    const message = head.seq === 0 ? 'has no key yet' : 'lacks the key that opened it';
    return fail(haloError('HALO-605', `The ledger ${message}.`, path));
  }
  if (expected === undefined || expected === found.keyId) return ok(found);
  const next = await loadKey(files, dir, NEXT_KEY_FILE);
  if (!next.ok) return next;
  if (next.value?.keyId === expected) {
    // The rotation is in the chain, and the process ended before the file was in its place.
    await adoptNextKey(files, dir);
    return ok(next.value);
  }
  const message = `The ledger was written with key ${expected}, not ${found.keyId}.`;
  return fail(haloError('HALO-605', message, path));
}

/**
 * The key of a new ledger, made ahead of its first opening. Errors: HALO-608 (there is one),
 * HALO-601, HALO-604, HALO-605 (records are there and their key is gone).
 */
export async function createKey(dir: string, files: FilePort = realFiles): Promise<Result<string>> {
  const path = join(dir, KEYS_DIR, KEY_FILE);
  let lock: WriterLock | undefined;
  try {
    await files.makeDir(join(dir, KEYS_DIR));
    const locked = await acquireLock(files, dir);
    if (!locked.ok) return locked;
    lock = locked.value;
    if ((await files.mode(path)) !== undefined) {
      return fail(haloError('HALO-608', `${path} is there already.`, path));
    }
    if ((await listSegments(files, dir)).length > 0) {
      return fail(haloError('HALO-605', 'The ledger lacks the key that opened it.', path));
    }
    return ok((await generateKey(files, dir)).keyId);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail(haloError('HALO-604', `The key cannot be written: ${reason}.`, path));
  } finally {
    await lock?.release().catch(() => undefined);
  }
}
