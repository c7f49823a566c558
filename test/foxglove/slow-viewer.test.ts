/** A viewer that does not read must cost itself, not the flight, and never miss a receipt. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { startFoxgloveServer, type FoxgloveHandle } from '../../src/foxglove/index.js';
import { systemClock } from '../../src/platform/index.js';
import { HandEngine, receipt } from './hand-engine.js';
import { until, Viewer } from './viewer.js';

/** Large enough that a few fill the kernel's buffers of a loopback connection. */
const LARGE = 'x'.repeat(200_000);
const idsSchema = z.array(z.looseObject({ id: z.string() }));

let engine: HandEngine;
let server: FoxgloveHandle;
let slow: Viewer;
let quick: Viewer;

beforeEach(async () => {
  engine = new HandEngine();
  const started = await startFoxgloveServer({
    engine,
    host: '127.0.0.1',
    port: 0,
    clock: systemClock,
  });
  if (!started.ok) throw new Error(started.error.message);
  server = started.value;
  slow = await Viewer.connect(server.url);
  quick = await Viewer.connect(server.url);
});

afterEach(async () => {
  await quick.close();
  slow.socket.terminate();
  await server.close();
});

/** Ten receipts at once, then as fast as the quick viewer reads them. */
async function emitReceipts(from: number, to: number): Promise<void> {
  for (let n = from; n < to; n += 1) {
    engine.emit({ type: 'receipt', receipt: receipt(`rc-${n}`, LARGE), ledgerSeq: n });
    if ((n + 1) % 10 !== 0 && n + 1 !== to) continue;
    await until(
      () => quick.messages('/halo/receipt').length === n + 1,
      `the quick viewer has receipt ${n}`,
    );
  }
}

it('drops telemetry for a slow viewer, and delivers every receipt in order', async () => {
  slow.subscribe('/halo/receipt', '/halo/state', '/halo/pose');
  quick.subscribe('/halo/receipt', '/halo/state');
  await slow.next('/halo/state', z.looseObject({}));
  slow.socket.pause();
  await emitReceipts(0, 50);
  await until(() => server.stats().telemetryDropped > 0, 'telemetry is dropped');
  expect(slow.closeCode).toBe(0);
  const seen = slow.messages('/halo/receipt').length;
  expect(seen).toBeLessThan(50);

  slow.socket.resume();
  await until(() => slow.messages('/halo/receipt').length === 50, 'all receipts arrive');
  const ids = idsSchema.parse(slow.messages('/halo/receipt')).map(({ id }) => id);
  expect(ids).toEqual(Array.from({ length: 50 }, (_, n) => `rc-${n}`));
  await until(
    () => slow.control.some(({ message }) => String(message).includes('read too slowly')),
    'the viewer is told what it missed',
  );
  const shown = z.looseObject({ viewers: z.looseObject({ telemetryDropped: z.number().min(1) }) });
  await quick.next('/halo/state', shown);
}, 30_000);

it('sends a viewer away that lets 8 MiB of records wait, and serves the other', async () => {
  slow.subscribe('/halo/receipt');
  quick.subscribe('/halo/receipt');
  await until(() => server.stats().connected === 2, 'both are connected');
  slow.socket.pause();
  let emitted = 0;
  while (server.stats().viewersClosed === 0 && emitted < 150) {
    await emitReceipts(emitted, emitted + 10);
    emitted += 10;
  }
  expect(server.stats().viewersClosed).toBe(1);
  await emitReceipts(emitted, emitted + 1);
  await until(() => server.stats().connected === 1, 'only the quick one is left');
}, 30_000);
