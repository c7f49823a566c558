/**
 * The book of localized obligations: HALO's records of denials and their life.
 * Enters: drafts from admission, candidates, time. Leaves: obligations with their state.
 * Never: authority. An open obligation permits a candidate to be looked at, nothing else.
 *
 *   open ──► candidate ──► discharged
 *     │  ◄───────┤ (failed: one try less)
 *     │          └───────► abandoned (aborted, or no try is left)
 *     └──► expired | abandoned
 *
 * A candidate that is refused was none: it costs no try, and the obligation stays open. Their
 * number is bounded by the obligation's time, and nobody can use up the tries of another by it.
 */
import type { ObligationDraft } from '../admission/index.js';
import type { LocalizedObligation, LocalizedState } from '../contract/index.js';

const NEXT: Readonly<Record<LocalizedState, readonly LocalizedState[]>> = {
  open: ['candidate', 'expired', 'abandoned'],
  candidate: ['discharged', 'open', 'abandoned'],
  discharged: [],
  expired: [],
  abandoned: [],
};

/** How long an obligation waits for a candidate, and how many may be tried. */
export interface Patience {
  readonly lifeUs: number;
  readonly tries: number;
}

export class LocalizedBook {
  readonly #byId = new Map<string, LocalizedObligation>();
  /** Why it was opened: what a candidate failed at is told behind it. */
  readonly #causes = new Map<string, string>();

  /** Opens an obligation for `lifeUs`; then the contract's contingency is due. */
  open(
    draft: ObligationDraft,
    origin: { readonly responseId: string; readonly generation: number },
    nowUs: number,
    { lifeUs, tries }: Patience,
  ): LocalizedObligation {
    const obligation: LocalizedObligation = {
      ...draft,
      ...origin,
      id: `o-${this.#byId.size + 1}`,
      state: 'open',
      triesLeft: tries,
      openedUs: nowUs,
      expiresUs: nowUs + lifeUs,
    };
    this.#byId.set(obligation.id, obligation);
    this.#causes.set(obligation.id, obligation.reason);
    return obligation;
  }

  get(id: string): LocalizedObligation | undefined {
    return this.#byId.get(id);
  }

  /** Undefined when its life has no such step; `why` is told behind the cause of the denial. */
  move(id: string, state: LocalizedState, why?: string): LocalizedObligation | undefined {
    const before = this.#byId.get(id);
    if (before === undefined || !NEXT[before.state].includes(state)) return undefined;
    const reason = why === undefined ? before.reason : `${this.#causes.get(id) ?? ''} ${why}`;
    const after = { ...before, state, reason };
    this.#byId.set(id, after);
    return after;
  }

  /** One try less: open again, with its whole time, or abandoned when that was the last one. */
  failed(
    id: string,
    why: string,
    nowUs: number,
    { lifeUs, tries }: Patience,
  ): LocalizedObligation | undefined {
    const triesLeft = (this.#byId.get(id)?.triesLeft ?? 0) - 1;
    const end = `All ${tries} candidates failed, the last because: ${why}`;
    const moved =
      triesLeft > 0
        ? this.move(id, 'open', `A candidate failed: ${why}`)
        : this.move(id, 'abandoned', end);
    if (moved === undefined) return undefined;
    const times = triesLeft > 0 ? { openedUs: nowUs, expiresUs: nowUs + lifeUs } : {};
    const after = { ...moved, ...times, triesLeft };
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
