/**
 * The suite of the ledger: keeping, keeping many, reading back, and receipts.
 * Enters: nothing. Leaves: ratios to the peers, measured in turns within one run.
 * Never: a file outside .halo/bench.
 */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Ratio } from '../ratio.js';
import { appendRatio, groupRatio } from './keeping.js';
import { readingRatios } from './reading.js';
import { receiptRatios } from './receipts.js';

export async function ledgerSuite(): Promise<readonly Ratio[]> {
  const folder = path.resolve('.halo', 'bench', 'ledger-data');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    return [
      await appendRatio(folder),
      await groupRatio(folder),
      ...(await receiptRatios(folder)),
      ...(await readingRatios(folder)),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
