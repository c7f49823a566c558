/**
 * Real processes on a real disk: killed under load, and racing for one ledger.
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'vite';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openLedger, verifyLedger } from '../../src/ledger/index.js';
import { seededRandom } from '../../src/platform/index.js';
import { clock, freshDir, openOrThrow, recordsIn } from './support.js';

const ROOT = resolve(import.meta.dirname, '../..');
/** Inside the repository, so that packages are found from there. */
const OUT = join(ROOT, '.halo', `ledger-test-${process.pid}`);

beforeAll(async () => {
  await build({
    root: ROOT,
    configFile: false,
    logLevel: 'error',
    // One small file: two hundred processes are started, and loading packages is most of that.
    ssr: { noExternal: true },
    build: {
      minify: true,
      ssr: 'test/ledger/writer-process.ts',
      outDir: OUT,
      emptyOutDir: true,
      rollupOptions: { output: { entryFileNames: 'writer.mjs' } },
    },
  });
  const dir = freshDir();
  const ledger = await openOrThrow(dir);
  ownLock = JSON.parse(readFileSync(join(dir, 'writer.lock'), 'utf8')) as object;
  await ledger.close();
});

const KILLS = 200;
const RACES = 1000;
/** Ledgers side by side, each through its share of the lives. */
const CHAINS = 2;

const started = new Set<Writer>();

/** A failed test must not leave a writer that fills the disk. */
afterEach(async () => {
  for (const writer of started) await writer.kill();
  started.clear();
});

afterAll(() => rmSync(OUT, { recursive: true, force: true }));

class Writer {
  readonly child: ChildProcess;
  readonly lines: string[] = [];
  #taken = 0;
  #wake: () => void = () => undefined;

  constructor(mode: 'load' | 'race', dir: string) {
    const stdio: ['pipe', 'pipe', 'inherit'] = ['pipe', 'pipe', 'inherit'];
    const child = spawn(process.execPath, [join(OUT, 'writer.mjs'), mode, dir], { stdio });
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.lines.push(line);
      this.#wake();
    });
    this.child = child;
    started.add(this);
  }

  async next(): Promise<string> {
    while (this.#taken >= this.lines.length) {
      if (this.child.exitCode !== null) throw new Error('the writer ended');
      await new Promise<void>((wake) => (this.#wake = wake));
    }
    const line = this.lines[this.#taken] ?? '';
    this.#taken += 1;
    return line;
  }

  go(): void {
    this.child.stdin?.write('go\n');
  }

  /** Killed as by kill -9; resolves when all that it had said has been read. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const closed = once(this.child, 'close');
    this.child.kill('SIGKILL');
    await closed;
  }
}

/** One ledger through many lives, each killed at some moment. Returns how much was acknowledged. */
async function killedAgainAndAgain(seed: number): Promise<number> {
  const random = seededRandom(seed);
  const dir = freshDir();
  const acknowledged = new Map<number, string>();
  let waiting = new Writer('load', dir);
  for (let life = 1; life <= KILLS / CHAINS; life += 1) {
    const writer = waiting;
    writer.go();
    // The next one starts up meanwhile, which is most of what a life costs.
    waiting = new Writer('load', dir);
    expect(await writer.next()).toBe(`open ${life}`);
    await new Promise((wake) => setTimeout(wake, random() * 15));
    await writer.kill();
    for (const line of writer.lines) {
      const [word, seq = '', hash = ''] = line.split(' ');
      if (word === 'durable') acknowledged.set(Number(seq), hash);
    }
  }
  await waiting.kill();
  await (await openOrThrow(dir)).close();
  const found = await recordsIn(dir);
  for (const [seq, hash] of acknowledged) {
    if (found[seq - 1]?.hash !== hash) throw new Error(`seed ${seed}: record ${seq} is not there`);
  }
  // The body says which record of its burst it is: nothing is doubled, lost or made up.
  let [life, index] = [0, 0];
  for (const { seq, epoch, body } of found) {
    index = epoch === life ? index + 1 : 0;
    life = epoch;
    if ((body as { n: number }).n !== index % 7) throw new Error(`seed ${seed}: record ${seq}`);
  }
  expect((await verifyLedger(dir)).ok).toBe(true);
  return acknowledged.size;
}

describe('a ledger whose process is killed', () => {
  it('has every acknowledged record and no other, after 200 kills', async () => {
    const chains = Array.from({ length: CHAINS }, (_, chain) => killedAgainAndAgain(chain + 1));
    const acknowledged = (await Promise.all(chains)).reduce((sum, one) => sum + one, 0);
    // As many as lives would mean that they were killed before they had begun.
    expect(acknowledged).toBeGreaterThan(10 * KILLS);
  }, 240_000);

  it('is taken over at once, while the dead process has not even been reaped', async () => {
    const dir = freshDir();
    const writer = new Writer('load', dir);
    writer.go();
    await writer.next();
    expect(await openLedger({ dir, clock })).toMatchObject({
      ok: false,
      error: { code: 'HALO-601' },
    });
    writer.child.kill('SIGKILL');
    const opened = await retried(() => openLedger({ dir, clock }));
    expect(opened.ok && opened.value.bootEpoch).toBe(2);
    if (opened.ok) await opened.value.close();
  });
});

describe('two processes that want one ledger', () => {
  it('never both hold it, in 1,000 races from every kind of lock left behind', async () => {
    const dir = freshDir();
    const [a, b] = [new Writer('race', dir), new Writer('race', dir)];
    await Promise.all([a.next(), b.next()]);
    const seqs: number[] = [];
    let epoch = 0;
    for (let round = 0; round < RACES; round += 1) {
      // A free ledger, the lock of a process that is gone, and one that died while taking over.
      if (round % 3 > 0) {
        const nonce = leaveStaleLock(dir);
        if (round % 3 === 2) leaveStaleLock(dir, {}, `writer.lock.after-${nonce}`);
      }
      a.go();
      b.go();
      const answers = await Promise.all([a.next(), b.next()]);
      const opens = answers.filter((line) => line.startsWith('open'));
      const refused = answers.filter((line) => line === 'refused HALO-601');
      expect([opens.length, refused.length], `round ${round}: ${answers.join(', ')}`).toEqual([
        1, 1,
      ]);
      const [, opened, seq] = (opens[0] ?? '').split(' ').map(Number);
      expect(opened).toBe((epoch += 1));
      seqs.push(seq ?? 0);
      a.go();
      b.go();
      expect(await Promise.all([a.next(), b.next()])).toEqual(['closed', 'closed']);
    }
    await Promise.all([a.kill(), b.kill()]);
    expect(seqs).toEqual(Array.from({ length: RACES }, (_, index) => index + 1));
    expect(await verifyLedger(dir)).toMatchObject({ ok: true, value: { records: RACES } });
    // And nothing of the locks stays behind.
    expect(readdirSync(dir).filter((name) => name.includes('lock'))).toEqual([]);
  }, 240_000);

  it('refuses a lock that it cannot judge: of another host, or not its own writing', async () => {
    const dir = freshDir();
    await (await openOrThrow(dir)).close();
    leaveStaleLock(dir, { host: 'elsewhere' });
    const foreign = await openLedger({ dir, clock });
    expect(foreign).toMatchObject({ ok: false, error: { code: 'HALO-601' } });
    expect(!foreign.ok && foreign.error.message).toContain('elsewhere');
    writeFileSync(join(dir, 'writer.lock'), 'hands off');
    expect(await openLedger({ dir, clock })).toMatchObject({
      ok: false,
      error: { code: 'HALO-601' },
    });
    rmSync(join(dir, 'writer.lock'));
    await (await openOrThrow(dir)).close();
  });

  it('shows the first one a higher epoch when a second took the folder over by force', async () => {
    const dir = freshDir();
    const first = await openOrThrow(dir);
    expect(first.currentEpoch()).toBe(first.bootEpoch);
    rmSync(join(dir, 'writer.lock'));
    const second = await openOrThrow(dir);
    expect(first.currentEpoch()).toBe(first.bootEpoch + 1);
    expect(second.currentEpoch()).toBe(second.bootEpoch);
    await second.close();
    expect(first.currentEpoch()).toBe(first.bootEpoch + 1);
    rmSync(join(dir, 'boot-epoch'));
    expect(first.currentEpoch()).toBe(Number.POSITIVE_INFINITY);
  });
});

/** What the machine lets us do to a real process: nothing where tracing or mounting is forbidden. */
const canTrace = spawnSync('strace', ['-qq', '-o', '/dev/null', 'true']).status === 0;
const canMount = ((): boolean => {
  const place = freshDir();
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'halo-test', place]).status !== 0) {
    return false;
  }
  return spawnSync('umount', [place]).status === 0;
})();

/** One short life under `wrapper`, then the disk is well again: what was acknowledged is there. */
async function expectKept(dir: string, wrapper: readonly string[]): Promise<readonly string[]> {
  const [program = process.execPath, ...args] = [...wrapper, process.execPath];
  const child = spawnSync(program, [...args, join(OUT, 'writer.mjs'), 'steps', dir], {
    encoding: 'utf8',
    timeout: 60_000,
    // One thread makes all calls, so that the n-th one is the n-th.
    env: { ...process.env, UV_THREADPOOL_SIZE: '1' },
  });
  const said = child.stdout.trimEnd().split('\n');
  const what = `${wrapper.join(' ')}\n${child.stdout}${child.stderr}`;
  const opened = await openLedger({ dir, clock, generateKeys: true });
  if (!opened.ok) throw new Error(`${what}\n${opened.error.message}`);
  await opened.value.close();
  const found = await recordsIn(dir);
  for (const line of said.filter((one) => one.startsWith('durable'))) {
    const [, seq, hash] = line.split(' ');
    expect(found[Number(seq) - 1]?.hash, what).toBe(hash);
  }
  expect(
    found.map(({ body }) => (body as { n: number }).n),
    what,
  ).toEqual(found.map((_, n) => n));
  return said;
}

describe('a ledger whose system calls fail', () => {
  it('keeps what it acknowledged when the system limits its files', async () => {
    const limit = ['sh', '-c', 'ulimit -f 16; trap "" XFSZ; exec "$@"', 'sh'];
    const said = await expectKept(freshDir(), limit);
    expect(said).toContain('poisoned HALO-604');
    expect(said.filter((line) => line.startsWith('durable')).length).toBeGreaterThan(0);
  });

  it('keeps what it acknowledged when the disk is full', async () => {
    // Where nothing may be mounted, the limit above is what this machine can do.
    if (!canMount) return;
    const place = freshDir();
    spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=32k', 'halo-test', place]);
    try {
      const dir = join(place, 'ledger');
      const full = spawnSync(process.execPath, [join(OUT, 'writer.mjs'), 'steps', dir], {
        encoding: 'utf8',
      });
      expect(full.stdout).toContain('poisoned HALO-604');
      const acknowledged = full.stdout.split('\n').filter((line) => line.startsWith('durable'));
      expect(acknowledged.length).toBeGreaterThan(0);
      spawnSync('mount', ['-o', 'remount,size=1m', place]);
      await (await openOrThrow(dir)).close();
      const found = await recordsIn(dir);
      for (const line of acknowledged) {
        const [, seq, hash] = line.split(' ');
        expect(found[Number(seq) - 1]?.hash).toBe(hash);
      }
    } finally {
      spawnSync('umount', [place]);
    }
  });

  it('keeps what it acknowledged when single calls fail', async () => {
    if (!canTrace) return;
    const cases: readonly (readonly [string, string, string?])[] = [
      ['write:error=EIO:when=3', 'poisoned HALO-604', 'segment-000001.jsonl'],
      ['write:error=ENOSPC:when=1+', 'poisoned HALO-604', 'segment-000001.jsonl'],
      ['fsync:error=EIO:when=4', 'refused HALO-604'],
      ['fsync:error=EIO:when=1+', 'refused HALO-604'],
      ['rename:error=EIO:when=2', 'refused HALO-604'],
      ['rename:error=ENOSPC:when=3', 'not compacted'],
      ['openat:error=EMFILE', 'refused HALO-604', 'segment-000001.jsonl'],
    ];
    for (const [inject, outcome, file] of cases) {
      const dir = freshDir();
      const only = file === undefined ? [] : ['-P', join(dir, file)];
      const strace = ['strace', '-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', ...only];
      const call = inject.split(':')[0] ?? '';
      const said = await expectKept(dir, [
        ...strace,
        '-e',
        `trace=${call}`,
        '-e',
        `inject=${inject}`,
      ]);
      expect(said, inject).toContain(outcome);
    }
  }, 120_000);
});

let ownLock: object = {};
let nonces = 0;

/** As a process of this machine would have left it, long gone. Returns its nonce. */
function leaveStaleLock(dir: string, over: object = {}, name = 'writer.lock'): string {
  nonces += 1;
  const nonce = nonces.toString(16).padStart(32, '0');
  writeFileSync(join(dir, name), JSON.stringify({ ...ownLock, started: '1', nonce, ...over }));
  return nonce;
}

async function retried<T extends { ok: boolean }>(work: () => Promise<T>): Promise<T> {
  for (let n = 0; ; n += 1) {
    const result = await work();
    if (result.ok || n > 100) return result;
    await new Promise((wake) => setTimeout(wake, 5));
  }
}
