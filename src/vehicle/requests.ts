/** Skeleton. */
import type { WireMessage } from '../contract/index.js';
import type { CommandAck } from './telemetry.js';

export interface HousekeepingOptions {
  readonly targetSystem: number;
}
/** Service messages (no actuation): message rates, one-off requests, time synchronisation. */
export class Housekeeping {
  constructor(_options: HousekeepingOptions) {}
  /** After connecting, after a reboot, after a lost link: asks for everything again. */
  restart(): void {}
  step(_nowUs: number, _acks: readonly CommandAck[] = []): readonly WireMessage[] {
    return [];
  }
}
