/**
 * Tells the ledger and the listeners what happened, in one place, so that neither knows more
 * than the other. Enters: facts of the tick. Leaves: records and events.
 * Never: a decision.
 */
import type { EngineEvent, LeaseEnd, LedgerRecord, RecordKind } from '../contract/index.js';
import { leaseView, type Dispatch, type Lease } from '../gate/index.js';
import { assert } from '../platform/index.js';
import type { TaskTracker } from '../recovery/index.js';
import type { EngineLedger } from './ports.js';

/** A batch of frame digests is written when it has this many, or when its lease ends. */
const FRAMES_PER_RECORD = 50;

interface FrameBatch {
  first: number;
  last: number;
  digests: string[];
}

export class Recorder {
  readonly #ledger: EngineLedger;
  readonly #tracker: TaskTracker;
  readonly #listeners = new Set<(event: EngineEvent) => void>();
  readonly #batches = new Map<string, FrameBatch>();
  #dispatched = 0;
  #receipts = 0;

  constructor(ledger: EngineLedger, tracker: TaskTracker) {
    this.#ledger = ledger;
    this.#tracker = tracker;
  }

  get framesDispatched(): number {
    return this.#dispatched;
  }

  listen(listener: (event: EngineEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  emit(event: EngineEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** The task's state follows the ledger record by record, live as after a restart. */
  append(kind: RecordKind, body: unknown): LedgerRecord {
    const record = this.#ledger.append(kind, body);
    const applied = this.#tracker.apply(record);
    assert(applied.ok, `a ${kind} record of our own fits the task’s state`);
    return record;
  }

  /** Ids of receipts are unique across lives: they carry the boot epoch. */
  nextReceiptId(): string {
    this.#receipts += 1;
    return `rc-${this.#ledger.bootEpoch}-${this.#receipts}`;
  }

  /** The intent: durable before the first frame of the lease may leave. */
  leaseGranted(lease: Lease): number {
    const { grant } = lease;
    const { seq } = this.append('lease-granted', {
      leaseId: lease.id,
      componentId: grant.componentId,
      componentDigest: grant.componentDigest,
      kind: grant.kind,
      authority: grant.authority,
      generation: grant.generation,
      framesAllowed: grant.framesAllowed,
      deadlineUs: grant.deadlineUs,
      epochs: grant.epochs,
      boundEpochs: grant.boundEpochs,
      targetSystem: grant.envelope.targetSystem,
      bindingDigest: lease.bindingDigest,
    });
    this.emit({ type: 'lease', lease: leaseView(lease) });
    return seq;
  }

  frame(dispatch: Dispatch): void {
    this.#dispatched += 1;
    const batch = this.#batches.get(dispatch.leaseId);
    if (batch === undefined) {
      const { sequence } = dispatch;
      this.#batches.set(dispatch.leaseId, {
        first: sequence,
        last: sequence,
        digests: [dispatch.wireDigest],
      });
      return;
    }
    batch.last = dispatch.sequence;
    batch.digests.push(dispatch.wireDigest);
    if (batch.digests.length >= FRAMES_PER_RECORD) this.#writeBatch(dispatch.leaseId);
  }

  leaseEnded(lease: Lease, end: LeaseEnd): void {
    this.#writeBatch(lease.id);
    this.append('lease-ended', {
      leaseId: lease.id,
      componentId: lease.grant.componentId,
      code: end.code,
      message: end.message,
      framesDrawn: lease.framesDrawn,
    });
    this.emit({ type: 'lease', lease: leaseView(lease) });
  }

  #writeBatch(leaseId: string): void {
    const batch = this.#batches.get(leaseId);
    if (batch === undefined) return;
    this.#batches.delete(leaseId);
    this.append('frames', { leaseId, ...batch });
  }
}
