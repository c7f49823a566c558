/**
 * What one dispatch is bound to, and the lease it is drawn from. Enters: nothing. Leaves: types.
 * Never: a binding that leaves out something that goes on the wire.
 */
import type { Code } from './codes.js';
import type { Epochs } from './evidence.js';

/** A MAVLink message before encoding: wire names in snake_case, units of the MAVLink XML. */
export interface WireMessage {
  readonly name: string;
  readonly fields: Readonly<Record<string, number | bigint | string | readonly number[]>>;
}

export type Authority = 'agent' | 'guardian';

/** Everything that makes one frame this frame. The gate keeps a copy and compares all of it. */
export interface Binding {
  readonly runId: string;
  readonly bootEpoch: number;
  readonly generation: number;
  readonly componentId: string;
  readonly componentDigest: string;
  readonly catalogDigest: string;
  readonly leaseId: string;
  /** Rises by one for each frame of the run. */
  readonly sequence: number;
  readonly targetSystem: number;
  readonly epochs: Epochs;
  /** SHA-256 over the canonical JSON of all the above but the sequence; the ledger has it too. */
  readonly leaseDigest: string;
  readonly messageId: number;
  /** SHA-256 over message id (uint24, little endian) and payload bytes, before truncation. */
  readonly wireDigest: string;
}

export interface LeaseView {
  readonly id: string;
  readonly componentId: string;
  readonly authority: Authority;
  readonly state: 'active' | 'ended';
  readonly endReason?: LeaseEnd;
  readonly framesAllowed: number;
  readonly framesDrawn: number;
  readonly grantedUs: number;
  readonly deadlineUs: number;
}

export interface LeaseEnd {
  readonly code: Code | 'done' | 'handed-over' | 'shutdown';
  readonly message: string;
}
