/**
 * Checks a whole ledger without changing it: during a run, after it, or on a copy.
 * Enters: a folder. Leaves: what is in it, or the first record that does not hold and why.
 * Never: a write, a lock, or a need for the private key.
 *
 * Keys come from the ledger itself (its openings name them), so whoever reviews it compares
 * `keyIds` with the key that they expect: a ledger forged from its first record on is whole, too.
 */
import { join } from 'node:path';
import {
  fail,
  ok,
  RECORD_KINDS,
  type HaloError,
  type LedgerRecord,
  type RecordKind,
  type Result,
} from '../contract/index.js';
import { haloError } from '../platform/index.js';
import { AnchorCheck, readAnchor } from './anchor.js';
import { realFiles } from './files.js';
import { keyIdOf, verifyReceipt } from './keys.js';
import { listSegments, walk, type WalkEnd } from './walk.js';

export interface LedgerSummary {
  readonly records: number;
  readonly kinds: Readonly<Partial<Record<RecordKind, number>>>;
  /** Lives of the bridge that have written something. */
  readonly epochs: number;
  readonly runIds: readonly string[];
  readonly keyIds: readonly string[];
  /** Each with a signature and a frontier that hold. */
  readonly receipts: number;
  /** Frames that crossed to the vehicle, by their digests. */
  readonly frames: number;
  readonly segments: number;
  readonly bytes: number;
  /** Bytes behind the last whole record: a write under way, or one that never finished. */
  readonly tornBytes: number;
  readonly headSeq: number;
  readonly headHash: string;
}

/** Errors: HALO-701 (no ledger there), HALO-602 (does not hold), HALO-606 (newer format). */
export async function verifyLedger(dir: string): Promise<Result<LedgerSummary>> {
  const files = realFiles;
  try {
    const segments = await listSegments(files, dir);
    if (segments.length === 0) {
      return fail(haloError('HALO-701', `${dir} holds no ledger.`, dir));
    }
    // Before the records: a running bridge only adds to what the anchor names.
    const anchor = await readAnchor(files, dir);
    if (!anchor.ok) return anchor;
    const check = new AnchorCheck(anchor.value);
    const review = new Review();
    for await (const step of walk(files, dir)) {
      if (step.type === 'trouble') return fail(step.error);
      if (step.type === 'record') {
        check.see(step.record);
        const reason = review.see(step.record);
        if (reason !== undefined) return fail(bad(step.place, reason));
        continue;
      }
      const trouble = check.trouble(step.end.head);
      if (trouble !== undefined) return fail(bad(join(dir, 'boot-epoch'), trouble));
      return ok(review.summary(step.end));
    }
    return fail(bad(dir, 'it did not read to its end'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail(haloError('HALO-701', `The ledger cannot be read: ${reason}.`, dir));
  }
}

const bad = (place: string, reason: string): HaloError =>
  haloError('HALO-602', `The ledger does not hold at ${place}: ${reason}.`, place);

/** What the chain cannot say: keys, signatures and frontiers. */
class Review {
  readonly #kinds = new Map<RecordKind, number>();
  readonly #keys = new Map<string, string>();
  readonly #runIds = new Set<string>();
  readonly #hashes = new Set<string>();
  #records = 0;
  #epochs = 0;
  #lastEpoch = 0;
  #frames = 0;

  /** Why the record does not hold; undefined when it does. */
  see(record: LedgerRecord): string | undefined {
    this.#records += 1;
    this.#kinds.set(record.kind, (this.#kinds.get(record.kind) ?? 0) + 1);
    if (record.epoch !== this.#lastEpoch) this.#epochs += 1;
    this.#lastEpoch = record.epoch;
    const body = record.body;
    const fields: Readonly<Record<string, unknown>> = isObject(body) ? body : {};
    switch (record.kind) {
      case 'frames':
        // By far the most records, and none of them can be a frontier.
        this.#frames += Array.isArray(fields['digests']) ? fields['digests'].length : 0;
        return undefined;
      case 'receipt': {
        const reason = this.#receiptTrouble(fields);
        this.#hashes.add(record.hash);
        return reason;
      }
      case 'run-opened':
      case 'epoch-opened':
      case 'key-rotated': {
        this.#hashes.add(record.hash);
        if (typeof fields['runId'] === 'string') this.#runIds.add(fields['runId']);
        return this.#learnKey(fields);
      }
      default:
        this.#hashes.add(record.hash);
        return undefined;
    }
  }

  summary(end: WalkEnd): LedgerSummary {
    const kinds = RECORD_KINDS.flatMap((kind) => {
      const count = this.#kinds.get(kind);
      return count === undefined ? [] : [[kind, count] as const];
    });
    return {
      records: this.#records,
      kinds: Object.fromEntries(kinds),
      epochs: this.#epochs,
      runIds: [...this.#runIds],
      keyIds: [...this.#keys.keys()],
      receipts: this.#kinds.get('receipt') ?? 0,
      frames: this.#frames,
      segments: end.segments.length,
      bytes: end.bytes,
      tornBytes: end.tornBytes,
      headSeq: end.head.seq,
      headHash: end.head.hash,
    };
  }

  #learnKey({ keyId, publicKey }: Readonly<Record<string, unknown>>): string | undefined {
    if (keyId === undefined && publicKey === undefined) return undefined;
    if (typeof keyId !== 'string' || typeof publicKey !== 'string') {
      return 'it names a key only in part';
    }
    if (keyIdOf(publicKey) !== keyId) return `its public key is not ${keyId}`;
    this.#keys.set(keyId, publicKey);
    return undefined;
  }

  #receiptTrouble(body: Readonly<Record<string, unknown>>): string | undefined {
    const { keyId, signature, frontier } = body;
    if (typeof keyId !== 'string' || typeof signature !== 'string') {
      return 'the receipt is not signed';
    }
    const publicKey = this.#keys.get(keyId);
    if (publicKey === undefined) return `no opening before it names its key ${keyId}`;
    // The signature covers all other members, whatever they are; it holds or it does not.
    if (!verifyReceipt({ ...body, keyId, signature }, publicKey))
      return 'its signature does not hold';
    if (typeof frontier !== 'string' || !this.#hashes.has(frontier)) {
      return 'its frontier is no record before it';
    }
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
