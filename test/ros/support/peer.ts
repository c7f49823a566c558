/**
 * Drives the rclpy peer. Enters: commands. Leaves: its answers, and what it heard.
 * Never: a wait without a deadline.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export type Plain = Readonly<Record<string, unknown>>;

export interface Heard {
  readonly topic?: string;
  readonly message?: Plain;
  readonly feedback?: Plain;
  readonly status?: number;
  readonly result?: Plain;
}

const SCRIPT = fileURLToPath(new URL('peer.py', import.meta.url));

/** action_msgs/msg/GoalStatus */
export const SUCCEEDED = 4;
export const CANCELED = 5;
export const ABORTED = 6;

export class Peer {
  readonly heard: Heard[] = [];
  readonly #child: ChildProcess;
  readonly #answers = new Map<number, (line: Plain) => void>();
  #stderr = '';
  #nextId = 1;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr += chunk.toString();
    });
  }

  static async start(name: string): Promise<Peer> {
    const python = process.env['HALO_PYTHON'] ?? 'python3';
    const child = spawn(python, [SCRIPT, name], { stdio: ['pipe', 'pipe', 'pipe'] });
    const peer = new Peer(child);
    let ready = false;
    if (child.stdout === null) throw new Error('no pipe');
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = JSON.parse(text) as Plain;
      if (line['ready'] === true) ready = true;
      else if (typeof line['id'] === 'number') peer.#answers.get(line['id'])?.(line);
      else peer.heard.push(line);
    });
    await until(() => ready || peer.#stderr.includes('Error'), 15_000, 'the rclpy peer starts');
    if (!ready) throw new Error(peer.#stderr);
    return peer;
  }

  async ask(op: string, command: Plain = {}): Promise<Plain> {
    const id = this.#nextId;
    this.#nextId += 1;
    let line: Plain | undefined;
    this.#answers.set(id, (answer) => {
      line = answer;
    });
    this.#child.stdin?.write(`${JSON.stringify({ id, op, ...command })}\n`);
    const gone = (): boolean => this.#child.exitCode !== null || this.#child.signalCode !== null;
    await until(() => line !== undefined || gone(), 12_000, `${op} is answered`);
    if (line === undefined) throw new Error(`The peer ended: ${this.#stderr}`);
    this.#answers.delete(id);
    if (line['error'] !== undefined) throw new Error(JSON.stringify(line['error']));
    return (line['answer'] ?? {}) as Plain;
  }

  /** Calls a service of the bridge. */
  call(
    service: { type: string; name: string },
    request: Plain,
    { node = '/halo_bridge', timeoutS = 6 } = {},
  ): Promise<Plain> {
    const name = service.name.replace('~', node);
    return this.ask('call', { type: service.type, name, request, timeout_s: timeoutS });
  }

  messages(topic: string): Plain[] {
    return this.heard.filter((heard) => heard.topic === topic).map((heard) => heard.message ?? {});
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin?.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 3000);
    await ended;
    clearTimeout(timer);
  }
}

/** Waits until `done` holds, doing `meanwhile` before each look; fails with what it waited for. */
export async function until(
  done: () => boolean,
  timeoutMs: number,
  what: string,
  meanwhile: () => Promise<unknown> = () => Promise.resolve(),
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (!done()) {
    await meanwhile();
    if (Date.now() > deadline) throw new Error(`Not in ${timeoutMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
