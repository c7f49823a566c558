/**
 * Responses taken up, and how far each of their components is.
 * Enters: admissions. Leaves: runs with their state, and questions about them.
 * Never: time, evidence or frames.
 */
import type { AdmittedComponent } from '../admission/index.js';
import type { ComponentState, Observed, Verdict } from '../contract/index.js';
import type { Lease } from '../gate/index.js';
import type { EffectMachine, EffectStep } from '../vehicle/index.js';

/** One component of a response that was taken up. */
export interface Run {
  readonly responseId: string;
  readonly generation: number;
  readonly id: string;
  readonly kind: string;
  /** Undefined when it was withheld at admission: then there is nothing to run. */
  readonly admitted: AdmittedComponent | undefined;
  state: ComponentState;
  reason: string;
  detail: string;
  lease: Lease | undefined;
  machine: EffectMachine | undefined;
  /** Since when it is ready but its evidence is missing or old. */
  waitingSinceUs: number | undefined;
  /** Since when it waits for nothing but an operator's word. */
  approvalSinceUs: number | undefined;
  /** It was observed, and its receipt waits until then for evidence that the contract expects. */
  confirming?: { readonly step: EffectStep; readonly untilUs: number } | undefined;
  /** What was observed of it, once it is done: a report of it tells that. */
  observed: Observed | undefined;
  /** What listeners were told of it last. */
  told: string;
}

export interface TakenResponse {
  readonly responseId: string;
  readonly generation: number;
  readonly verdict: Verdict;
  readonly discharges: string | undefined;
  readonly runs: readonly Run[];
  readonly byId: ReadonlyMap<string, Run>;
  aborted: boolean;
  ended: boolean;
}

const TERMINAL: ReadonlySet<ComponentState> = new Set([
  'done',
  'delivered',
  'withheld',
  'interrupted',
  'unknown',
]);

export const isTerminal = (run: Run): boolean => TERMINAL.has(run.state);
export const isDone = (run: Run): boolean => run.state === 'done' || run.state === 'delivered';
export const isPending = (run: Run): boolean => !isTerminal(run) && run.state !== 'active';

/** Responses kept for people to look at; older ones are in the ledger. */
const RESPONSES_SHOWN = 4;

export class Plan {
  #responses: TakenResponse[] = [];
  /** Of all of them; asked for many times a tick, changed by {@link take} alone. */
  #runs: readonly Run[] = [];

  take(response: TakenResponse): void {
    this.#responses.push(response);
    while (this.#responses.length > RESPONSES_SHOWN && this.#responses[0]?.ended === true) {
      this.#responses.shift();
    }
    this.#runs = this.#responses.flatMap((r) => r.runs);
  }

  get responses(): readonly TakenResponse[] {
    return this.#responses;
  }

  /** Responses with something left to do. */
  get live(): readonly TakenResponse[] {
    return this.#responses.filter((r) => !r.ended);
  }

  get runs(): readonly Run[] {
    return this.#runs;
  }

  /** True when every prerequisite has its receipt, or has been delivered. */
  prerequisitesDone(run: Run): boolean {
    const response = this.#responses.find((r) => r.responseId === run.responseId);
    return (run.admitted?.requires ?? []).every((id) => {
      const sibling = response?.byId.get(id);
      return sibling !== undefined && isDone(sibling);
    });
  }

  /** A component of the same response. */
  sibling(run: Run, id: string): Run | undefined {
    return this.#responses.find((r) => r.responseId === run.responseId)?.byId.get(id);
  }

  byLease(lease: Lease): Run | undefined {
    return this.runs.find((run) => run.lease === lease);
  }
}

/** Outcome of a response as a whole, once all its components have come to an end. */
export function outcomeOf(
  response: TakenResponse,
): 'completed' | 'partial' | 'refused' | 'aborted' {
  if (response.aborted) return 'aborted';
  if (response.verdict.outcome === 'refused') return 'refused';
  return response.runs.every(isDone) ? 'completed' : 'partial';
}
