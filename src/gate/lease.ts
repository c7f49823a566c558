/**
 * Leases: the bounded right of one admitted effect to draw tokens.
 * Enters: a grant. Leaves: a lease that ends by itself. Never: a lease that comes back.
 *
 *   grant ──► active ──► ended (done | handed over | frames | deadline | support | epoch | …)
 */
import type {
  Authority,
  Binding,
  Envelope,
  EpochKind,
  Epochs,
  LeaseEnd,
  LeaseView,
  Legs,
  Place,
  SentPoint,
} from '../contract/index.js';

/** What admission or the guardian hands to the gate. Nothing in it is an agent’s unchecked word. */
export interface Grant {
  readonly componentId: string;
  readonly componentDigest: string;
  readonly kind: string;
  readonly authority: Authority;
  readonly generation: number;
  readonly catalogDigest: string;
  /** The frames that this effect may send, and nothing else. */
  readonly envelope: Envelope;
  readonly framesAllowed: number;
  readonly deadlineUs: number;
  /** Epochs at the decision, and which of them void the lease when they move. */
  readonly epochs: Epochs;
  readonly boundEpochs: readonly EpochKind[];
}

export interface Lease {
  readonly id: string;
  readonly grant: Grant;
  readonly grantedUs: number;
  /** Of the canonical binding of all its frames: see Binding.leaseDigest. */
  readonly bindingDigest: string;
  /** Ledger sequence of the lease-granted record: no frame before it is durable. */
  intentSeq: number;
  framesDrawn: number;
  /** The last setpoint that left: the next may lead on from it, no faster than admitted. */
  lastPoint: SentPoint | undefined;
  /** The admitted legs in their order, for an effect that sends positions, and how far it is. */
  readonly legs: Legs | undefined;
  place: Place;
  /** When the first frame that asks for a velocity left; it may last as long as admitted. */
  movingSinceUs: number | undefined;
  end: LeaseEnd | undefined;
}

/** One frame with its single-use token, between minting and dispatch in the same turn. */
export interface MintedFrame {
  readonly token: string;
  readonly binding: Binding;
  readonly messageId: number;
  readonly payload: Uint8Array;
  /** Where it leads, for a setpoint. */
  readonly point: SentPoint | undefined;
  /** How far along the admitted legs that is; undefined when it is not next on them. */
  readonly place: Place | undefined;
  /** It asks for a velocity other than none. */
  readonly moves: boolean;
}

export const leaseView = (lease: Lease): LeaseView => ({
  id: lease.id,
  componentId: lease.grant.componentId,
  authority: lease.grant.authority,
  state: lease.end === undefined ? 'active' : 'ended',
  ...(lease.end === undefined ? {} : { endReason: lease.end }),
  framesAllowed: lease.grant.framesAllowed,
  framesDrawn: lease.framesDrawn,
  grantedUs: lease.grantedUs,
  deadlineUs: lease.grant.deadlineUs,
});
