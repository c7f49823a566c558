import { createSocket, type Socket } from 'node:dgram';
import { afterEach, describe, expect, it } from 'vitest';
import { FrameReader } from '../../sim/autopilot/index.js';
import { freePort, startSim, type Started } from './sim-process.js';
import { encodeFrame, encodePayload, messageInfoByName } from '../../src/link/index.js';

const running: Started[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.close();
  await Promise.all(running.splice(0).map((process) => process.end()));
});

async function sim(...options: string[]) {
  const [local, remote] = [await freePort(), await freePort()];
  const ports = ['--port-base', String(local), '--remote-base', String(remote)];
  const process = startSim([...ports, '--json', ...options]);
  running.push(process);
  await process.line((line) => line['event'] === 'listening', 5_000);
  return { process, local, remote };
}

async function listen(port: number) {
  const socket = createSocket('udp4');
  sockets.push(socket);
  await new Promise<void>((resolve) => socket.bind(port, '127.0.0.1', resolve));
  const heard: string[] = [];
  const reader = new FrameReader();
  socket.on('message', (bytes) => {
    for (const message of reader.read(bytes)) heard.push(message.name);
  });
  return { socket, heard };
}

function heartbeat(): Uint8Array {
  const fields = { custom_mode: 0, type: 18, autopilot: 8, base_mode: 0, system_status: 4 };
  const message = { name: 'HEARTBEAT', fields: { ...fields, mavlink_version: 3 } };
  const encoded = encodePayload(message);
  const info = messageInfoByName('HEARTBEAT');
  if (!encoded.ok || info === undefined) throw new Error('HEARTBEAT does not encode');
  const identity = { sequence: 0, systemId: 1, componentId: 191, crcExtra: info.crcExtra };
  return encodeFrame({ ...identity, messageId: encoded.id, payload: encoded.payload });
}

const within = async (done: () => boolean, limitMs: number): Promise<boolean> => {
  const deadline = Date.now() + limitMs;
  while (!done() && Date.now() < deadline) await new Promise((r) => setTimeout(r, 20));
  return done();
};

describe('the simulator process', () => {
  it('sends to its fixed remote until it hears somebody, then to that one for good', async () => {
    const { local, remote } = await sim();
    const fixed = await listen(remote);
    expect(await within(() => fixed.heard.length > 20, 5_000)).toBe(true);
    const first = await listen(await freePort());
    const second = await listen(await freePort());
    first.socket.send(heartbeat(), local, '127.0.0.1');
    expect(await within(() => first.heard.length > 20, 5_000)).toBe(true);
    second.socket.send(heartbeat(), local, '127.0.0.1');
    const before = fixed.heard.length;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(second.heard).toEqual([]);
    expect(fixed.heard.length).toBe(before);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('ends within a second on %s, with 0', async (signal) => {
    const { process } = await sim();
    const from = Date.now();
    expect(await process.end(signal)).toBe(0);
    expect(Date.now() - from).toBeLessThan(1_000);
  });

  it('ends when standard input ends, if it is to live no longer than its parent', async () => {
    const { process } = await sim('--with-parent');
    const from = Date.now();
    process.child.stdin?.end();
    expect(await process.exited).toBe(0);
    expect(Date.now() - from).toBeLessThan(1_000);
  });

  it('takes faults from standard input, and refuses a bad line by name', async () => {
    const { process } = await sim();
    process.child.stdin?.write('{"fault":"battery-drop","fraction":0.25}\n{"fault":"bird"}\n');
    await process.line((line) => line['fault'] === 'battery-drop', 3_000);
    const refused = await process.line((line) => line['event'] === 'refused', 3_000);
    expect(refused['reason']).toContain('bird');
    const truth = await process.line((line) => Number(line['batteryFraction']) < 0.3, 3_000);
    expect(truth['positionEnuM']).toEqual([0, 0, 0]);
  });

  it('fires its script, and runs several vehicles, each with its own id and port', async () => {
    const { process, local } = await sim('--instances', '2', '--fault', 'gps-loss@t=0.2');
    await process.line((line) => line['fault'] === 'gps-loss', 5_000);
    const second = await process.line(
      (l) => l['event'] === 'listening' && l['instance'] === 1,
      1_000,
    );
    expect(second).toMatchObject({ systemId: 2, port: local + 1 });
  });

  it('says what is wrong: code 2 for bad options, 1 for a port that is taken', async () => {
    const bad = startSim(['--speed', '99']);
    running.push(bad);
    expect(await bad.exited).toBe(2);
    expect(bad.errors).toContain('--speed 99');
    const { local } = await sim();
    const late = startSim(['--port-base', String(local)]);
    running.push(late);
    expect(await late.exited).toBe(1);
    expect(late.errors).toContain('EADDRINUSE');
  });
});
