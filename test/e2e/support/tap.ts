/**
 * Bridge and vehicle with a tap of other origin between them.
 * Enters: a stage. Leaves: running processes, and all that the bridge sent as pymavlink read it.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Started } from '../../px4/sim-process.js';
import { freePort, type Stage } from './stage.js';

/** One frame of the bridge on the wire. */
export interface Tapped {
  /** Monotonic clock of the machine, which the bridge uses as well; when the kernel had it. */
  readonly atUs: number;
  readonly name: string;
  readonly id: number;
  readonly sequence: number;
  readonly system: number;
  readonly component: number;
  readonly version: number;
  readonly flags: number;
  readonly digest: string;
  readonly command?: number;
  /** Null stands for NaN. */
  readonly params?: readonly (number | null)[];
  readonly ned?: readonly [number, number, number];
  readonly target?: readonly [number, number];
}

/** An event of the vehicle. */
export interface TappedEvent {
  readonly atUs: number;
  readonly event: number;
}

export interface Wire {
  readonly vehicle: Started;
  readonly tap: Started;
  readonly url: string;
  frames(): readonly Tapped[];
  events(): readonly TappedEvent[];
}

/** What may leave without a lease: it asks or tells, and changes nothing but reports. */
const SERVICE = new Set([
  'HEARTBEAT',
  'TIMESYNC',
  'PING',
  'PARAM_REQUEST_READ',
  'PARAM_REQUEST_LIST',
]);
const SERVICE_COMMANDS = new Set<unknown>([401, 511, 512]);

export const isActuation = ({ name, command }: Tapped): boolean =>
  name === 'COMMAND_LONG' ? !SERVICE_COMMANDS.has(command) : !SERVICE.has(name);

/** The vehicle sends to the tap, the tap to the bridge, which listens at `url`. */
export async function tapped(stage: Stage, simOptions: readonly string[] = []): Promise<Wire> {
  const [local, remote, bridge] = [await freePort(), await freePort(), await freePort()];
  const file = join(stage.dir, 'tap.jsonl');
  const script = join(import.meta.dirname, 'tap.py');
  const ports = [remote, local, bridge].map(String);
  const tap = stage.python(script, [...ports, file]);
  await tap.line((line) => line['ready'] === true, 10_000);
  const vehicle = stage.vehicle({ local, remote }, simOptions);
  await vehicle.line((line) => line['event'] === 'listening', 10_000);
  const lines = (): readonly (Tapped | TappedEvent)[] =>
    readFileSync(file, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Tapped | TappedEvent); // The script above wrote it.
  return {
    vehicle,
    tap,
    url: `udpin://127.0.0.1:${bridge}`,
    frames: () => lines().filter((line): line is Tapped => 'digest' in line),
    events: () => lines().filter((line): line is TappedEvent => 'event' in line),
  };
}
