/**
 * Takes responses up: from text to verdict, and from verdict to runs.
 * Enters: an agent's text. Leaves: a reply; runs in the plan.
 * Never: authority from the text itself, or a change of state in a dry run.
 */
import { admit, type AdmittedComponent, type Admission } from '../admission/index.js';
import {
  isEffect,
  PILOT_MODES,
  type EpochKind,
  type Finding,
  type LocalizedObligation,
  type SubmitReply,
} from '../contract/index.js';
import { parseResponse, type ParsedResponse } from '../intake/index.js';
import { finding } from '../platform/index.js';
import { verdictBody } from '../recovery/index.js';
import type { Denials } from './denials.js';
import { interruptsFlight } from './interruption.js';
import type { Moment, Parts } from './parts.js';
import { isTerminal, type Run, type TakenResponse } from './plan.js';
import { Refusals } from './refusals.js';
import { reconciled } from './reconcile.js';
import { batteryFraction } from './views.js';

/** Refused responses cost no attempt: their ids could come without end. The ledger has the rest. */
const IDS_KEPT = 4096;

export class Submissions {
  readonly #parts: Parts;
  readonly #denials: Denials;
  readonly #usedIds = new Set<string>();
  readonly #refusals: Refusals;

  constructor(parts: Parts, denials: Denials) {
    this.#parts = parts;
    this.#denials = denials;
    this.#refusals = new Refusals(parts.recorder);
  }

  /** Tells of refusals that were only counted, once their minute is over. */
  tellRefusals(nowUs: number): void {
    this.#refusals.step(nowUs);
  }

  /** Dry run: the verdict as of now; nothing is written, nothing is spent. */
  check(text: string, moment: Moment): SubmitReply {
    const parsed = parseResponse(text);
    if (!parsed.ok) return { accepted: false, findings: parsed.error };
    const { verdict } = this.#judge(parsed.value, this.#parts.tracker.generation + 1, moment);
    return { accepted: verdict.outcome !== 'refused', verdict, findings: verdict.findings };
  }

  submit(text: string, moment: Moment): SubmitReply {
    const { nowUs } = moment;
    const parsed = parseResponse(text);
    if (!parsed.ok) {
      this.#refusals.note({ text, responseId: undefined, findings: parsed.error }, nowUs);
      return { accepted: false, findings: parsed.error };
    }
    const { response, digest } = parsed.value;
    const closed = this.#closedTo(parsed.value, moment);
    if (closed.length > 0) {
      this.#refusals.note({ text, responseId: response.id, findings: closed }, nowUs);
      return { accepted: false, findings: closed };
    }
    const generation = this.#parts.tracker.generation + 1;
    this.#remember(response.id);
    const { recorder } = this.#parts;
    const admission = this.#judge(parsed.value, generation, moment);
    const { verdict } = admission;
    const accepted = verdict.outcome !== 'refused';
    if (accepted) {
      const charge = batteryFraction(moment.snapshot);
      recorder.append('response-received', { digest, generation, response });
      recorder.append('verdict', verdictBody(verdict, admission.admitted, charge));
    } else {
      const { findings } = verdict;
      this.#refusals.note({ text, responseId: response.id, findings, verdict }, nowUs);
    }
    recorder.emit({ type: 'verdict', verdict });
    // Where nothing was retained there is nothing to repair locally: a whole new response may come.
    // A candidate that is not whole fails by that: its obligation is still the one to answer.
    const whole = response.discharges === undefined;
    const drafts = accepted && whole ? admission.obligations : [];
    this.#denials.open(drafts, { responseId: response.id, generation }, moment.nowUs);
    this.#parts.plan.take(takenOf(parsed.value, admission));
    if (accepted && response.discharges !== undefined) {
      this.#denials.move(response.discharges, 'candidate');
    }
    return { accepted, verdict, findings: verdict.findings };
  }

  #remember(id: string): void {
    this.#usedIds.add(id);
    const [oldest] = this.#usedIds;
    if (this.#usedIds.size > IDS_KEPT && oldest !== undefined) this.#usedIds.delete(oldest);
  }

  #judge(parsed: ParsedResponse, generation: number, moment: Moment): Admission {
    const { basis } = parsed.response;
    const { catalog, contract, tracker } = this.#parts;
    return admit({
      parsed,
      catalog: reconciled(catalog, contract, tracker, moment.snapshot.values),
      contract,
      snapshot: moment.snapshot,
      basis: basis === undefined ? undefined : (this.#parts.store.recent(basis) ?? 'unknown'),
      generation,
      nowUs: moment.nowUs,
      openObligation: this.#asked(parsed),
    });
  }

  /** The obligation that the response names, or else the oldest that still waits for one. */
  #asked({ response }: ParsedResponse): LocalizedObligation | undefined {
    // What may end a flight at once is not held up by what else is open.
    const { discharges } = response;
    if (discharges === undefined && interruptsFlight(response, this.#parts)) return undefined;
    const open = this.#parts.book.stillOpen();
    return open.find((o) => o.id === response.discharges) ?? open[0];
  }

  /** Reasons not to look at a response at all, whatever it says. */
  #closedTo({ response }: ParsedResponse, moment: Moment): readonly Finding[] {
    const findings: Finding[] = [];
    const closed = this.#parts.gate.closed;
    if (closed !== undefined) findings.push(finding('session', 'HALO-413', closed.message));
    if (this.#usedIds.has(response.id) || this.#parts.tracker.history.hasTakenUp(response.id)) {
      const message = `Response id ${response.id} was used before.`;
      findings.push(finding('session', 'HALO-111', message, { path: 'id' }));
    }
    const mode = moment.snapshot.values.get('vehicle.mode')?.value;
    // Nothing is taken up until a mode that no pilot flies in is shown again.
    if (typeof mode === 'string' && PILOT_MODES.has(mode) && inUse(moment)) {
      findings.push(finding('session', 'HALO-306', `The vehicle is in ${mode}.`));
    }
    const task = this.#parts.tracker.view(moment.nowUs, batteryFraction(moment.snapshot));
    if (task.budgetAttemptsLeft <= 0) {
      findings.push(finding('session', 'HALO-305', 'No attempts are left for this task.'));
    }
    if (task.budgetTimeLeftS <= 0) {
      findings.push(finding('session', 'HALO-309', 'No time is left for this task.'));
    }
    if (task.budgetEnergyLeft !== undefined && task.budgetEnergyLeft <= 0) {
      findings.push(finding('session', 'HALO-312', 'No energy is left for this task.'));
    }
    const active = this.#parts.plan.live[0];
    const mayEnter = response.discharges !== undefined || interruptsFlight(response, this.#parts);
    if (active !== undefined && !mayEnter) {
      const message = `Response ${active.responseId} is being carried out.`;
      findings.push(finding('session', 'HALO-301', message));
    }
    return findings;
  }
}

/** Not known to be down and disarmed: only there a mode is no more than where a switch stands. */
const inUse = ({ snapshot }: Moment): boolean =>
  snapshot.values.get('vehicle.landed')?.value !== 'on_ground' ||
  snapshot.values.get('vehicle.armed')?.value !== false;

/** A pilot and a reboot end every effect, whatever else its kind is bound to. */
const ALWAYS_BOUND: readonly EpochKind[] = ['vehicle', 'mode'];

function boundToPilot(admitted: AdmittedComponent | undefined): AdmittedComponent | undefined {
  if (admitted === undefined || !isEffect(admitted.entry)) return admitted;
  const epochs = [...new Set([...ALWAYS_BOUND, ...admitted.entry.epochs])];
  return { ...admitted, entry: { ...admitted.entry, epochs } };
}

function takenOf({ response }: ParsedResponse, admission: Admission): TakenResponse {
  const { verdict } = admission;
  const byId = new Map(admission.admitted.map((a) => [a.component.id, a]));
  const runs = response.components.map((component): Run => {
    const judged = verdict.components.find((v) => v.id === component.id);
    const findings = judged?.findings ?? verdict.findings;
    const admitted = boundToPilot(byId.get(component.id));
    return {
      responseId: response.id,
      generation: verdict.generation,
      id: component.id,
      kind: component.kind,
      admitted,
      state: admitted === undefined ? 'withheld' : 'pending',
      reason:
        admitted === undefined
          ? findings.map((f) => `${f.code} ${f.message}`).join(' ')
          : 'admitted; waits for its prerequisites',
      detail: '',
      lease: undefined,
      machine: undefined,
      waitingSinceUs: undefined,
      approvalSinceUs: undefined,
      observed: undefined,
      told: '',
    };
  });
  return {
    responseId: response.id,
    generation: verdict.generation,
    verdict,
    discharges: response.discharges,
    runs,
    byId: new Map(runs.map((run) => [run.id, run])),
    aborted: false,
    ended: runs.every(isTerminal) && verdict.outcome === 'refused',
  };
}
