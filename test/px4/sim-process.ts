/**
 * Starts the simulator and peers as processes for a test, and ends them again.
 * In: options. Out: what they printed, as JSON lines. Ports are free ones of 127.0.0.1.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../..');
export const SIM_MAIN = path.join(ROOT, 'dist/sim/main.js');

export type Line = Readonly<Record<string, unknown>>;

/** A UDP port that nobody holds at this moment. */
export async function freePort(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) =>
    socket.close(() => {
      resolve();
    }),
  );
  return port;
}

/** The Python that has pymavlink: the one of the ROS 2 environment, else the one set up here. */
export function peersPython(): string {
  const named = process.env['HALO_PYTHON'];
  if (named !== undefined) return named;
  const wanted = ['.halo/peers/bin/python', '.halo/ros/bin/python'];
  const found = wanted.map((file) => path.join(ROOT, file)).find(existsSync);
  if (found === undefined) throw new Error('no Python with pymavlink; run `npm run setup` first');
  return found;
}

export class Started {
  readonly lines: Line[] = [];
  readonly exited: Promise<number | null>;
  private stderr = '';

  constructor(readonly child: ChildProcess) {
    if (child.stdout) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        this.lines.push(asRecord(line));
      });
    }
    child.stderr?.on('data', (data: Buffer) => (this.stderr += data.toString()));
    this.exited = new Promise((resolve) =>
      child.on('close', (code) => {
        resolve(code);
      }),
    );
  }

  get errors(): string {
    return this.stderr;
  }

  /** The first line for which `match` holds, or an error after `limitMs`. */
  async line(match: (line: Line) => boolean, limitMs: number): Promise<Line> {
    const deadline = Date.now() + limitMs;
    for (;;) {
      const found = this.lines.find(match);
      if (found !== undefined) return found;
      if (Date.now() > deadline)
        throw new Error(`no such line: ${JSON.stringify(this.lines.slice(-5))} ${this.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Ends it and waits; the exit code, or null when it had to be killed. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.child.exitCode === null) this.child.kill(signal);
    const killer = setTimeout(() => this.child.kill('SIGKILL'), 3000);
    const code = await this.exited;
    clearTimeout(killer);
    return code;
  }
}

function asRecord(line: string): Line {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === 'object' && value !== null) return { ...value };
  } catch {
    // Not JSON: keep the text, so that a test that fails can show it.
  }
  return { text: line };
}

export function startSim(args: readonly string[]): Started {
  if (!existsSync(SIM_MAIN)) throw new Error('dist/sim/main.js is missing: run `npm run build`');
  return new Started(spawn(process.execPath, [SIM_MAIN, ...args], { stdio: 'pipe' }));
}

export function startPeer(script: string, args: readonly string[]): Started {
  const file = path.join(import.meta.dirname, script);
  return new Started(spawn(peersPython(), [file, ...args], { stdio: 'pipe' }));
}
