/**
 * The ledger of one vehicle: what was decided, sent and observed, in order, on disk.
 * Enters: a folder, then records. Leaves: sequence numbers and hashes at once, durability later.
 * Never: a wait for the disk in `append`, a record changed or taken back, or a second writer.
 *
 *   folder: segment-000001.jsonl …   boot-epoch   writer.lock   keys/ledger-ed25519.pem
 *           snapshot.json   archive/segment-000001.jsonl …
 */
import { join } from 'node:path';
import type {
  HaloError,
  LedgerRecord,
  Receipt,
  ReceiptBody,
  RecordKind,
  Result,
} from '../contract/index.js';
import { fail, ok } from '../contract/index.js';
import { assert, canonicalJson, endsWithin, haloError, type Clock } from '../platform/index.js';
import { EpochFence, writeAnchor } from './anchor.js';
import type { Committer } from './committer.js';
import type { FilePort } from './files.js';
import type { Keyring } from './keyring.js';
import { generateKey, KEY_FILE, KEYS_DIR, NEXT_KEY_FILE, type LedgerKey } from './keys.js';
import type { WriterLock } from './lock.js';
import { encodeRecord } from './record.js';
import {
  archiveBefore,
  SNAPSHOT_EVERY,
  unusable,
  writeSnapshot,
  type Snapshot,
} from './snapshot.js';
import type { Head } from './walk.js';

/** 5 s: a disk that has not answered by then hangs, and the process should end without it. */
const CLOSE_DEADLINE_MS = 5_000;

/** What the records up to `seq` come to: plain data that survives JSON. */
export interface FoldState {
  readonly seq: number;
}

export interface LedgerParts {
  readonly dir: string;
  readonly clock: Clock;
  readonly files: FilePort;
  readonly lock: WriterLock;
  readonly key: LedgerKey;
  readonly keyring: Keyring;
  readonly committer: Committer;
  readonly bootEpoch: number;
  readonly opened: Head;
  /** The snapshot from which this opening has read, if it did. */
  readonly snapshot: Snapshot | undefined;
  readonly reports: readonly HaloError[];
}

export class Ledger {
  readonly dir: string;
  /** Which life of the bridge this is; no other has or had the same number. */
  readonly bootEpoch: number;
  readonly keyId: string;
  readonly publicKeyPem: string;
  /** What opening found: HALO-603 for a torn tail that it cut, HALO-609 for a useless snapshot. */
  readonly reports: readonly HaloError[];
  readonly #parts: LedgerParts;
  readonly #fence: EpochFence;
  #seq: number;
  #hash: string;
  #snapshotSeq: number;
  #compacting: Promise<Result<void>> | undefined;
  #closed = false;

  constructor(parts: LedgerParts) {
    this.#parts = parts;
    this.#fence = new EpochFence(parts.files, parts.dir, parts.bootEpoch);
    this.dir = parts.dir;
    this.bootEpoch = parts.bootEpoch;
    this.keyId = parts.key.keyId;
    this.publicKeyPem = parts.key.publicKeyPem;
    this.reports = parts.reports;
    this.#seq = parts.opened.seq;
    this.#hash = parts.opened.hash;
    this.#snapshotSeq = parts.snapshot?.seq ?? 0;
  }

  /** Sequence that the next record will have; the first is 1. */
  get nextSeq(): number {
    return this.#seq + 1;
  }

  /** Hash of the last appended record, durable or not; 64 zeros for an empty ledger. */
  get headHash(): string {
    return this.#hash;
  }

  /** Every record up to this sequence survives a power cut. */
  get durableSeq(): number {
    return this.#parts.committer.durableSeq;
  }

  /** Set for good by the first failed write or sync (HALO-604): nothing becomes durable after. */
  get poisoned(): HaloError | undefined {
    return this.#parts.committer.poison;
  }

  /**
   * The boot epoch as the folder shows it at this moment: ours, or a higher one when another life
   * has opened the folder since; Infinity when that cannot be told.
   */
  currentEpoch(): number {
    return this.#fence.current();
  }

  /**
   * Takes its place in the chain now; reaches the disk with the others of this turn.
   * On a poisoned ledger it still returns a record, so that a turn can end, but that record never
   * becomes durable: whoever waits for `durableSeq` before acting does not act.
   */
  append(kind: RecordKind, body: unknown): LedgerRecord {
    assert(!this.#closed, 'a closed ledger takes no records');
    const { clock, committer, bootEpoch } = this.#parts;
    const { record, line } = encodeRecord(
      {
        seq: this.nextSeq,
        epoch: bootEpoch,
        tUs: clock.nowUs(),
        wallMs: clock.wallMs(),
        kind,
        prev: this.#hash,
      },
      body,
    );
    this.#seq = record.seq;
    this.#hash = record.hash;
    committer.push(record.seq, line);
    return record;
  }

  /**
   * Calls `listener` after `durableSeq` has risen, and once when the ledger is poisoned. It runs
   * between ticks and must only take notice. Returns the way to stop.
   */
  onDurable(listener: (durableSeq: number) => void): () => void {
    const { committer } = this.#parts;
    return committer.listen(() => listener(committer.durableSeq));
  }

  /** Waits until all that has been appended by now is durable. Error: HALO-604. */
  async flush(deadlineMs: number): Promise<Result<void>> {
    const { committer, dir } = this.#parts;
    const target = this.#seq;
    const over = (): boolean => committer.durableSeq >= target || committer.poison !== undefined;
    if (!over()) {
      let stop: () => void = () => undefined;
      const reached = new Promise<void>((resolve) => {
        stop = committer.listen(() => {
          if (over()) resolve();
        });
      });
      await endsWithin(reached, deadlineMs);
      stop();
    }
    if (committer.durableSeq >= target) return ok(undefined);
    if (committer.poison !== undefined) return fail(committer.poison);
    const message = `The ledger did not become durable within ${deadlineMs} ms.`;
    return fail(haloError('HALO-604', message, dir));
  }

  /** True when a start would read enough records that {@link compact} pays. */
  get compactionDue(): boolean {
    return this.#seq - this.#snapshotSeq >= SNAPSHOT_EVERY && this.#compacting === undefined;
  }

  /**
   * Writes a snapshot of `state`, which must be that of the last appended record, and moves the
   * closed segments before it into the archive. The turn that calls it only takes note of the
   * head; the rest waits for the disk beside it. Error: HALO-609; then all is as it was.
   */
  compact(state: FoldState): Promise<Result<void>> {
    if (this.#closed || this.#seq === 0) return Promise.resolve(ok(undefined));
    if (state.seq !== this.#seq) {
      const reason = `the state is of record ${state.seq}, the ledger ends at ${this.#seq}`;
      return Promise.resolve(fail(unusable(reason)));
    }
    const { opened, bootEpoch } = this.#parts;
    const epoch = this.#seq > opened.seq ? bootEpoch : opened.epoch;
    // Also when it fails: another attempt at once would fail the same way.
    this.#snapshotSeq = this.#seq;
    this.#compacting ??= this.#compact({ seq: this.#seq, hash: this.#hash, epoch }, state).finally(
      () => (this.#compacting = undefined),
    );
    return this.#compacting;
  }

  async #compact(head: Head, state: FoldState): Promise<Result<void>> {
    const { files, dir, key, keyring, committer, bootEpoch } = this.#parts;
    // As it is now: while the disk is waited for, the state goes on.
    const frozen: unknown = JSON.parse(canonicalJson(state));
    const durable = await this.flush(CLOSE_DEADLINE_MS);
    if (!durable.ok) return durable;
    if (this.currentEpoch() !== bootEpoch) return fail(unusable('another life has the folder'));
    const segment = committer.segmentAfter(head.seq);
    try {
      const body = { ...head, segment, keys: [...keyring.entries], state: frozen };
      await writeSnapshot(files, dir, key, body);
      await archiveBefore(files, dir, segment);
      return ok(undefined);
    } catch (error) {
      return fail(unusable(`it was not written (${reasonOf(error)})`));
    }
  }

  /**
   * Brings in a new key, signed by the old one in the chain, and ends this life. Until the chain
   * names it the new key lies beside the old one; after that it takes its place, here or, when
   * the process ends between the two, at the next opening. Returns the new key's id.
   */
  async rotateKeyAndClose(): Promise<Result<string>> {
    const { files, dir, key, snapshot } = this.#parts;
    try {
      // One that no record names: an opening would have put it in its place otherwise.
      await files.remove(join(dir, KEYS_DIR, NEXT_KEY_FILE));
      const next = await generateKey(files, dir, NEXT_KEY_FILE);
      const { keyId, publicKeyPem } = key;
      this.append('epoch-opened', { bootEpoch: this.bootEpoch, keyId, publicKey: publicKeyPem });
      const named = { nextKeyId: next.keyId, nextPublicKey: next.publicKeyPem };
      this.append('key-rotated', key.sign({ ...named, after: this.#hash }));
      const flushed = await this.flush(CLOSE_DEADLINE_MS);
      if (flushed.ok) {
        await adoptNextKey(files, dir);
        // A snapshot counts under the folder's key only; what it says stays true.
        if (snapshot !== undefined) await writeSnapshot(files, dir, next, bodyOf(snapshot));
      }
      const closed = await this.close();
      if (!flushed.ok) return flushed;
      return closed.ok ? ok(next.keyId) : closed;
    } catch (error) {
      await this.close();
      const message = `The key was not changed: ${reasonOf(error)}.`;
      return fail(haloError('HALO-604', message, join(dir, KEYS_DIR)));
    }
  }

  /**
   * Flushes, anchors the head and gives the lock back. While a write hangs in the system the lock
   * is kept, since that write may still land; the end of the process frees it.
   */
  async close(): Promise<Result<void>> {
    if (this.#closed) return ok(undefined);
    this.#closed = true;
    await this.#compacting;
    const flushed = await this.flush(CLOSE_DEADLINE_MS);
    const { files, dir, committer, bootEpoch, lock } = this.#parts;
    if (!(await endsWithin(committer.idle(), CLOSE_DEADLINE_MS))) return flushed;
    try {
      await committer.close();
      if (flushed.ok) {
        await writeAnchor(files, dir, { epoch: bootEpoch, seq: this.#seq, hash: this.#hash });
      }
      await lock.release();
      return flushed;
    } catch (error) {
      await lock.release().catch(() => undefined);
      return fail(haloError('HALO-604', `The ledger cannot be closed: ${reasonOf(error)}.`, dir));
    }
  }

  signReceipt(body: ReceiptBody): Receipt {
    return this.#parts.key.sign(body);
  }

  /** True only for a receipt that this ledger's key of the receipt's life has signed. */
  verifyReceipt(receipt: Receipt): boolean {
    return this.#parts.keyring.holds(receipt);
  }
}

/** Puts the key that a rotation brought in into the place of the old one. */
export async function adoptNextKey(files: FilePort, dir: string): Promise<void> {
  const keys = join(dir, KEYS_DIR);
  await files.rename(join(keys, NEXT_KEY_FILE), join(keys, KEY_FILE));
  await files.syncDir(keys);
}

const bodyOf = ({ v: _v, keyId: _keyId, signature: _signature, ...body }: Snapshot) => body;

const reasonOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);
