/**
 * Condition-removal witnesses: each named check is left out in turn, and what it stops must then
 * be seen. Enters: a seed. Leaves: for each check whether, and after how many runs, its own class
 * of bad event came; and whether any came with all checks on.
 */
import type { Removable } from '../../../src/admission/testing.js';
import type { CheckName } from '../../../src/gate/index.js';
import { CHECK_NAMES } from '../../../src/gate/index.js';
import { seededRandom } from '../../../src/platform/index.js';
import { ADMISSION_CHECKS } from '../replay/variants.js';
import { badAdmissions } from './admission-run.js';
import { badFrames } from './gate-run.js';

/** A class that is rarer than this would not be seen by anybody. */
export const RUNS_MAX = 1000;

export interface Witness {
  readonly room: 'admission' | 'gate';
  readonly removed: string;
  readonly expected: string;
  /** The run that showed it, from 1; undefined: none did. */
  readonly shownAfter: number | undefined;
}

export interface Witnesses {
  readonly removed: number;
  readonly shown: number;
  readonly list: readonly Witness[];
  /** Runs with all checks on, and the bad events in them. */
  readonly control: { readonly runs: number; readonly bad: number };
}

/** What each check stops. A kind or params that do not fit have no type and so never fly. */
const ADMISSION: Readonly<Record<Removable, string>> = {
  kind: 'foreign action, and no reason given',
  params: 'parameters of another shape, and no reason given',
  scope: 'out-of-scope revival',
  generation: 'an old generation revived',
  hint: 'an obligation that nobody gave',
  prerequisites: 'a prerequisite of a kind not permitted',
  roles: 'a state that nobody brings about',
  resources: 'two motions at once',
  limits: 'outside a limit',
  basis: 'a basis that is not kept',
  epochs: 'stale route',
  freshness: 'stale evidence believed',
  evidence: 'unsupported by evidence',
  closure: 'orphan dependent',
};

const GATE: Readonly<Record<CheckName, string>> = {
  'single-use': 'double dispatch',
  'epoch-fence': 'token reuse across lives',
  'lease-active': 'old authority revived',
  'lease-deadline': 'a frame after the deadline',
  'lease-frames': 'more frames than admitted',
  'path-order': 'a leg left out',
  'payload-digest': 'edited after admission',
  'wire-digest': 'other bytes than admitted',
  'intent-durable': 'a frame without a durable intent',
  prerequisites: 'action before its prerequisite',
  epochs: 'a frame of another epoch',
  support: 'stale setpoint',
};

export function witnesses(seed: number, controlRuns: number): Witnesses {
  const list = [
    ...[...ADMISSION_CHECKS, 'closure' as const].map((removed): Witness => {
      const expected = ADMISSION[removed];
      const run = (random: () => number) => badAdmissions(random, new Set([removed]));
      return { room: 'admission', removed, expected, shownAfter: firstShown(seed, expected, run) };
    }),
    ...CHECK_NAMES.map((removed): Witness => {
      const expected = GATE[removed];
      const run = (random: () => number) => badFrames(random, [removed]);
      return { room: 'gate', removed, expected, shownAfter: firstShown(seed, expected, run) };
    }),
  ];
  let bad = 0;
  for (let k = 0; k < controlRuns; k += 1) {
    const random = seededRandom(seed + k);
    bad += badAdmissions(random, new Set()).size + badFrames(random, []).size;
  }
  const shown = list.filter(({ shownAfter }) => shownAfter !== undefined).length;
  return { removed: list.length, shown, list, control: { runs: controlRuns, bad } };
}

function firstShown(
  seed: number,
  expected: string,
  run: (random: () => number) => ReadonlySet<string>,
): number | undefined {
  for (let k = 1; k <= RUNS_MAX; k += 1) {
    if (run(seededRandom(seed + k)).has(expected)) return k;
  }
  return undefined;
}
