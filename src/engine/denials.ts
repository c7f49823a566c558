/**
 * What follows from a denial: which other components no longer stand, and the localized obligation
 * that says what may be replaced. Enters: a run with findings. Leaves: withheld runs, obligations.
 * Never: a revival. What is withheld here comes back only as a fresh candidate.
 */
import { reassess, type AdmittedComponent, type ObligationDraft } from '../admission/index.js';
import type { Finding, LocalizedObligation, LocalizedState } from '../contract/index.js';
import type { Moment, Parts } from './parts.js';
import { isDone, isPending, type Run, type TakenResponse } from './plan.js';

export class Denials {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The run keeps its state when it has come to an end already; otherwise it is withheld. */
  deny(run: Run, findings: readonly Finding[], moment: Moment): void {
    if (isPending(run)) withhold(run, findings);
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
    this.open(again.obligations, response, moment.nowUs);
  }

  open(
    drafts: readonly ObligationDraft[],
    origin: Pick<TakenResponse, 'responseId' | 'generation'>,
    nowUs: number,
  ): void {
    const lifeUs = this.#parts.contract.contingencyAfterS * 1_000_000;
    const { responseId, generation } = origin;
    for (const draft of drafts) {
      this.#say(this.#parts.book.open(draft, { responseId, generation }, nowUs, lifeUs));
    }
  }

  move(id: string, state: LocalizedState): void {
    const moved = this.#parts.book.move(id, state);
    if (moved !== undefined) this.#say(moved);
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
