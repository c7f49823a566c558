/**
 * The oracle beside this file, compiled and run. Enters: how many obligations. Leaves: its answers
 * as bytes, in the order that oracle.c names. Never: an answer of a run that failed.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../src/platform/index.js';

const ROOT = packageRoot(import.meta.url);
const DIR = join(ROOT, '.halo/eval/oracle');
const SOURCE = join(ROOT, 'eval/dart/conformance/oracle.c');
const FLAGS = ['-std=c11', '-O2', '-Wall', '-Wextra', '-Werror'];
/** Five obligations give 4 MB. */
const ANSWER_MAX = 64 * 1024 * 1024;

export function askOracle(obligations: number): Uint8Array {
  mkdirSync(DIR, { recursive: true });
  const program = join(DIR, `dart-oracle-${process.pid}`);
  execFileSync('cc', [...FLAGS, '-o', program, SOURCE], { stdio: ['ignore', 'ignore', 'pipe'] });
  try {
    return execFileSync(program, [String(obligations)], { maxBuffer: ANSWER_MAX });
  } finally {
    rmSync(program, { force: true });
  }
}
