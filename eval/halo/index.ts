/**
 * HALO's evaluation on this bridge. Enters: a seed, quick or whole. Leaves: everything that was
 * found out, in detail. Never: a part that is left out without a word.
 */
import { coldStarts, type ColdStarts } from './cold-starts/index.js';
import { conform, FULL, QUICK, type Conformance } from './conformance/index.js';
import type { Suite, SuiteOptions } from '../suite.js';
import { shortfalls } from './floor.js';
import type { Outcome } from './outcome.js';
import { runProtocolTests, type ProtocolResult } from './protocol/index.js';
import { replay, type Replay } from './replay/index.js';
import { flySchedules, type Tally } from './schedules/index.js';
import { reportOf } from './report.js';
import { witnesses, type Witnesses } from './witnesses/index.js';

export const haloSuite: Suite = {
  name: 'halo',
  run: async (options) => {
    const found = await evaluate(options);
    const outcome = outcomeOf(found);
    const { quick } = options;
    const short = shortfalls(outcome, quick, found.coldStarts.sessions);
    return { report: reportOf(found, { quick, shortfalls: short }), outcome, shortfalls: short };
  },
};

export interface Findings {
  readonly seed: number;
  readonly replay: Replay;
  readonly protocol: readonly ProtocolResult[];
  readonly conformance: Conformance;
  readonly witnesses: Witnesses;
  readonly coldStarts: ColdStarts;
  readonly schedules: Tally;
}

const AMOUNTS = {
  quick: { size: QUICK, control: 1_000, coldStarts: 1, schedules: 200, sayEvery: 100 },
  whole: { size: FULL, control: 20_000, coldStarts: 10, schedules: 20_000, sayEvery: 1_000 },
} as const;

async function evaluate({ seed, quick, say }: SuiteOptions): Promise<Findings> {
  const amounts = quick ? AMOUNTS.quick : AMOUNTS.whole;
  const timed = async <T>(part: string, run: () => T | Promise<T>): Promise<T> => {
    const from = process.hrtime.bigint();
    say(`${part} …`);
    const value = await run();
    say(`${part}: ${(Number(process.hrtime.bigint() - from) / 1e9).toFixed(1)} s`);
    return value;
  };
  const flights = await timed('cold starts', () =>
    coldStarts(amounts.coldStarts, ({ change, trouble, recovered }) =>
      say(`  ${change}: ${trouble ?? (recovered ? 'recovered' : 'not recovered')}`),
    ),
  );
  return {
    seed,
    coldStarts: flights,
    replay: await timed('structured replay', replay),
    protocol: await timed('protocol tests', runProtocolTests),
    conformance: await timed('conformance', () => conform(amounts.size, seed)),
    witnesses: await timed('witnesses', () => witnesses(seed, amounts.control)),
    schedules: await timed('fault schedules', () =>
      flySchedules(seed, amounts.schedules, everySo(amounts.sayEvery, say)),
    ),
  };
}

/** Says so each time that as many more are done. */
function everySo(step: number, say: (line: string) => void): (done: number) => void {
  let next = step;
  return (done) => {
    if (done < next) return;
    say(`  ${done} schedules`);
    next = done - (done % step) + step;
  };
}

function outcomeOf(found: Findings): Outcome {
  const { replay: replayed, protocol, conformance, schedules, coldStarts: flights } = found;
  const passed = protocol.filter(({ trouble }) => trouble === undefined).length;
  const { graphs, cases, mismatches } = conformance;
  const { runs, staleSetpoints, recovered } = flights;
  return {
    variants: replayed.variants,
    expectations: replayed.expectations,
    protocolTests: { passed, total: protocol.length },
    conformance: { graphs, cases, mismatches },
    schedules: {
      runs: schedules.runs,
      violations: schedules.violations,
      faults: schedules.fired,
    },
    coldStarts: { runs, staleSetpoints, recovered },
    witnesses: { removed: found.witnesses.removed, shown: found.witnesses.shown },
  };
}
