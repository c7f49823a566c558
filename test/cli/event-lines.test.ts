/** Event lines on a real pipe whose reader sleeps until it is woken. */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EventLines } from '../../src/cli/event-lines.js';
import { holdsWithin } from '../e2e/support/stage.js';

/** Reads nothing before SIGUSR2, then hands everything on. */
const READER = `
  process.once('SIGUSR2', () => process.stdin.pipe(process.stdout));
  process.on('SIGUSR2', () => {}); // A second one would end it.
  process.stderr.write('asleep');
  setInterval(() => {}, 1000).unref();
  setTimeout(() => {}, 20_000);
  process.stdin.on('end', () => process.exit(0));`;

interface Line {
  readonly type: string;
  readonly n?: number;
  readonly missed?: Readonly<Record<string, number>>;
}

let reader: ChildProcessWithoutNullStreams;
const heard: Line[] = [];

beforeEach(async () => {
  heard.length = 0;
  reader = spawn(process.execPath, ['-e', READER], { stdio: 'pipe' });
  createInterface({ input: reader.stdout }).on('line', (text) => {
    heard.push(JSON.parse(text) as Line);
  });
  await once(reader.stderr, 'data');
});
afterEach(() => reader.kill('SIGKILL'));

const text = 'x'.repeat(300);
const mib = (): number => reader.stdin.writableLength / 2 ** 20;
const ofType = (type: string) => heard.filter((line) => line.type === type);

/** Wakes the reader and waits for the line that ends a test. */
async function wake(lines: EventLines): Promise<void> {
  reader.kill('SIGUSR2');
  await holdsWithin(10_000, () => mib() === 0);
  lines.say({ type: 'closed' });
  expect(await holdsWithin(10_000, () => ofType('closed').length > 0)).toBe(true);
}

describe('a reader that stalls', () => {
  it('misses progress first, is told how much, and gets every receipt', async () => {
    const lines = new EventLines(reader.stdin);
    const said = 30_000;
    for (let n = 0; n < said; n += 1) {
      lines.say({ type: 'progress', n, text });
      if (n % 1000 === 0) lines.say({ type: 'receipt', n });
    }
    expect(mib()).toBeLessThan(1.1);
    await wake(lines);
    expect(ofType('receipt').map(({ n }) => n)).toEqual([...Array(30).keys()].map((i) => i * 1000));
    const kept = ofType('progress').map(({ n }) => n);
    expect(kept).toEqual([...kept.keys()]);
    expect(ofType('missed')).toEqual([
      { type: 'missed', missed: { progress: said - kept.length } },
    ]);
    expect(kept.length).toBeLessThan(said / 5);
  });

  it('costs no more than 17 MB even of what is never left out, and the loss is told', async () => {
    const lines = new EventLines(reader.stdin);
    const said = 70_000;
    for (let n = 0; n < said; n += 1) lines.say({ type: 'verdict', n, text });
    expect(mib()).toBeLessThan(17);
    await wake(lines);
    const [missed] = ofType('missed');
    expect(missed?.missed?.['verdict']).toBe(said - ofType('verdict').length);
    expect(missed?.missed?.['verdict']).toBeGreaterThan(0);
  });
});

it('a reader that keeps up misses nothing', async () => {
  reader.kill('SIGUSR2');
  const lines = new EventLines(reader.stdin);
  for (let n = 0; n < 200; n += 1) {
    lines.say({ type: 'progress', n });
    if (n % 20 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await wake(lines);
  expect(heard.map(({ type }) => type)).toEqual([
    ...Array.from({ length: 200 }, () => 'progress'),
    'closed',
  ]);
});
