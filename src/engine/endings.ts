/**
 * What follows when a response comes to its end, and when a candidate has shown what it is worth.
 * Enters: runs that are over. Leaves: reports; obligations discharged, open again or abandoned.
 * Never: an obligation discharged by a part of what a candidate set out to do.
 */
import { isEffect } from '../contract/index.js';
import type { Contingency } from './contingency.js';
import type { Denials } from './denials.js';
import type { Moment, Parts } from './parts.js';
import { isDone, isTerminal, outcomeOf, type Run, type TakenResponse } from './plan.js';
import { progressOf } from './views.js';

export class Endings {
  readonly #parts: Parts;
  readonly #denials: Denials;
  readonly #contingency: Contingency;

  constructor(parts: Parts, rooms: { denials: Denials; contingency: Contingency }) {
    this.#parts = parts;
    this.#denials = rooms.denials;
    this.#contingency = rooms.contingency;
  }

  step(moment: Moment): void {
    for (const response of this.#parts.plan.responses) {
      if (response.ended) continue;
      if (response.discharges !== undefined) {
        this.#settle(response, response.discharges, moment);
      }
      if (!response.runs.every(isTerminal)) continue;
      response.ended = true;
      this.#report(response, moment);
    }
  }

  /** By its effects, where it has any: a report that was told stands in for no flight. */
  #settle(response: TakenResponse, obligationId: string, moment: Moment): void {
    if (this.#parts.book.get(obligationId)?.state !== 'candidate') return;
    const effects = response.runs.filter((run) => this.#isEffect(run));
    const meant = effects.length > 0 ? effects : response.runs;
    if (!meant.every(isTerminal)) return;
    const failed = meant.find((run) => !isDone(run));
    if (failed === undefined) return this.#denials.move(obligationId, 'discharged');
    const why = `${failed.id}: ${failed.reason}`;
    if (response.aborted) return this.#denials.move(obligationId, 'abandoned', why);
    const after = this.#denials.candidateFailed(obligationId, why, moment.nowUs);
    if (after?.state === 'abandoned') {
      this.#contingency.due(`no candidate is left for ${obligationId}`);
    }
  }

  /** A kind that the catalog does not know was meant to have one. */
  #isEffect({ kind }: Run): boolean {
    const entry = this.#parts.catalog.kinds[kind];
    return entry === undefined || isEffect(entry);
  }

  #report(response: TakenResponse, { snapshot, nowUs }: Moment): void {
    const { recorder, book, tracker } = this.#parts;
    recorder.emit({
      type: 'response-ended',
      report: {
        outcome: outcomeOf(response),
        verdict: response.verdict,
        components: response.runs.map((run) => progressOf(run, snapshot, nowUs)),
        obligations: book.all(),
        task: tracker.view(nowUs),
      },
    });
  }
}
