/**
 * `halo verify`: whether a ledger holds, for whoever reads it afterwards.
 * Enters: a folder. Leaves: what is in it, or the first record that does not hold and why.
 * Never: a change to the folder.
 */
import { fail, ok, taskContractSchema, type LedgerRecord, type Result } from '../contract/index.js';
import { verifyLedger, type LedgerReview, type LedgerSummary } from '../ledger/index.js';
import { digestOf, haloError } from '../platform/index.js';
import { createTaskTracker, type TaskTracker } from '../recovery/index.js';
import { EXIT, errorText, exitCodeOf, type ExitCode } from './exit-codes.js';

export async function runVerify(dir: string, json: boolean): Promise<ExitCode> {
  const verified = await verifyLedger(dir, new TaskReview());
  if (!verified.ok) {
    if (json) process.stdout.write(`${JSON.stringify({ ok: false, error: verified.error })}\n`);
    process.stderr.write(`${errorText(verified.error)}\n`);
    return exitCodeOf(verified.error);
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

/**
 * Judges each task again, by the contract that its own ledger binds: an advance without the
 * receipt that earns it does not hold. Signatures have been checked before a record comes here.
 */
class TaskReview implements LedgerReview {
  #tracker: TaskTracker | undefined;
  #opening: LedgerRecord | undefined;

  apply(record: LedgerRecord): Result<void> {
    if (record.kind === 'run-opened') this.#opening = record;
    const bound = record.kind === 'contract-bound' ? this.#bind(record) : ok(undefined);
    if (!bound.ok) return bound;
    return this.#tracker?.apply(record) ?? ok(undefined);
  }

  state(): unknown {
    return this.#tracker?.bound === true ? this.#tracker.exported() : undefined;
  }

  #bind({ body }: LedgerRecord): Result<void> {
    this.#tracker = undefined;
    const { contract, digest } = (body ?? {}) as { contract?: unknown; digest?: unknown };
    // A ledger of something else than a task: there is nothing to judge.
    if (typeof contract !== 'object' || contract === null) return ok(undefined);
    const written: Record<string, unknown> = { ...contract };
    delete written['digest'];
    const parsed = taskContractSchema.safeParse(written);
    if (!parsed.success || digest !== digestOf(written)) {
      return fail(haloError('HALO-602', 'The contract that it binds is not that of its digest.'));
    }
    const bound = { ...parsed.data, digest };
    this.#tracker = createTaskTracker({ contract: bound, verifySignature: () => true });
    return this.#opening === undefined ? ok(undefined) : this.#tracker.apply(this.#opening);
  }
}
