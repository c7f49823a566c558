/**
 * Waiting for a person: a component that needs an operator's word goes on only with it.
 * Enters: a ready run, the approvals. Leaves: the answer, a run that waits, or a denial.
 * Never: a word for another component, one that is over, or one used twice.
 */
import type { AdmittedComponent } from '../admission/index.js';
import type { ApprovalRequest, Finding } from '../contract/index.js';
import { finding } from '../platform/index.js';
import type { Answer, Approvals } from './approvals.js';
import type { Denials } from './denials.js';
import type { Moment, Parts } from './parts.js';
import type { Run } from './plan.js';

/**
 * Takes an operator's word down. The reply and the ledger tell when it holds shorter than it says,
 * for a component that is there; for one that is still to come the catalog counts all the same.
 */
export function takeApproval(
  { plan, recorder }: Parts,
  approvals: Approvals,
  approval: ApprovalRequest,
  nowUs: number,
): { readonly recorded: boolean; readonly findings: readonly Finding[] } {
  const refused = approvals.record(approval, nowUs);
  if (refused !== undefined) return { recorded: false, findings: [refused] };
  const { componentDigest, validS } = approval;
  const waiting = plan.runs.find(({ admitted }) => admitted?.digest === componentDigest);
  const validMaxS = waiting?.admitted?.entry.approval?.validS ?? Infinity;
  const holdsS = Math.min(validS, validMaxS);
  recorder.append('approval', { ...approval, holdsS });
  if (holdsS === validS) return { recorded: true, findings: [] };
  const message = `The approval holds for ${holdsS} s, as the catalog says of ${waiting?.kind}.`;
  const detail = { observed: `${validS} s`, limit: `${holdsS} s`, path: 'validS' };
  return { recorded: true, findings: [finding('approval', 'HALO-222', message, detail)] };
}

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
    const validS = admitted.entry.approval?.validS ?? 0;
    const answer = this.#approvals.spend(admitted.digest, moment.nowUs, validS);
    if (answer?.approved === true) return answer;
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
