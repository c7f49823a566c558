/**
 * A process that writes to a ledger until it is killed, for the tests of crashes and of races.
 * In: `load <dir>` or `race <dir>` as arguments. Out: one line a fact on stdout.
 *   load   `durable <seq> <hash>` for each acknowledged record, synchronously written
 *   race   waits for a line on stdin, opens, says `open <epoch>` or `refused <code>`, writes, waits
 *          for the next line, then closes
 */
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { openLedger } from '../../src/ledger/index.js';
import { systemClock } from '../../src/platform/index.js';

const [mode, dir] = process.argv.slice(2);
if (dir === undefined) throw new Error('a folder is needed');
const options = { dir, clock: systemClock, generateKeys: true };
const say = (text: string): void => void writeSync(1, `${text}\n`);

async function load(): Promise<void> {
  const opened = await openLedger(options);
  if (!opened.ok) throw new Error(opened.error.message);
  const ledger = opened.value;
  const hashes = new Map<number, string>();
  let told = ledger.durableSeq;
  ledger.onDurable((durable) => {
    for (; told < durable; told += 1) say(`durable ${told + 1} ${hashes.get(told + 1)}`);
  });
  say(`open ${ledger.bootEpoch}`);
  // As fast as the disk commits: an endless burst would only let the queue grow.
  const paced = (): void => {
    if (ledger.nextSeq - ledger.durableSeq < 500) {
      for (let n = 0; n < 7; n += 1) {
        const record = ledger.append('frames', { n, pad: 'x'.repeat((n * 97) % 400) });
        hashes.set(record.seq, record.hash);
      }
    }
    setImmediate(paced);
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

await (mode === 'load' ? load() : race());
