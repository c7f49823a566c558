import { describe, expect, it } from 'vitest';
import { LossyChannel, LossyLink, type Trouble } from '../../sim/lossy-link.js';
import { VirtualClock } from '../../sim/virtual-clock.js';
import { VirtualVehicle } from '../../sim/virtual-vehicle.js';
import { MavlinkLink } from '../../src/link/index.js';
import { seededRandom } from '../../src/platform/index.js';
import { HOME } from './rig.js';

const SEED = 11;

/** Sends 1000 numbered datagrams, one a millisecond, and returns what arrived. */
function send(trouble: Trouble, seed = SEED): { channel: LossyChannel; arrived: Uint8Array[] } {
  const channel = new LossyChannel(seededRandom(seed), trouble);
  const arrived: Uint8Array[] = [];
  for (let i = 0; i < 2_000; i += 1) {
    if (i < 1_000) channel.send(Uint8Array.of(i >> 8, i & 0xff), i * 1_000);
    arrived.push(...channel.receive(i * 1_000));
  }
  return { channel, arrived };
}

const numbers = (datagrams: readonly Uint8Array[]): number[] =>
  datagrams.map((bytes) => (bytes[0] ?? 0) * 256 + (bytes[1] ?? 0));

describe('the lossy link', () => {
  it('is a perfect wire when no trouble is asked for', () => {
    expect(numbers(send({}).arrived)).toEqual([...Array(1_000).keys()]);
  });

  it('drops, doubles, damages and reorders about as often as asked, and counts it', () => {
    const { channel, arrived } = send({ drop: 0.2, duplicate: 0.1, corrupt: 0.05, reorder: 0.1 });
    const { counts } = channel;
    expect(counts.dropped).toBeGreaterThan(150);
    expect(counts.dropped).toBeLessThan(250);
    expect(counts.duplicated).toBeGreaterThan(50);
    expect(counts.corrupted).toBeGreaterThan(20);
    expect(arrived.length).toBe(counts.sent - counts.dropped + counts.duplicated);
    const order = numbers(arrived);
    expect(order.some((n, i) => i > 0 && n < (order[i - 1] ?? 0))).toBe(true);
  });

  it('delays within its bounds', () => {
    const channel = new LossyChannel(seededRandom(SEED), { delayUs: [2_000, 5_000] });
    channel.send(Uint8Array.of(1), 0);
    expect(channel.receive(1_999)).toEqual([]);
    expect(channel.receive(5_000)).toHaveLength(1);
  });

  it('lets nothing through while it is cut', () => {
    const link = new LossyLink(seededRandom(SEED));
    link.partition(1_000);
    link.toVehicle.send(Uint8Array.of(1), 999);
    link.fromVehicle.send(Uint8Array.of(2), 1_000);
    expect(link.toVehicle.receive(2_000)).toEqual([]);
    expect(link.fromVehicle.receive(2_000)).toHaveLength(1);
  });

  it('has the same troubles for the same seed', () => {
    const trouble = { drop: 0.3, duplicate: 0.2, corrupt: 0.1, reorder: 0.1 };
    expect(send(trouble, 5).arrived).toEqual(send(trouble, 5).arrived);
    expect(send(trouble, 5).arrived).not.toEqual(send(trouble, 6).arrived);
  });
});

describe('a vehicle on the virtual clock', () => {
  it("is heard by the bridge's own link through loss and damage, whole messages only", () => {
    const clock = new VirtualClock();
    const random = seededRandom(SEED);
    const trouble = { drop: 0.1, corrupt: 0.05, delayUs: [1_000, 8_000] as const };
    const vehicle = new VirtualVehicle(clock, { systemId: 1, home: HOME, random }, trouble);
    const link = new MavlinkLink({ transport: vehicle.transport(), nowUs: () => clock.nowUs() });
    const heard: string[] = [];
    clock.every(20_000, () => {
      for (const { message } of link.drain(clock.nowUs())) heard.push(message.name);
    });
    clock.advance(10_000_000);
    const { counts } = vehicle.link.fromVehicle;
    expect(counts.corrupted).toBeGreaterThan(50);
    expect(heard.length).toBeGreaterThan(2_000);
    expect(heard.length).toBeLessThanOrEqual(counts.delivered - counts.corrupted);
    expect(heard).toContain('HEARTBEAT');
  });
});
