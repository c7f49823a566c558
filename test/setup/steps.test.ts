// Set-up as a user meets it: child processes in a project of their own, with tools that behave as
// the test says.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const repository = path.resolve(import.meta.dirname, '..', '..');
let root = '';

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'halo-setup-'));
  fs.cpSync(path.join(repository, 'setup'), path.join(root, 'setup'), { recursive: true });
  write('package-lock.json', '{"packages": {}}');
  write('interfaces/halo_interfaces/package.xml', '<package/>');
  write('src/a.ts', '');
  write('src/cli/main.ts', '');
});

afterEach(() => {
  fs.rmSync(root, { recursive: true, force: true });
});

function write(file: string, text: string, mode = 0o644): void {
  const full = path.join(root, file);
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, text, { mode });
}

const read = (file: string): string => {
  const full = path.join(root, file);
  return fs.existsSync(full) ? fs.readFileSync(full, 'utf8') : '';
};

/** A compiler in tsc's place: notes each run, does what it is told, then leaves its result. */
function compilerThat(does: string): void {
  write(
    'node_modules/typescript/bin/tsc',
    `const fs = require('fs'), path = require('path');
     fs.appendFileSync('runs', process.pid + '\\n');
     ${does}
     function leave() {
       const out = process.argv[process.argv.indexOf('--outDir') + 1];
       fs.mkdirSync(path.join(out, 'src/cli'), { recursive: true });
       fs.writeFileSync(path.join(out, 'src/cli/main.js'), '');
     }`,
  );
}

const runs = (): string[] => read('runs').trim().split('\n').filter(Boolean);

function start(steps: string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [path.join(root, 'setup', 'setup.mjs'), ...steps], {
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<Ended>((resolve) => {
    let out = '';
    let err = '';
    child.stdout.on('data', (data: Buffer) => (out += data.toString()));
    child.stderr.on('data', (data: Buffer) => (err += data.toString()));
    child.on('close', (code) => resolve({ code, out, err }));
  });
  return { child, ended };
}

const setUp = (steps: string[], env?: Record<string, string>) => start(steps, env).ended;

/** A folder of programs that are all that PATH offers. */
function onlyPrograms(programs: Record<string, string>): Record<string, string> {
  for (const [name, text] of Object.entries(programs)) {
    write(`bin/${name}`, `#!/bin/sh\n${text}\n`, 0o755);
  }
  fs.mkdirSync(path.join(root, 'bin'), { recursive: true });
  return { PATH: path.join(root, 'bin') };
}

const python = (version: string, facts: string) =>
  `echo '{"version": [${version}], "rclpy": false, ${facts}}'`;

async function until(condition: () => boolean): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('waited in vain');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Running, as opposed to gone or ended and not yet noticed by its parent. */
function alive(pid: string): boolean {
  const stat = `/proc/${pid}/stat`;
  return fs.existsSync(stat) && !fs.readFileSync(stat, 'utf8').includes(') Z ');
}

describe('a missing tool is named with the command that installs it', () => {
  const cases = [
    { manager: 'apt-get', command: 'sudo apt-get install -y g++ cmake make' },
    { manager: 'dnf', command: 'sudo dnf install -y gcc-c++ cmake make' },
    { manager: 'pacman', command: 'sudo pacman -S --needed gcc cmake make' },
    { manager: 'brew', command: 'brew install gcc cmake make' },
  ];
  test.each(cases)('with $manager, for compiler, CMake and make', async ({ manager, command }) => {
    const startedMs = Date.now();
    const ended = await setUp(['interfaces'], onlyPrograms({ [manager]: '' }));
    expect(ended.code).toBe(3);
    expect(ended.err).toContain('Missing on this machine: a C++ compiler, CMake, make.');
    expect(ended.err).toContain(`Remedy: ${command}`);
    expect(ended.out).toBe('');
    expect(Date.now() - startedMs).toBeLessThan(10_000);
  });

  test('when there is no Python at all', async () => {
    const ended = await setUp(['ros'], onlyPrograms({ 'apt-get': '' }));
    expect(ended.code).toBe(3);
    expect(ended.err).toContain('Python 3 is missing; 3.10 to 3.13 is needed.');
    expect(ended.err).toContain('sudo apt-get install -y python3 python3-venv python3-dev');
  });

  test('when the only Python is too new', async () => {
    const facts = '"venv": true, "headers": true';
    const ended = await setUp(['ros'], onlyPrograms({ python3: python('3, 14, 0', facts) }));
    expect(ended.code).toBe(3);
    expect(ended.err).toContain('Python 3.10 to 3.13 is needed; found only 3.14.0');
  });

  test('when Python came without its venv module', async () => {
    const facts = '"venv": false, "headers": true';
    const programs = { python3: python('3, 12, 3', facts), 'apt-get': '' };
    const ended = await setUp(['ros'], onlyPrograms(programs));
    expect(ended.code).toBe(3);
    expect(ended.err).toContain('lacks the venv module');
    expect(ended.err).toContain('Remedy: sudo apt-get install -y python3-venv');
  });
});

describe('a step', () => {
  test('runs once, is skipped afterwards, and runs again when a source changed', async () => {
    compilerThat('leave()');
    expect((await setUp(['build'])).code).toBe(0);
    const second = await setUp(['build']);
    expect(second).toEqual({ code: 0, out: '', err: 'Set-up is complete.\n' });
    expect(runs()).toHaveLength(1);
    write('src/a.ts', 'export {};');
    expect((await setUp(['build'])).code).toBe(0);
    expect(runs()).toHaveLength(2);
  });

  test('runs again when its result was deleted', async () => {
    compilerThat('leave()');
    await setUp(['build']);
    fs.rmSync(path.join(root, 'dist'), { recursive: true });
    await setUp(['build']);
    expect(runs()).toHaveLength(2);
  });

  test('leaves no compiled module of a source that was deleted', async () => {
    compilerThat('leave()');
    await setUp(['build']);
    // As a compiler run by hand leaves it, beside a current build.
    write('dist/src/gone.js', '');
    expect((await setUp(['build'])).code).toBe(0);
    expect(runs()).toHaveLength(2);
    expect(fs.existsSync(path.join(root, 'dist/src/gone.js'))).toBe(false);
  });

  test('that fails leaves the last whole build in place', async () => {
    compilerThat('leave()');
    await setUp(['build']);
    write('dist/src/cli/main.js', 'whole');
    write('src/a.ts', 'export {};');
    compilerThat('leave(); process.exit(2);');
    expect((await setUp(['build'])).code).toBe(1);
    expect(read('dist/src/cli/main.js')).toBe('whole');
  });

  test('that fails shows the end of its log and counts as not done', async () => {
    compilerThat('leave(); console.log("src/a.ts: wrong"); process.exit(2);');
    const first = await setUp(['build']);
    expect(first.code).toBe(1);
    expect(first.err).toContain('| src/a.ts: wrong');
    expect(first.err).toContain('Remedy: Correct the errors that the log names.');
    await setUp(['build']);
    expect(runs()).toHaveLength(2);
  });

  test('that claims success without a result is a failure', async () => {
    compilerThat('process.exit(0);');
    const ended = await setUp(['build']);
    expect(ended.code).toBe(1);
    expect(ended.err).toContain('The compiler left no src/cli/main.js.');
  });

  test('whose sources change while it runs is done again for the new ones', async () => {
    compilerThat('leave(); if (!fs.existsSync("src/b.ts")) fs.writeFileSync("src/b.ts", "");');
    expect((await setUp(['build'])).code).toBe(0);
    expect(runs()).toHaveLength(2);
  });

  test('whose sources never settle is given up, not repeated for ever', async () => {
    compilerThat('leave(); fs.appendFileSync("src/a.ts", " ");');
    const ended = await setUp(['build']);
    expect(ended.code).toBe(1);
    expect(ended.err).toContain('changes faster than it can be done');
    expect(runs()).toHaveLength(3);
  });
});

describe('interruption', () => {
  const SLOW = 'leave(); if (!fs.existsSync("go")) setTimeout(() => {}, 60_000);';

  test('by SIGKILL leaves nothing behind that the next run does not clear and repeat', async () => {
    compilerThat(SLOW);
    const first = start(['build']);
    await until(() => runs().length === 1);
    await until(() => read('.halo/setup.lock').includes('"tool":{'));
    first.child.kill('SIGKILL');
    await first.ended;
    const [orphan] = runs();
    write('go', '');
    expect((await setUp(['build'])).code).toBe(0);
    expect(runs()).toHaveLength(2);
    expect(alive(orphan ?? '')).toBe(false);
    expect(read('.halo/setup.lock')).toBe('');
  });

  test('by SIGINT ends the running tool, gives the lock back and says how to go on', async () => {
    compilerThat(SLOW);
    const first = start(['build']);
    await until(() => runs().length === 1);
    first.child.kill('SIGINT');
    const ended = await first.ended;
    expect(ended.code).toBe(130);
    expect(ended.err).toContain('run it again to go on');
    await until(() => !alive(runs()[0] ?? ''));
    expect(read('.halo/setup.lock')).toBe('');
    expect(fs.existsSync(path.join(root, '.halo', 'stamps', 'build'))).toBe(false);
  });

  test('by a lock whose owner has died is no obstacle', async () => {
    compilerThat('leave()');
    const gone = start([], { PATH: '' });
    await gone.ended;
    write('.halo/setup.lock', JSON.stringify({ pid: gone.child.pid, start: '1', tool: null }));
    expect((await setUp(['build'])).code).toBe(0);
  });

  test('by a second set-up: it waits, and then finds the work done', async () => {
    compilerThat('setTimeout(leave, 1500);');
    const first = start(['build']);
    await until(() => runs().length === 1);
    const second = await setUp(['build']);
    expect((await first.ended).code).toBe(0);
    expect(second.code).toBe(0);
    expect(second.err).toContain('another set-up is running');
    expect(runs()).toHaveLength(1);
  });
});

test('a path that compilers cannot take is refused before anything is done', async () => {
  const plain = root;
  root = path.join(plain, 'my project');
  fs.cpSync(path.join(plain, 'setup'), path.join(root, 'setup'), { recursive: true });
  const ended = await setUp(['build']);
  root = plain;
  expect(ended.code).toBe(3);
  expect(ended.err).toContain('holds a blank or a colon');
});

test('an unknown step is refused with the list of steps', async () => {
  const ended = await setUp(['everything']);
  expect(ended.code).toBe(1);
  expect(ended.err).toContain('There is no step "everything".');
  expect(ended.err).toContain('Steps: ros, npm, interfaces');
});
