/**
 * Receipts at the moment they are earned: signed, written, and put to the task's state.
 * Enters: what an effect observed or an utterance delivered. Leaves: records; a state that
 * advanced, or the identity branch. Never: a receipt for something that was only acknowledged.
 */
import type { AdmittedComponent } from '../admission/index.js';
import type { Observed, ReceiptBody, Snapshot } from '../contract/index.js';
import { digestOf } from '../platform/index.js';
import type { EffectStep } from '../vehicle/index.js';
import type { ExpectedEvidence } from './expected.js';
import type { Moment, Parts } from './parts.js';
import type { Run } from './plan.js';
import { markCommit } from './rollback.js';
import type { Filled } from './utterances.js';

export class Receipts {
  readonly #parts: Parts;
  readonly #expected: ExpectedEvidence;

  constructor(parts: Parts, expected: ExpectedEvidence) {
    this.#parts = parts;
    this.#expected = expected;
  }

  observed(run: Run, admitted: AdmittedComponent, step: EffectStep, moment: Moment): void {
    this.#issue(run, admitted, moment, {
      outcome: 'observed',
      ensured: step.ensured === true,
      observed: { ...this.#expected.words(run.kind, moment), ...step.observed },
    });
  }

  delivered(run: Run, admitted: AdmittedComponent, filled: Filled, moment: Moment): void {
    this.#issue(run, admitted, moment, {
      outcome: 'delivered',
      ensured: false,
      observed: filled.observed,
    });
  }

  #issue(
    run: Run,
    admitted: AdmittedComponent,
    moment: Moment,
    what: { outcome: 'observed' | 'delivered'; ensured: boolean; observed: Observed },
  ): void {
    const { nowUs, snapshot } = moment;
    const { ledger, recorder, tracker, runId } = this.#parts;
    const { fulfils } = admitted.component;
    const body: ReceiptBody = {
      id: recorder.nextReceiptId(),
      runId,
      frontier: tracker.frontier,
      generation: run.generation,
      componentId: run.id,
      kind: run.kind,
      componentDigest: admitted.digest,
      ...(fulfils === undefined ? {} : { fulfils }),
      ...what,
      evidenceDigest: digestOfSnapshot(snapshot),
      snapshotId: snapshot.id,
      observedUs: nowUs,
      bootEpoch: ledger.bootEpoch,
    };
    const obligation = tracker.obligationOf(body);
    const receipt = ledger.signReceipt({
      ...body,
      ...(obligation === undefined ? {} : { obligation }),
    });
    const { judgement, record } = tracker.settle(receipt, (kind, body) =>
      recorder.write(kind, body),
    );
    const advanced = judgement.advance ? { obligationId: judgement.obligationId } : {};
    markCommit(this.#parts, run, moment);
    recorder.emit({ type: 'receipt', receipt, ledgerSeq: record.seq, ...advanced });
    if (judgement.advance) recorder.emit({ type: 'task', task: tracker.view(nowUs) });
    // A receipt that belongs to no obligation (an arming, a message) is no trouble.
    if (judgement.advance || judgement.benign) return;
    recorder.emit({ type: 'receipt-refused', receiptId: receipt.id, error: judgement.error });
  }
}

/** Over all that was known at that tick, so that no part of it can be exchanged afterwards. */
const digestOfSnapshot = ({ id, takenUs, values, epochs }: Snapshot): string =>
  digestOf({ id, takenUs, epochs, values: Object.fromEntries(values) });
