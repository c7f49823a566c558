/**
 * The ledger of one vehicle: what was decided, sent and observed, in order, on disk.
 * Enters: a folder, then records. Leaves: sequence numbers and hashes at once, durability later.
 * Never: a wait for the disk in `append`, a record changed or taken back, or a second writer.
 *
 *   folder: segment-000001.jsonl …   boot-epoch   writer.lock   keys/ledger-ed25519.pem
 */
import type {
  HaloError,
  LedgerRecord,
  Receipt,
  ReceiptBody,
  RecordKind,
  Result,
} from '../contract/index.js';
import { fail, ok } from '../contract/index.js';
import { assert, haloError, type Clock } from '../platform/index.js';
import { EpochFence, writeAnchor } from './anchor.js';
import type { Committer } from './committer.js';
import type { FilePort } from './files.js';
import type { LedgerKey } from './keys.js';
import { verifyReceipt } from './keys.js';
import type { WriterLock } from './lock.js';
import { encodeRecord } from './record.js';
import { walk, type Head } from './walk.js';

/** 5 s: a disk that has not answered by then hangs, and the process should end without it. */
const CLOSE_DEADLINE_MS = 5_000;

export interface LedgerParts {
  readonly dir: string;
  readonly clock: Clock;
  readonly files: FilePort;
  readonly lock: WriterLock;
  readonly key: LedgerKey;
  readonly committer: Committer;
  readonly bootEpoch: number;
  readonly opened: Head;
  readonly reports: readonly HaloError[];
}

export class Ledger {
  readonly dir: string;
  /** Which life of the bridge this is; no other has or had the same number. */
  readonly bootEpoch: number;
  readonly keyId: string;
  readonly publicKeyPem: string;
  /** What opening found and mended: HALO-603 for a torn tail. */
  readonly reports: readonly HaloError[];
  readonly #parts: LedgerParts;
  readonly #fence: EpochFence;
  #seq: number;
  #hash: string;
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
      await settlesWithin(reached, deadlineMs);
      stop();
    }
    if (committer.poison !== undefined) return fail(committer.poison);
    if (committer.durableSeq >= target) return ok(undefined);
    const message = `The ledger did not become durable within ${deadlineMs} ms.`;
    return fail(haloError('HALO-604', message, dir));
  }

  /**
   * Flushes, anchors the head and gives the lock back. While a write hangs in the system the lock
   * is kept, since that write may still land; the end of the process frees it.
   */
  async close(): Promise<Result<void>> {
    if (this.#closed) return ok(undefined);
    this.#closed = true;
    const flushed = await this.flush(CLOSE_DEADLINE_MS);
    const { files, dir, committer, bootEpoch, lock } = this.#parts;
    if (!(await settlesWithin(committer.idle(), CLOSE_DEADLINE_MS))) return flushed;
    try {
      await committer.close();
      if (flushed.ok) {
        await writeAnchor(files, dir, { epoch: bootEpoch, seq: this.#seq, hash: this.#hash });
      }
      await lock.release();
      return flushed;
    } catch (error) {
      await lock.release().catch(() => undefined);
      const reason = error instanceof Error ? error.message : String(error);
      return fail(haloError('HALO-604', `The ledger cannot be closed: ${reason}.`, dir));
    }
  }

  /**
   * The records that were there at opening, oldest first, for the recovery fold.
   * They have been verified by then: if the disk fails between, this throws and the start fails.
   */
  async *records(): AsyncGenerator<LedgerRecord> {
    const { files, dir, opened } = this.#parts;
    if (opened.seq === 0) return;
    for await (const step of walk(files, dir)) {
      assert(step.type !== 'trouble', 'the ledger reads as it did at opening');
      if (step.type === 'end') return;
      yield step.record;
      if (step.record.seq === opened.seq) return;
    }
  }

  signReceipt(body: ReceiptBody): Receipt {
    return this.#parts.key.sign(body);
  }

  /** True only for a receipt that this ledger's key has signed as it stands. */
  verifyReceipt(receipt: Receipt): boolean {
    return verifyReceipt(receipt, this.publicKeyPem);
  }
}

/** False when the deadline came first. */
async function settlesWithin(work: Promise<void>, deadlineMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), deadlineMs);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
