/**
 * Approvals of operators: evidence about one exact component, for a time, once.
 * Enters: what an operator said. Leaves: approved, denied, or nothing yet.
 * Never: an approval that serves two components, or one after its time.
 */
import type { ApprovalRequest } from '../contract/index.js';

/** Approvals that nobody spends must not fill the memory. */
const APPROVALS_MAX = 256;

interface Standing {
  readonly approved: boolean;
  readonly untilUs: number;
}

export class Approvals {
  readonly #byDigest = new Map<string, Standing>();

  /** False when too many are waiting. A later word on the same component replaces the former. */
  record(request: ApprovalRequest, nowUs: number): boolean {
    for (const [digest, { untilUs }] of this.#byDigest) {
      if (untilUs < nowUs) this.#byDigest.delete(digest);
    }
    if (this.#byDigest.size >= APPROVALS_MAX) return false;
    this.#byDigest.set(request.componentDigest, {
      approved: request.approved,
      untilUs: nowUs + request.validS * 1_000_000,
    });
    return true;
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
