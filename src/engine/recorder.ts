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

/** What says that something has been recorded: it is not told before a power cut would leave it. */
const CLAIMS: ReadonlySet<EngineEvent['type']> = new Set([
  'receipt',
  'receipt-refused',
  'task',
  'response-ended',
]);

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
  /** Claims in their order, each with the last record that it rests on. */
  readonly #untold: { readonly seq: number; readonly event: EngineEvent }[] = [];
  #lastSeq = 0;
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

  /** Tells at once, a claim as soon as its records are durable. */
  emit(event: EngineEvent): void {
    if (!CLAIMS.has(event.type)) return this.#tell(event);
    this.#untold.push({ seq: this.#lastSeq, event });
    this.tellDurable();
  }

  /**
   * Tells the claims whose records have become durable since. On a poisoned ledger nothing becomes
   * durable any more: receipts are never told then, and that responses have ended is.
   */
  tellDurable(): void {
    const { durableSeq, poisoned } = this.#ledger;
    for (let next = this.#untold[0]; next !== undefined; next = this.#untold[0]) {
      const durable = next.seq <= durableSeq;
      if (!durable && poisoned === undefined) return;
      this.#untold.shift();
      if (durable || next.event.type === 'response-ended') this.#tell(next.event);
    }
  }

  /** True when no claim waits for the disk. */
  get allTold(): boolean {
    return this.#untold.length === 0;
  }

  #tell(event: EngineEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  /** The task's state follows the ledger record by record, live as after a restart. */
  append(kind: RecordKind, body: unknown): LedgerRecord {
    const record = this.write(kind, body);
    const applied = this.#tracker.apply(record);
    assert(applied.ok, `a ${kind} record of our own fits the task’s state`);
    return record;
  }

  /** For records that the task's state itself writes, and applies by itself. */
  write(kind: RecordKind, body: unknown): LedgerRecord {
    const record = this.#ledger.append(kind, body);
    this.#lastSeq = record.seq;
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
