/** Flies a range of seeds in a thread of its own. Enters: the range. Leaves: one tally a batch. */
import { parentPort, workerData } from 'node:worker_threads';
import { runSchedule } from './run.js';
import { addResult, emptyTally, type Range } from './tally.js';

/** A message each few seconds is enough to show that it goes on. */
const BATCH = 25;

const { from, to, step } = workerData as Range; // The pool beside this file wrote it.
let tally = emptyTally();
for (let seed = from; seed < to; seed += step) {
  addResult(tally, runSchedule(seed));
  if (tally.runs < BATCH) continue;
  parentPort?.postMessage(tally);
  tally = emptyTally();
}
parentPort?.postMessage(tally);
