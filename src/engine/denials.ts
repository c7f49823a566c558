/**
 * What follows from a denial: which other components no longer stand, and the localized obligation
 * that says what may be replaced. Enters: a run with findings. Leaves: withheld runs, obligations.
 * Never: a revival. What is withheld here comes back only as a fresh candidate.
 */
import { reassess, type AdmittedComponent, type ObligationDraft } from '../admission/index.js';
import type { Finding, LocalizedObligation, LocalizedState } from '../contract/index.js';
import type { Patience } from './localized.js';
import type { Moment, Parts } from './parts.js';
import { isDone, isPending, type Run, type TakenResponse } from './plan.js';
import { decideAfter } from './rollback.js';

export class Denials {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The run keeps its state when it has come to an end already; otherwise it is withheld. */
  deny(run: Run, findings: readonly Finding[], moment: Moment): void {
    if (isPending(run)) withhold(run, findings);
    decideAfter(this.#parts, run);
    const response = this.#parts.plan.responses.find((r) => r.responseId === run.responseId);
    if (response === undefined) return;
    const left = response.runs.filter((other) => other === run || isPending(other));
    const again = reassess({
      pending: left.map((r) => r.admitted).filter((a): a is AdmittedComponent => a !== undefined),
      done: new Set(response.runs.filter(isDone).map((r) => r.id)),
      denied: { id: run.id, findings },
      catalog: this.#parts.catalog,
      snapshot: moment.snapshot,
      nowUs: moment.nowUs,
    });
    for (const verdict of again.withheld) {
      const other = response.runs.find((r) => r.id === verdict.id);
      if (other !== undefined && isPending(other)) withhold(other, verdict.findings);
    }
    // What a candidate fails at counts against the obligation that it answers: no new one opens,
    // which would bring new tries with it.
    if (response.discharges === undefined) this.open(again.obligations, response, moment.nowUs);
  }

  open(
    drafts: readonly ObligationDraft[],
    origin: Pick<TakenResponse, 'responseId' | 'generation'>,
    nowUs: number,
  ): void {
    const { responseId, generation } = origin;
    for (const draft of drafts) {
      this.#say(this.#parts.book.open(draft, { responseId, generation }, nowUs, this.#patience));
    }
  }

  move(id: string, state: LocalizedState, why?: string): void {
    const moved = this.#parts.book.move(id, state, why);
    if (moved !== undefined) this.#say(moved);
  }

  /** The obligation as it stands then: open with one try less, or abandoned. */
  candidateFailed(id: string, why: string, nowUs: number): LocalizedObligation | undefined {
    const moved = this.#parts.book.failed(id, why, nowUs, this.#patience);
    if (moved !== undefined) this.#say(moved);
    return moved;
  }

  get #patience(): Patience {
    const { contingencyAfterS, budget } = this.#parts.contract;
    return { lifeUs: contingencyAfterS * 1_000_000, tries: budget.candidatesPerObligation };
  }

  #say(obligation: LocalizedObligation): void {
    this.#parts.recorder.append('obligation-localized', { obligation });
    this.#parts.recorder.emit({ type: 'obligation', obligation });
  }
}

export function withhold(run: Run, findings: readonly Finding[]): void {
  run.state = 'withheld';
  run.reason = findings.map((f) => `${f.code} ${f.message}`).join(' ');
  run.machine = undefined;
}
