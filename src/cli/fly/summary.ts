/**
 * The end of a flight in one object. Enters: the log and the verified ledger. Leaves: the summary
 * and its exit code. Never: `completed` without a receipt behind every obligation.
 */
import type { LocalizedState, RunOutcome, TaskObligationView } from '../../contract/index.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import type { Continuation } from './crash.js';
import type { FlightLog } from './log.js';

export interface Summary extends Partial<Continuation> {
  readonly type: 'summary';
  readonly outcome: RunOutcome;
  readonly obligations: {
    readonly satisfied: number;
    readonly open: number;
    readonly unknown: number;
    readonly missed: number;
  };
  readonly components: { readonly admitted: number; readonly withheld: number };
  readonly framesDispatched: number;
  readonly receipts: number;
  readonly localizedObligations: readonly {
    readonly id: string;
    readonly state: LocalizedState;
    readonly reason: string;
    readonly scope: readonly string[];
  }[];
  readonly generations: number;
  readonly ledgerVerified: boolean;
  readonly wallSeconds: number;
  readonly residual: readonly string[];
  readonly refusals: readonly string[];
  readonly ledger: string;
}

/** What the ledger holds, where the bridge could not tell all of it. */
export interface Recorded {
  readonly frames: number;
  readonly receipts: number;
  readonly obligations: readonly TaskObligationView[];
}

export interface Ending {
  readonly ledgerVerified: boolean;
  readonly wallSeconds: number;
  readonly ledger: string;
  /** Of a flight in which the bridge was killed. */
  readonly continuation: Continuation | undefined;
  /** Of a flight in which a bridge ended without its last word. */
  readonly recorded: Recorded | undefined;
}

export function summarize(log: FlightLog, ending: Ending): Summary {
  const { recorded } = ending;
  const obligations = recorded?.obligations ?? log.state?.task.obligations ?? [];
  const count = (state: string): number => obligations.filter((o) => o.state === state).length;
  const satisfied = count('satisfied');
  return {
    type: 'summary',
    outcome: outcomeOf(log, obligations.length > 0 && satisfied === obligations.length),
    obligations: {
      satisfied,
      open: count('open'),
      unknown: count('unknown'),
      missed: count('missed'),
    },
    components: { admitted: log.kept.length, withheld: log.withheld.length },
    // Digests go to the ledger in batches: after a crash either may know of more frames.
    framesDispatched: Math.max(recorded?.frames ?? 0, log.framesDispatched),
    receipts: recorded?.receipts ?? log.receipts,
    localizedObligations: [...log.obligations.values()].map(({ id, state, reason, scope }) => ({
      id,
      state,
      reason,
      scope: scope.componentIds,
    })),
    generations: log.generations,
    ledgerVerified: ending.ledgerVerified,
    wallSeconds: Math.round(ending.wallSeconds * 10) / 10,
    residual: obligations.filter((o) => o.state !== 'satisfied').map((o) => o.id),
    refusals: log.refusals,
    ledger: ending.ledger,
    ...ending.continuation,
  };
}

function outcomeOf(log: FlightLog, allSatisfied: boolean): RunOutcome {
  if (log.aborted) return 'aborted';
  if (allSatisfied) return 'completed';
  // Nothing was ever kept: the agent was refused as a whole.
  return log.kept.length === 0 ? 'refused' : 'partial';
}

/** 0 only when every obligation rests on a receipt and the ledger proves it. */
export const exitOf = (summary: Summary): ExitCode => {
  if (!summary.ledgerVerified) return EXIT.ledger;
  return summary.outcome === 'completed' ? EXIT.ok : EXIT.refused;
};
