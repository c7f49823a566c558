/**
 * Every way in which bytes of a small ledger can be wrong, one by one: a torn tail is cut back to
 * the longest whole prefix, and all else is refused with the place.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { HaloError, LedgerRecord } from '../../src/contract/index.js';
import { MemoryFiles } from './memory-files.js';
import { clock, openOrThrow, receiptBody, recordsIn } from './support.js';
import { openLedgerOn, SEGMENT_BYTES, walk, type FilePort } from '../../src/ledger/testing.js';

const DIR = '/l';
const SEGMENT = `${DIR}/segment-000001.jsonl`;

let records: LedgerRecord[] = [];
let whole = Buffer.alloc(0);
let files = new MemoryFiles();
let atRest = new Map<string, Buffer>();

/** The same folder with another segment. The anchor is that of the opening: nothing yet. */
function folderWith(segment: Buffer): MemoryFiles {
  const copy = new MemoryFiles();
  for (const [path, data] of atRest) copy.put(path, data);
  copy.put(SEGMENT, segment);
  return copy;
}

const open = (on: MemoryFiles) =>
  openLedgerOn({ files: on, segmentBytes: SEGMENT_BYTES }, { dir: DIR, clock });

/** Reading alone: what opening does with the segments, without lock, key and anchor. */
async function read(
  segment: Buffer,
): Promise<{ kept: number; torn: number; error: HaloError | undefined }> {
  const on: Pick<FilePort, 'list' | 'readChunks'> = {
    list: (dir) => Promise.resolve(dir === DIR ? ['segment-000001.jsonl'] : undefined),
    readChunks: () => chunks(segment),
  };
  let kept = 0;
  const end = await walk(on, DIR, { bodies: 'all' }, () => {
    kept += 1;
    return undefined;
  });
  return end.ok
    ? { kept, torn: end.value.tornBytes, error: undefined }
    : { kept, torn: 0, error: end.error };
}

async function* chunks(data: Buffer): AsyncGenerator<Buffer> {
  // Odd, so that lines lie across chunks.
  for (let at = 0; at < data.length; at += 4093) {
    yield Buffer.from(data.subarray(at, at + 4093));
  }
  await Promise.resolve();
}

beforeAll(async () => {
  files = new MemoryFiles();
  const ledger = await openOrThrow(DIR, { files });
  records = [
    ledger.append('run-opened', { keyId: ledger.keyId, publicKey: ledger.publicKeyPem }),
    ledger.append('contract-bound', { task: 't', digest: 'd' }),
  ];
  for (let n = 0; n < 16; n += 1) records.push(ledger.append('frames', { n, name: 'Jörg *J:' }));
  records.push(ledger.append('receipt', ledger.signReceipt(receiptBody())));
  records.push(ledger.append('run-closed', {}));
  await ledger.flush(1000);
  // As a killed process leaves it: no anchor of a close, and a lock whose owner is gone.
  files.names.delete(`${DIR}/writer.lock`);
  whole = Buffer.from(files.names.get(SEGMENT)?.data ?? '');
  atRest = new Map([...files.names].map(([path, node]) => [path, node.data]));
  expect(whole.length).toBeGreaterThan(5000);
});

describe('a ledger cut anywhere', () => {
  it('reads to exactly its longest whole prefix, at every byte', async () => {
    for (let size = 0; size <= whole.length; size += 1) {
      const prefix = whole.subarray(0, size);
      const { kept, torn, error } = await read(prefix);
      if (error !== undefined) throw new Error(`cut at ${size}: ${error.message}`);
      const newline = prefix.lastIndexOf(0x0a);
      if (torn !== size - newline - 1) throw new Error(`cut at ${size}: ${torn} torn bytes`);
      if (kept !== prefix.filter((byte) => byte === 0x0a).length) {
        throw new Error(`cut at ${size}: ${kept} records`);
      }
    }
  });

  it('opens there, says what was cut, goes on, and opens again', async () => {
    for (let size = 0; size < whole.length; size += 61) {
      const prefix = whole.subarray(0, size);
      const cut = folderWith(prefix);
      const opened = await open(cut);
      if (!opened.ok) throw new Error(`cut at ${size}: ${opened.error.message}`);
      const ledger = opened.value;
      const kept = prefix.filter((byte) => byte === 0x0a).length;
      expect(await recordsIn(DIR, cut)).toEqual(records.slice(0, kept));
      const torn = size > prefix.lastIndexOf(0x0a) + 1;
      expect(ledger.reports.map((r) => r.code)).toEqual(torn ? ['HALO-603'] : []);
      const next = ledger.append('epoch-opened', {});
      await ledger.close();
      const again = await open(cut);
      expect(again.ok && (await recordsIn(DIR, cut)).at(-1)).toEqual(next);
    }
  });
});

describe('a ledger with damage', () => {
  it('does not read past any single flipped bit, and names its line', async () => {
    let line = 1;
    for (let at = 0; at < whole.length; at += 1) {
      for (let bit = 0; bit < 8; bit += 1) {
        const bytes = Buffer.from(whole);
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit);
        const { error } = await read(bytes);
        if (error?.code !== 'HALO-602' || error.path !== `segment-000001.jsonl:${line}`) {
          throw new Error(`byte ${at}, bit ${bit}, line ${line}: ${JSON.stringify(error)}`);
        }
      }
      if (whole[at] === 0x0a) line += 1;
    }
  });

  it('is refused at opening for a flipped bit', async () => {
    for (let at = 0; at < whole.length; at += 97) {
      const bytes = Buffer.from(whole);
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      expect(await open(folderWith(bytes))).toMatchObject({
        ok: false,
        error: { code: 'HALO-602' },
      });
    }
  });

  it('is refused for a record dropped, doubled or swapped with any other', async () => {
    const lines = whole.toString('utf8').trimEnd().split('\n');
    const refused = async (changed: readonly string[], what: string): Promise<void> => {
      const opened = await open(folderWith(Buffer.from(changed.join('\n') + '\n')));
      expect(opened, what).toMatchObject({ ok: false, error: { code: 'HALO-602' } });
    };
    for (let a = 0; a < lines.length; a += 1) {
      if (a < lines.length - 1) await refused(lines.toSpliced(a, 1), `drop ${a}`);
      for (let b = 0; b < lines.length; b += 1) {
        await refused(lines.toSpliced(b, 0, lines[a] ?? ''), `record ${a} again at ${b}`);
        if (a < b) await refused(lines.with(a, lines[b] ?? '').with(b, lines[a] ?? ''), 'swap');
      }
    }
  });

  it('is refused for zeros, ones and garbage in its middle', async () => {
    for (const fill of [0, 0xff, 0x0a, 0x7b]) {
      for (let at = 0; at < whole.length - 700; at += 512) {
        const opened = await open(folderWith(Buffer.from(whole).fill(fill, at, at + 512)));
        expect(opened).toMatchObject({ ok: false, error: { code: 'HALO-602' } });
      }
    }
  });

  it('is refused when a segment is missing or of another ledger', async () => {
    const two = folderWith(whole);
    two.put(`${DIR}/segment-000003.jsonl`, Buffer.alloc(0));
    expect(await open(two)).toMatchObject({
      ok: false,
      error: { code: 'HALO-602', path: 'segment-000002.jsonl' },
    });
    const other = new MemoryFiles();
    const ledger = await openOrThrow(DIR, { files: other });
    ledger.append('run-opened', { runId: 'other' });
    await ledger.flush(1000);
    const spliced = Buffer.concat([whole, other.names.get(SEGMENT)?.data ?? Buffer.alloc(0)]);
    expect(await open(folderWith(spliced))).toMatchObject({
      ok: false,
      error: { code: 'HALO-602', path: 'segment-000001.jsonl:21' },
    });
  });

  it('is refused when it lost whole records, or an old copy was put back', async () => {
    const closed = new MemoryFiles();
    const ledger = await openOrThrow(DIR, { files: closed });
    for (let n = 0; n < 3; n += 1) ledger.append('frames', { n });
    await ledger.close();
    const segment = closed.names.get(SEGMENT)?.data ?? Buffer.alloc(0);
    const lines = segment.toString('utf8').trimEnd().split('\n');
    const oldEpoch = atRest.get(`${DIR}/boot-epoch`) ?? Buffer.alloc(0);
    closed.put(SEGMENT, Buffer.from(lines.slice(0, 2).join('\n') + '\n'));
    expect(await open(closed)).toMatchObject({ ok: false, error: { code: 'HALO-602' } });
    closed.put(SEGMENT, segment);
    const next = await open(closed);
    if (!next.ok) throw new Error(next.error.message);
    next.value.append('epoch-opened', {});
    await next.value.close();
    closed.put(`${DIR}/boot-epoch`, oldEpoch);
    const mixed = await open(closed);
    expect(mixed).toMatchObject({ ok: false, error: { code: 'HALO-602' } });
    expect(!mixed.ok && mixed.error.message).toContain('boot epoch 2');
  });

  it('is refused as newer when a later version wrote it', async () => {
    const text = whole.toString('utf8');
    for (const later of ['{"v":2,"anything":"else"}', '{"kind":"frames","v":7}']) {
      const opened = await open(folderWith(Buffer.from(`${text}${later}\n`)));
      expect(opened).toMatchObject({
        ok: false,
        error: { code: 'HALO-606', path: 'segment-000001.jsonl:21' },
      });
    }
  });
});
