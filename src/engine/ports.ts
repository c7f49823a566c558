/**
 * What the engine needs from the rooms that touch the machine. Enters: nothing. Leaves: types.
 * Never: a way to the vehicle beside the actuation port, which goes to the gate.
 */
import type {
  HaloError,
  Receipt,
  ReceiptBody,
  RecordKind,
  Result,
  WireMessage,
} from '../contract/index.js';
import type { ActuationPort, ReceivedMessage } from '../link/index.js';

/** The MAVLink side, as src/link gives it. */
export interface EngineLink {
  /** Messages of the bound vehicle since the last call. */
  drain(nowUs: number): readonly ReceivedMessage[];
  /** Read-only requests: intervals, time synchronisation, metadata. */
  sendService(message: WireMessage): Result<unknown>;
  /** Our heartbeat: called after a completed tick, so that it tells of the deciding loop. */
  beat(nowUs: number): void;
  claimActuationPort(): ActuationPort;
  readonly vehicleSystemId: number | undefined;
  readonly lossPercent: number;
}

/** The ledger side, as src/ledger gives it. */
export interface EngineLedger {
  append(kind: RecordKind, body: unknown): { readonly seq: number; readonly hash: string };
  signReceipt(body: ReceiptBody): Receipt;
  readonly durableSeq: number;
  readonly bootEpoch: number;
  readonly poisoned: HaloError | undefined;
}
