/**
 * Ledgers as each released format left them: this version must read them to the same frontier,
 * and a changed one must be refused. A golden folder is never made anew; a new format adds one.
 * `golden/v1`: two flights of a patrol, four lives, a compaction, and a change of the key.
 */
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Keyring, verifyLedger } from '../../src/ledger/index.js';
import { createTaskTracker, type TaskTracker } from '../../src/recovery/index.js';
import { PATROL } from './flight.js';
import { freshDir, recordsIn } from './support.js';

const GOLDEN = join(import.meta.dirname, 'golden');

interface Filed {
  readonly seq: number;
  readonly state: unknown;
  readonly keys: Keyring['entries'];
}

interface Expected {
  readonly frontier: string;
  readonly completed: boolean;
  readonly headHash: string;
  readonly keyIds: readonly string[];
}

function copyOf(version: string): { dir: string; expected: Expected } {
  const dir = join(freshDir(), version);
  cpSync(join(GOLDEN, version), dir, { recursive: true });
  const expected = JSON.parse(readFileSync(join(dir, 'expected.json'), 'utf8')) as Expected;
  return { dir, expected };
}

/** Folded like at a start, from the first record or from the snapshot on. */
async function folded(dir: string, fromSnapshot: boolean): Promise<TaskTracker> {
  const keyring = new Keyring();
  const tracker = createTaskTracker({
    contract: PATROL,
    verifySignature: (receipt) => keyring.holds(receipt),
  });
  const text = readFileSync(join(dir, 'snapshot.json'), 'utf8');
  const { seq, state, keys } = JSON.parse(text) as Filed;
  if (fromSnapshot) expect([keyring.restore(keys), tracker.restore(state)]).toEqual([true, true]);
  for (const record of await recordsIn(dir)) {
    if (fromSnapshot && record.seq <= seq) continue;
    expect(keyring.learn(record)).toBeUndefined();
    const applied = tracker.apply(record);
    expect(applied.ok, `record ${record.seq}`).toBe(true);
  }
  return tracker;
}

for (const version of readdirSync(GOLDEN)) {
  describe(`a ledger of format ${version}`, () => {
    it('holds, and comes to the same frontier with its snapshot and without', async () => {
      const { dir, expected } = copyOf(version);
      const { frontier, completed, headHash, keyIds } = expected;
      expect(await verifyLedger(dir)).toMatchObject({ ok: true, value: { headHash, keyIds } });
      for (const fromSnapshot of [false, true]) {
        const tracker = await folded(dir, fromSnapshot);
        expect([tracker.frontier, tracker.completed]).toEqual([frontier, completed]);
      }
    });

    it('is refused with one digit changed in any of its records, at that record', async () => {
      const { dir } = copyOf(version);
      const segments = [join(dir, 'archive'), dir].flatMap((folder) =>
        readdirSync(folder)
          .filter((name) => name.startsWith('segment-'))
          .map((name) => ({ name, path: join(folder, name) })),
      );
      let changed = 0;
      for (const { name, path } of segments) {
        const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
        for (const [n, line] of lines.entries()) {
          const other = line.replace(/\d(?=[^\d]*$)/, (digit) => String((Number(digit) + 1) % 10));
          writeFileSync(path, `${lines.with(n, other).join('\n')}\n`);
          const place = `${name}:${n + 1}`;
          const error = { code: 'HALO-602', path: place };
          expect(await verifyLedger(dir), place).toMatchObject({ ok: false, error });
          changed += 1;
        }
        writeFileSync(path, `${lines.join('\n')}\n`);
      }
      expect(changed).toBeGreaterThan(20);
      rmSync(join(dir, 'snapshot.json'));
      expect((await verifyLedger(dir)).ok).toBe(true);
    });
  });
}
