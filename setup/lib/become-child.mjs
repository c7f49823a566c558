// Enters: a command. Leaves: this process stands in for it: same terminal, same signals, same exit.
// Never: returns; sends one Ctrl-C twice.
import { spawn } from 'node:child_process';
import os from 'node:os';

const NOT_FOUND = 127;

/** Run a command in this process's place and exit as it does. */
export function becomeChild(command, args, env) {
  const child = spawn(command, args, { env, stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      // A terminal's Ctrl-C reaches the whole group by itself; a second one would mean "at once".
      if (signal === 'SIGINT' && process.stdin.isTTY) return;
      child.kill(signal);
    });
  }
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
