/**
 * Reading a ledger back, all of it verified: beside SQLite with the same checks, how flat memory
 * stays, and how long a start takes before and after a compaction.
 * Enters: a folder. Leaves: ratios. Never: a record that is not hashed.
 */
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ok, type LedgerRecord, type Result } from '../../src/contract/index.js';
import { GENESIS_HASH, openLedger, type LedgerFold } from '../../src/ledger/index.js';
import { encodeRecord } from '../../src/ledger/testing.js';
import { assert, systemClock } from '../../src/platform/index.js';
import { nowUs, timesOf } from '../measure.js';
import { ratioOf, type Ratio } from '../ratio.js';
import { bodyOf } from './keeping.js';
import { SqliteLedger } from './peers.js';

const RECORDS = 1_000_000;
const PEER_RECORDS = 200_000;
const REPEATS = 5;
const SEGMENT_RECORDS = 40_000;

/** A history as the bridge would have left it; written straight, since only reading is timed. */
function writeHistory(dir: string, count: number, peer?: SqliteLedger): void {
  mkdirSync(dir, { recursive: true });
  let prev = GENESIS_HASH;
  let lines: string[] = [];
  let records: LedgerRecord[] = [];
  const name = (seq: number): string =>
    `segment-${String(Math.ceil(seq / SEGMENT_RECORDS)).padStart(6, '0')}.jsonl`;
  for (let seq = 1; seq <= count; seq += 1) {
    const head = { seq, epoch: 1, tUs: seq, wallMs: seq, kind: 'frames' as const, prev };
    const { record, line } = encodeRecord(head, bodyOf(seq));
    prev = record.hash;
    lines.push(line);
    if (peer !== undefined) records.push(record);
    if (seq % 10_000 > 0 && seq < count) continue;
    appendFileSync(path.join(dir, name(seq)), lines.join(''));
    peer?.appendAll(records);
    lines = [];
    records = [];
  }
  const anchor = { epoch: 1, seq: 0, hash: GENESIS_HASH };
  writeFileSync(path.join(dir, 'boot-epoch'), JSON.stringify(anchor));
}

/** Follows the records, and looks at memory now and then. */
class Watcher implements LedgerFold {
  seq = 0;
  read = 0;
  readonly rssBytes: number[] = [];

  restore(state: unknown): boolean {
    this.seq = (state as { readonly seq: number }).seq;
    return true;
  }

  apply({ seq }: LedgerRecord): Result<void> {
    this.seq = seq;
    this.read += 1;
    if (this.read % 50_000 === 0) this.rssBytes.push(process.memoryUsage.rss());
    return ok(undefined);
  }
}

/** One start and its end; `compact` leaves a snapshot behind. Returns the start's time. */
async function start(dir: string, compact = false): Promise<{ us: number; watcher: Watcher }> {
  const watcher = new Watcher();
  const from = nowUs();
  const opened = await openLedger({ dir, clock: systemClock, generateKeys: true, fold: watcher });
  const us = nowUs() - from;
  assert(opened.ok, opened.ok ? '' : opened.error.message);
  if (compact) {
    const compacted = await opened.value.compact({ seq: watcher.seq });
    assert(compacted.ok, compacted.ok ? '' : compacted.error.message);
  }
  await opened.value.close();
  return { us, watcher };
}

/** The key is made for the first opening; the bench's history comes without one. */
async function withKey(dir: string): Promise<void> {
  const opened = await openLedger({ dir, clock: systemClock, generateKeys: true });
  assert(opened.ok, opened.ok ? '' : opened.error.message);
  await opened.value.close();
}

export async function readingRatios(folder: string): Promise<readonly Ratio[]> {
  const dir = path.join(folder, 'reading');
  const peer = new SqliteLedger(path.join(folder, 'reading.db'));
  await withKey(dir);
  writeHistory(dir, PEER_RECORDS, peer);
  const times = { ours: [] as number[], theirs: [] as number[] };
  for (let repeat = 0; repeat <= REPEATS; repeat += 1) {
    const { us } = await start(dir);
    const from = nowUs();
    assert(peer.replay() === PEER_RECORDS, 'SQLite gives all rows');
    if (repeat === 0) continue;
    times.ours.push(us / PEER_RECORDS);
    times.theirs.push((nowUs() - from) / PEER_RECORDS);
  }
  peer.close();
  const [ours, theirs] = [timesOf(times.ours), timesOf(times.theirs)];
  const ratios = times.ours.map((us, n) => (times.theirs[n] ?? Number.NaN) / us);
  const range = [Math.min(...ratios), Math.max(...ratios)] as const;
  const replay = ratioOf(
    'replay x SQLite with SHA-256',
    theirs.p50Us / ours.p50Us,
    ['>=', 2.5],
    [
      ['start, a record', ours],
      ['iterate and check, a row', theirs],
    ],
    range,
  );
  return [replay, ...(await longRatios(folder))];
}

async function longRatios(folder: string): Promise<readonly Ratio[]> {
  const dir = path.join(folder, 'long');
  await withKey(dir);
  writeHistory(dir, RECORDS);
  const { us: wholeUs, watcher } = await start(dir, true);
  assert(watcher.read === RECORDS, 'the first start reads everything');
  const after: number[] = [];
  for (let n = 0; n < REPEATS; n += 1) after.push((await start(dir)).us);
  const [first = 0, ...rest] = watcher.rssBytes;
  const [whole, compacted] = [timesOf([wholeUs]), timesOf(after)];
  return [
    ratioOf(
      'memory at its most / after 50,000 records',
      Math.max(...rest) / first,
      ['<=', 1.5],
      [],
    ),
    ratioOf(
      'start after compaction / whole start',
      compacted.p50Us / wholeUs,
      ['<=', 0.2],
      [
        ['start of 1,000,000 records', whole],
        ['start after a compaction', compacted],
      ],
    ),
  ];
}
