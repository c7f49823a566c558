import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import {
  FrameParser,
  MavlinkLink,
  numberField,
  openUdp,
  parseConnectionUrl,
  type ReceivedMessage,
  type UdpOptions,
  type UdpTransport,
} from '../../src/link/index.js';
import { systemClock } from '../../src/platform/clock.js';
import { frameOf, px4Heartbeat } from './support.js';

const open: UdpTransport[] = [];

async function udp(options: Partial<UdpOptions> = {}): Promise<UdpTransport> {
  const opened = await openUdp({ bindPort: 0, ...options });
  if (!opened.ok) throw new Error(opened.error.message);
  open.push(opened.value);
  return opened.value;
}

/** Waits for what sockets deliver; a condition that never holds fails the test. */
async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('did not happen within 5 s');
    await new Promise((done) => setTimeout(done, 2));
  }
}

/** A vehicle's end of the wire: sends to `to`, keeps the frames that come back. */
async function vehicleAt(to: UdpTransport) {
  const end = await udp({ remoteHost: '127.0.0.1', remotePort: to.local.port });
  const parser = new FrameParser();
  const frames: { messageId: number; systemId: number; sequence: number }[] = [];
  end.onBytes((bytes) => frames.push(...parser.push(bytes)));
  return { end, frames };
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((transport) => transport.close()));
});

describe('two sockets', () => {
  test('a listening link finds its vehicle, hears it and answers it', async () => {
    const transport = await udp();
    const link = new MavlinkLink({ transport, nowUs: () => systemClock.nowUs() });
    const vehicle = await vehicleAt(transport);
    expect(link.beat(systemClock.nowUs())).toMatchObject({ error: { code: 'HALO-508' } });

    vehicle.end.send(px4Heartbeat({ systemId: 3, sequence: 0 }));
    vehicle.end.send(frameOf('LOCAL_POSITION_NED', { z: -3 }, { systemId: 3, sequence: 1 }));
    await until(() => link.stats.received === 2);
    expect(link.vehicleSystemId).toBe(3);
    const drained: readonly ReceivedMessage[] = link.drain(systemClock.nowUs());
    expect(drained.map((r) => r.message.name)).toEqual(['HEARTBEAT', 'LOCAL_POSITION_NED']);
    const position = drained[1];
    expect(position && numberField(position.message, 'z')).toBe(-3);

    expect(link.beat(systemClock.nowUs())).toMatchObject({ value: { sequence: 0 } });
    expect(link.claimActuationPort().write(84, new Uint8Array(53))).toMatchObject({ ok: true });
    await until(() => vehicle.frames.length === 2);
    expect(vehicle.frames).toMatchObject([
      { messageId: 0, systemId: 3, componentId: 191, sequence: 0 },
      { messageId: 84, systemId: 3, componentId: 191, sequence: 1 },
    ]);
  });

  test('a connecting link speaks first and hears only the address it was given', async () => {
    const remote = await udp();
    const url = parseConnectionUrl(`udpout://127.0.0.1:${remote.local.port}`);
    if (!url.ok || url.value.kind !== 'udp') throw new Error('not a UDP address');
    const transport = await udp(url.value.udp);
    const link = new MavlinkLink({ transport, nowUs: () => systemClock.nowUs() });
    remote.onBytes((_, source) => {
      remote.adoptPeer(source);
      remote.send(px4Heartbeat({ sequence: 9 }));
    });
    expect(link.beat(systemClock.nowUs())).toMatchObject({ ok: true });
    await until(() => link.vehicleSystemId === 1);

    const stranger = await vehicleAt(transport);
    stranger.end.send(px4Heartbeat({ sequence: 10 }));
    await until(() => link.stats.strangers === 1);
    expect(link.stats.received).toBe(1);
  });

  test('the peer that was adopted first stays: nobody can turn the frames elsewhere', async () => {
    const [first, second, transport] = [await udp(), await udp(), await udp()];
    let heard = 0;
    first.onBytes(() => (heard += 1));
    transport.adoptPeer(first.local);
    transport.adoptPeer(second.local);
    transport.send(px4Heartbeat());
    await until(() => heard === 1);
    expect(transport.peer).toEqual(first.local);
  });

  test('a frame has left the machine when write returns, in the same turn', async () => {
    const shared = new Int32Array(new SharedArrayBuffer(8));
    const worker = new Worker(
      `const { workerData } = require('node:worker_threads');
       const socket = require('node:dgram').createSocket('udp4');
       socket.on('message', () => { Atomics.store(workerData, 1, 1); Atomics.notify(workerData, 1); socket.close(); });
       socket.bind(0, '127.0.0.1', () => { Atomics.store(workerData, 0, socket.address().port);
         require('node:worker_threads').parentPort.postMessage('bound'); });`,
      { eval: true, workerData: shared },
    );
    await once(worker, 'message');
    const transport = await udp({ remoteHost: '127.0.0.1', remotePort: shared[0] ?? 0 });
    expect(transport.send(px4Heartbeat())).toEqual({ ok: true });
    // This thread stands still from here: nothing can be sent in a later turn.
    expect(Atomics.wait(shared, 1, 0, 3_000)).not.toBe('timed-out');
    await worker.terminate();
  });
});

describe('trouble with a socket is told at once', () => {
  async function troubleOf(
    options: UdpOptions,
  ): Promise<{ code: string; remedy: string; ms: number }> {
    const startMs = performance.now();
    const opened = await openUdp(options);
    const ms = performance.now() - startMs;
    if (opened.ok) {
      open.push(opened.value);
      return { code: 'opened', remedy: '', ms };
    }
    return { ...opened.error, ms };
  }

  test('a port that is in use', async () => {
    const first = await udp();
    const trouble = await troubleOf({ bindPort: first.local.port });
    expect(trouble).toMatchObject({ code: 'HALO-501' });
    expect(trouble.remedy).not.toBe('');
    expect(trouble.ms).toBeLessThan(1_000);
  });

  test.each([
    ['an address that is not ours', { bindHost: '192.0.2.1', bindPort: 0 }],
    [
      'a name that nobody knows',
      { bindPort: 0, remoteHost: 'no-such-host.invalid', remotePort: 9 },
    ],
    ['a name that nobody knows to bind to', { bindHost: 'no-such-host.invalid', bindPort: 0 }],
  ])('%s', async (_, options) => {
    const trouble = await troubleOf(options);
    expect(trouble).toMatchObject({ code: 'HALO-503' });
    expect(trouble.ms).toBeLessThan(1_500);
  });

  test('without a host only this machine can reach the port', async () => {
    expect((await udp()).local.host).toBe('127.0.0.1');
    expect((await udp({ bindHost: '0.0.0.0' })).local.host).toBe('0.0.0.0');
  });

  test('a send that the system refuses is counted and told, and forgotten after a good one', async () => {
    const target = await udp();
    const transport = await udp({ remoteHost: '127.0.0.1', remotePort: target.local.port });
    transport.send(new Uint8Array(70_000));
    await until(() => transport.stats.sendErrors === 1);
    expect(transport.stats.trouble).toMatchObject({ code: 'HALO-507' });
    transport.send(px4Heartbeat());
    await until(() => transport.stats.trouble === undefined);
    expect(transport.stats.sendErrors).toBe(1);
  });

  test('a closed endpoint refuses to send, and closing twice is no trouble', async () => {
    const transport = await udp({ remoteHost: '127.0.0.1', remotePort: 9 });
    await transport.close();
    await transport.close();
    expect(transport.send(px4Heartbeat())).toMatchObject({ ok: false, code: 'HALO-507' });
  });
});
