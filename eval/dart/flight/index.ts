/**
 * Flights of the evaluation on two threads. Enters: cases. Leaves: rows, in the order of the cases.
 * Never: a case flown for two threads.
 */
import { Worker } from 'node:worker_threads';
import type { Row } from '../row.js';
import type { FlightCase } from './fly.js';

export { flightCases, hardFlights } from './cases.js';
export { FLIGHT_DOMAIN } from './rows.js';

/** Two, as the machine of the project's checks has. */
const THREADS = 2;

export async function flyAll(
  cases: readonly FlightCase[],
  progress: (done: number) => void,
): Promise<readonly Row[]> {
  const rows = new Map<string, Row>();
  // Cases of one seed share their run from scratch: they stay together.
  const shares = Array.from({ length: THREADS }, (_, k) =>
    cases.filter(({ seed }) => seed % THREADS === k),
  );
  await Promise.all(
    shares.map((share) =>
      flyShare(share, (row) => {
        rows.set(row.id, row);
        progress(rows.size);
      }),
    ),
  );
  return cases.flatMap(({ id }) => rows.get(id) ?? []);
}

function flyShare(share: readonly FlightCase[], take: (row: Row) => void): Promise<void> {
  if (share.length === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./worker.js', import.meta.url), { workerData: share });
    worker.on('message', (row: Row) => take(row));
    worker.on('error', reject);
    worker.on('exit', (code) =>
      code === 0 ? resolve() : reject(new Error(`a thread of flights ended with ${code}`)),
    );
  });
}
