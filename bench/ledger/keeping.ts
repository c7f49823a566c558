/**
 * How long until a record is on disk, alone and in groups, beside SQLite. Both sides sync for
 * each commit; they take turns. Enters: a folder. Leaves: ratios. Never: a record not yet durable
 * that counts.
 */
import path from 'node:path';
import type { LedgerRecord } from '../../src/contract/index.js';
import { GENESIS_HASH, openLedger, type Ledger } from '../../src/ledger/index.js';
import { encodeRecord } from '../../src/ledger/testing.js';
import { assert, digestOf, systemClock } from '../../src/platform/index.js';
import { nowUs, timesOf } from '../measure.js';
import { compared, type Ratio } from '../ratio.js';
import { SqliteLedger } from './peers.js';

const REPEATS = 5;
const DEADLINE_MS = 10_000;

export async function openHere(folder: string, name: string): Promise<Ledger> {
  const opened = await openLedger({
    dir: path.join(folder, name),
    clock: systemClock,
    generateKeys: true,
  });
  assert(opened.ok, opened.ok ? '' : opened.error.message);
  return opened.value;
}

/** As a batch of two setpoints is written: about 350 bytes a line. */
export const bodyOf = (n: number): object => ({
  leaseId: `l-${n % 97}`,
  first: n,
  last: n + 1,
  digests: [DIGEST],
});
const DIGEST = digestOf('frame');

async function durable(ledger: Ledger): Promise<void> {
  const flushed = await ledger.flush(DEADLINE_MS);
  assert(flushed.ok, flushed.ok ? '' : flushed.error.message);
}

/** Times of the repeats of both, and the ratio of their medians. */
function comparisonOf(repeats: readonly { a: readonly number[]; b: readonly number[] }[]) {
  const ratios = repeats.map(({ a, b }) => timesOf(a).p50Us / timesOf(b).p50Us);
  const [a, b] = [
    timesOf(repeats.flatMap((one) => one.a)),
    timesOf(repeats.flatMap((one) => one.b)),
  ];
  const [lowest, highest] = [Math.min(...ratios), Math.max(...ratios)];
  return { a, b, ratio: a.p50Us / b.p50Us, lowest, highest };
}

export async function appendRatio(folder: string): Promise<Ratio> {
  const ledger = await openHere(folder, 'alone');
  const peer = new SqliteLedger(path.join(folder, 'alone.db'));
  const repeats = [];
  for (let repeat = 0; repeat <= REPEATS; repeat += 1) {
    const times = { a: [] as number[], b: [] as number[] };
    for (let n = 0; n < 100; n += 1) {
      let from = nowUs();
      const record = ledger.append('frames', bodyOf(n));
      await durable(ledger);
      times.a.push(nowUs() - from);
      from = nowUs();
      peer.append(record);
      times.b.push(nowUs() - from);
    }
    // The first is for warming up.
    if (repeat > 0) repeats.push(times);
  }
  await ledger.close();
  peer.close();
  const names: [string, string] = ['append and wait', 'insert, WAL, synchronous FULL'];
  return compared('durable append / better-sqlite3', ['<=', 1.1], names, comparisonOf(repeats));
}

const GROUP = 512;
const GROUPS = 20;

/** Per record, from the first append to the last one's durability, with groups under way. */
async function keepGroups(ledger: Ledger): Promise<number> {
  const from = nowUs();
  for (let group = 0; group < GROUPS; group += 1) {
    for (let n = 0; n < GROUP; n += 1) ledger.append('frames', bodyOf(n));
    // The next group is made while the disk has this one: that is what the queue is for.
    await new Promise((next) => setImmediate(next));
    if (ledger.nextSeq - ledger.durableSeq > 4 * GROUP) await durable(ledger);
  }
  await durable(ledger);
  return (nowUs() - from) / (GROUP * GROUPS);
}

export async function groupRatio(folder: string): Promise<Ratio> {
  const ledger = await openHere(folder, 'groups');
  const peer = new SqliteLedger(path.join(folder, 'groups.db'));
  // A chain for the peer too: making its records is in its time as it is in ours.
  let [made, prev] = [0, GENESIS_HASH];
  const next = (): LedgerRecord => {
    made += 1;
    const head = { seq: made, epoch: 1, tUs: made, wallMs: made, kind: 'frames' as const, prev };
    const { record } = encodeRecord(head, bodyOf(made));
    prev = record.hash;
    return record;
  };
  const records = (): readonly LedgerRecord[] => Array.from({ length: GROUP }, next);
  const repeats = [];
  for (let repeat = 0; repeat <= REPEATS; repeat += 1) {
    const times = { a: [] as number[], b: [] as number[] };
    for (let turn = 0; turn < 5; turn += 1) {
      times.a.push(await keepGroups(ledger));
      const from = nowUs();
      for (let group = 0; group < GROUPS; group += 1) peer.appendAll(records());
      times.b.push((nowUs() - from) / (GROUP * GROUPS));
    }
    if (repeat > 0) repeats.push(times);
  }
  await ledger.close();
  peer.close();
  const comparison = comparisonOf(repeats);
  const faster = {
    ...comparison,
    ratio: 1 / comparison.ratio,
    lowest: 1 / comparison.highest,
    highest: 1 / comparison.lowest,
  };
  const names: [string, string] = ['group commit, a record', 'transactions of 512, a record'];
  return compared('group commit x better-sqlite3', ['>=', 1.2], names, faster);
}
