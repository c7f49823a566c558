/**
 * Keys of a ledger: made for the owner alone, never written over, and replaced only by what the
 * old one has signed in the chain.
 */
import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Receipt } from '../../src/contract/index.js';
import { createKey, openLedger, verifyLedger, type Ledger } from '../../src/ledger/index.js';
import { openLedgerOn, SEGMENT_BYTES } from '../../src/ledger/testing.js';
import { fly, NORTH, openFlight, UP } from './flight.js';
import { MemoryFiles } from './memory-files.js';
import { clock, freshDir, openOrThrow, receiptBody } from './support.js';

const keyFile = (dir: string): string => join(dir, 'keys', 'ledger-ed25519.pem');

async function rotated(dir: string): Promise<string> {
  const done = await (await openOrThrow(dir)).rotateKeyAndClose();
  if (!done.ok) throw new Error(done.error.message);
  return done.value;
}

const opening = (ledger: Ledger): Ledger => {
  const { keyId, publicKeyPem: publicKey } = ledger;
  ledger.append('epoch-opened', { bootEpoch: ledger.bootEpoch, keyId, publicKey });
  return ledger;
};

describe('a new key', () => {
  it('is for the owner alone, is the one that the ledger opens with, and is never written over', async () => {
    const dir = join(freshDir(), 'new');
    const made = await createKey(dir);
    expect(statSync(keyFile(dir)).mode & 0o777).toBe(0o600);
    const bytes = readFileSync(keyFile(dir));
    expect(await createKey(dir)).toMatchObject({
      ok: false,
      error: { code: 'HALO-608', path: keyFile(dir) },
    });
    expect(readFileSync(keyFile(dir))).toEqual(bytes);
    const opened = await openLedger({ dir, clock });
    expect(opened.ok && opened.value.keyId).toBe(made.ok && made.value);
    if (opened.ok) await opened.value.close();
  });

  it('is not made where records are there and their key is gone, or while a bridge runs', async () => {
    const dir = freshDir();
    const ledger = opening(await openOrThrow(dir));
    expect(await createKey(dir)).toMatchObject({ ok: false, error: { code: 'HALO-601' } });
    await ledger.close();
    writeFileSync(keyFile(dir), '');
    chmodSync(keyFile(dir), 0o600);
    expect(await createKey(dir)).toMatchObject({ ok: false, error: { code: 'HALO-608' } });
    const empty = freshDir();
    writeFileSync(join(empty, 'segment-000001.jsonl'), 'x');
    expect(await createKey(empty)).toMatchObject({ ok: false, error: { code: 'HALO-605' } });
  });
});

describe('a rotation', () => {
  it('lets the new key sign from there on, and the receipts of before hold', async () => {
    const dir = freshDir();
    const first = await openFlight(dir, clock);
    fly(first, UP, clock.nowUs());
    await first.ledger.compact(first.tracker.exported());
    await first.ledger.close();
    const next = await rotated(dir);
    const second = await openFlight(dir, clock);
    expect(second.ledger.reports).toEqual([]);
    expect([second.ledger.keyId, second.tracker.stateOf('up')]).toEqual([next, 'satisfied']);
    fly(second, NORTH, clock.nowUs());
    expect(second.tracker.completed).toBe(true);
    await second.ledger.close();
    expect(statSync(keyFile(dir)).mode & 0o777).toBe(0o600);
    expect(await verifyLedger(dir)).toMatchObject({
      ok: true,
      value: { keyIds: [first.ledger.keyId, next], receipts: 2 },
    });
  });

  it('retires the old key: what it signs afterwards is no receipt, live or in review', async () => {
    const dir = freshDir();
    const first = opening(await openOrThrow(dir));
    const sign = (bootEpoch: number, frontier: string): Receipt =>
      first.signReceipt(receiptBody({ bootEpoch, frontier }));
    await first.close();
    await rotated(dir);
    const ledger = opening(await openOrThrow(dir));
    expect(ledger.verifyReceipt(sign(1, first.headHash))).toBe(true);
    const late = sign(ledger.bootEpoch, first.headHash);
    expect(ledger.verifyReceipt(late)).toBe(false);
    ledger.append('receipt', late);
    await ledger.close();
    const review = await verifyLedger(dir);
    expect(review).toMatchObject({ ok: false, error: { path: 'segment-000001.jsonl:5' } });
    expect(!review.ok && review.error.message).toContain('was replaced before it');
  });

  const lies: readonly [string, string, (ledger: Ledger, foreign: Ledger) => unknown][] = [
    [
      'by a key that the chain does not know',
      'may not name',
      (ledger, foreign) => foreign.signReceipt(rotation(ledger.headHash, foreign)),
    ],
    [
      'signed for another place',
      'another place',
      (ledger, foreign) => ledger.signReceipt(rotation('0'.repeat(64), foreign)),
    ],
    [
      'whose new key was exchanged',
      'signature',
      (ledger, foreign) => ({
        ...(ledger.signReceipt(rotation(ledger.headHash, ledger)) as object),
        nextKeyId: foreign.keyId,
        nextPublicKey: foreign.publicKeyPem,
      }),
    ],
    ['without its members', 'does not fit', () => ({ nextKeyId: 'x' })],
  ];
  for (const [what, reason, body] of lies) {
    it(`does not hold ${what}: opening and review refuse the record`, async () => {
      const dir = freshDir();
      const foreign = await openOrThrow(freshDir());
      const ledger = opening(await openOrThrow(dir));
      ledger.append('key-rotated', body(ledger, foreign));
      await ledger.close();
      for (const result of [await openLedger({ dir, clock }), await verifyLedger(dir)]) {
        expect(result).toMatchObject({
          ok: false,
          error: { code: 'HALO-602', path: 'segment-000001.jsonl:2' },
        });
        expect(!result.ok && result.error.message).toContain(reason);
      }
      await foreign.close();
    });
  }

  it('is the only way to another key: an opening that names one does not hold', async () => {
    const dir = freshDir();
    const foreign = await openOrThrow(freshDir());
    const ledger = opening(await openOrThrow(dir));
    const { keyId, publicKeyPem: publicKey } = foreign;
    ledger.append('epoch-opened', { keyId, publicKey });
    await ledger.close();
    const result = await verifyLedger(dir);
    expect(result).toMatchObject({ ok: false, error: { path: 'segment-000001.jsonl:2' } });
    expect(!result.ok && result.error.message).toContain('no rotation');
    await foreign.close();
  });

  it('survives a power cut at every operation: the old key or the new one opens, never none', async () => {
    const DIR = '/l';
    const attempt = async (fail: number): Promise<{ calls: number; keyId: string }> => {
      const files = new MemoryFiles();
      await opening(await openOrThrow(DIR, { files })).close();
      const ledger = await openOrThrow(DIR, { files });
      files.calls.length = 0;
      files.fault = (n) => (n >= fail ? 'error' : undefined);
      const done = await ledger.rotateKeyAndClose();
      const calls = files.calls.length;
      files.powerCut(() => 0);
      files.fault = () => undefined;
      files.names.delete(`${DIR}/writer.lock`);
      const machine = { files, segmentBytes: SEGMENT_BYTES };
      const opened = await openLedgerOn(machine, { dir: DIR, clock });
      if (!opened.ok) throw new Error(`operation ${fail}: ${opened.error.message}`);
      const now = opened.value;
      if (done.ok) expect(now.keyId).toBe(done.value);
      expect(now.verifyReceipt(now.signReceipt(receiptBody({ bootEpoch: now.bootEpoch })))).toBe(
        true,
      );
      expect((await opening(now).close()).ok).toBe(true);
      return { calls, keyId: now.keyId === ledger.keyId ? 'old' : 'new' };
    };
    const { calls } = await attempt(Infinity);
    const outcomes: string[] = [];
    for (let n = 1; n <= calls; n += 1) outcomes.push((await attempt(n)).keyId);
    // First all old, then all new: the record in the chain is the one turning point.
    expect(outcomes.join(' ')).toMatch(/^(old )+(new ?)+$/);
  });
});

/** What the old key signs; the type is that of a receipt because only receipts are signed live. */
const rotation = (after: string, next: Ledger) =>
  ({ nextKeyId: next.keyId, nextPublicKey: next.publicKeyPem, after }) as never;
