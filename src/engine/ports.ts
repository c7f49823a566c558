/**
 * What the engine needs from the rooms that touch the machine. Enters: nothing. Leaves: types.
 * Never: a way to the vehicle beside the actuation port, which goes to the gate.
 */
import type {
  HaloError,
  LedgerRecord,
  Receipt,
  ReceiptBody,
  RecordKind,
} from '../contract/index.js';
import type { MavlinkLink } from '../link/index.js';

/** The MAVLink side, as src/link gives it. */
export type EngineLink = Pick<
  MavlinkLink,
  | 'drain'
  | 'sendService'
  | 'beat'
  | 'stopped'
  | 'takeDiscontinuity'
  | 'claimActuationPort'
  | 'vehicleSystemId'
  | 'identity'
  | 'lossPercent'
>;

/** The ledger side, as src/ledger gives it. */
export interface EngineLedger {
  append(kind: RecordKind, body: unknown): LedgerRecord;
  signReceipt(body: ReceiptBody): Receipt;
  readonly durableSeq: number;
  readonly bootEpoch: number;
  /** As the folder shows it now; higher than ours when another life has opened it since. */
  currentEpoch(): number;
  readonly poisoned: HaloError | undefined;
}
