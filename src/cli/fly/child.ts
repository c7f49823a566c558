/**
 * Child processes that speak JSON lines. Enters: a command. Leaves: its lines as objects, its end.
 * Never: a child that outlives us by accident: `end` waits, then kills, and both have a deadline.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';

export type Line = Readonly<Record<string, unknown>> & { readonly type?: string };

export interface ChildOptions {
  readonly name: string;
  readonly args: readonly string[];
  readonly onLine: (line: Line) => void;
  /** A line of its standard error, for people. */
  readonly onNoise: (text: string) => void;
}

export class Child {
  readonly name: string;
  /** Exit code, or 128 for a child that a signal ended. */
  readonly exited: Promise<number>;
  readonly #process: ChildProcess;
  #code: number | undefined;

  constructor({ name, args, onLine, onNoise }: ChildOptions) {
    this.name = name;
    const child = spawn(process.execPath, [...args], {
      stdio: ['pipe', 'pipe', 'pipe'],
      // A Ctrl-C goes to the whole foreground group; we decide the order of the ending.
      detached: true,
    });
    this.#process = child;
    createInterface({ input: child.stdout }).on('line', (text) => {
      const line = parsed(text);
      if (line !== undefined) onLine(line);
      else if (text !== '') onNoise(text);
    });
    createInterface({ input: child.stderr }).on('line', onNoise);
    this.exited = new Promise((resolve) => {
      const end = (code: number | null): void => {
        this.#code = code ?? 128;
        resolve(this.#code);
      };
      child.on('close', end);
      child.on('error', () => end(null));
    });
  }

  get running(): boolean {
    return this.#code === undefined;
  }

  /** As the kernel ends it: without a word. */
  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.exited;
  }

  /** Asks it to end, and makes it end when it has not by then. */
  async end(withinMs: number): Promise<void> {
    if (!this.running) return;
    this.#process.kill('SIGTERM');
    const killed = setTimeout(() => this.#process.kill('SIGKILL'), withinMs);
    await this.exited;
    clearTimeout(killed);
  }
}

function parsed(text: string): Line | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    return JSON.parse(text) as Line; // One of our own processes wrote it, a line at a time.
  } catch {
    return undefined;
  }
}
