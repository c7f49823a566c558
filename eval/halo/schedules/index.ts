/**
 * Many seeded fault schedules, on as many threads as there are cores. Enters: the first seed, how many. Leaves: a tally.
 * Never: a seed flown twice.
 */
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { addTally, emptyTally, type Range, type Tally } from './tally.js';

export { CHECKS } from './checks.js';
export type { Tally } from './tally.js';

const THREADS = availableParallelism();

/** `seed` is the first of `count` consecutive seeds. */
export async function flySchedules(
  seed: number,
  count: number,
  progress: (done: number) => void,
): Promise<Tally> {
  const whole = emptyTally();
  const work = Array.from({ length: THREADS }, (_, k) =>
    fly({ from: seed + k, to: seed + count, step: THREADS }, (part) => {
      addTally(whole, part);
      progress(whole.runs);
    }),
  );
  await Promise.all(work);
  whole.failing.sort((a, b) => a.seed - b.seed);
  return whole;
}

function fly(range: Range, take: (part: Tally) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: range });
    worker.on('message', (part: Tally) => take(part));
    worker.on('error', reject);
    worker.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`a thread of schedules ended with ${code}`)),
    );
  });
}
