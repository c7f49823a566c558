/**
 * The book of localized obligations: HALO's records of denials and their life.
 * Enters: drafts from admission, candidates, time. Leaves: obligations with their state.
 * Never: authority. An open obligation permits a candidate to be looked at, nothing else.
 *
 *   open ──► candidate ──► discharged
 *     │          └───────► open (the candidate was refused)
 *     └──► expired | abandoned
 */
import type { LocalizedObligation, LocalizedState } from '../contract/index.js';

/** What admission says of a denial; the book adds id, time and state. */
export type ObligationDraft = Omit<
  LocalizedObligation,
  'id' | 'state' | 'openedUs' | 'expiresUs' | 'responseId' | 'generation'
>;

export class LocalizedBook {
  readonly #byId = new Map<string, LocalizedObligation>();
  #count = 0;

  /** Opens an obligation for `lifeUs`; then the contract's contingency is due. */
  open(
    draft: ObligationDraft,
    origin: { readonly responseId: string; readonly generation: number },
    nowUs: number,
    lifeUs: number,
  ): LocalizedObligation {
    this.#count += 1;
    const obligation: LocalizedObligation = {
      ...draft,
      ...origin,
      id: `o-${this.#count}`,
      state: 'open',
      openedUs: nowUs,
      expiresUs: nowUs + lifeUs,
    };
    this.#byId.set(obligation.id, obligation);
    return obligation;
  }

  get(id: string): LocalizedObligation | undefined {
    return this.#byId.get(id);
  }

  move(id: string, state: LocalizedState): LocalizedObligation | undefined {
    const before = this.#byId.get(id);
    if (before === undefined || before.state === state) return undefined;
    const after = { ...before, state };
    this.#byId.set(id, after);
    return after;
  }

  /** Obligations that a candidate may still answer, oldest first. */
  stillOpen(): readonly LocalizedObligation[] {
    return [...this.#byId.values()].filter((o) => o.state === 'open');
  }

  all(): readonly LocalizedObligation[] {
    return [...this.#byId.values()];
  }

  /** Open obligations whose time is over: the caller moves them to expired. */
  overdue(nowUs: number): readonly LocalizedObligation[] {
    return this.stillOpen().filter((o) => nowUs >= o.expiresUs);
  }
}
