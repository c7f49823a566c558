/**
 * Approvals of operators: evidence about one exact component, for a time, once.
 * Enters: what an operator said. Leaves: approved, denied, or nothing yet.
 * Never: an approval that serves two components, or one after its time.
 */
import type { ApprovalRequest, Finding } from '../contract/index.js';
import { finding } from '../platform/index.js';

/** Approvals that nobody spends must not fill the memory. */
const APPROVALS_MAX = 256;

/** An operator's word on one exact component. */
export interface Answer {
  readonly approved: boolean;
  readonly approver: string;
}

interface Standing extends Answer {
  readonly sinceUs: number;
  readonly untilUs: number;
}

export class Approvals {
  readonly #byDigest = new Map<string, Standing>();

  /**
   * A finding when it is not taken: its time is none, or too many are waiting. A later word on the
   * same component replaces the former.
   */
  record(request: ApprovalRequest, nowUs: number): Finding | undefined {
    const { componentDigest, approver, approved, validS } = request;
    // Written so that a number that is not one is refused: compared with, it would never be over.
    if (!(validS > 0 && validS < Infinity)) {
      const detail = { path: 'validS', remedy: 'Give a number of seconds above 0.' };
      return finding('approval', 'HALO-202', `An approval cannot hold for ${validS} s.`, detail);
    }
    for (const [digest, { untilUs }] of this.#byDigest) {
      if (untilUs < nowUs) this.#byDigest.delete(digest);
    }
    if (this.#byDigest.size >= APPROVALS_MAX) {
      return finding('approval', 'HALO-308', 'Too many approvals are waiting.');
    }
    const untilUs = nowUs + validS * 1_000_000;
    this.#byDigest.set(componentDigest, { approved, approver, sinceUs: nowUs, untilUs });
    return undefined;
  }

  /**
   * An answer is used up by being given. The catalog's own time for the kind counts where it is
   * shorter: an approval may have been given before anybody knew what component has this digest.
   */
  spend(componentDigest: string, nowUs: number, validMaxS: number): Answer | undefined {
    const standing = this.#byDigest.get(componentDigest);
    if (standing === undefined) return undefined;
    this.#byDigest.delete(componentDigest);
    const untilUs = Math.min(standing.untilUs, standing.sinceUs + validMaxS * 1_000_000);
    return untilUs < nowUs ? undefined : standing;
  }

  /** A word that was given before the question is no answer to it. */
  discard(componentDigest: string): void {
    this.#byDigest.delete(componentDigest);
  }
}
