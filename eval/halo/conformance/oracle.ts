/**
 * The oracle beside this file, compiled and run. Enters: what to enumerate, or graphs as bytes.
 * Leaves: its answers as bytes. Never: an answer of a run that failed.
 */
import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/platform/index.js';

const ROOT = packageRoot(import.meta.url);
const DIR = join(ROOT, '.halo/eval/oracle');
const SOURCE = join(ROOT, 'eval/halo/conformance/oracle.c');
const PROGRAM = join(DIR, `oracle-${process.pid}`);
const FLAGS = ['-std=c11', '-O2', '-Wall', '-Wextra', '-Werror'];

export class Oracle {
  constructor() {
    mkdirSync(DIR, { recursive: true });
    execFileSync('cc', [...FLAGS, '-o', PROGRAM, SOURCE], { stdio: ['ignore', 'ignore', 'pipe'] });
  }

  /** One byte a case, in the order that oracle.c names. */
  enumerate(what: 'digraphs' | 'dags', components: number): Uint8Array {
    return this.#run([what, String(components)], new Uint8Array(0));
  }

  /** One byte a component of each graph; see `one_list` in oracle.c for the input. */
  lists(input: Uint8Array): Uint8Array {
    return this.#run(['lists'], input);
  }

  /** Through files: pipes of Node are bounded, and answers are megabytes. */
  #run(args: readonly string[], input: Uint8Array): Uint8Array {
    const [from, to] = [`${PROGRAM}.in`, `${PROGRAM}.out`];
    writeFileSync(from, input);
    const [stdin, stdout] = [openSync(from, 'r'), openSync(to, 'w')];
    try {
      execFileSync(PROGRAM, [...args], { stdio: [stdin, stdout, 'inherit'] });
      return readFileSync(to);
    } finally {
      closeSync(stdin);
      closeSync(stdout);
      rmSync(from, { force: true });
      rmSync(to, { force: true });
    }
  }

  close(): void {
    rmSync(PROGRAM, { force: true });
  }
}
