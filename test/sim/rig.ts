/**
 * A pilot for tests: one autopilot on a virtual clock, and the words to fly it with.
 * Every message crosses as frames, so that what a test reads is what a peer would read.
 */
import {
  Autopilot,
  eventId,
  FrameReader,
  FrameWriter,
  type Fields,
  type IncomingMessage,
} from '../../sim/autopilot/index.js';
import { VirtualClock } from '../../sim/virtual-clock.js';
import { seededRandom } from '../../src/platform/index.js';
import { encodeFrame, encodePayload, messageInfoByName } from '../../src/link/index.js';

export const HOME = { latitudeDeg: 47.397742, longitudeDeg: 8.545594, altitudeM: 488 };
export const RESULT = { accepted: 0, temporarilyRejected: 1, denied: 2, unsupported: 3, failed: 4 };
export const MODE = {
  posctl: 0x00030000,
  altctl: 0x00020000,
  offboard: 0x00060000,
  takeoff: 0x02040000,
  hold: 0x03040000,
  mission: 0x04040000,
  return: 0x05040000,
  land: 0x06040000,
  termination: 0x000a0000,
};
/** SET_POSITION_TARGET_LOCAL_NED type masks: only position, only velocity. */
export const POSITION_ONLY = 0b100111111000;
export const VELOCITY_ONLY = 0b110111000111;
const SECOND = 1_000_000;

export interface Heard extends IncomingMessage {
  readonly atS: number;
}

export class Rig {
  readonly clock = new VirtualClock();
  readonly autopilot: Autopilot;
  readonly heard: Heard[] = [];
  private readonly events = new Map<number, number>();
  private readonly latest = new Map<string, Heard>();
  private readonly reader = new FrameReader();
  private readonly writer: FrameWriter;
  private sequence = 0;
  private stopStream: (() => void) | undefined;

  constructor(
    options: Partial<ConstructorParameters<typeof Autopilot>[0]> & { seed?: number } = {},
  ) {
    const { seed = 1, ...rest } = options;
    this.autopilot = new Autopilot({
      systemId: 1,
      home: HOME,
      random: seededRandom(seed),
      noise: 0,
      ...rest,
    });
    this.writer = new FrameWriter(this.autopilot.systemId);
    this.clock.every(4_000, (nowUs) => {
      for (const message of this.autopilot.step(nowUs)) {
        for (const read of this.reader.read(this.writer.frame(message))) {
          const heard = { ...read, atS: nowUs / SECOND };
          this.heard.push(heard);
          this.latest.set(heard.name, heard);
          if (heard.name === 'EVENT') this.events.set(Number(heard.fields['id']), heard.atS);
        }
      }
    });
  }

  get timeS(): number {
    return this.clock.nowUs() / SECOND;
  }

  run(seconds: number): void {
    this.clock.advance(Math.round(seconds * SECOND));
  }

  /** Seconds until `done`, or an error that says what did not come. */
  until(what: string, done: () => boolean, limitS: number): number {
    const from = this.timeS;
    if (!this.clock.advanceUntil(done, limitS * SECOND, 4_000)) {
      throw new Error(`${what} did not happen within ${limitS} s; mode ${this.mode.toString(16)}`);
    }
    return this.timeS - from;
  }

  send(name: string, fields: Fields, from: { system?: number; component?: number } = {}): void {
    const encoded = encodePayload({ name, fields }, { allowNaN: new Set(Object.keys(fields)) });
    const info = messageInfoByName(name);
    if (!encoded.ok || info === undefined) throw new Error(`${name}: ${JSON.stringify(encoded)}`);
    this.sequence = (this.sequence + 1) & 0xff;
    this.autopilot.receive(
      encodeFrame({
        sequence: this.sequence,
        systemId: from.system ?? 1,
        componentId: from.component ?? 191,
        messageId: encoded.id,
        payload: encoded.payload,
        crcExtra: info.crcExtra,
      }),
      this.clock.nowUs(),
    );
  }

  command(id: number, params: readonly number[] = [], target: [number, number] = [1, 1]): void {
    const fields: Record<string, number> = {
      command: id,
      confirmation: 0,
      target_system: target[0],
      target_component: target[1],
    };
    for (let i = 0; i < 7; i += 1) fields[`param${i + 1}`] = params[i] ?? 0;
    this.send('COMMAND_LONG', fields);
  }

  /** Sends a command and returns the results that were acknowledged within 0.1 s. */
  ask(id: number, params: readonly number[] = [], target: [number, number] = [1, 1]): number[] {
    const from = this.heard.length;
    this.command(id, params, target);
    this.run(0.1);
    return this.heard
      .slice(from)
      .filter((m) => m.name === 'COMMAND_ACK' && m.fields['command'] === id)
      .map((m) => Number(m.fields['result']));
  }

  setMode(main: number, sub = 0): number[] {
    return this.ask(176, [1, main, sub]);
  }

  arm(): number[] {
    return this.ask(400, [1]);
  }

  setpoint(fields: Fields = {}): void {
    this.send('SET_POSITION_TARGET_LOCAL_NED', {
      time_boot_ms: 0,
      target_system: 1,
      target_component: 1,
      coordinate_frame: 1,
      type_mask: POSITION_ONLY,
      x: 0,
      y: 0,
      z: 0,
      vx: 0,
      vy: 0,
      vz: 0,
      afx: 0,
      afy: 0,
      afz: 0,
      yaw: 0,
      yaw_rate: 0,
      ...fields,
    });
  }

  /** Sends a setpoint now and again at `rateHz`, until the next call or `silence`. */
  stream(fields: Fields, rateHz = 20): void {
    this.silence();
    this.setpoint(fields);
    this.stopStream = this.clock.every(SECOND / rateHz, () => {
      this.setpoint(fields);
    });
  }

  silence(): void {
    this.stopStream?.();
    this.stopStream = undefined;
  }

  heartbeat(type: number, from: { system?: number; component?: number } = {}): void {
    this.send(
      'HEARTBEAT',
      { custom_mode: 0, type, autopilot: 8, base_mode: 0, system_status: 4, mavlink_version: 3 },
      from,
    );
  }

  last(name: string): Heard {
    const found = this.latest.get(name);
    if (found === undefined) throw new Error(`no ${name} was heard`);
    return found;
  }

  number(name: string, field: string): number {
    return Number(this.last(name).fields[field]);
  }

  count(name: string, fromS: number, toS: number): number {
    return this.heard.filter((m) => m.name === name && m.atS > fromS && m.atS <= toS).length;
  }

  /** When an event was last heard, in seconds; undefined: never. */
  eventAt(name: string): number | undefined {
    return this.events.get(eventId(name));
  }

  /** The mode the vehicle is in, as HEARTBEAT would say it now. */
  get mode(): number {
    return this.latest.get('HEARTBEAT') === undefined ? 0 : this.number('HEARTBEAT', 'custom_mode');
  }

  get state(): string {
    return this.autopilot.status().mode;
  }

  get ready(): boolean {
    const status = this.latest.get('SYS_STATUS');
    return (Number(status?.fields['onboard_control_sensors_health'] ?? 0) & 0x10000000) !== 0;
  }

  get altitudeM(): number {
    return 0 - this.autopilot.truth().positionNedM.d;
  }

  get armed(): boolean {
    return this.autopilot.status().armed;
  }

  get landed(): boolean {
    return this.autopilot.status().landed;
  }

  /** Boots until the pre-arm check passes. */
  boot(): this {
    this.until('the pre-arm check', () => this.ready, 8);
    return this;
  }

  /** Boots, streams a position 3 m up and holds there in OFFBOARD. */
  flying(at: Fields = { z: -3 }): this {
    this.boot();
    this.stream(at);
    this.run(0.3);
    this.setMode(6);
    this.arm();
    this.until('the climb', () => Math.abs(this.altitudeM + Number(at['z'])) < 0.3, 20);
    this.run(2);
    return this;
  }
}
