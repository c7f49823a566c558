/**
 * Disks that fail: at every operation, once or for good, and power cuts at every point between.
 */
import { describe, expect, it } from 'vitest';
import type { LedgerRecord } from '../../src/contract/index.js';
import { openLedgerOn } from '../../src/ledger/testing.js';
import { seededRandom } from '../../src/platform/index.js';
import { MemoryFiles, type Fault } from './memory-files.js';
import { clock, openOrThrow, recordsIn } from './support.js';

const DIR = '/l';
/** Small, so that a short life rolls segments too. */
const SEGMENT_BYTES = 1500;

interface Life {
  readonly appended: LedgerRecord[];
  readonly durable: number;
  readonly epoch: number | undefined;
}

/** One life that writes 24 records in groups, and remembers what it was told is durable. */
async function live(files: MemoryFiles): Promise<Life> {
  const opened = await openLedgerOn(
    { files, segmentBytes: SEGMENT_BYTES },
    { dir: DIR, clock, generateKeys: true },
  );
  if (!opened.ok) return { appended: [], durable: 0, epoch: undefined };
  const ledger = opened.value;
  const appended: LedgerRecord[] = [];
  let durable = ledger.durableSeq;
  ledger.onDurable((seq) => (durable = seq));
  for (let n = 0; n < 24; n += 1) {
    appended.push(ledger.append('frames', { n }));
    if (n % 4 === 3) await ledger.flush(1000);
  }
  const before = ledger.poisoned;
  await ledger.close();
  if (before !== undefined) {
    expect(before.code).toBe('HALO-604');
    expect(durable).toBeLessThan(appended.at(-1)?.seq ?? 0);
  }
  return { appended, durable, epoch: ledger.bootEpoch };
}

/** After the power cut: nothing acknowledged is missing, nothing is invented, the epoch rises. */
async function expectWhole(files: MemoryFiles, lives: readonly Life[], what: string) {
  files.fault = () => undefined;
  files.names.delete(`${DIR}/writer.lock`);
  const machine = { files, segmentBytes: SEGMENT_BYTES };
  const opened = await openLedgerOn(machine, { dir: DIR, clock, generateKeys: true });
  if (!opened.ok) throw new Error(`${what}: ${opened.error.code} ${opened.error.message}`);
  const found = await recordsIn(DIR, files);
  const written = lives.flatMap(({ appended }) => appended);
  const durable = Math.max(0, ...lives.map((life) => life.durable));
  expect(found.length, what).toBeGreaterThanOrEqual(durable);
  expect(found, what).toEqual(written.slice(0, found.length));
  for (const { epoch } of lives) expect(opened.value.bootEpoch).toBeGreaterThan(epoch ?? 0);
}

describe('a ledger on a failing disk', () => {
  const kinds: readonly (readonly [string, (past: number) => Fault | undefined])[] = [
    ['fails once', (past) => (past === 0 ? 'error' : undefined)],
    ['fails for good', (past) => (past >= 0 ? 'error' : undefined)],
    ['takes half a write', (past) => (past === 0 ? 'short' : undefined)],
    [
      'takes half a write and then fails',
      (past) => ([undefined, 'short', 'error'] as const)[past + 1],
    ],
  ];
  for (const [name, fault] of kinds) {
    it(`keeps what it acknowledged when the n-th operation ${name}, for every n`, async () => {
      const random = seededRandom(20_261_130);
      const healthy = new MemoryFiles();
      expect((await live(healthy)).durable).toBe(24);
      for (let n = 1; n <= healthy.calls.length; n += 1) {
        const files = new MemoryFiles();
        files.fault = (count) => fault(count - n);
        const life = await live(files);
        const failed = files.calls[n - 1] ?? '';
        files.powerCut((length) => Math.floor(random() * (length + 1)));
        await expectWhole(files, [life], `operation ${n}, ${failed} ${name}`);
      }
      // Opening, six groups, rolls and closing: less would mean that the disk is not asked.
      expect(healthy.calls.length).toBeGreaterThan(40);
    });
  }

  it('keeps what it acknowledged when the power fails in a second life, for every n', async () => {
    const random = seededRandom(7);
    for (let n = 1; n < 60; n += 1) {
      const files = new MemoryFiles();
      const first = await live(files);
      files.calls.length = 0;
      files.fault = (count) => (count >= n ? 'error' : undefined);
      const second = await live(files);
      files.powerCut((length) => Math.floor(random() * (length + 1)));
      // Counts from 1 to 24, then on from 25: the lives make one chain.
      await expectWhole(files, [first, second], `operation ${n} of the second life`);
    }
  });

  it('is poisoned by the first failed write: numbers go on, durability does not, nothing retries', async () => {
    const files = new MemoryFiles();
    const ledger = await openOrThrow(DIR, { files });
    ledger.append('frames', { n: 1 });
    expect((await ledger.flush(1000)).ok).toBe(true);
    files.fault = (_, operation) => (operation === 'write' ? 'error' : undefined);
    ledger.append('frames', { n: 2 });
    const told: number[] = [];
    ledger.onDurable((seq) => told.push(seq));
    expect(await ledger.flush(1000)).toMatchObject({ ok: false, error: { code: 'HALO-604' } });
    expect(told).toEqual([1]);
    files.fault = () => undefined;
    const calls = files.calls.length;
    expect(ledger.append('frames', { n: 3 }).seq).toBe(3);
    expect((await ledger.flush(1000)).ok).toBe(false);
    expect([ledger.durableSeq, files.calls.length]).toEqual([1, calls]);
    expect((await ledger.close()).ok).toBe(false);
    await (await openOrThrow(DIR, { files })).close();
  });

  it('makes durable what a killed process had only written, before it builds on it', async () => {
    const files = new MemoryFiles();
    const first = await openOrThrow(DIR, { files });
    first.append('frames', { n: 1 });
    await first.flush(1000);
    // Killed between the write and its way to the disk: the next life reads it from the cache.
    const segment = files.names.get(`${DIR}/segment-000001.jsonl`);
    if (segment !== undefined) segment.synced = Buffer.alloc(0);
    files.names.delete(`${DIR}/writer.lock`);
    await openOrThrow(DIR, { files });
    files.powerCut(() => 0);
    files.names.delete(`${DIR}/writer.lock`);
    await openOrThrow(DIR, { files });
    expect(await recordsIn(DIR, files)).toHaveLength(1);
  });

  it('finishes a short write that the disk takes on the next call', async () => {
    const files = new MemoryFiles();
    const ledger = await openOrThrow(DIR, { files });
    let writes = 0;
    files.fault = (_, operation) => {
      if (operation !== 'write') return undefined;
      writes += 1;
      return writes < 4 ? 'short' : undefined;
    };
    const record = ledger.append('frames', { text: 'x'.repeat(500) });
    expect((await ledger.flush(1000)).ok).toBe(true);
    await ledger.close();
    expect(writes).toBe(4);
    await openOrThrow(DIR, { files });
    expect(await recordsIn(DIR, files)).toEqual([record]);
  });

  it('says so in time when the disk hangs, and poisons itself when the queue overflows', async () => {
    const files = new MemoryFiles();
    const ledger = await openOrThrow(DIR, { files });
    const real = files.openAppend.bind(files);
    files.openAppend = async (path) => ({
      ...(await real(path)),
      write: () => new Promise<number>(() => undefined),
    });
    // The hanging disk comes with the next opening.
    await ledger.close();
    const hung = await openOrThrow(DIR, { files });
    hung.append('frames', { n: 1 });
    const flushed = await hung.flush(30);
    expect(flushed).toMatchObject({ ok: false, error: { code: 'HALO-604' } });
    expect(hung.poisoned).toBeUndefined();
    const text = 'x'.repeat(1024 * 1024);
    for (let n = 0; n < 40; n += 1) hung.append('frames', { text });
    expect(hung.poisoned?.code).toBe('HALO-604');
    expect(hung.durableSeq).toBe(0);
  });
});
