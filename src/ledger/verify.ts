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
import { canonicalJson, haloError } from '../platform/index.js';
import { AnchorCheck, readAnchor } from './anchor.js';
import { realFiles } from './files.js';
import { Keyring } from './keyring.js';
import { verifySigned } from './keys.js';
import { forgery, readSnapshot, SNAPSHOT_FILE, type Snapshot } from './snapshot.js';
import { damage, listSegments, walk, type WalkEnd, type WalkStart } from './walk.js';

export interface LedgerSummary {
  readonly records: number;
  readonly kinds: Readonly<Partial<Record<RecordKind, number>>>;
  /** Lives of the bridge that have written something. */
  readonly epochs: number;
  readonly runIds: readonly string[];
  /** Oldest first; more than one where the key was rotated. */
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
  /** Sequence of the first record that was read: 1, or later when the archive is elsewhere. */
  readonly firstSeq: number;
  /** The record on which the snapshot stands; undefined when there is none. */
  readonly snapshotSeq: number | undefined;
}

/** Whoever judges again what the records say of a task; this room knows the chain alone. */
export interface LedgerReview {
  apply(record: LedgerRecord): Result<void>;
  /** What a snapshot at the last record would hold; undefined when that cannot be said. */
  state(): unknown;
}

/**
 * Where the archive is not in the folder, the reading begins at the snapshot.
 * Errors: HALO-701 (no ledger there), HALO-602 (does not hold), HALO-606 (newer format), HALO-609
 * (all records hold, and the snapshot does not); and what `task` says of a record.
 */
export async function verifyLedger(
  dir: string,
  task?: LedgerReview,
): Promise<Result<LedgerSummary>> {
  const files = realFiles;
  try {
    const segments = await listSegments(files, dir);
    if (segments.length === 0) {
      return fail(haloError('HALO-701', `${dir} holds no ledger.`, dir));
    }
    // Both before the records: a running bridge only adds to what they name.
    const anchor = await readAnchor(files, dir);
    if (!anchor.ok) return anchor;
    const found = await readSnapshot(files, dir);
    const snapshot = found !== undefined && 'hash' in found ? found : undefined;
    const from = segments[0]?.index === 1 ? undefined : startOf(snapshot);
    const review = new Review(snapshot, from !== undefined, task);
    const check = new AnchorCheck(anchor.value).begin(from?.head);
    const end = await walk(files, dir, { bodies: 'all', ...(from && { from }) }, (record) => {
      check.see(record);
      return review.see(record);
    });
    if (!end.ok) return end;
    const trouble = check.trouble(end.value.head);
    if (trouble !== undefined) return fail(damage(join(dir, 'boot-epoch'), trouble));
    if (found !== undefined && 'code' in found) return fail(found);
    const lie = review.snapshotTrouble();
    return lie === undefined ? ok(review.summary(end.value)) : fail(lie);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail(haloError('HALO-701', `The ledger cannot be read: ${reason}.`, dir));
  }
}

const startOf = (snapshot: Snapshot | undefined): WalkStart | undefined =>
  snapshot && { head: snapshot, segment: snapshot.segment };

/** What the chain cannot say: keys, signatures, frontiers, and whether the snapshot is of it. */
class Review {
  readonly #kinds = new Map<RecordKind, number>();
  readonly #keyring = new Keyring();
  readonly #runIds = new Set<string>();
  readonly #hashes = new Set<string>();
  readonly #snapshot: Snapshot | undefined;
  readonly #partial: boolean;
  readonly #task: LedgerReview | undefined;
  #snapshotMet: boolean;
  #records = 0;
  #epochs = 0;
  #lastEpoch = 0;
  #frames = 0;

  constructor(snapshot: Snapshot | undefined, partial: boolean, task: LedgerReview | undefined) {
    this.#task = task;
    this.#snapshot = snapshot;
    this.#partial = partial;
    this.#snapshotMet = partial || snapshot === undefined;
    if (partial && snapshot !== undefined) this.#keyring.restore(snapshot.keys);
  }

  /** Why the record does not hold; undefined when it does. */
  see(record: LedgerRecord): string | undefined {
    this.#records += 1;
    this.#kinds.set(record.kind, (this.#kinds.get(record.kind) ?? 0) + 1);
    if (record.epoch !== this.#lastEpoch) this.#epochs += 1;
    this.#lastEpoch = record.epoch;
    const reason = this.#keyring.learn(record) ?? this.#bodyTrouble(record);
    const applied = this.#task?.apply(record);
    if (reason === undefined && applied?.ok === false) return applied.error.message;
    if (record.seq === this.#snapshot?.seq) this.#snapshotMet = this.#isSnapshotOf(record);
    // By far the most records, and none of them can be a frontier.
    if (record.kind !== 'frames') this.#hashes.add(record.hash);
    return reason;
  }

  snapshotTrouble(): HaloError | undefined {
    const snapshot = this.#snapshot;
    if (snapshot === undefined) return undefined;
    if (!this.#snapshotMet) {
      const message = `The snapshot is not what the records up to ${snapshot.seq} come to.`;
      return haloError('HALO-609', message, SNAPSHOT_FILE);
    }
    const signer = this.#keyring.entries.find(({ keyId }) => keyId === snapshot.keyId);
    return forgery(snapshot, signer?.publicKey ?? '');
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
      keyIds: this.#keyring.entries.map(({ keyId }) => keyId),
      receipts: this.#kinds.get('receipt') ?? 0,
      frames: this.#frames,
      segments: end.segments,
      bytes: end.bytes,
      tornBytes: end.tornBytes,
      headSeq: end.head.seq,
      headHash: end.head.hash,
      firstSeq: end.head.seq - this.#records + 1,
      snapshotSeq: this.#snapshot?.seq,
    };
  }

  #isSnapshotOf(record: LedgerRecord): boolean {
    if (this.#snapshot === undefined) return false;
    const { hash, epoch, keys, state } = this.#snapshot;
    const folded = this.#task?.state() ?? state;
    return (
      hash === record.hash &&
      epoch === record.epoch &&
      canonicalJson(keys) === canonicalJson(this.#keyring.entries) &&
      canonicalJson(state) === canonicalJson(folded)
    );
  }

  #bodyTrouble({ kind, body }: LedgerRecord): string | undefined {
    const fields: Readonly<Record<string, unknown>> = isObject(body) ? body : {};
    switch (kind) {
      case 'frames':
        this.#frames += Array.isArray(fields['digests']) ? fields['digests'].length : 0;
        return undefined;
      case 'run-opened':
        if (typeof fields['runId'] === 'string') this.#runIds.add(fields['runId']);
        return undefined;
      case 'receipt':
        return this.#receiptTrouble(fields);
      default:
        return undefined;
    }
  }

  #receiptTrouble(body: Readonly<Record<string, unknown>>): string | undefined {
    const { keyId, signature, frontier } = body;
    if (typeof keyId !== 'string' || typeof signature !== 'string') {
      return 'the receipt is not signed';
    }
    const signer = this.#keyring.entries.at(-1);
    if (signer?.keyId !== keyId) {
      const known = this.#keyring.entries.some((entry) => entry.keyId === keyId);
      return known
        ? `its key ${keyId} was replaced before it`
        : `no opening before it names its key ${keyId}`;
    }
    // The signature covers all other members, whatever they are; it holds or it does not.
    if (!verifySigned({ ...body, keyId, signature }, signer.publicKey)) {
      return 'its signature does not hold';
    }
    const known = typeof frontier === 'string' && this.#hashes.has(frontier);
    // Of what is in an archive elsewhere only the last hash is here.
    return known || this.#partial ? undefined : 'its frontier is no record before it';
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
