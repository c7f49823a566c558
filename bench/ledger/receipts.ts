/**
 * What a receipt costs the tick that submits it, signature included, and how long until it is
 * acknowledged, at 1,000 records a second; beside a step of LangGraph that keeps its state in
 * SQLite. They take turns. Enters: a folder. Leaves: ratios.
 * Never: a receipt without its signature, or acknowledged before it is durable.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReceiptBody } from '../../src/contract/index.js';
import { digestOf } from '../../src/platform/index.js';
import { nowUs, timesOf } from '../measure.js';
import { ratioOf, type Ratio } from '../ratio.js';
import { bodyOf, openHere } from './keeping.js';
import { LangGraphSteps } from './peers.js';

const TURNS = 12;
const WARM_UP_TURNS = 2;
const RECORDS = 250;
/** One in ten records is a receipt: far more than any flight issues. */
const RECEIPT_EVERY = 10;
const STEPS = 25;

const receiptOf = (n: number): ReceiptBody => ({
  id: `rc-1-${n}`,
  runId: 'run-1',
  frontier: DIGEST,
  generation: 1,
  componentId: 'leg1',
  kind: 'flight.goto',
  componentDigest: DIGEST,
  obligation: 'inspect-north',
  outcome: 'observed',
  ensured: false,
  observed: { position: [10.1, 0.2, 6.02], dwellS: 1.02, airborne: true },
  evidenceDigest: DIGEST,
  snapshotId: `s-${n}`,
  observedUs: 1_000_000 + n,
  bootEpoch: 1,
});
const DIGEST = digestOf('x');

export async function receiptRatios(folder: string): Promise<readonly Ratio[]> {
  const ledger = await openHere(folder, 'receipts');
  const peer = new LangGraphSteps(folder);
  const waiting = new Map<number, number>();
  const samples = { submit: [] as number[], acknowledged: [] as number[], step: [] as number[] };
  let told = 0;
  ledger.onDurable((durable) => {
    for (; told < durable; told += 1) {
      const since = waiting.get(told + 1);
      if (since !== undefined) samples.acknowledged.push(nowUs() - since);
      waiting.delete(told + 1);
    }
  });
  for (let turn = 0; turn < TURNS; turn += 1) {
    const startMs = performance.now();
    for (let n = 0; n < RECORDS; n += 1) {
      // A timer is late by up to a millisecond: then those that are due go out one after another.
      const dueMs = startMs + n - performance.now();
      if (dueMs > 0) await sleep(dueMs);
      if (n % RECEIPT_EVERY > 0) {
        ledger.append('frames', bodyOf(n));
        continue;
      }
      const from = nowUs();
      const { seq } = ledger.append('receipt', ledger.signReceipt(receiptOf(n)));
      samples.submit.push(nowUs() - from);
      waiting.set(seq, from);
    }
    await ledger.flush(10_000);
    samples.step.push(...(await peer.run(STEPS)));
    if (turn < WARM_UP_TURNS) Object.values(samples).forEach((list) => (list.length = 0));
  }
  peer.end();
  await ledger.close();
  const [submit, acknowledged, step] = [
    timesOf(samples.submit),
    timesOf(samples.acknowledged),
    timesOf(samples.step),
  ];
  const stepRow = ['LangGraph step, SqliteSaver', step] as const;
  return [
    ratioOf(
      'LangGraph step / submitting a receipt',
      step.p50Us / submit.p50Us,
      ['>=', 50],
      [['sign and append', submit], stepRow],
    ),
    ratioOf(
      'receipt acknowledged / LangGraph step',
      acknowledged.p50Us / step.p50Us,
      ['<=', 0.5],
      [['until durable, at 1,000 records a second', acknowledged], stepRow],
    ),
  ];
}
