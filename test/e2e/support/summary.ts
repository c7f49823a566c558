/** What `npm start -- --json` says of a flight. Enters: a process that ended. Leaves: its lines. */
import type { Summary } from '../../../src/cli/fly/summary.js';
import type { HaloError } from '../../../src/contract/index.js';
import type { Line, Started } from '../../px4/sim-process.js';

/** The last line, which is the summary of a flight that took place. */
export function summaryOf(process: Started): Summary {
  const last = process.lines.at(-1);
  if (last?.['type'] !== 'summary') throw new Error(`no summary: ${process.errors.slice(-2000)}`);
  return last as unknown as Summary; // Written by the command under test; each test checks it.
}

export const errorsOf = (process: Started): readonly HaloError[] =>
  process.lines
    .filter((line) => line['type'] === 'error')
    .map((line) => line['error'] as HaloError); // As above.

/** Events of the bridge of one type, as `fly --json` or `bridge --events` tells them. */
export const told = (process: Started, type: string): readonly Line[] =>
  process.lines.filter((line) => line['type'] === type);

/** Components by the last state that was told of them. */
export function statesOf(process: Started): ReadonlyMap<string, string> {
  const states = new Map<string, string>();
  for (const line of told(process, 'progress')) {
    const { responseId, id, state } = line['progress'] as Readonly<Record<string, string>>;
    states.set(`${responseId ?? ''}/${id ?? ''}`, state ?? '');
  }
  return states;
}
