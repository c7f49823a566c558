/**
 * Ledger records as they lie in the file. Enters: nothing. Leaves: kinds and types.
 * Never: a record kind that a reader of an older ledger would have to guess.
 */
export const RECORD_KINDS = [
  'run-opened',
  'epoch-opened',
  'contract-bound',
  'response-received',
  'response-refused',
  'verdict',
  'obligation-localized',
  'approval',
  'lease-granted',
  'frames',
  'lease-ended',
  'receipt',
  'receipt-refused',
  'state-advanced',
  'obligation-voided',
  'vehicle-epoch',
  'guardian-action',
  'checkpoint',
  'rollback-decision',
  'key-rotated',
  'run-closed',
] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

export interface LedgerRecord {
  /** Format version of this record. */
  readonly v: 1;
  readonly seq: number;
  /** Boot epoch: which life of the bridge wrote it. */
  readonly epoch: number;
  /** Monotonic time of that life. */
  readonly tUs: number;
  /** Wall clock, for people; nothing is decided by it. */
  readonly wallMs: number;
  readonly kind: RecordKind;
  readonly body: unknown;
  /** Hash of the record before; 64 zeros for the first. */
  readonly prev: string;
  /** SHA-256 of the canonical JSON of all the fields above. */
  readonly hash: string;
}
