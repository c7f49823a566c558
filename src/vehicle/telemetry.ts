/** Skeleton. */
import type { EvidenceValue, VehicleSign } from '../contract/index.js';
import type { Received } from './received.js';

/** COMMAND_ACK of the autopilot, meant for us or for everybody. */
export interface CommandAck {
  /** MAV_CMD */
  readonly command: number;
  /** MAV_RESULT: 0 accepted, 1 temporarily rejected, 2 denied, 3 unsupported, 4 failed, 5 in progress. */
  readonly result: number;
  readonly receivedUs: number;
}

export interface TelemetryOptions {
  readonly vehicleSystem: number;
  /** Our own ids: an ACK for somebody else is not ours. */
  readonly ownSystem: number;
  readonly ownComponent: number;
}

export interface TelemetryBatch {
  readonly values: readonly EvidenceValue[];
  readonly acks: readonly CommandAck[];
  readonly reasons: readonly string[];
  readonly signs: readonly VehicleSign[];
}

export class Telemetry {
  constructor(_options: TelemetryOptions) {}
  ingest(_received: Received): void {}
  /** Everything since the last call. */
  drain(): TelemetryBatch {
    return { values: [], acks: [], reasons: [], signs: [] };
  }
  /** The failing pre-arm checks as the autopilot last told them. */
  get armingChecks(): readonly string[] {
    return [];
  }
}
