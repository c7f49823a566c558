/**
 * DART's evaluation on this bridge. Enters: a seed, quick or whole. Leaves: report, figures, what
 * fell short. Never: a part that is left out without a word.
 */
import { seededRandom } from '../../src/platform/index.js';
import type { Suite, SuiteOptions, SuiteResult } from '../suite.js';
import { auditCases, comparedCases, witnesses } from './audit.js';
import { conform } from './conformance/index.js';
import { flightCases, flyAll, hardFlights } from './flight/index.js';
import { auditOf, shortfalls, strategiesOf, type Outcome } from './outcome.js';
import { reportOf } from './report.js';
import { rowOf } from './simulated.js';

const AMOUNTS = {
  quick: { flights: { sensitive: 2, plain: 1 }, each: 20, obligations: 3 },
  whole: { flights: { sensitive: 12, plain: 8 }, each: 150, obligations: 5 },
} as const;

async function run({ seed, quick, say }: SuiteOptions): Promise<SuiteResult> {
  const amounts = quick ? AMOUNTS.quick : AMOUNTS.whole;
  const random = seededRandom(seed);
  say('flights …');
  const hard = hardFlights(seed);
  const cases = [...flightCases(seed, amounts.flights), ...hard];
  const flown = await flyAll(cases, (done) => say(`  ${done} of ${cases.length}`));
  const flights = flown.slice(0, cases.length - hard.length);
  say('simulated domains …');
  const compared = [...flights, ...comparedCases(random, amounts.each).map((of) => rowOf(of))];
  const audit = auditCases(random);
  const audited = [...flown, ...audit.map((of) => rowOf(of))];
  say('conformance …');
  const outcome: Outcome = {
    strategies: strategiesOf(compared),
    audit: auditOf(audited),
    conformance: conform(amounts.obligations),
    witnesses: witnesses(audit),
  };
  const short = shortfalls(outcome, quick);
  const report = reportOf(seed, compared, audited, outcome, short);
  return { report, outcome, shortfalls: short };
}

export const dartSuite: Suite = { name: 'dart', run };
