/**
 * The evidence that the contract expects beside what an effect itself shows (`shown`), as it holds
 * from tick to tick. Enters: moments. Leaves: the words of it for a receipt.
 * Never: a dwell that went on over a gap: missing or old evidence ends it.
 */
import { evaluatePredicate } from '../admission/index.js';
import type { EvidenceDatum, Observed, TaskObligation } from '../contract/index.js';
import { fulfilsButShown, shownWord } from '../recovery/index.js';
import type { Moment, Parts } from './parts.js';

/** What a receipt says that it does not hold; numbers of evidence are finite. */
const NOT_HELD = -1;

export class ExpectedEvidence {
  readonly #parts: Pick<Parts, 'contract' | 'tracker'>;
  /** Per obligation: since when each of its predicates has held. */
  readonly #since = new Map<string, (number | undefined)[]>();

  constructor(parts: Pick<Parts, 'contract' | 'tracker'>) {
    this.#parts = parts;
  }

  step({ snapshot, nowUs }: Moment): void {
    for (const { id, evidence } of this.#parts.contract.obligations) {
      if (evidence.shown === undefined) continue;
      const before = this.#since.get(id) ?? [];
      const since = evidence.shown.map((predicate, index) =>
        evaluatePredicate(predicate, undefined, snapshot, nowUs) === undefined
          ? (before[index] ?? nowUs)
          : undefined,
      );
      this.#since.set(id, since);
    }
  }

  /** For a receipt of this kind, as of this moment. */
  words(kind: string, moment: Moment): Observed {
    const words: Record<string, EvidenceDatum> = {};
    for (const { id, evidence } of this.#unsatisfied(kind)) {
      words[shownWord(id)] = this.#heldS(id, moment.nowUs);
      for (const { field } of evidence.shown ?? []) {
        const value = moment.snapshot.values.get(field)?.value;
        if (value !== undefined) words[shownWord(id, field)] = value;
      }
    }
    return words;
  }

  /**
   * What an effect that was observed waits for before its receipt: the longest dwell, in seconds,
   * of an obligation that it would fulfil but for `shown`. Undefined: nothing.
   */
  waitS(kind: string, observed: Observed, moment: Moment): number | undefined {
    const waiting = this.#unsatisfied(kind)
      .filter((obligation) => fulfilsButShown(obligation, { kind, observed }))
      .filter((obligation) => !this.#isHeld(obligation, moment.nowUs))
      .flatMap(({ evidence }) => (evidence.shown ?? []).map(({ dwellS }) => dwellS));
    return waiting.length === 0 ? undefined : Math.max(...waiting);
  }

  #unsatisfied(kind: string): readonly TaskObligation[] {
    const { contract, tracker } = this.#parts;
    return contract.obligations.filter(
      ({ id, target, evidence }) =>
        evidence.shown !== undefined &&
        target.kind === kind &&
        tracker.stateOf(id) !== 'satisfied' &&
        tracker.stateOf(id) !== 'missed',
    );
  }

  #isHeld({ id, evidence }: TaskObligation, nowUs: number): boolean {
    const heldS = this.#heldS(id, nowUs);
    return (evidence.shown ?? []).every(({ dwellS }, n) => (heldS[n] ?? NOT_HELD) >= dwellS);
  }

  #heldS(id: string, nowUs: number): readonly number[] {
    return (this.#since.get(id) ?? []).map((sinceUs) =>
      sinceUs === undefined ? NOT_HELD : (nowUs - sinceUs) / 1_000_000,
    );
  }
}
