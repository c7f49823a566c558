/**
 * All runs on two threads. Enters: cells. Leaves: rows, in the order of the cells.
 * Never: a cell flown twice.
 */
import { Worker } from 'node:worker_threads';
import type { Cell, Row } from './cell.js';

/** Two, as the machine of the project's checks has. */
const THREADS = 2;

export async function flyAll(
  cells: readonly Cell[],
  progress: (done: number) => void,
): Promise<readonly Row[]> {
  let done = 0;
  const shares = await Promise.all(
    Array.from({ length: THREADS }, (_, k) =>
      flyShare(
        cells.filter((_cell, n) => n % THREADS === k),
        () => progress((done += 1)),
      ),
    ),
  );
  return cells.flatMap((_cell, n) => shares[n % THREADS]?.[Math.floor(n / THREADS)] ?? []);
}

function flyShare(share: readonly Cell[], took: () => void): Promise<readonly Row[]> {
  if (share.length === 0) return Promise.resolve([]);
  return new Promise((resolve, reject) => {
    const rows: Row[] = [];
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: share });
    worker.on('message', (row: Row) => {
      rows.push(row);
      took();
    });
    worker.on('error', reject);
    worker.on('exit', (code) =>
      code === 0 ? resolve(rows) : reject(new Error(`a thread of runs ended with ${code}`)),
    );
  });
}
