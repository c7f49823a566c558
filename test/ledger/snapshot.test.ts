/**
 * Snapshots and the archive: a start that reads only the tail ends where the whole reading ends,
 * and nothing that befalls a snapshot costs more than time.
 */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { LedgerRecord, Result } from '../../src/contract/index.js';
import { verifyLedger, type Ledger, type LedgerFold } from '../../src/ledger/index.js';
import { openLedgerOn, realFiles, type FilePort } from '../../src/ledger/testing.js';
import { sha256Hex } from '../../src/platform/index.js';
import { fly, NORTH, openFlight, UP } from './flight.js';
import { MemoryFiles } from './memory-files.js';
import { clock, freshDir, recordsIn } from './support.js';

/** A fold whose state tells every record and their order. */
class Digest implements LedgerFold {
  seq = 0;
  of = '';
  /** Records that this opening has read. */
  read = 0;

  restore(state: unknown): boolean {
    const { seq, of } = state as Digest;
    [this.seq, this.of] = [seq, of];
    return true;
  }

  apply({ seq, hash }: LedgerRecord): Result<void> {
    this.read += 1;
    this.seq = seq;
    this.of = sha256Hex(this.of + hash);
    return { ok: true, value: undefined };
  }

  get state() {
    return { seq: this.seq, of: this.of };
  }
}

interface Opened {
  readonly ledger: Ledger;
  readonly fold: Digest;
}

/** Small segments, so that some close. */
const SEGMENT_BYTES = 1500;

async function opening(dir: string, files: FilePort = realFiles): Promise<Result<Opened>> {
  const fold = new Digest();
  const machine = { files, segmentBytes: SEGMENT_BYTES };
  const opened = await openLedgerOn(machine, { dir, clock, generateKeys: true, fold });
  return opened.ok ? { ok: true, value: { ledger: opened.value, fold } } : opened;
}

async function openHere(dir: string, files: FilePort = realFiles): Promise<Opened> {
  const opened = await opening(dir, files);
  if (!opened.ok) throw new Error(`${opened.error.code} ${opened.error.message}`);
  const { ledger, fold } = opened.value;
  const { keyId, publicKeyPem: publicKey } = ledger;
  // The first record names the key, as the bridge's does.
  if (ledger.nextSeq === 1) fold.apply(ledger.append('epoch-opened', { keyId, publicKey }));
  return opened.value;
}

function append({ ledger, fold }: Opened, count: number): void {
  for (let n = 0; n < count; n += 1) fold.apply(ledger.append('frames', { n }));
}

async function closed({ ledger }: Opened): Promise<void> {
  expect((await ledger.close()).ok).toBe(true);
}

/** A ledger of 25 records with a snapshot of the 16th, and the state that it comes to. */
async function compacted(dir: string): Promise<Digest['state']> {
  const opened = await openHere(dir);
  for (let n = 0; n < 5; n += 1) {
    append(opened, 3);
    await opened.ledger.flush(5000);
  }
  expect((await opened.ledger.compact(opened.fold.state)).ok).toBe(true);
  append(opened, 9);
  await closed(opened);
  return opened.fold.state;
}

const segmentsIn = (dir: string): string[] =>
  existsSync(dir) ? readdirSync(dir).filter((name) => name.startsWith('segment-')) : [];

describe('a snapshot', () => {
  it('lets a start read the tail alone, and end where the whole reading ends, at any record', async () => {
    for (let at = 1; at <= 20; at += 1) {
      const dir = freshDir();
      const first = await openHere(dir);
      for (let n = 0; n < at; n += 1) {
        append(first, 1);
        if (n % 3 === 2) await first.ledger.flush(5000);
      }
      expect((await first.ledger.compact(first.fold.state)).ok).toBe(true);
      append(first, 20 - at);
      await closed(first);
      const second = await openHere(dir);
      expect(second.fold.read).toBe(20 - at);
      expect(second.fold.state).toEqual(first.fold.state);
      append(second, 1);
      await closed(second);
      expect(await recordsIn(dir)).toHaveLength(22);
      expect(await verifyLedger(dir)).toMatchObject({
        ok: true,
        value: { records: 22, firstSeq: 1, snapshotSeq: at + 1 },
      });
    }
  });

  it('moves what is closed before it into the archive, byte for byte', async () => {
    const dir = freshDir();
    const whole = freshDir();
    const opened = await openHere(dir);
    for (let n = 0; n < 8; n += 1) {
      append(opened, 2);
      await opened.ledger.flush(5000);
    }
    const before = segmentsIn(dir).map((name) => readFileSync(join(dir, name)));
    expect(before.length).toBeGreaterThan(2);
    await opened.ledger.compact(opened.fold.state);
    expect(segmentsIn(dir)).toHaveLength(1);
    const archive = join(dir, 'archive');
    const after = [
      ...segmentsIn(archive).map((name) => readFileSync(join(archive, name))),
      ...segmentsIn(dir).map((name) => readFileSync(join(dir, name))),
    ];
    expect(after).toEqual(before);
    await closed(opened);
    // Without the archive a start goes on, and a review says from where it has read.
    renameSync(archive, join(whole, 'elsewhere'));
    await closed(await openHere(dir));
    expect(await verifyLedger(dir)).toMatchObject({ ok: true, value: { snapshotSeq: 17 } });
  });

  it('costs time and nothing else when a byte of it is wrong, and says so', async () => {
    const dir = freshDir();
    const state = await compacted(dir);
    const path = join(dir, 'snapshot.json');
    const right = readFileSync(path);
    for (let at = 0; at < right.length; at += 7) {
      const wrong = Buffer.from(right);
      wrong[at] = (wrong[at] ?? 0) ^ 1;
      writeFileSync(path, wrong);
      const opened = await openHere(dir);
      expect(
        opened.ledger.reports.map(({ code }) => code),
        `byte ${at}`,
      ).toEqual(['HALO-609']);
      expect([opened.fold.read, opened.fold.state]).toEqual([25, state]);
      await closed(opened);
    }
    expect(await verifyLedger(dir)).toMatchObject({ ok: false, error: { code: 'HALO-609' } });
    rmSync(path);
    const without = await openHere(dir);
    expect([without.ledger.reports, without.fold.state]).toEqual([[], state]);
    await closed(without);
  });

  it('is needed once the archive is elsewhere: then its loss is refused, with what to do', async () => {
    const dir = freshDir();
    await compacted(dir);
    const elsewhere = freshDir();
    renameSync(join(dir, 'archive'), join(elsewhere, 'archive'));
    rmSync(join(dir, 'snapshot.json'));
    const refused = await opening(dir);
    expect(refused).toMatchObject({
      ok: false,
      error: { code: 'HALO-602', path: 'segment-000001.jsonl' },
    });
    expect(!refused.ok && refused.error.remedy).toContain('archive');
    renameSync(join(elsewhere, 'archive'), join(dir, 'archive'));
    await closed(await openHere(dir));
  });

  it('does not stand for records of another ledger, whichever key has signed it', async () => {
    const [dir, other] = [freshDir(), freshDir()];
    await compacted(dir);
    const key = join('keys', 'ledger-ed25519.pem');
    mkdirSync(join(other, 'keys'));
    writeFileSync(join(other, key), readFileSync(join(dir, key)), { mode: 0o600 });
    await compacted(other);
    writeFileSync(join(dir, 'snapshot.json'), readFileSync(join(other, 'snapshot.json')));
    expect(await opening(dir)).toMatchObject({ ok: false, error: { code: 'HALO-602' } });
    expect(await verifyLedger(dir)).toMatchObject({ ok: false, error: { code: 'HALO-609' } });
  });

  it('does not hide damage behind it, in its own segment or after', async () => {
    const dir = freshDir();
    await compacted(dir);
    for (const name of segmentsIn(dir)) {
      const right = readFileSync(join(dir, name));
      for (let at = 0; at < right.length; at += 53) {
        const wrong = Buffer.from(right);
        wrong[at] = (wrong[at] ?? 0) ^ 4;
        writeFileSync(join(dir, name), wrong);
        expect(await opening(dir), `${name} ${at}`).toMatchObject({
          ok: false,
          error: { code: 'HALO-602' },
        });
      }
      writeFileSync(join(dir, name), right);
    }
    await closed(await openHere(dir));
  });

  it('survives a power cut at every operation of its making: same state, nothing lost', async () => {
    const DIR = '/l';
    const attempt = async (fail: number): Promise<number> => {
      const files = new MemoryFiles();
      const opened = await openHere(DIR, files);
      for (let n = 0; n < 6; n += 1) {
        append(opened, 2);
        await opened.ledger.flush(5000);
      }
      files.calls.length = 0;
      files.fault = (n) => (n >= fail ? 'error' : undefined);
      const made = await opened.ledger.compact(opened.fold.state);
      expect(made.ok).toBe(files.calls.length < fail);
      expect(opened.ledger.poisoned).toBeUndefined();
      const calls = files.calls.length;
      files.powerCut(() => 0);
      files.fault = () => undefined;
      files.names.delete(`${DIR}/writer.lock`);
      const again = await openHere(DIR, files);
      expect(again.fold.state, `operation ${fail}`).toEqual(opened.fold.state);
      expect(await recordsIn(DIR, files)).toHaveLength(13);
      return calls;
    };
    const calls = await attempt(Infinity);
    expect(calls).toBeGreaterThan(8);
    for (let n = 1; n <= calls; n += 1) await attempt(n);
  });

  it('is refused for a state that is not of the last record', async () => {
    const opened = await openHere(freshDir());
    append(opened, 3);
    const late = await opened.ledger.compact({ ...opened.fold.state, seq: 2 });
    expect(late).toMatchObject({ ok: false, error: { code: 'HALO-609' } });
    await closed(opened);
  });

  it('carries a task on: receipts of before it count, the frontier is the same', async () => {
    const dir = freshDir();
    const first = await openFlight(dir, clock, SEGMENT_BYTES);
    fly(first, UP, clock.nowUs());
    expect((await first.ledger.compact(first.tracker.exported())).ok).toBe(true);
    fly(first, NORTH, clock.nowUs());
    expect(first.tracker.completed).toBe(true);
    await first.ledger.close();
    const second = await openFlight(dir, clock, SEGMENT_BYTES);
    expect(second.ledger.reports).toEqual([]);
    expect(second.tracker.completed).toBe(true);
    expect(second.tracker.frontier).toBe(first.tracker.frontier);
    await second.ledger.close();
    expect(await verifyLedger(dir)).toMatchObject({ ok: true, value: { receipts: 2 } });
  });
});
