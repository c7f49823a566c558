/**
 * How every command ends. Enters: an error. Leaves: its text, a number.
 * Never: 0 for something that an operator asked for and did not get.
 */
import type { HaloError } from '../contract/index.js';

export const EXIT = { ok: 0, refused: 1, usage: 2, environment: 3, ledger: 4 } as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** 7xx is what the operator wrote, 6xx the ledger, 5xx and 8xx the machine around. */
export function exitCodeOf(error: Pick<HaloError, 'code'>): ExitCode {
  switch (error.code.slice(5, 6)) {
    case '5':
    case '8':
      return EXIT.environment;
    case '6':
      return EXIT.ledger;
    case '7':
      return EXIT.usage;
    default:
      return EXIT.refused;
  }
}

/** One error as an operator reads it: code, sentence, place, remedy. */
export const errorText = ({ code, message, remedy, path }: HaloError): string =>
  `${code} ${message}${path === undefined ? '' : ` [${path}]`}\n  → ${remedy}`;

/** Tells the error to whoever reads standard error; the exit code is for whoever asked. */
export function complain(error: HaloError): ExitCode {
  process.stderr.write(`${errorText(error)}\n`);
  return exitCodeOf(error);
}
