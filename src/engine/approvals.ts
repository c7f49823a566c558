/**
 * Approvals of operators: evidence about one exact component, for a time, once.
 * Enters: what an operator said. Leaves: approved, denied, or nothing yet.
 * Never: an approval that serves two components, or one after its time.
 */
import type { ApprovalRequest, Finding } from '../contract/index.js';
import { finding } from '../platform/index.js';

/** Approvals that nobody spends must not fill the memory. */
const APPROVALS_MAX = 256;

interface Standing {
  readonly approved: boolean;
  readonly untilUs: number;
}

export class Approvals {
  readonly #byDigest = new Map<string, Standing>();

  /**
   * A finding when it is not taken: its time is none, or too many are waiting. A later word on the
   * same component replaces the former.
   */
  record(request: ApprovalRequest, nowUs: number): Finding | undefined {
    const { componentDigest, approved, validS } = request;
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
    this.#byDigest.set(componentDigest, { approved, untilUs: nowUs + validS * 1_000_000 });
    return undefined;
  }

  /** An answer is used up by being given. */
  spend(componentDigest: string, nowUs: number): 'approved' | 'denied' | undefined {
    const standing = this.#byDigest.get(componentDigest);
    if (standing === undefined) return undefined;
    this.#byDigest.delete(componentDigest);
    if (standing.untilUs < nowUs) return undefined;
    return standing.approved ? 'approved' : 'denied';
  }
}
