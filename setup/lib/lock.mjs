// Enters: the wish to change what set-up keeps. Leaves: that right, for one process at a time.
// Never: waits for a process that has died; lets a tool go on that its killed owner left behind.
import fs from 'node:fs';
import path from 'node:path';
import { HALO, SetupError } from './layout.mjs';
import { readOrEmpty } from './stamps.mjs';
import { say } from './show.mjs';

const LOCK = path.join(HALO, 'setup.lock');
// The longest step, compiling on a slow machine, takes minutes; an owner older than this is stuck.
const WAIT_LIMIT_MS = 30 * 60_000;
const POLL_MS = 200;

/**
 * When a process started, in the kernel's ticks: tells a process from a later one with the same id.
 * '' where the system does not say; undefined when it has ended and only waits to be noticed.
 */
function startOf(pid) {
  // The name in parentheses may hold spaces: count fields after it. They begin with the third.
  const stat = readOrEmpty(`/proc/${pid}/stat`);
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' ? undefined : (fields[19] ?? '');
}

function isAlive(who) {
  try {
    process.kill(who.pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  const start = startOf(who.pid);
  return start !== undefined && (who.start === '' || start === who.start);
}

const self = { pid: process.pid, start: startOf(process.pid) };
const me = (tool) => JSON.stringify({ ...self, tool: tool ?? null });

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return { pid: 0, start: '', tool: null };
  }
}

/** True when the lock file appeared with our name; it appears whole or not at all. */
function tryTake() {
  const draft = `${LOCK}.${process.pid}`;
  fs.writeFileSync(draft, me());
  try {
    fs.linkSync(draft, LOCK);
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  } finally {
    fs.rmSync(draft, { force: true });
  }
}

/** Take a dead owner's lock away, and end the tool that it left running. */
function clearStale(text, owner) {
  const aside = `${LOCK}.${process.pid}.stale`;
  try {
    fs.renameSync(LOCK, aside);
  } catch {
    return; // Someone else cleared it first.
  }
  if (readOrEmpty(aside) === text) {
    if (owner.tool !== null && isAlive(owner.tool)) killGroup(owner.tool.pid);
  } else {
    // Between reading and renaming, a live owner took it: give it back.
    try {
      fs.linkSync(aside, LOCK);
    } catch {
      // A third one holds it now; the live owner will notice when it next writes its name.
    }
  }
  fs.rmSync(aside, { force: true });
}

/** End a tool together with everything that it started. */
export function killGroup(pid, signal = 'SIGKILL') {
  try {
    process.kill(-pid, signal);
  } catch {
    // Already gone.
  }
}

/** Wait until this process alone may set up. */
export async function takeLock() {
  fs.mkdirSync(HALO, { recursive: true });
  const startMs = Date.now();
  let told = false;
  while (!tryTake()) {
    const text = readOrEmpty(LOCK);
    const owner = parse(text);
    if (text !== '' && !isAlive(owner)) {
      clearStale(text, owner);
      continue;
    }
    if (!told) say(`  .. another set-up is running (process ${owner.pid}); waiting for it`);
    told = true;
    if (Date.now() - startMs > WAIT_LIMIT_MS) {
      throw new SetupError(
        `Another set-up (process ${owner.pid}) has been running for 30 minutes.`,
        `End it with "kill ${owner.pid}" and run this again.`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** Note which tool runs, so that whoever finds this lock orphaned can end it. */
export function noteTool(pid) {
  if (parse(readOrEmpty(LOCK)).pid !== process.pid) return;
  const draft = `${LOCK}.${process.pid}`;
  fs.writeFileSync(draft, me(pid === undefined ? null : { pid, start: startOf(pid) }));
  fs.renameSync(draft, LOCK);
}

/** Give the right back. */
export function dropLock() {
  if (parse(readOrEmpty(LOCK)).pid === process.pid) fs.rmSync(LOCK, { force: true });
}
