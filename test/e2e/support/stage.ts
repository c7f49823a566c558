/**
 * A test's own stage: a ROS domain, free ports, a ledger folder, and the processes that play on it.
 * Enters: what to start. Leaves: real processes, each ended by its id when the stage closes.
 * Never: a wait without a deadline, or a process that outlives its test.
 */
import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot, randomHex } from '../../../src/platform/index.js';
import { freePort, peersPython, Started } from '../../px4/sim-process.js';

export const ROOT = packageRoot(import.meta.url);
export const EXAMPLE = join(ROOT, 'examples/01-inspect-tower');
const MAIN = join(ROOT, 'dist/src/cli/main.js');
const SIM = join(ROOT, 'dist/sim/main.js');

/** Every process of a stage, and of those its children, carries this in its environment. */
const TAG = 'HALO_TEST_STAGE';

/** `npm start` gives the host, the bridge and the vehicle 8 s each to end. */
const END_MS = 12_000;

export interface BridgeOptions {
  readonly url: string;
  readonly ledger?: string;
  /** Of the node; by default as every bridge is called. */
  readonly name?: string;
}

export class Stage {
  readonly dir = mkdtempSync(join(tmpdir(), 'halo-e2e-'));
  readonly ledger = join(this.dir, 'ledger');
  readonly #tag = randomHex(8);
  readonly #started: Started[] = [];
  readonly #domain: number;

  private constructor(domain: number) {
    this.#domain = domain;
  }

  static async open(): Promise<Stage> {
    return new Stage(await freeDomain());
  }

  /** The package's own script, as a newcomer runs it. */
  npmStart(args: readonly string[]): Started {
    return this.#start('npm', ['start', '--', ...this.#flight(args)]);
  }

  fly(args: readonly string[], env: NodeJS.ProcessEnv = process.env): Started {
    return this.#start(process.execPath, [MAIN, 'fly', ...this.#flight(args)], env);
  }

  /** With the parameters that `npm start` gives it. */
  bridge({ url, ledger = this.ledger, name }: BridgeOptions): Started {
    const parameters = {
      connection_url: url,
      system_id: 1,
      contract_path: join(EXAMPLE, 'contract.yaml'),
      evidence_map_path: join(ROOT, 'launch/params/evidence.yaml'),
      ledger_dir: ledger,
      foxglove_port: 0,
    };
    const ros = Object.entries(parameters).flatMap(([key, value]) => ['-p', `${key}:=${value}`]);
    if (name !== undefined) ros.push('-r', `__node:=${name}`);
    return this.#start(process.execPath, [MAIN, 'bridge', '--events', '--ros-args', ...ros]);
  }

  host(response = join(EXAMPLE, 'response.json'), more: readonly string[] = []): Started {
    return this.#start(process.execPath, [MAIN, 'host', '--response', response, ...more]);
  }

  /** A vehicle as `npm start` starts it, on other ports. */
  vehicle(ports: { local: number; remote: number }, more: readonly string[] = []): Started {
    const where = ['--port-base', String(ports.local), '--remote-base', String(ports.remote)];
    const world = ['--tower', '6,6,2,2,12', '--uptime', '10', '--param', 'RTL_RETURN_ALT=10'];
    return this.#start(process.execPath, [
      ...[SIM, ...where, ...world],
      ...['--range-ros', '--json', '--with-parent', ...more],
    ]);
  }

  python(script: string, args: readonly string[]): Started {
    return this.#start(peersPython(), [script, ...args]);
  }

  verify(): Started {
    return this.#start(process.execPath, [MAIN, 'verify', this.ledger, '--json']);
  }

  /** Ids of the processes of this stage that still run. */
  alive(): readonly number[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(`${TAG}=${this.#tag}`))
      .map(Number);
  }

  /** The process of this stage that runs this command of ours. */
  idOf(command: string): number {
    const found = this.alive().find((pid) => commandOf(pid).includes(`main.js\0${command}\0`));
    if (found === undefined) throw new Error(`no ${command} runs`);
    return found;
  }

  /** Ends all that was started; throws when something had to be killed or was never asked for. */
  async close(): Promise<void> {
    for (const { child } of [...this.#started].reverse()) {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
    }
    const ended = await holdsWithin(END_MS, () => this.alive().length === 0);
    const left = ended ? [] : this.alive();
    for (const pid of left) process.kill(pid, 'SIGKILL');
    await holdsWithin(2_000, () => this.alive().length === 0);
    rmSync(this.dir, { recursive: true, force: true });
    if (left.length > 0) throw new Error(`processes ${left.join(', ')} did not end by themselves`);
  }

  #flight(args: readonly string[]): string[] {
    return ['--json', '--foxglove-port', '0', '--ledger', this.ledger, ...args];
  }

  #start(program: string, args: readonly string[], env: NodeJS.ProcessEnv = process.env): Started {
    const child = spawn(program, [...args], {
      cwd: ROOT,
      stdio: 'pipe',
      env: {
        ...env,
        [TAG]: this.#tag,
        ROS_DOMAIN_ID: String(this.#domain),
        ROS_AUTOMATIC_DISCOVERY_RANGE: 'LOCALHOST',
      },
    });
    const started = new Started(child);
    this.#started.push(started);
    return started;
  }
}

/**
 * A limit of wall time as it is asked for, or more on a machine that is overloaded just now: with
 * more than two processes waiting for each core, what takes 3 s takes 12.
 */
export const allowedS = (limitS: number): number =>
  limitS * Math.max(1, (loadavg()[0] ?? 0) / cpus().length / 2);

/** Looks every 20 ms; false when it has not held by then. */
export async function holdsWithin(limitMs: number, holds: () => boolean): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  while (!holds()) {
    if (Date.now() > deadline) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}

/** The exit code; throws with the last words of a process that has not ended by then. */
export async function exitOf(process: Started, limitMs: number): Promise<number | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end; ${lastWords(process)}`)), limitMs);
  });
  try {
    return await Promise.race([process.exited, late]);
  } finally {
    clearTimeout(timer);
  }
}

export const lastWords = ({ lines, errors }: Started): string =>
  `${lines
    .slice(-4)
    .map((line) => JSON.stringify(line).slice(0, 600))
    .join('\n')}\n${errors.slice(-2000)}`;

const environmentOf = (pid: string): string => ofProcess(pid, 'environ');
const commandOf = (pid: number): string => ofProcess(String(pid), 'cmdline');

function ofProcess(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // Ended meanwhile, or not ours to read.
  }
}

/**
 * A ROS domain in which nobody takes part: the ports of DDS for its first participant are free.
 * Domains up to 99 stay below the ephemeral ports of Linux.
 */
async function freeDomain(): Promise<number> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const domain = 1 + (parseInt(randomHex(4), 16) % 99);
    if (await isFree(7410 + 250 * domain)) return domain;
  }
  throw new Error('no free ROS domain was found');
}

async function isFree(port: number): Promise<boolean> {
  const socket = createSocket('udp4');
  try {
    return await new Promise((resolve) => {
      socket.once('error', () => resolve(false));
      socket.bind({ port, address: '0.0.0.0', exclusive: true }, () => resolve(true));
    });
  } finally {
    socket.close();
  }
}

export { freePort };
