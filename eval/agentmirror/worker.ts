/** Flies its share of the cells in a thread of its own. Enters: cells. Leaves: one row each. */
import { parentPort, workerData } from 'node:worker_threads';
import { run, type Cell } from './cell.js';

// The pool beside this file wrote it.
for (const cell of workerData as readonly Cell[]) parentPort?.postMessage(run(cell));
