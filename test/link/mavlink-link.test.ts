import { describe, expect, test } from 'vitest';
import { MavlinkLink, type LinkOptions } from '../../src/link/index.js';
import { BrokenInvariant } from '../../src/platform/assert.js';
import { concat, frameOf, MemoryTransport, px4Heartbeat, VEHICLE, zeroFields } from './support.js';

const SETPOINT = 84;
const setpoint = new Uint8Array(53).fill(1);

function newLink(options: Partial<LinkOptions> = {}) {
  const transport = new MemoryTransport();
  const clock = { us: 1_000 };
  const link = new MavlinkLink({ transport, nowUs: () => clock.us, ...options });
  return { transport, clock, link };
}

const names = (link: MavlinkLink): string[] => link.drain(1e12).map((r) => r.message.name);

describe('the vehicle', () => {
  test('is the first PX4 that is heard; frames before its heartbeat are not handed on', () => {
    const { transport, link } = newLink();
    transport.arrive(frameOf('ATTITUDE', {}, { systemId: 7 }));
    expect([link.vehicleSystemId, transport.peer]).toEqual([undefined, undefined]);
    expect(link.trouble?.code).toBe('HALO-508');
    transport.arrive(
      concat(px4Heartbeat({ systemId: 7 }), frameOf('ATTITUDE', {}, { systemId: 7 })),
    );
    expect([link.vehicleSystemId, transport.peer]).toEqual([7, VEHICLE]);
    expect(names(link)).toEqual(['HEARTBEAT', 'ATTITUDE']);
    expect(link.trouble).toBeUndefined();
  });

  test('that was named is waited for, while others are counted by id', () => {
    const { transport, link } = newLink({ vehicleSystemId: 2 });
    const other = { host: '127.0.0.1', port: 18_570 };
    transport.arrive(concat(px4Heartbeat(), frameOf('ATTITUDE')), other);
    expect(link.trouble?.code).toBe('HALO-511');
    expect(link.vehicleSystemId).toBeUndefined();
    transport.arrive(px4Heartbeat({ systemId: 2 }));
    expect([link.vehicleSystemId, transport.peer]).toEqual([2, VEHICLE]);
    expect(names(link)).toEqual(['HEARTBEAT']);
    expect(link.stats.ignored).toEqual(new Map([[1, 2]]));
  });

  test('is not a ground station, a camera or a program without a component id', () => {
    const { transport, link } = newLink();
    transport.arrive(px4Heartbeat({ systemId: 255, componentId: 190 }, 8));
    transport.arrive(px4Heartbeat({ componentId: 100 }, 8));
    transport.arrive(px4Heartbeat({}, 8));
    transport.arrive(px4Heartbeat({ componentId: 2 }, 12));
    expect([link.vehicleSystemId, link.trouble?.code]).toEqual([undefined, 'HALO-508']);
  });

  test('of another make is refused, and a PX4 beside it is found', () => {
    const { transport, link } = newLink();
    transport.arrive(px4Heartbeat({ systemId: 4 }, 3));
    expect(link.trouble?.code).toBe('HALO-504');
    expect(link.claimActuationPort().write(SETPOINT, setpoint)).toMatchObject({
      error: { code: 'HALO-504' },
    });
    transport.arrive(px4Heartbeat({ systemId: 5 }));
    expect([link.vehicleSystemId, link.trouble]).toEqual([5, undefined]);
  });

  test('is given up for good when another autopilot speaks with its id', () => {
    const { transport, link } = newLink();
    const port = link.claimActuationPort();
    transport.arrive(px4Heartbeat());
    expect(port.write(SETPOINT, setpoint).ok).toBe(true);
    transport.arrive(px4Heartbeat({}, 3));
    transport.arrive(px4Heartbeat());
    expect(link.trouble?.code).toBe('HALO-504');
    expect(port.write(SETPOINT, setpoint)).toMatchObject({ error: { code: 'HALO-504' } });
    expect(transport.written).toHaveLength(1);
  });

  test('is heard from its own address only, and our own frames are not heard', () => {
    const { transport, link } = newLink();
    transport.arrive(px4Heartbeat());
    transport.arrive(frameOf('ATTITUDE'), { host: '127.0.0.1', port: 9 });
    transport.arrive(frameOf('HEARTBEAT', {}, { componentId: 191 }));
    transport.arrive(frameOf('ALTITUDE', {}, { componentId: 100 }));
    expect(names(link)).toEqual(['HEARTBEAT', 'ALTITUDE']);
    expect(link.stats).toMatchObject({ strangers: 1, echoes: 1, received: 2 });
  });

  test('is found in a flood of false sources, none of which spoils its bytes', () => {
    const { transport, link } = newLink();
    const beat = px4Heartbeat();
    transport.arrive(beat.subarray(0, 9));
    for (let port = 1; port <= 15; port++) {
      transport.arrive(Uint8Array.of(0xfd, 255, 0, 0), { host: '127.0.0.1', port });
    }
    transport.arrive(beat.subarray(9));
    expect(link.vehicleSystemId).toBe(1);
    for (let port = 1; port <= 60_000; port += 7) {
      transport.arrive(Uint8Array.of(0xfd), { host: '127.0.0.1', port });
    }
    expect(link.stats.strangers).toBe(Math.ceil(60_000 / 7));
  });
});

test('sources are bounded: the oldest half frame is given up, and its bytes stay counted', () => {
  const { transport, link } = newLink();
  const beat = px4Heartbeat();
  const half = beat.subarray(0, 9);
  transport.arrive(half);
  for (let port = 1; port <= 16; port++) transport.arrive(half, { host: '127.0.0.1', port });
  transport.arrive(beat.subarray(9));
  expect(link.vehicleSystemId).toBeUndefined();
  expect(link.stats.parser.bytes).toBe(16 * 9 + beat.length);
});

describe('messages', () => {
  test('carry the time when they were read, and wait for a tick that is not earlier', () => {
    const { transport, clock, link } = newLink();
    transport.arrive(px4Heartbeat());
    clock.us = 2_500;
    transport.arrive(frameOf('ATTITUDE', {}, { sequence: 1 }));
    expect(link.drain(2_499).map((r) => [r.message.name, r.receivedUs])).toEqual([
      ['HEARTBEAT', 1_000],
    ]);
    expect(link.drain(2_500).map((r) => [r.message.name, r.receivedUs])).toEqual([
      ['ATTITUDE', 2_500],
    ]);
    expect(link.drain(9_999)).toEqual([]);
  });

  test('that nobody drains are bounded: the oldest go, and are counted', () => {
    const { transport, link } = newLink();
    transport.arrive(px4Heartbeat());
    for (let i = 0; i < 5_000; i++) transport.arrive(frameOf('SYSTEM_TIME', { time_boot_ms: i }));
    expect(link.stats.overrun).toBe(5_001 - 4_096);
    const drained = link.drain(1e12);
    expect(drained).toHaveLength(4_096);
    expect(drained.at(-1)?.message.fields.time_boot_ms).toBe(4_999);
  });

  test('that are missing show as gaps, by component, also where numbers begin anew', () => {
    const { transport, link } = newLink();
    transport.arrive(px4Heartbeat({ sequence: 253 }));
    for (const sequence of [254, 2, 3, 3, 1]) transport.arrive(frameOf('PING', {}, { sequence }));
    transport.arrive(frameOf('PING', {}, { sequence: 90, componentId: 100 }));
    expect(link.stats.components).toEqual([
      { componentId: 1, received: 6, lost: 3, backward: 2 },
      { componentId: 100, received: 1, lost: 0, backward: 0 },
    ]);
  });
});

test('the loss rate is that of the last seconds: it rises with loss and goes away after it', () => {
  const { transport, link } = newLink();
  expect(link.lossPercent).toBe(0);
  transport.arrive(px4Heartbeat());
  let sequence = 0;
  const fly = (frames: number, keepEvery: number): void => {
    for (let i = 0; i < frames; i++) {
      sequence = (sequence + 1) & 0xff;
      if (i % keepEvery === 0) transport.arrive(frameOf('PING', {}, { sequence }));
    }
  };
  fly(2_000, 1);
  expect(link.lossPercent).toBe(0);
  fly(2_000, 4);
  expect(link.lossPercent).toBeGreaterThan(74);
  expect(link.lossPercent).toBeLessThan(76);
  fly(2_000, 1);
  expect(link.lossPercent).toBe(0);
});

describe('the actuation port', () => {
  test('is given out once', () => {
    const { link } = newLink();
    link.claimActuationPort();
    expect(() => link.claimActuationPort()).toThrow(BrokenInvariant);
  });

  test('writes nothing before a PX4 is heard, then exactly the frame that it returns', () => {
    const { transport, link } = newLink();
    const port = link.claimActuationPort();
    expect(port.write(SETPOINT, setpoint)).toMatchObject({ error: { code: 'HALO-508' } });
    expect(transport.written).toEqual([]);
    transport.arrive(px4Heartbeat({ systemId: 9 }));
    const written = port.write(SETPOINT, setpoint);
    if (!written.ok) throw new Error(written.error.message);
    const { frame } = written.value;
    expect(transport.written).toEqual([frame]);
    expect([...frame.subarray(0, 10)]).toEqual([0xfd, 53, 0, 0, 0, 9, 191, 84, 0, 0]);
  });

  test('numbers its frames in one row with the services, around 255', () => {
    const { transport, clock, link } = newLink();
    const port = link.claimActuationPort();
    transport.arrive(px4Heartbeat());
    for (let i = 0; i < 300; i++) {
      clock.us += 1_000_000;
      transport.arrive(px4Heartbeat());
      const written = i % 2 === 0 ? port.write(SETPOINT, setpoint) : link.beat(clock.us);
      expect(written).toMatchObject({ value: { sequence: i & 0xff } });
    }
    expect(transport.written.map((frame) => frame[4])).toEqual(
      Array.from({ length: 300 }, (_, i) => i & 0xff),
    );
  });

  test.each([
    ['an id that nobody knows', 9_999, setpoint],
    ['no payload', SETPOINT, new Uint8Array(0)],
    ['a payload longer than the message', SETPOINT, new Uint8Array(54)],
  ])('refuses %s', (_, id, payload) => {
    const { transport, link } = newLink();
    transport.arrive(px4Heartbeat());
    expect(link.claimActuationPort().write(id, payload)).toMatchObject({
      error: { code: 'HALO-505' },
    });
    expect(transport.written).toEqual([]);
  });
});

test('our heartbeat is that of a companion computer with the vehicle’s system id', () => {
  const { transport, clock, link } = newLink({ vehicleSystemId: 6 });
  expect(link.identity).toEqual({ systemId: 6, componentId: 191 });
  expect(link.beat(clock.us)?.ok).toBe(true);
  const expected = frameOf(
    'HEARTBEAT',
    { ...zeroFields('HEARTBEAT'), type: 18, autopilot: 8, system_status: 4, mavlink_version: 3 },
    { systemId: 6, componentId: 191 },
  );
  expect(transport.written).toEqual([expected]);
});
