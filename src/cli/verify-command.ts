/**
 * `halo verify`: whether a ledger holds, for whoever reads it afterwards.
 * Enters: a folder. Leaves: what is in it, or the first record that does not hold and why.
 * Never: a change to the folder.
 */
import { verifyLedger, type LedgerSummary } from '../ledger/index.js';
import { complain, EXIT, type ExitCode } from './exit-codes.js';
import { TaskReview } from './task-review.js';

export async function runVerify(dir: string, json: boolean): Promise<ExitCode> {
  const verified = await verifyLedger(dir, new TaskReview());
  if (!verified.ok) {
    if (json) process.stdout.write(`${JSON.stringify({ ok: false, error: verified.error })}\n`);
    return complain(verified.error);
  }
  const { value } = verified;
  process.stdout.write(json ? `${JSON.stringify({ ok: true, ...value })}\n` : textOf(value));
  return EXIT.ok;
}

function textOf(of: LedgerSummary): string {
  const { records, receipts, frames, firstSeq, snapshotSeq, tornBytes, keyIds } = of;
  const lines = [
    `holds: ${records} records, ${receipts} receipts, ${frames} frames, ` +
      `head ${of.headHash.slice(0, 12)}`,
    `keys: ${keyIds.join(', then ')}`,
  ];
  if (snapshotSeq !== undefined) lines.push(`snapshot: of record ${snapshotSeq}`);
  if (firstSeq > 1) lines.push(`not here: the archive with the records before ${firstSeq}`);
  if (tornBytes > 0) lines.push(`unfinished: ${tornBytes} bytes behind the last record`);
  return `${lines.join('\n')}\n`;
}
