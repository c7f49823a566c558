// Enters: a command. Leaves: its exit, with all of its output in a log file.
// Never: waits without a deadline; leaves the command running when set-up is told to stop.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { EXIT, HALO, ROOT, SetupError } from './layout.mjs';
import { dropLock, killGroup, noteTool } from './lock.mjs';
import { say } from './show.mjs';

const TAIL_LINES = 25;
const running = new Set();

export const logPath = (step) => path.join(HALO, 'log', `${step}.log`);

/** Start a step's log afresh. */
export function openLog(step) {
  fs.mkdirSync(path.dirname(logPath(step)), { recursive: true });
  fs.writeFileSync(logPath(step), '');
}

/** The end of a step's log, for the person who has to find out. */
export function logTail(step) {
  const lines = fs.readFileSync(logPath(step), 'utf8').trimEnd().split('\n');
  return lines
    .slice(-TAIL_LINES)
    .map((line) => `     | ${line}`)
    .join('\n');
}

/**
 * Run a command to its end, output into the step's log.
 * @param {string} step whose log it writes to
 * @param {string[]} command program and arguments
 * @param {{cwd?: string, env?: NodeJS.ProcessEnv, limitS: number, remedy: string}} options
 */
export async function runTool(step, command, options) {
  const log = fs.openSync(logPath(step), 'a');
  fs.writeSync(log, `$ ${command.join(' ')}\n`);
  const [program, ...args] = command;
  // A group of its own: a tool's own children (compilers) end with it.
  const child = spawn(program, args, {
    cwd: options.cwd ?? ROOT,
    env: options.env ?? process.env,
    stdio: ['ignore', log, log],
    detached: true,
  });
  fs.closeSync(log);
  let late = false;
  const ended = new Promise((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('exit', (code, signal) => resolve(code ?? signal));
  });
  if (child.pid !== undefined) {
    running.add(child.pid);
    noteTool(child.pid);
  }
  const timer = setTimeout(() => {
    late = true;
    if (child.pid !== undefined) killGroup(child.pid);
  }, options.limitS * 1000);
  const result = await ended;
  clearTimeout(timer);
  running.delete(child.pid);
  noteTool(undefined);
  if (result === 0) return;
  const how = late ? `took longer than ${options.limitS} s` : `ended with ${result}`;
  throw new SetupError(`"${command.join(' ').slice(0, 120)}" ${how}.`, options.remedy, EXIT.failed);
}

/** On a signal: end the running tool, give the lock back, and go. Finished steps stay finished. */
export function stopCleanlyOnSignals() {
  const stop = (signal, code) => () => {
    for (const pid of running) killGroup(pid);
    dropLock();
    say(`\nSet-up stopped by ${signal}. Finished steps are kept; run it again to go on.`);
    process.exit(code);
  };
  const handlers = [
    ['SIGINT', stop('SIGINT', 130)],
    ['SIGTERM', stop('SIGTERM', 143)],
    ['SIGHUP', stop('SIGHUP', 129)],
  ];
  for (const [signal, handler] of handlers) process.on(signal, handler);
  return () => {
    for (const [signal, handler] of handlers) process.off(signal, handler);
  };
}
