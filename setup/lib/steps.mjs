// Enters: what is to be ready. Leaves: it is ready, or a named trouble with its remedy.
// Never: repeats a finished step; counts a step as finished before it is.
import { EXIT, HALO, ROOT, SetupError } from './layout.mjs';
import { dropLock, takeLock } from './lock.mjs';
import { requireNode, requirePlainPath } from './machine.mjs';
import { findRos } from './ros-source.mjs';
import { say, showStep } from './show.mjs';
import { dropStamp, readStamp, writeStamp } from './stamps.mjs';
import { addonStep, buildStep, interfacesStep, messagesStep, npmStep } from './step-node.mjs';
import { peersStep, rosStep } from './step-ros.mjs';
import { logPath, logTail, openLog, stopCleanlyOnSignals } from './tool.mjs';

/** In order: each may use the digests of those before it. */
export const STEPS = [
  rosStep,
  npmStep,
  interfacesStep,
  addonStep,
  messagesStep,
  peersStep,
  buildStep,
];

// A step is done again when a file is saved meanwhile; three times is an editor, more is a loop.
const RUNS_LIMIT = 3;

function survey(ros, names) {
  const digests = {};
  const missing = [];
  for (const step of STEPS) {
    if (!step.needed(ros)) continue;
    const digest = step.digest(ros, digests);
    digests[step.name] = digest;
    if (!names.includes(step.name)) continue;
    const current = step.present(ros) && (step.adopts === true || readStamp(step.name) === digest);
    if (!current) missing.push(step);
  }
  return { digests, missing };
}

async function runStep(step, ros, digest) {
  const end = showStep(step.name, step.what(ros));
  openLog(step.name);
  dropStamp(step.name);
  try {
    await step.run(ros);
    if (!step.present(ros)) {
      const remedy = `See ${logPath(step.name)}.`;
      throw new SetupError(`Step ${step.name} ended without its result.`, remedy, EXIT.failed);
    }
    // What the inputs were at the start: edited meanwhile, they are not what was built.
    writeStamp(step.name, digest);
    end('done');
  } catch (error) {
    end('failed');
    if (error instanceof SetupError) say(`${logTail(step.name)}\n     Log: ${logPath(step.name)}`);
    throw error;
  }
}

/**
 * Make ready whatever is not, in order.
 * @param {string[]} names steps wanted; default all
 * @returns which ROS 2 is used
 * @throws {SetupError}
 */
export async function ensure(names = STEPS.map((step) => step.name)) {
  requireNode();
  requirePlainPath(ROOT);
  if (survey(findRos(), names).missing.length === 0) return findRos();
  const release = stopCleanlyOnSignals();
  await takeLock();
  try {
    const first = survey(findRos(), names).missing;
    if (first.length > 0) {
      say(`Setting up in ${HALO} (${first.map((step) => step.name).join(', ')})`);
    }
    // All that this machine lacks is told before the first minute is spent.
    for (const step of first) step.check(findRos());
    const runs = [];
    for (;;) {
      // Each time anew: a finished step changes what the next ones stand on.
      const ros = findRos();
      const { digests, missing } = survey(ros, names);
      const [next] = missing;
      if (next === undefined) return ros;
      if (runs.filter((step) => step === next).length === RUNS_LIMIT) {
        const message = `What step ${next.name} is made from changes faster than it can be done.`;
        throw new SetupError(message, 'Run this again when the files have settled.', EXIT.failed);
      }
      runs.push(next);
      await runStep(next, ros, digests[next.name]);
    }
  } finally {
    dropLock();
    release();
  }
}

/** Report a trouble the way all commands here do, and leave with its code. */
export function failWith(error) {
  if (!(error instanceof SetupError)) throw error;
  say(`\nError: ${error.message}\nRemedy: ${error.remedy}`);
  process.exit(error.exitCode);
}
