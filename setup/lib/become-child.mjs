// Enters: a command. Leaves: this process stands in for it: same terminal, same signals, same exit.
// Never: returns; sends one Ctrl-C twice; lets the command go on when npm, which started us, died.
import { spawn } from 'node:child_process';
import os from 'node:os';

const NOT_FOUND = 127;
const PARENT_CHECK_MS = 250;

/**
 * Call back once when npm, or the shell that it put in between, is gone. A signal sent to npm ends
 * that shell and never reaches us: a flight would go on with nobody to stop it.
 */
export function onNpmGone(gone) {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    gone();
  }, PARENT_CHECK_MS);
  timer.unref();
}

/** Run a command in this process's place and exit as it does. */
export function becomeChild(command, args, env) {
  const child = spawn(command, args, { env, stdio: 'inherit' });
  let told = false;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      told = true;
      // A terminal's Ctrl-C reaches the whole group by itself; a second one would mean "at once".
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      child.kill(signal);
    });
  }
  onNpmGone(() => {
    if (!told) child.kill('SIGTERM');
  });
  return new Promise(() => {
    child.on('error', (error) => {
      console.error(`Cannot start ${command}: ${error.message}`);
      process.exit(NOT_FOUND);
    });
    child.on('exit', (code, signal) => {
      process.exit(code ?? 128 + (os.constants.signals[signal] ?? 0));
    });
  });
}
