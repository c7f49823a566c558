/**
 * The flights of the evaluation, from a seed. Enters: the seed, how many. Leaves: cases.
 * Never: a case that was chosen by what a strategy does with it.
 */
import { pick } from '../cases.js';
import { seededRandom } from '../../../src/platform/index.js';
import type { FlightCase, Trouble } from './fly.js';

/** 28 components, as in a run from scratch of the size that was published. */
const STATIONS = 5;

/** Flights of one seed share their run from scratch. */
const MISSIONS = 4;

const SENSITIVE: readonly Trouble[] = ['unheard', 'unasked', 'moved'];

/** The second picture of a station fails: the first has been told of. */
const sensitive = (seed: number, k: number, random: () => number): FlightCase =>
  caseOf(seed, 'committed consumer', pick(SENSITIVE, random), `b-${k}`, { sensitive: true });

/** A leg, or the first picture of a station: nobody has used anything of it. */
function plain(seed: number, k: number, random: () => number): FlightCase {
  const trouble = pick<Trouble>(['cut-short', 'unheard', 'unasked'], random);
  const at = trouble === 'cut-short' ? `leg-${k}` : `a-${k}`;
  return caseOf(seed, 'no consumer', trouble, at, {});
}

/** For the audit alone: no way back is right, or nobody can know which. */
export const hardFlights = (seed: number): readonly FlightCase[] => [
  caseOf(seed, 'the frame has moved', 'shifted', 'leg-2', {}),
  caseOf(seed, 'irreversible, unknown', 'dropped', 'drop', { drop: true }),
  caseOf(seed, 'irreversible, unknown', 'jammed', 'drop', { drop: true }),
];

/** What looks the same from the bridge. */
export const twinsOf = (of: FlightCase): readonly FlightCase[] =>
  of.drop ? (['dropped', 'jammed'] as const).map((trouble) => ({ ...of, trouble })) : [of];

export function flightCases(seed: number, amounts: { sensitive: number; plain: number }) {
  const random = seededRandom(seed);
  const each = (count: number, make: typeof plain): readonly FlightCase[] =>
    Array.from({ length: count }, (_, n) => {
      const round = Math.floor(n / MISSIONS);
      return make(seed + (n % MISSIONS), (n + 2 * round) % STATIONS, random);
    });
  return [...each(amounts.sensitive, sensitive), ...each(amounts.plain, plain)];
}

const caseOf = (
  seed: number,
  kind: string,
  trouble: Trouble,
  at: string,
  more: { readonly sensitive?: boolean; readonly drop?: boolean },
): FlightCase => ({
  id: `inspection ${seed}: ${trouble} at ${at}`,
  seed,
  kind,
  trouble,
  at,
  sensitive: more.sensitive ?? false,
  drop: more.drop ?? false,
  stations: STATIONS,
});
