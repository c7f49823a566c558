/**
 * Receipts ρ: signed statements of observed effects. Enters: nothing. Leaves: types.
 * Never: a receipt that rests on an acknowledgement or on the agent's word.
 */
import type { EvidenceDatum } from './evidence.js';

/** What was seen, in the words of the evidence: only what the completion test looked at. */
export type Observed = Readonly<Record<string, EvidenceDatum>>;

export interface ReceiptBody {
  readonly id: string;
  readonly runId: string;
  /** Hash of the ledger record before the effect's completion: the frontier it is bound to. */
  readonly frontier: string;
  readonly generation: number;
  readonly componentId: string;
  readonly kind: string;
  readonly componentDigest: string;
  /** The component's hint, if it gave one. */
  readonly fulfils?: string;
  /** The one open obligation of the contract that it closes; absent when it closes none. */
  readonly obligation?: string;
  /** `observed` for effects, `delivered` for utterances. */
  readonly outcome: 'observed' | 'delivered';
  /** True when the state was there already and no frame was sent (ensure-step). */
  readonly ensured: boolean;
  readonly observed: Observed;
  /** SHA-256 of the canonical JSON of the evidence snapshot on which it was observed. */
  readonly evidenceDigest: string;
  readonly snapshotId: string;
  /** Monotonic, of this boot epoch. */
  readonly observedUs: number;
  readonly bootEpoch: number;
}

export interface Receipt extends ReceiptBody {
  readonly keyId: string;
  /** Ed25519 over the canonical JSON of the body, base64. */
  readonly signature: string;
}
