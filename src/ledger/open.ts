/**
 * Opens a ledger: lock, verify, mend a torn tail, check the key, raise the boot epoch.
 * Enters: a folder. Leaves: a Ledger, or why it must not be written.
 * Never: a ledger opened over damage, nor a change to a folder that another writer holds.
 */
import { dirname, join } from 'node:path';
import { fail, ok, type HaloError, type LedgerRecord, type Result } from '../contract/index.js';
import { haloError, type Clock } from '../platform/index.js';
import { AnchorCheck, readAnchor, writeAnchor, type Anchor } from './anchor.js';
import { Committer, SEGMENT_BYTES } from './committer.js';
import { realFiles, type FilePort } from './files.js';
import { generateKey, KEY_FILE, KEYS_DIR, loadKey, type LedgerKey } from './keys.js';
import { Ledger } from './ledger.js';
import { acquireLock, type WriterLock } from './lock.js';
import { segmentName, walk, type WalkEnd } from './walk.js';

export interface LedgerOptions {
  /** One folder a vehicle; created when missing. */
  readonly dir: string;
  readonly clock: Clock;
  /** Makes the key of a new ledger. Without it a folder without key is refused. */
  readonly generateKeys?: boolean;
}

/** What tests exchange: see ./testing. */
export interface LedgerMachine {
  readonly files: FilePort;
  readonly segmentBytes: number;
}

/**
 * Errors: HALO-601 (held by a living writer), HALO-602 (damaged), HALO-604 (disk), HALO-605 (key
 * missing or of another ledger), HALO-606 (newer format), HALO-607 (key file open to others).
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
  const history = await readHistory(files, dir, anchor.value);
  if (!history.ok) return history;
  const { end, keyId } = history.value;
  const key = await keyFor(files, dir, end, keyId, options.generateKeys ?? false);
  if (!key.ok) return key;

  const reports: HaloError[] = [];
  const segment = Math.max(1, end.segments.length);
  if (end.tornBytes > 0) {
    await files.truncate(join(dir, segmentName(segment)), end.lastSegmentBytes);
    const message = `${end.tornBytes} bytes of a write that did not finish were cut.`;
    reports.push(haloError('HALO-603', message, segmentName(segment)));
  }
  const bootEpoch = (anchor.value?.epoch ?? 0) + 1;
  const { head } = end;
  await writeAnchor(files, dir, { epoch: bootEpoch, seq: head.seq, hash: head.hash });
  const file = await files.openAppend(join(dir, segmentName(segment)));
  await files.syncDir(dir);
  const committer = new Committer({
    files,
    dir,
    segmentBytes,
    file,
    segment,
    size: end.lastSegmentBytes,
    durableSeq: head.seq,
  });
  return ok(
    new Ledger({
      dir,
      clock,
      files,
      lock,
      key: key.value,
      committer,
      bootEpoch,
      opened: head,
      reports,
    }),
  );
}

interface History {
  readonly end: WalkEnd;
  /** Key that the last opening or rotation names. */
  readonly keyId: string | undefined;
}

async function readHistory(
  files: FilePort,
  dir: string,
  anchor: Anchor | undefined,
): Promise<Result<History>> {
  const check = new AnchorCheck(anchor);
  let keyId: string | undefined;
  for await (const step of walk(files, dir)) {
    if (step.type === 'trouble') return fail(step.error);
    if (step.type === 'record') {
      check.see(step.record);
      keyId = keyIdIn(step.record) ?? keyId;
      continue;
    }
    const trouble = check.trouble(step.end.head);
    if (trouble === undefined) return ok({ end: step.end, keyId });
    const message = `The ledger was changed while it was closed: ${trouble}.`;
    return fail(haloError('HALO-602', message, dir));
  }
  return fail(haloError('HALO-602', 'The ledger did not read to its end.', dir));
}

function keyIdIn({ kind, body }: LedgerRecord): string | undefined {
  if (kind !== 'run-opened' && kind !== 'epoch-opened' && kind !== 'key-rotated') return undefined;
  if (typeof body !== 'object' || body === null || !('keyId' in body)) return undefined;
  return typeof body.keyId === 'string' ? body.keyId : undefined;
}

async function keyFor(
  files: FilePort,
  dir: string,
  end: WalkEnd,
  expected: string | undefined,
  generate: boolean,
): Promise<Result<LedgerKey>> {
  const found = await loadKey(files, dir);
  if (!found.ok) return found;
  const path = join(dir, KEYS_DIR, KEY_FILE);
  if (found.value === undefined) {
    if (end.head.seq === 0 && generate) return ok(await generateKey(files, dir));
    const message = end.head.seq === 0 ? 'has no key yet' : 'lacks the key that opened it';
    return fail(haloError('HALO-605', `The ledger ${message}.`, path));
  }
  if (expected !== undefined && expected !== found.value.keyId) {
    const message = `The ledger was written with key ${expected}, not ${found.value.keyId}.`;
    return fail(haloError('HALO-605', message, path));
  }
  return ok(found.value);
}
