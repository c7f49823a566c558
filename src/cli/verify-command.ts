/**
 * `halo verify`: whether a ledger holds, for whoever reads it afterwards.
 * Enters: a folder. Leaves: what is in it, or the first record that does not hold and why.
 * Never: a change to the folder.
 */
import { verifyLedger } from '../ledger/index.js';
import { EXIT, errorText, exitCodeOf, type ExitCode } from './exit-codes.js';

export async function runVerify(dir: string, json: boolean): Promise<ExitCode> {
  const verified = await verifyLedger(dir);
  if (!verified.ok) {
    if (json) process.stdout.write(`${JSON.stringify({ ok: false, error: verified.error })}\n`);
    process.stderr.write(`${errorText(verified.error)}\n`);
    return exitCodeOf(verified.error);
  }
  const { value } = verified;
  process.stdout.write(
    json
      ? `${JSON.stringify({ ok: true, ...value })}\n`
      : `holds: ${value.headSeq} records, ${value.receipts} receipts, ${value.frames} frames, ` +
          `head ${value.headHash.slice(0, 12)}\n`,
  );
  return EXIT.ok;
}
