/** Flies its share of the cases in a thread of its own. Enters: cases. Leaves: one row each. */
import { parentPort, workerData } from 'node:worker_threads';
import type { FlightCase } from './fly.js';
import { Flights } from './rows.js';

const flights = new Flights();
// The pool beside this file wrote it.
for (const of of workerData as readonly FlightCase[]) parentPort?.postMessage(flights.row(of));
