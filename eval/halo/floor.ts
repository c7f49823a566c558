/** What has to be reached: the published figures. Enters: outcomes. Leaves: what fell short. */
import { REPORTS_SENT, type Session } from './cold-starts/index.js';
import type { Outcome } from './outcome.js';

export const PUBLISHED = {
  expectations: 96,
  supported: 248,
  orphanChances: 70,
  staleChances: 72,
  wrongBindingChances: 72,
  protocolTests: 20,
  /** 135 enumerated ones, and 45 of 32 components. */
  graphs: 180,
  schedules: 10_000,
  coldStarts: 10,
} as const;

/**
 * A sentence for each figure that is not reached; none when all are. A quick run is excused from
 * the numbers of schedules and cold starts, and from each fault having bitten.
 */
export function shortfalls(
  outcome: Outcome,
  quick: boolean,
  sessions: readonly Session[],
): readonly string[] {
  const short: string[] = [];
  const want = (holds: boolean, sentence: string): void => void (holds || short.push(sentence));
  const { variants, expectations, protocolTests, conformance, schedules } = outcome;
  const { coldStarts, witnesses } = outcome;
  const full = variants['halo-full'];
  want(full.supported >= PUBLISHED.supported, 'too few supported components');
  want(full.kept === full.supported, `${full.kept} of ${full.supported} supported were kept`);
  want(full.orphanChances >= PUBLISHED.orphanChances, 'too few chances for orphans');
  want(full.orphansLeaked === 0, `${full.orphansLeaked} orphans leaked`);
  want(full.staleChances >= PUBLISHED.staleChances, 'too few changes of epochs');
  want(full.staleMissed === 0, `${full.staleMissed} stale frames left`);
  want(full.wrongBindingChances >= PUBLISHED.wrongBindingChances, 'too few altered bindings');
  want(full.wrongBindingMissed === 0, `${full.wrongBindingMissed} altered frames left`);
  want(expectations.total >= PUBLISHED.expectations, 'too few expectations');
  want(expectations.met === expectations.total, 'an expectation is not met');
  want(protocolTests.total >= PUBLISHED.protocolTests, 'too few protocol tests');
  want(protocolTests.passed === protocolTests.total, 'a protocol test failed');
  want(conformance.graphs >= PUBLISHED.graphs, 'too few graphs');
  want(conformance.mismatches === 0, `${conformance.mismatches} answers differ from the oracle's`);
  want(quick || schedules.runs >= PUBLISHED.schedules, 'too few schedules');
  want(schedules.violations === 0, `${schedules.violations} violations in the schedules`);
  want(
    quick || Object.values(schedules.faults).every((fired) => fired > 0),
    'a kind of fault never fired',
  );
  want(quick || coldStarts.runs >= PUBLISHED.coldStarts, 'too few cold starts');
  want(coldStarts.staleSetpoints === 0, `${coldStarts.staleSetpoints} stale setpoints were seen`);
  want(
    sessions.every(({ reportsKept }) => reportsKept === REPORTS_SENT),
    'a report that nothing had happened to was withheld',
  );
  want(coldStarts.recovered === coldStarts.runs, 'a fresh route was not flown to its end');
  want(witnesses.shown === witnesses.removed, 'a check was left out and nothing showed it');
  return short;
}
