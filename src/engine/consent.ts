/**
 * Waiting for a person: a component that needs an operator's word goes on only with it.
 * Enters: a ready run, the approvals. Leaves: the answer, a run that waits, or a denial.
 * Never: a word for another component, one that is over, or one used twice.
 */
import type { AdmittedComponent } from '../admission/index.js';
import { finding } from '../platform/index.js';
import type { Answer, Approvals } from './approvals.js';
import type { Denials } from './denials.js';
import type { Moment } from './parts.js';
import type { Run } from './plan.js';

export class Consent {
  readonly #approvals: Approvals;
  readonly #denials: Denials;

  constructor(approvals: Approvals, denials: Denials) {
    this.#approvals = approvals;
    this.#denials = denials;
  }

  /** From now on an answer counts; whatever was said before does not. */
  ask(run: Run, admitted: AdmittedComponent, nowUs: number): void {
    this.#approvals.discard(admitted.digest);
    run.approvalSinceUs = nowUs;
  }

  /** The approval, spent by this call; undefined while it waits, and when it was denied. */
  of(run: Run, admitted: AdmittedComponent, moment: Moment): Answer | undefined {
    const answer = this.#approvals.spend(admitted.digest, moment.nowUs);
    if (answer?.approved === true) return answer;
    const validS = admitted.entry.approval?.validS ?? 0;
    run.approvalSinceUs ??= moment.nowUs;
    const late = moment.nowUs - run.approvalSinceUs > validS * 1_000_000;
    if (answer !== undefined || late) {
      const why = late && !answer ? 'No operator approved it in time.' : 'An operator said no.';
      this.#denials.deny(run, [finding('approval', 'HALO-216', why)], moment);
    } else {
      run.state = 'awaiting-approval';
      // Whole: an operator copies it into the approval.
      run.reason = `waits for approval of ${admitted.digest}`;
    }
    return undefined;
  }
}
