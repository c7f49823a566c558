/**
 * Who may ask a command to end in order. Enters: signals, broken pipes. Leaves: one promise.
 * Never: an end of its own; a bridge in flight still has a vehicle to hold.
 */

/**
 * Resolves with the reason. SIGHUP is a terminal that was closed. An error of standard output or
 * standard error means that whoever started us and read us is gone: unheard, it would end the
 * process on the spot, in the middle of a flight.
 */
export function askedToEnd(): Promise<string> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => resolve(signal));
    }
    for (const stream of [process.stdout, process.stderr]) {
      stream.on('error', (error: Error) => resolve(error.message));
    }
  });
}
