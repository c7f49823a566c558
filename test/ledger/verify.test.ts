/**
 * The review of a ledger: what it counts, and the first record that does not hold, with the
 * reason, when the chain itself is whole.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { verifyLedger, verifySigned, type Ledger } from '../../src/ledger/index.js';
import { freshDir, openOrThrow, receiptBody } from './support.js';

const opening = (ledger: Ledger) => ({
  runId: 'run-1',
  keyId: ledger.keyId,
  publicKey: ledger.publicKeyPem,
});

describe('the review of a ledger', () => {
  it('counts what is there, while it is being written and after', async () => {
    const dir = freshDir();
    const ledger = await openOrThrow(dir);
    ledger.append('run-opened', opening(ledger));
    const bound = ledger.append('contract-bound', { task: 't', digest: 'd' });
    ledger.append('frames', { digests: ['a', 'b', 'c'] });
    ledger.append('receipt', ledger.signReceipt(receiptBody({ frontier: bound.hash })));
    await ledger.flush(5000);
    const expected = {
      records: 4,
      kinds: { 'run-opened': 1, 'contract-bound': 1, frames: 1, receipt: 1 },
      epochs: 1,
      runIds: ['run-1'],
      keyIds: [ledger.keyId],
      receipts: 1,
      frames: 3,
      segments: 1,
      tornBytes: 0,
      headSeq: 4,
      headHash: ledger.headHash,
    };
    expect(await verifyLedger(dir)).toMatchObject({ ok: true, value: expected });
    await ledger.close();
    const copy = freshDir();
    for (const file of ['segment-000001.jsonl', 'boot-epoch']) {
      copyFileSync(join(dir, file), join(copy, file));
    }
    expect(await verifyLedger(copy)).toMatchObject({ ok: true, value: expected });
  });

  const lies: readonly [string, string, (ledger: Ledger, frontier: string) => unknown][] = [
    [
      'with a changed member',
      'signature',
      (l, frontier) => ({
        ...l.signReceipt(receiptBody({ frontier })),
        kind: 'flight.land',
      }),
    ],
    [
      'with a member added',
      'signature',
      (l, frontier) => ({
        ...l.signReceipt(receiptBody({ frontier })),
        note: 'x',
      }),
    ],
    [
      'with another spelling of its signature',
      'signature',
      (l, frontier) => {
        const receipt = l.signReceipt(receiptBody({ frontier }));
        return { ...receipt, signature: receipt.signature.replace('==', '') };
      },
    ],
    [
      'of an unknown key',
      'names its key',
      (l, frontier) => ({
        ...l.signReceipt(receiptBody({ frontier })),
        keyId: '0123456789abcdef',
      }),
    ],
    ['without a signature', 'not signed', (_, frontier) => receiptBody({ frontier })],
    [
      'on a frontier that never was',
      'frontier',
      (l) => l.signReceipt(receiptBody({ frontier: 'f'.repeat(64) })),
    ],
  ];
  for (const [what, reason, body] of lies) {
    it(`names a receipt ${what} in a whole chain`, async () => {
      const dir = freshDir();
      const ledger = await openOrThrow(dir);
      const { hash } = ledger.append('run-opened', opening(ledger));
      ledger.append('receipt', body(ledger, hash));
      ledger.append('run-closed', {});
      await ledger.close();
      const result = await verifyLedger(dir);
      expect(result).toMatchObject({
        ok: false,
        error: { code: 'HALO-602', path: 'segment-000001.jsonl:2' },
      });
      expect(!result.ok && result.error.message).toContain(reason);
    });
  }

  it('names the line of damage, tells an unfinished tail, and says when nothing is there', async () => {
    const dir = freshDir();
    const ledger = await openOrThrow(dir);
    for (let n = 0; n < 5; n += 1) ledger.append('frames', { n });
    await ledger.close();
    const segment = join(dir, 'segment-000001.jsonl');
    const text = readFileSync(segment, 'utf8');
    writeFileSync(segment, text + '{"body":{"n":5}');
    expect(await verifyLedger(dir)).toMatchObject({ ok: true, value: { tornBytes: 15 } });
    writeFileSync(segment, text.replace('"n":3', '"n":4'));
    expect(await verifyLedger(dir)).toMatchObject({
      ok: false,
      error: { code: 'HALO-602', path: 'segment-000001.jsonl:4' },
    });
    const empty = freshDir();
    mkdirSync(join(empty, 'keys'));
    for (const nothing of [empty, join(empty, 'none')]) {
      expect(await verifyLedger(nothing)).toMatchObject({
        ok: false,
        error: { code: 'HALO-701' },
      });
    }
  });
});

describe('a receipt', () => {
  it('holds as signed, with its own key, and in no other way', async () => {
    const [a, b] = [await openOrThrow(freshDir()), await openOrThrow(freshDir())];
    const receipt = a.signReceipt(receiptBody());
    expect(a.verifyReceipt(receipt)).toBe(true);
    expect(b.verifyReceipt(receipt)).toBe(false);
    expect(b.verifyReceipt({ ...receipt, keyId: b.keyId })).toBe(false);
    expect(a.verifyReceipt({ ...receipt, ensured: true })).toBe(false);
    expect(verifySigned(receipt, 'no key')).toBe(false);
    await a.close();
    await b.close();
  });
});
