/**
 * What this run has authorized and begun, as the ledger has it: admissions, leases, receipts.
 * Enters: facts from records. Leaves: what a receipt must answer to, and which effects hang in the
 * air. Never: a judgement. Its size is bounded by the contract's attempts and components.
 */
import type { LedgerRecord, Receipt } from '../contract/index.js';
import type { Admission, Execution } from './conditions.js';
import type { AdmittedEntry, LeaseEnded } from './record-bodies.js';
import type { EffectsState } from './tracker-state.js';

type Key = Pick<Receipt, 'generation' | 'componentDigest'>;

interface LeaseEntry extends Execution {
  readonly key: string;
  end: string | undefined;
  receipted: boolean;
}

const keyOf = ({ generation, componentDigest }: Key): string => `${generation}/${componentDigest}`;

/**
 * Ends of a lease whose effect nobody saw in time: the machine's own time-out, or the lease's
 * deadline, when something had been sent by then.
 */
export const endsUnseen = ({ code, framesDrawn }: LeaseEnded): boolean =>
  code === 'HALO-510' || (code === 'HALO-404' && framesDrawn !== 0);

/** Or it was seen, and the process ended before the receipt was on disk; or no end is known. */
const mayStand = (end: string | undefined): boolean =>
  end === undefined || end === 'done' || end === 'unseen';

export class Effects {
  readonly #admissions = new Map<string, Admission>();
  readonly #leases = new Map<string, LeaseEntry>();
  readonly #receiptIds = new Set<string>();

  /** For a snapshot of the ledger. */
  exported(): EffectsState {
    return {
      admissions: [...this.#admissions],
      leases: [...this.#leases].map(([id, { end, ...lease }]) => [
        id,
        end === undefined ? lease : { ...lease, end },
      ]),
      receiptIds: [...this.#receiptIds],
    };
  }

  restore({ admissions, leases, receiptIds }: EffectsState): void {
    for (const [key, admission] of admissions) this.#admissions.set(key, admission);
    for (const [id, lease] of leases) this.#leases.set(id, { ...lease, end: lease.end });
    for (const id of receiptIds) this.#receiptIds.add(id);
  }

  admitted(generation: number, entries: readonly AdmittedEntry[], record: LedgerRecord): void {
    for (const entry of entries) {
      const key = keyOf({ generation, componentDigest: entry.componentDigest });
      this.#admissions.set(key, { ...entry, epoch: record.epoch, atUs: record.tUs });
    }
  }

  granted(lease: Key & { readonly leaseId: string }, record: LedgerRecord): void {
    this.#leases.set(lease.leaseId, {
      key: keyOf(lease),
      epoch: record.epoch,
      atUs: record.tUs,
      end: undefined,
      receipted: false,
    });
  }

  /** `unknown` when the effect may have happened and will not get a receipt by itself. */
  ended(ended: LeaseEnded): 'known' | 'unknown' {
    const lease = this.#leases.get(ended.leaseId);
    if (lease === undefined) return 'known';
    lease.end = endsUnseen(ended) ? 'unseen' : ended.code;
    return lease.end === 'unseen' && !lease.receipted ? 'unknown' : 'known';
  }

  settled(receipt: Receipt): void {
    this.#receiptIds.add(receipt.id);
    const key = keyOf(receipt);
    for (const lease of this.#leases.values()) if (lease.key === key) lease.receipted = true;
  }

  seen(receiptId: string): boolean {
    return this.#receiptIds.has(receiptId);
  }

  admission(receipt: Key): Admission | undefined {
    return this.#admissions.get(keyOf(receipt));
  }

  execution(receipt: Key): Execution | undefined {
    const key = keyOf(receipt);
    for (const lease of this.#leases.values()) if (lease.key === key) return lease;
    return undefined;
  }

  admissionOfLease(leaseId: string): Admission | undefined {
    const lease = this.#leases.get(leaseId);
    return lease && this.#admissions.get(lease.key);
  }

  /** Leases whose effect may have happened and has no receipt. */
  inFlight(): readonly string[] {
    return [...this.#leases]
      .filter(([, { end, receipted }]) => !receipted && mayStand(end))
      .map(([leaseId]) => leaseId);
  }

  /** With the process all leases end; what they left open has been marked by then. */
  endLife(): void {
    this.#leases.clear();
  }
}
