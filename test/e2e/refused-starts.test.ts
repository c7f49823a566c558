/** What keeps a flight from beginning: named at once, with its remedy, and nothing left running. */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CODES, type Code } from '../../src/contract/index.js';
import type { Started } from '../px4/sim-process.js';
import { allowedS, EXAMPLE, exitOf, freePort, lastWords, Stage } from './support/stage.js';
import { errorsOf } from './support/summary.js';

let stage: Stage;
const closers: (() => void)[] = [];
beforeEach(async () => {
  stage = await Stage.open();
});
afterEach(async () => {
  for (const close of closers.splice(0)) close();
  await stage.close();
});

/** The one error of a start that was refused in time and cleanly. */
async function refusal(start: () => Started, code: Code, exit: number, others: number[] = []) {
  const from = performance.now();
  const flight = start();
  expect(await exitOf(flight, 30_000), lastWords(flight)).toBe(exit);
  expect((performance.now() - from) / 1000).toBeLessThan(allowedS(10));
  expect(stage.alive()).toEqual(others);
  const errors = errorsOf(flight);
  expect([...new Set(errors.map((e) => e.code))], lastWords(flight)).toEqual([code]);
  const error = errors.at(-1);
  expect(flight.errors).toContain(`${code} ${error?.message ?? ''}`);
  expect(flight.errors).toContain(CODES[code].remedy);
  return error;
}

const udpIn = (port: number): string => `udpin://127.0.0.1:${port}`;

describe('a start that cannot be', () => {
  it('says that no vehicle is heard, and where', async () => {
    const url = udpIn(await freePort());
    const error = await refusal(() => stage.fly(['--connect', url]), 'HALO-508', 3);
    expect(error?.path).toBe(url);
  }, 40_000);

  it('says which system is heard instead of the one that was asked for', async () => {
    const error = await refusal(() => stage.fly(['--system-id', '7']), 'HALO-511', 3);
    expect(error?.message).toContain('System 1 is heard, system 7 is not');
  }, 40_000);

  it('refuses a response whose bytes are no text, instead of mending it', async () => {
    const file = join(stage.dir, 'response.json');
    const bytes = readFileSync(join(EXAMPLE, 'response.json'));
    const at = bytes.indexOf('leg');
    bytes[at] = 0xff;
    writeFileSync(file, bytes);
    const error = await refusal(() => stage.fly(['--response', file]), 'HALO-107', 1);
    expect(error).toMatchObject({ path: file });
    expect(error?.message).toBe(`Byte ${at} does not belong to valid UTF-8.`);
  }, 40_000);

  it('names a UDP port that another program holds', async () => {
    const socket = createSocket('udp4');
    closers.push(() => socket.close());
    socket.bind({ port: 0, address: '127.0.0.1', exclusive: true });
    await once(socket, 'listening');
    const { port } = socket.address();
    const error = await refusal(() => stage.fly(['--connect', udpIn(port)]), 'HALO-501', 3);
    expect(error?.message).toContain(String(port));
  }, 40_000);

  it('names a Foxglove port that another program holds', async () => {
    const server = createServer();
    closers.push(() => server.close());
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = String(typeof address === 'object' ? address?.port : '');
    const error = await refusal(() => stage.fly(['--foxglove-port', port]), 'HALO-803', 3);
    expect(error?.message).toContain(port);
  }, 40_000);

  it('says that there is no ROS 2', async () => {
    const { PATH, HOME } = process.env;
    const bare = { PATH: withoutRos(PATH ?? ''), HOME };
    await refusal(() => stage.fly([], bare), 'HALO-801', 3);
  }, 40_000);

  it('names the line of the contract that does not fit', async () => {
    const text = readFileSync(join(EXAMPLE, 'contract.yaml'), 'utf8');
    const file = join(stage.dir, 'contract.yaml');
    writeFileSync(file, text.replace('dwellS: 1.0', 'dwellS: soon'));
    const line = text.split('\n').findIndex((row) => row.includes('dwellS: 1.0')) + 1;
    const error = await refusal(() => stage.fly(['--contract', file]), 'HALO-703', 2);
    expect(error?.path).toMatch(new RegExp(`^${file}:${line}:\\d+$`));
  }, 40_000);

  it('says who holds the ledger', async () => {
    const holder = stage.bridge({ url: udpIn(await freePort()), name: 'another_bridge' });
    await holder.line((line) => line['type'] === 'active', 15_000);
    const pid = holder.child.pid ?? 0;
    const error = await refusal(() => stage.fly([]), 'HALO-601', 4, [pid]);
    expect(error?.message).toContain(`process ${pid}`);
  }, 40_000);
});

/** As on a machine where nothing of ROS is found. */
const withoutRos = (path: string): string =>
  path
    .split(':')
    .filter((dir) => !/ros/.test(dir))
    .join(':');
