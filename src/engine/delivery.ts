/**
 * Delivers what is only said: reports filled from evidence, an agent's messages, and questions to
 * an operator. Enters: ready runs, one moment. Leaves: utterances and their receipts.
 * Never: a word whose prerequisites have not happened, or a question answered by the agent.
 */
import { supportFindings, type AdmittedComponent } from '../admission/index.js';
import { isEffect, type Finding } from '../contract/index.js';
import { finding } from '../platform/index.js';
import type { Consent } from './consent.js';
import type { Denials } from './denials.js';
import type { Moment, Parts } from './parts.js';
import { isPending, type Run } from './plan.js';
import type { Receipts } from './receipts.js';
import { fillImage, fillUtterance, utteranceOf, type Filled } from './utterances.js';

/** Live findings against a component, at the first frame or at a later one. */
export function liveFindings(
  admitted: AdmittedComponent,
  stage: 'start' | 'flight',
  { snapshot, nowUs }: Moment,
): readonly Finding[] {
  const { basisEpochs } = admitted;
  return supportFindings({ component: admitted, snapshot, nowUs, stage, basisEpochs });
}

export class Delivery {
  readonly #parts: Parts;
  readonly #denials: Denials;
  readonly #receipts: Receipts;
  readonly #consent: Consent;

  constructor(parts: Parts, rooms: { denials: Denials; receipts: Receipts; consent: Consent }) {
    this.#parts = parts;
    this.#denials = rooms.denials;
    this.#receipts = rooms.receipts;
    this.#consent = rooms.consent;
  }

  /** Before anything starts: a report of a leg is of that leg, not of the way to the next one. */
  step(ready: readonly Run[], moment: Moment): void {
    for (const run of ready) {
      const { admitted } = run;
      // A denial just before may have taken this one with it.
      if (admitted === undefined || isEffect(admitted.entry) || !isPending(run)) continue;
      const findings = liveFindings(admitted, 'start', moment);
      const filled = this.#fill(run, admitted, moment);
      if (findings.length > 0 || filled === undefined) {
        const missing = finding('evidence', 'HALO-208', 'There is nothing to report from.');
        this.#denials.deny(run, findings.length > 0 ? findings : [missing], moment);
      } else if (admitted.typed.does === 'operator_ask') {
        this.#ask(run, admitted, filled, moment);
      } else if (!admitted.needsApproval || this.#consent.of(run, admitted, moment)) {
        this.#say(run, admitted, filled);
        this.#settle(run, admitted, filled, moment);
      }
    }
  }

  /** A picture is told of as it was observed; everything else from evidence of now. */
  #fill(run: Run, admitted: AdmittedComponent, { snapshot, nowUs }: Moment): Filled | undefined {
    const { typed } = admitted;
    if (typed.does !== 'report_image') return fillUtterance(admitted, snapshot, nowUs);
    const observed = this.#parts.plan.sibling(run, typed.params.of)?.observed;
    return observed && fillImage(observed);
  }

  /** Asked once; done when an operator approves exactly this component after that. */
  #ask(run: Run, admitted: AdmittedComponent, filled: Filled, moment: Moment): void {
    if (run.approvalSinceUs === undefined) {
      this.#consent.ask(run, admitted, moment.nowUs);
      this.#say(run, admitted, filled);
    }
    const answer = this.#consent.of(run, admitted, moment);
    if (answer === undefined) return;
    const observed = { delivered: true, answer: 'approved', approver: answer.approver };
    this.#settle(run, admitted, { ...filled, observed }, moment);
  }

  #say(run: Run, admitted: AdmittedComponent, filled: Filled): void {
    const utterance = utteranceOf(run.responseId, admitted, filled);
    run.detail = utterance.text;
    this.#parts.recorder.emit({ type: 'utterance', utterance });
  }

  #settle(run: Run, admitted: AdmittedComponent, filled: Filled, moment: Moment): void {
    run.state = 'delivered';
    run.reason = 'delivered';
    this.#receipts.delivered(run, admitted, filled, moment);
  }
}
