/**
 * From the call that sets a point to the arrival of its datagram, gate included, against MAVSDK.
 * Each sender is a process of its own with an autopilot stand-in of its own; they take turns, a
 * block of setpoints each. Enters: nothing. Leaves: ratios. Never: a process that outlives this.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { assert } from '../../src/platform/index.js';
import { timesOf, type Times } from '../measure.js';
import { ratioOf, type Ratio } from '../ratio.js';

const HERE = path.resolve('bench', 'halo');
const PEERS = path.resolve('.halo', 'bench');

const BLOCKS = 36;
const BLOCK = 50;
/** The first blocks of each are for warming up. */
const WARM_UP_BLOCKS = 16;
const START_LIMIT_MS = 60_000;
const ANSWER_LIMIT_MS = 20_000;

/** A child that answers each line with a line. */
class Talker {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  constructor(program: string, args: readonly string[]) {
    this.#child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
    const lines = createInterface({ input: this.#child.stdout });
    this.#lines = lines[Symbol.asyncIterator]();
  }

  async line(limitMs: number): Promise<string> {
    const late = sleep(limitMs, undefined, { ref: false }).then(() => undefined);
    const next = await Promise.race([this.#lines.next(), late]);
    assert(next !== undefined && next.done !== true, `${this.#child.spawnfile} answers in time`);
    return next.value;
  }

  ask(line: string): Promise<string> {
    this.#child.stdin.write(`${line}\n`);
    return this.line(ANSWER_LIMIT_MS);
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.stdin.end();
    const late = sleep(2000, 'late', { ref: false });
    if ((await Promise.race([ended, late])) === 'late') this.#child.kill('SIGKILL');
  }
}

interface Contender {
  readonly name: string;
  readonly sender: Talker;
  readonly autopilot: Talker;
  readonly calledNs: number[];
}

export async function wireRatios(): Promise<readonly Ratio[]> {
  const python = (venv: string): string => path.join(PEERS, venv, 'bin', 'python');
  const [ours, native, grpc, server] = [
    await freePort(),
    await freePort(),
    await freePort(),
    50_051,
  ];
  const self = path.join(import.meta.dirname, 'sender.js');
  const contenders: Contender[] = [];
  const start = (name: string, at: number, program: string, args: string[]): void => {
    const autopilot = new Talker(python('mavsdk'), [path.join(HERE, 'autopilot.py'), String(at)]);
    contenders.push({ name, sender: new Talker(program, args), autopilot, calledNs: [] });
  };
  try {
    start('HALO: gate, then UDP', ours, process.execPath, [self, String(ours)]);
    const nativeScript = path.join(HERE, 'mavsdk_native.py');
    start('mavsdk 4.1.0', native, python('mavsdk'), [nativeScript, String(native)]);
    const grpcScript = path.join(HERE, 'mavsdk_grpc_sender.py');
    const grpcArgs = [grpcScript, String(grpc), String(server)];
    start('mavsdk-grpc 4.0.5', grpc, python('mavsdk-grpc'), grpcArgs);
    return ratiosOf(await race(contenders));
  } finally {
    for (const { sender, autopilot } of contenders) {
      await sender.end();
      await autopilot.end();
    }
  }
}

async function race(contenders: readonly Contender[]): Promise<readonly Times[]> {
  for (const { sender, name } of contenders) {
    assert((await sender.line(START_LIMIT_MS)) === 'ready', `${name} finds its vehicle`);
  }
  for (let block = 0; block < BLOCKS; block += 1) {
    for (const { sender, calledNs } of contenders) {
      const answer = await sender.ask(`${1 + block * BLOCK} ${BLOCK}`);
      calledNs.push(...(JSON.parse(answer) as number[])); // what our own sender wrote
    }
  }
  await sleep(200);
  const times: Times[] = [];
  for (const { autopilot, calledNs, name } of contenders) {
    const arrivedNs = JSON.parse(await autopilot.ask('report')) as Record<string, number>;
    const tookUs = calledNs.flatMap((called, k) => {
      const arrived = arrivedNs[k + 1];
      return arrived === undefined || k < WARM_UP_BLOCKS * BLOCK ? [] : [(arrived - called) / 1000];
    });
    assert(tookUs.length > 200, `enough setpoints of ${name} arrive`);
    times.push(timesOf(tookUs));
  }
  return times;
}

function ratiosOf([ours, native, grpc]: readonly Times[]): readonly Ratio[] {
  assert(ours !== undefined && native !== undefined && grpc !== undefined, 'all three ran');
  const own = ['HALO: call, gate, link, to arrival', ours] as const;
  return [
    ratioOf(
      'setpoint to arrival, HALO / mavsdk native',
      ours.p50Us / native.p50Us,
      ['<=', 0.7],
      [own, ['mavsdk 4.1.0, no gate', native]],
    ),
    ratioOf(
      'setpoint to arrival, HALO / mavsdk_server',
      ours.p50Us / grpc.p50Us,
      ['<=', 0.2],
      [own, ['mavsdk-grpc 4.0.5, no gate', grpc]],
    ),
  ];
}

async function freePort(): Promise<number> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  return port;
}
