/**
 * What a receipt must show before the task's state advances: the five conditions of the method
 * and the two that complete them, each by name, in the order in which they are asked.
 * Enters: a receipt and the trusted state. Leaves: the first refusal, or none.
 * Never: the agent's word, nor a condition that running code can skip (tests remove them by name,
 * through ./testing, to show which invalid progression each one stops).
 *
 *   condition      without it                    code
 *   admission      an unauthorized effect        617
 *   execution      a claimed effect              618
 *   validity       a forged receipt              611
 *   freshness      stale evidence, or one twice  612
 *   frontier       evidence of another prefix    613
 *   singleton      an ambiguous closure          615 (none at all: 614; another one: 619)
 *   predecessors   progress out of order         616
 */
import type { Code, HaloError, Receipt, TaskObligation } from '../contract/index.js';
import { haloError } from '../platform/index.js';
import type { AdmittedEntry } from './record-bodies.js';

/** An admitted component as the ledger has it. */
export interface Admission extends AdmittedEntry {
  readonly epoch: number;
  readonly atUs: number;
}

/** A granted lease as the ledger has it: the durable intent of an effect. */
export interface Execution {
  readonly epoch: number;
  readonly atUs: number;
}

export interface JudgeContext {
  readonly receipt: Receipt;
  readonly nowUs: number;
  readonly runId: string;
  readonly bootEpoch: number;
  readonly frontier: string;
  /** Of the receipt's component, in its generation, with its digest. */
  readonly admission: Admission | undefined;
  readonly execution: Execution | undefined;
  readonly seenBefore: boolean;
  readonly verifySignature: (receipt: Receipt) => boolean;
  /** Obligations not satisfied yet that the receipt could close. */
  readonly matches: readonly TaskObligation[];
  /** Predecessors of the obligation that keep it from being closed. */
  readonly missing: (obligation: TaskObligation) => readonly string[];
}

/** What a receipt would change, or the condition that keeps it from changing anything. */
export type Judgement =
  | { readonly advance: true; readonly obligationId: string }
  | {
      readonly advance: false;
      readonly error: HaloError;
      /** The condition that was not met. */
      readonly condition: ConditionName;
      /** True when the receipt holds but is simply not of the contract, like that of an arming. */
      readonly benign: boolean;
    };

export const CONDITION_NAMES = [
  'admission',
  'execution',
  'validity',
  'freshness',
  'frontier',
  'singleton',
  'predecessors',
] as const;
export type ConditionName = (typeof CONDITION_NAMES)[number];

export interface ConditionRefusal {
  readonly code: Code;
  readonly message: string;
}

/**
 * A tick judges by the time at its start, and its records are stamped when they are written: what
 * was admitted and observed in one tick may show the times the other way round. No tick may take
 * as long as 250 ms.
 */
const TICK_US = 250_000;

type Condition = (c: JudgeContext) => ConditionRefusal | undefined;

const refuse = (code: Code, message: string): ConditionRefusal => ({ code, message });

export const CONDITIONS: Readonly<Record<ConditionName, Condition>> = {
  admission: ({ receipt, admission }) => {
    if (admission === undefined) {
      const what = `${receipt.componentId} of generation ${receipt.generation}`;
      return refuse('HALO-617', `No admission of ${what} with this digest is in the ledger.`);
    }
    return admission.componentId === receipt.componentId && admission.kind === receipt.kind
      ? undefined
      : refuse('HALO-617', `The digest was admitted as ${admission.componentId}.`);
  },

  execution: ({ receipt, admission, execution }) => {
    const utterance = admission?.utterance ?? receipt.outcome === 'delivered';
    if (utterance) {
      return receipt.outcome === 'delivered'
        ? undefined
        : refuse('HALO-618', `${receipt.componentId} was not delivered.`);
    }
    if (receipt.outcome !== 'observed' || Object.keys(receipt.observed).length === 0) {
      return refuse('HALO-618', `Nothing was observed of ${receipt.componentId}.`);
    }
    return receipt.ensured || execution !== undefined
      ? undefined
      : refuse('HALO-618', `No lease was granted to ${receipt.componentId}.`);
  },

  validity: ({ receipt, runId, verifySignature }) => {
    if (receipt.runId !== runId) {
      return refuse('HALO-611', `The receipt is of run ${receipt.runId}, not ${runId}.`);
    }
    return verifySignature(receipt)
      ? undefined
      : refuse('HALO-611', `The signature of receipt ${receipt.id} does not hold.`);
  },

  freshness: (c) => {
    const { receipt, admission, execution, nowUs, bootEpoch } = c;
    if (c.seenBefore) return refuse('HALO-612', `Receipt ${receipt.id} was taken before.`);
    if (receipt.bootEpoch !== bootEpoch) {
      return refuse('HALO-612', `The receipt is of boot epoch ${receipt.bootEpoch}.`);
    }
    if (receipt.observedUs > nowUs) return refuse('HALO-612', 'The receipt is from the future.');
    const origin = receipt.ensured ? [admission] : [admission, execution];
    for (const { epoch, atUs } of origin.filter((o) => o !== undefined)) {
      if (epoch !== bootEpoch) {
        return refuse('HALO-612', `Its authority is of boot epoch ${epoch}, which is over.`);
      }
      if (receipt.observedUs < atUs - TICK_US) {
        return refuse('HALO-612', 'It was observed before it was authorized.');
      }
    }
    return undefined;
  },

  frontier: ({ receipt, frontier }) =>
    receipt.frontier === frontier
      ? undefined
      : refuse(
          'HALO-613',
          `The receipt rests on ${short(receipt.frontier)}, not ${short(frontier)}.`,
        ),

  singleton: ({ receipt, matches }) => {
    const { id, obligation } = receipt;
    const ids = matches.map((match) => match.id).join(', ');
    if (matches.length > 1) return refuse('HALO-615', `Receipt ${id} fulfils ${ids}.`);
    if (obligation !== matches[0]?.id) {
      const fulfilled = ids === '' ? 'no open obligation' : ids;
      const message = `Receipt ${id} is for ${obligation ?? 'none'} and fulfils ${fulfilled}.`;
      return refuse('HALO-619', message);
    }
    if (matches.length === 1) return undefined;
    return refuse('HALO-614', `Receipt ${id} fulfils no open obligation.`);
  },

  predecessors: ({ matches, missing }) => {
    const [obligation] = matches;
    const before = obligation === undefined ? [] : missing(obligation);
    return before.length === 0
      ? undefined
      : refuse('HALO-616', `${obligation?.id} comes after ${before.join(', ')}.`);
  },
};

const short = (hash: string): string => hash.slice(0, 8);

/** Asks the conditions in their order; the first that is not met decides. */
export function judge(context: JudgeContext, conditions: readonly ConditionName[]): Judgement {
  const { receipt, matches } = context;
  const refusedBy = (condition: ConditionName, { code, message }: ConditionRefusal): Judgement => ({
    advance: false,
    error: haloError(code, message, placeOf(receipt, matches)),
    condition,
    benign: code === 'HALO-614',
  });
  for (const condition of conditions) {
    const refusal = CONDITIONS[condition](context);
    if (refusal !== undefined) return refusedBy(condition, refusal);
  }
  const [obligation] = matches;
  if (obligation !== undefined) return { advance: true, obligationId: obligation.id };
  return refusedBy(
    'singleton',
    refuse('HALO-614', `Receipt ${receipt.id} fulfils no open obligation.`),
  );
}

/** Where to look: the obligations that it could close, or the receipt itself. */
const placeOf = ({ id }: Receipt, matches: readonly { readonly id: string }[]): string =>
  matches.length === 0 ? `receipt ${id}` : `obligations ${matches.map((o) => o.id).join(', ')}`;
