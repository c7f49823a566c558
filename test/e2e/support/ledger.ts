/**
 * Reads a ledger folder as its files show it. Enters: a folder. Leaves: records, digests.
 * Never: the ledger room's own reader, which a test should not lean on for its own proof.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Entry {
  readonly seq: number;
  readonly epoch: number;
  readonly kind: string;
  readonly tUs: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Whole lines only: a process that was killed may leave a torn one at the end. */
export function entriesOf(dir: string): readonly Entry[] {
  const text = readdirSync(dir)
    .filter((name) => /^segment-\d+\.jsonl$/.test(name))
    .sort()
    .map((name) => readFileSync(join(dir, name), 'utf8'))
    .join('');
  const lines = text.split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Entry); // Verified by the caller beforehand.
}

export const ofKind = (entries: readonly Entry[], kind: string): readonly Entry[] =>
  entries.filter((entry) => entry.kind === kind);

/** Digests of all dispatched frames, in the order in which they left. */
export function digestsOf(entries: readonly Entry[]): readonly string[] {
  return [...ofKind(entries, 'frames')]
    .sort((a, b) => a.epoch - b.epoch || Number(a.body['first']) - Number(b.body['first']))
    .flatMap((entry) => entry.body['digests'] as readonly string[]);
}
