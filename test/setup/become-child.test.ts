// What stands between npm and the flight: signals and exit codes pass through it, and a dead npm
// is noticed.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const run = path.resolve(import.meta.dirname, '..', '..', 'setup', 'run.mjs');
let dir = '';

beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'halo-child-'));
});

afterEach(() => {
  fs.rmSync(dir, { recursive: true, force: true });
});

const written = (name: string): string => {
  const file = path.join(dir, name);
  return fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
};

/** A program that says when it runs and which signals it got, and ends with 5 at the first. */
const PROGRAM = `
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      fs.appendFileSync('got', signal);
      setTimeout(() => process.exit(5), 300);
    });
  }
  setInterval(() => {}, 1000);
  fs.writeFileSync('running', String(process.pid));`;

const command = [process.execPath, run, process.execPath, '-e', PROGRAM];

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test.each(['SIGINT', 'SIGTERM'] as const)(
  '%s passes through once, and the exit code comes back',
  async (signal) => {
    const child = spawn(process.execPath, command.slice(1), { cwd: dir, stdio: 'ignore' });
    const code = new Promise((resolve) => child.on('exit', resolve));
    await until(() => written('running') !== '');
    child.kill(signal);
    expect(await code).toBe(5);
    expect(written('got')).toBe(signal);
  },
);

test('when the shell of npm dies, the program is told to stop', async () => {
  const env = { ...process.env, npm_lifecycle_event: 'start' };
  // A second command keeps the shell in between, as npm's own does.
  const shell = spawn('sh', ['-c', '"$@"; true', 'sh', ...command], {
    cwd: dir,
    env,
    stdio: 'ignore',
  });
  await until(() => written('running') !== '');
  shell.kill('SIGKILL');
  await until(() => written('got') === 'SIGTERM');
});
