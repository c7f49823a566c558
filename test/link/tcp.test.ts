import { createServer } from 'node:net';
import { performance } from 'node:perf_hooks';
import { afterEach, expect, test } from 'vitest';
import { MavlinkLink, openTcp, type TcpTransport } from '../../src/link/index.js';
import { systemClock } from '../../src/platform/clock.js';
import { px4Heartbeat } from './support.js';

const open: TcpTransport[] = [];

async function tcp(role: 'server' | 'client', port: number): Promise<TcpTransport> {
  const opened = await openTcp({ role, host: '127.0.0.1', port });
  if (!opened.ok) throw new Error(opened.error.message);
  open.push(opened.value);
  return opened.value;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' ? (address?.port ?? 0) : 0;
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 5_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('did not happen within 5 s');
    await new Promise((done) => setTimeout(done, 5));
  }
}

afterEach(async () => {
  await Promise.all(open.splice(0).map((transport) => transport.close()));
});

test('a vehicle is heard in fragments over TCP; a lost connection is told, made anew, and no half frame survives it', async () => {
  const port = await freePort();
  const vehicle = await tcp('server', port);
  const transport = await tcp('client', port);
  const link = new MavlinkLink({ transport, nowUs: () => systemClock.nowUs() });
  await until(() => vehicle.peer !== undefined);
  const beat = px4Heartbeat();
  vehicle.send(beat.subarray(0, 9));
  vehicle.send(beat.subarray(9));
  await until(() => link.vehicleSystemId === 1);
  expect(link.beat(systemClock.nowUs())).toMatchObject({ ok: true });
  expect(link.takeDiscontinuity()).toBeUndefined();

  await vehicle.close();
  await until(() => transport.stats.trouble?.code === 'HALO-514');
  expect(transport.send(beat)).toMatchObject({ ok: false, code: 'HALO-514' });

  const again = await tcp('server', port);
  await until(() => again.peer !== undefined && transport.connections === 2);
  again.send(beat);
  await until(() => link.stats.received === 2);
  expect(link.takeDiscontinuity()).toContain('connection 2');
  expect(transport.stats.trouble).toBeUndefined();
});

test('one vehicle at a time: who connects beside it is turned away', async () => {
  const port = await freePort();
  const server = await tcp('server', port);
  await tcp('client', port);
  await until(() => server.connections === 1);
  await tcp('client', port);
  await until(() => server.stats.turnedAway === 1);
  expect(server.connections).toBe(1);
});

test('nobody there, and a port in use, are told with code and remedy', async () => {
  const port = await freePort();
  const refused = await openTcp({ role: 'client', host: '127.0.0.1', port });
  expect(refused).toMatchObject({ ok: false, error: { code: 'HALO-514' } });
  await tcp('server', port);
  const busy = await openTcp({ role: 'server', host: '127.0.0.1', port });
  expect(busy).toMatchObject({ ok: false, error: { code: 'HALO-501' } });
});
