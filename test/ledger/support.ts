/** What the ledger tests share: fresh folders, a clock, and small helpers around opening. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { LedgerRecord, ReceiptBody } from '../../src/contract/index.js';
import type { Ledger } from '../../src/ledger/index.js';
import {
  openLedgerOn,
  realFiles,
  SEGMENT_BYTES,
  walk,
  type FilePort,
  type LedgerMachine,
} from '../../src/ledger/testing.js';
import { systemClock } from '../../src/platform/index.js';

export const clock = systemClock;

/** In memory where there is such a place: what a disk may do is tested on its own. */
const TEMPORARY = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

const made = new Set<string>();

afterAll(() => made.forEach((dir) => rmSync(dir, { recursive: true, force: true })));

/** Gone again when the test file has ended. */
export function freshDir(): string {
  const dir = mkdtempSync(join(TEMPORARY, 'halo-ledger-'));
  made.add(dir);
  return dir;
}

export async function openOrThrow(
  dir: string,
  machine: Partial<LedgerMachine> = {},
): Promise<Ledger> {
  const full = { files: realFiles, segmentBytes: SEGMENT_BYTES, ...machine };
  const opened = await openLedgerOn(full, { dir, clock, generateKeys: true });
  if (!opened.ok) throw new Error(`${opened.error.code} ${opened.error.message}`);
  return opened.value;
}

/** All that is in the folder, archive and what was written since opening included. */
export async function recordsIn(dir: string, files: FilePort = realFiles): Promise<LedgerRecord[]> {
  const records: LedgerRecord[] = [];
  const end = await walk(files, dir, { bodies: 'all' }, (record) => {
    records.push(record);
    return undefined;
  });
  if (!end.ok) throw new Error(`${end.error.code} ${end.error.message}`);
  return records;
}

export const receiptBody = (over: Partial<ReceiptBody> = {}): ReceiptBody => ({
  id: 'rc-1-1',
  runId: 'run-1',
  frontier: '0'.repeat(64),
  generation: 1,
  componentId: 'up',
  kind: 'flight.takeoff',
  componentDigest: 'a'.repeat(64),
  outcome: 'observed',
  ensured: false,
  observed: { airborne: true, altitudeM: 6.02 },
  evidenceDigest: 'b'.repeat(64),
  snapshotId: 's-10',
  observedUs: 1_000_000,
  bootEpoch: 1,
  ...over,
});
