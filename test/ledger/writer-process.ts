/**
 * A process that writes to a ledger until it is killed, for the tests of crashes and of races.
 * In: `load <dir>`, `race <dir>` or `steps <dir>` as arguments. Out: one line a fact on stdout.
 *   load   waits for a line on stdin, then writes without end, and says `durable <seq> <hash>` for
 *          each acknowledged record, synchronously
 *   race   waits for a line on stdin, opens, says `open <epoch>` or `refused <code>`, writes, waits
 *          for the next line, then closes
 *   steps  opens, makes eight records durable one by one, compacts between, closes; a line each
 */
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { openLedger } from '../../src/ledger/index.js';
import { systemClock } from '../../src/platform/index.js';

const [mode, dir] = process.argv.slice(2);
if (dir === undefined) throw new Error('a folder is needed');
const options = { dir, clock: systemClock, generateKeys: true };

/** The pipe does not block: while its reader is late, it is asked again. */
function say(text: string): void {
  for (let rest = Buffer.from(`${text}\n`); rest.length > 0;) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  }
}

async function load(): Promise<void> {
  await once(process.stdin, 'data');
  const opened = await openLedger(options);
  if (!opened.ok) throw new Error(opened.error.message);
  const ledger = opened.value;
  const hashes = new Map<number, string>();
  let told = ledger.durableSeq;
  ledger.onDurable((durable) => {
    for (; told < durable; told += 1) say(`durable ${told + 1} ${hashes.get(told + 1)}`);
  });
  say(`open ${ledger.bootEpoch}`);
  // A few groups ahead of the disk: more would only make a longer ledger to read afterwards.
  const paced = (): void => {
    if (ledger.nextSeq - ledger.durableSeq < 30) {
      for (let n = 0; n < 7; n += 1) {
        const record = ledger.append('frames', { n, pad: 'x'.repeat((n * 97) % 400) });
        hashes.set(record.seq, record.hash);
      }
    }
    setTimeout(paced, 1);
  };
  paced();
}

async function race(): Promise<void> {
  const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
  say('ready');
  while ((await lines.next()).done !== true) {
    const opened = await openLedger(options);
    if (!opened.ok) {
      say(`refused ${opened.error.code}`);
      await lines.next();
      say('closed');
      continue;
    }
    const ledger = opened.value;
    const { seq } = ledger.append('epoch-opened', { pid: process.pid });
    say(`open ${ledger.bootEpoch} ${seq}`);
    await lines.next();
    const closed = await ledger.close();
    say(closed.ok ? 'closed' : `failed ${closed.error.message}`);
  }
}

/** A short life that says what it was told: what the disk does meanwhile is the test's affair. */
async function steps(): Promise<void> {
  const opened = await openLedger({ ...options, fold: new NoState() });
  if (!opened.ok) return say(`refused ${opened.error.code}`);
  const ledger = opened.value;
  for (let n = 0; n < 8; n += 1) {
    const { seq, hash } = ledger.append('frames', { n, pad: 'x'.repeat(3000) });
    const flushed = await ledger.flush(5000);
    say(flushed.ok ? `durable ${seq} ${hash}` : `poisoned ${flushed.error.code}`);
    if (n === 4) say((await ledger.compact({ seq })).ok ? 'compacted' : 'not compacted');
  }
  say((await ledger.close()).ok ? 'closed' : 'not closed');
}

class NoState {
  restore = (): boolean => true;
  apply = () => ({ ok: true as const, value: undefined });
}

const modes: Readonly<Record<string, () => Promise<void>>> = { load, race, steps };
await modes[mode ?? '']?.();
