/**
 * The life of a ledger on a real disk: append, close, open again, and who may write.
 */
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GENESIS_HASH, openLedger } from '../../src/ledger/index.js';
import { clock, freshDir, openOrThrow, recordsIn } from './support.js';

describe('a ledger', () => {
  it('numbers and chains records at once, and says when they are durable', async () => {
    const ledger = await openOrThrow(freshDir());
    expect([ledger.nextSeq, ledger.headHash, ledger.bootEpoch]).toEqual([1, GENESIS_HASH, 1]);
    const seen: number[] = [];
    ledger.onDurable((seq) => seen.push(seq));
    const first = ledger.append('run-opened', { runId: 'r' });
    const second = ledger.append('vehicle-epoch', { moved: ['arming'] });
    expect([first.seq, second.seq, second.prev]).toEqual([1, 2, first.hash]);
    expect([ledger.durableSeq, ledger.headHash]).toEqual([0, second.hash]);
    expect((await ledger.flush(5000)).ok).toBe(true);
    expect(ledger.durableSeq).toBe(2);
    expect(seen).toEqual([2]);
    await ledger.close();
  });

  it('refuses in time a folder that the system cannot make, and makes one many levels deep', async () => {
    // Node's own recursive mkdir never comes back from the first one.
    const nowhere = await openLedger({ dir: '/proc/halo', clock, generateKeys: true });
    expect(nowhere).toMatchObject({ ok: false, error: { code: 'HALO-604' } });
    const deep = await openOrThrow(join(freshDir(), 'a/b/c'));
    await deep.close();
  });

  it('gives back after a restart what was appended, and goes on with the chain', async () => {
    const dir = freshDir();
    const first = await openOrThrow(dir);
    const bodies = [{ runId: 'r' }, { text: 'ü 😀 ","epoch":7' }, { n: [1.5, -0.25, 1e21] }];
    first.append('run-opened', bodies[0]);
    first.append('verdict', bodies[1]);
    const last = first.append('frames', bodies[2]);
    await first.close();
    const second = await openOrThrow(dir);
    expect(second.headHash).toBe(last.hash);
    expect((await recordsIn(dir)).map((r) => r.body)).toEqual(bodies);
    const next = second.append('epoch-opened', {});
    expect([next.seq, next.prev, next.epoch]).toEqual([4, last.hash, 2]);
    await second.close();
    const third = await openOrThrow(dir);
    expect((await recordsIn(dir)).map((r) => r.epoch)).toEqual([1, 1, 1, 2]);
    await third.close();
  });

  it('orders by sequence alone: clocks that jump either way change nothing', async () => {
    const dir = freshDir();
    const times = [5_000_000, 1, 9_007_199_254_740_991, 0, 7];
    let at = -1;
    const jumping = {
      nowUs: () => times[at] ?? 0,
      wallMs: () => times[times.length - 1 - at] ?? 0,
    };
    for (const life of [1, 2]) {
      const opened = await openLedger({ dir, clock: jumping, generateKeys: true });
      if (!opened.ok) throw new Error(opened.error.message);
      for (at = 0; at < times.length; at += 1) opened.value.append('frames', { life, at });
      expect((await opened.value.close()).ok).toBe(true);
    }
    const found = await recordsIn(dir);
    expect(found.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(found.map(({ tUs }) => tUs)).toEqual([...times, ...times]);
  });

  it('raises the boot epoch with each opening, also when nothing was written', async () => {
    const dir = freshDir();
    for (const epoch of [1, 2, 3]) {
      const ledger = await openOrThrow(dir);
      expect(ledger.bootEpoch).toBe(epoch);
      expect(JSON.parse(readFileSync(join(dir, 'boot-epoch'), 'utf8'))).toMatchObject({ epoch });
      await ledger.close();
    }
  });

  it('refuses a second opening in the same process until the first is closed', async () => {
    const dir = freshDir();
    const ledger = await openOrThrow(dir);
    const second = await openLedger({ dir, clock, generateKeys: true });
    expect(second).toMatchObject({ ok: false, error: { code: 'HALO-601' } });
    expect(!second.ok && second.error.message).toContain(String(process.pid));
    await ledger.close();
    await (await openOrThrow(dir)).close();
  });

  it('makes its key for the owner alone and refuses one that others can read', async () => {
    const dir = freshDir();
    const refusedWithout = await openLedger({ dir, clock });
    expect(refusedWithout).toMatchObject({ ok: false, error: { code: 'HALO-605' } });
    await (await openOrThrow(dir)).close();
    const key = join(dir, 'keys', 'ledger-ed25519.pem');
    expect(statSync(key).mode & 0o777).toBe(0o600);
    for (const mode of [0o640, 0o604, 0o660]) {
      chmodSync(key, mode);
      const opened = await openLedger({ dir, clock, generateKeys: true });
      expect(opened).toMatchObject({ ok: false, error: { code: 'HALO-607', path: key } });
    }
    chmodSync(key, 0o600);
    await (await openOrThrow(dir)).close();
  });

  it('refuses a ledger whose key is another or gone', async () => {
    const dir = freshDir();
    const other = freshDir();
    const ledger = await openOrThrow(dir);
    ledger.append('run-opened', { keyId: ledger.keyId, publicKey: ledger.publicKeyPem });
    await ledger.close();
    await (await openOrThrow(other)).close();
    const key = join(dir, 'keys', 'ledger-ed25519.pem');
    const own = readFileSync(key);
    for (const foreign of [readFileSync(join(other, 'keys', 'ledger-ed25519.pem')), 'no key']) {
      writeFileSync(key, foreign);
      const opened = await openLedger({ dir, clock, generateKeys: true });
      expect(opened).toMatchObject({ ok: false, error: { code: 'HALO-605' } });
    }
    writeFileSync(key, own);
    await (await openOrThrow(dir)).close();
  });

  it('goes on in a new segment when one is full, and reads across them', async () => {
    const dir = freshDir();
    const ledger = await openOrThrow(dir, { segmentBytes: 2000 });
    for (let n = 0; n < 40; n += 1) {
      ledger.append('frames', { n });
      if (n % 3 === 0) await ledger.flush(5000);
    }
    await ledger.close();
    const again = await openOrThrow(dir, { segmentBytes: 2000 });
    expect((await recordsIn(dir)).map((r) => r.body)).toEqual(
      Array.from({ length: 40 }, (_, n) => ({ n })),
    );
    again.append('frames', { n: 40 });
    await again.close();
    expect(statSync(join(dir, 'segment-000004.jsonl')).size).toBeGreaterThan(0);
  });
});
