/**
 * A client for tests: one simulated Crazyflie on virtual time, and the bytes to speak to it with.
 * In: packets as a client would write them. Out: what comes back, and the truth.
 */
import { Crazyflie, type CrazyflieOptions } from '../../../sim/crazyflie/index.js';
import { decodeCrtp, encodeCrtp, PORT, type CrtpPacket } from '../../../src/link/index.js';

export const BIT = { canBeArmed: 0, armed: 1, flying: 4, tumbled: 5, locked: 6, crashed: 7 };

/** Packed little-endian fields: f float, h i16, H u16, I u32, B u8. */
export function packed(
  ...fields: readonly (readonly [kind: 'f' | 'h' | 'H' | 'I' | 'B', value: number])[]
): Uint8Array {
  const size = { f: 4, h: 2, H: 2, I: 4, B: 1 };
  const view = new DataView(new ArrayBuffer(fields.reduce((sum, [kind]) => sum + size[kind], 0)));
  let at = 0;
  for (const [kind, value] of fields) {
    if (kind === 'f') view.setFloat32(at, value, true);
    if (kind === 'h') view.setInt16(at, value, true);
    if (kind === 'H') view.setUint16(at, value, true);
    if (kind === 'I') view.setUint32(at, value, true);
    if (kind === 'B') view.setUint8(at, value);
    at += size[kind];
  }
  return new Uint8Array(view.buffer);
}

const floats = (type: number, ...values: readonly number[]): Uint8Array =>
  packed(['B', type], ...values.map((value) => ['f', value] as const));

export class CrazyflieRig {
  readonly vehicle: Crazyflie;
  readonly heard: CrtpPacket[] = [];
  nowUs = 0;

  constructor(options: Partial<CrazyflieOptions> = {}) {
    this.vehicle = new Crazyflie({ model: '2.1', protocol: 12, positioning: 'deck', ...options });
  }

  /** Sends one packet and returns what comes back at once. */
  ask(port: number, channel: number, data: Uint8Array | readonly number[]): CrtpPacket[] {
    this.vehicle.receive(encodeCrtp({ port, channel, data: Uint8Array.from(data) }));
    return this.collect();
  }

  collect(): CrtpPacket[] {
    const packets = this.vehicle.drain().flatMap((bytes) => decodeCrtp(bytes) ?? []);
    this.heard.push(...packets);
    return packets;
  }

  /** Lets time pass; `feed` is called every 100 ms. */
  pass(seconds: number, feed: () => void = () => undefined): void {
    const endUs = this.nowUs + Math.round(seconds * 1e6);
    while (this.nowUs < endUs) {
      feed();
      this.nowUs = Math.min(this.nowUs + 100_000, endUs);
      this.vehicle.step(this.nowUs);
      this.collect();
    }
  }

  has(bit: keyof typeof BIT): boolean {
    return ((this.vehicle.truth().bits >> BIT[bit]) & 1) === 1;
  }

  arm(on = true): Uint8Array | undefined {
    return this.ask(PORT.supervisor, 1, [1, on ? 1 : 0])[0]?.data;
  }

  takeoff(zM: number, durationS: number): number | undefined {
    const data = packed(['B', 7], ['B', 0], ['f', zM], ['f', 0], ['B', 1], ['f', durationS]);
    return this.ask(PORT.highLevel, 0, data)[0]?.data[3];
  }

  land(durationS: number): number | undefined {
    const data = packed(['B', 8], ['B', 0], ['f', 0], ['f', 0], ['B', 1], ['f', durationS]);
    return this.ask(PORT.highLevel, 0, data)[0]?.data[3];
  }

  goTo(x: number, y: number, z: number, yawRad: number, durationS: number): number | undefined {
    const data = packed(
      ['B', 12],
      ['B', 0],
      ['B', 0],
      ['B', 0],
      ['f', x],
      ['f', y],
      ['f', z],
      ['f', yawRad],
      ['f', durationS],
    );
    return this.ask(PORT.highLevel, 0, data)[0]?.data[3];
  }

  stream(type: number, ...values: readonly number[]): void {
    this.ask(PORT.setpoint, 0, floats(type, ...values));
  }

  notifyStop(): void {
    this.ask(PORT.setpoint, 1, [0, 0, 0, 0, 0]);
  }

  /** In the air by the high-level commander, one metre up. */
  airborne(): void {
    this.pass(0.5);
    if (!this.has('armed')) this.arm();
    this.takeoff(1, 2);
    this.pass(3);
  }
}
