/**
 * What was counted against what was so. Enters: a session that is over, what a strategy counted.
 * Leaves: invalid transitions, each with its classes. Never: the tracker's own conditions: the
 * ledger's records and the world are read afresh here.
 */
import type { LedgerRecord, Receipt } from '../../src/contract/index.js';
import type { AdmittedEntry, ConditionName } from '../../src/recovery/index.js';
import type { Session } from './session.js';

/** One duty that was counted as done. */
export interface Counted {
  readonly duty: string;
  readonly atUs: number;
  /** What it was counted on. */
  readonly by: 'receipt' | 'acknowledgement' | 'report' | 'claim' | 'brought';
}

export interface Invalid extends Counted {
  /** The condition that it breaks; `untrue`: the world does not show it. */
  readonly classes: readonly (ConditionName | 'untrue')[];
}

/** A tick judges by its start. */
const TICK_US = 250_000;
/** An acknowledgement comes before its effect, which is given this to follow. */
const FOLLOWS_US = 10_000_000;

/** Of strategies without a ledger: only the world can contradict. Each duty counts once. */
export function untrue({ truth }: Session, counted: readonly Counted[]): readonly Invalid[] {
  return counted
    .filter(({ duty, atUs, by }) => {
      const untilUs = by === 'acknowledgement' ? atUs + FOLLOWS_US : atUs;
      return !((truth.reachedUs(duty) ?? Infinity) <= untilUs);
    })
    .map((one) => ({ ...one, classes: ['untrue'] as const }));
}

interface Facts {
  readonly receipt: Receipt;
  readonly admission: { readonly entry: AdmittedEntry; readonly record: LedgerRecord } | undefined;
  readonly leased: boolean;
  readonly frontier: string;
  readonly seen: boolean;
  readonly standing: ReadonlySet<string>;
}

type Breaks = (facts: Facts, advance: LedgerRecord, session: Session, duty: string) => boolean;

const BREAKS: Readonly<Record<ConditionName, Breaks>> = {
  admission: ({ admission }) => admission === undefined,
  execution: ({ receipt, admission, leased }) => {
    if (receipt.outcome === 'delivered') return admission?.entry.utterance === false;
    return Object.keys(receipt.observed).length === 0 || !(receipt.ensured || leased);
  },
  validity: ({ receipt }, _advance, { rig }) =>
    receipt.runId !== rig.tracker.runId || !rig.ledger.verifyReceipt(receipt),
  freshness: ({ receipt, admission, seen }, advance) => {
    const early = admission !== undefined && receipt.observedUs < admission.record.tUs - TICK_US;
    return seen || early || receipt.bootEpoch !== advance.epoch || receipt.observedUs > advance.tUs;
  },
  frontier: ({ receipt, frontier }) => receipt.frontier !== frontier,
  singleton: ({ receipt }, _advance, _session, duty) => receipt.obligation !== duty,
  predecessors: ({ standing }, _advance, { rig }, duty) => {
    const view = rig.tracker.view(rig.nowUs).obligations.find(({ id }) => id === duty);
    return view?.after.some((before) => !standing.has(before)) === true;
  },
};

export interface Audit {
  readonly counted: readonly Counted[];
  readonly invalid: readonly Invalid[];
}

/** Each advance in the ledger, judged by what stood before it. */
export function audit(session: Session): Audit {
  const { records } = session.rig.ledger;
  const counted: Counted[] = [];
  const invalid: Invalid[] = [];
  records.forEach((record, k) => {
    if (record.kind !== 'state-advanced') return;
    const { obligationId: duty, receiptId } = record.body as Advanced;
    const facts = factsAt(records.slice(0, k), receiptId);
    if (facts === undefined) throw new Error(`no receipt ${receiptId} before its advance`);
    const by = receiptId.startsWith('brought-') ? 'brought' : 'receipt';
    const one = { duty, atUs: record.tUs, by } as const;
    const broken = (Object.keys(BREAKS) as ConditionName[]).filter((name) =>
      BREAKS[name](facts, record, session, duty),
    );
    const reachedUs = session.truth.reachedUs(duty) ?? Infinity;
    const classes = reachedUs <= record.tUs ? broken : [...broken, 'untrue' as const];
    counted.push(one);
    if (classes.length > 0) invalid.push({ ...one, classes });
  });
  return { counted, invalid };
}

interface Advanced {
  readonly obligationId: string;
  readonly receiptId: string;
}

function factsAt(before: readonly LedgerRecord[], receiptId: string): Facts | undefined {
  const receipts = before
    .filter(({ kind }) => kind === 'receipt')
    .map(({ body }) => body as Receipt);
  const receipt = receipts.findLast(({ id }) => id === receiptId);
  if (receipt === undefined) return undefined;
  const { generation, componentDigest } = receipt;
  const admissions = before
    .filter(({ kind }) => kind === 'verdict')
    .flatMap((record) => {
      const body = record.body as { generation: number; admitted: readonly AdmittedEntry[] };
      const entry = body.admitted.find((a) => a.componentDigest === componentDigest);
      return body.generation === generation && entry !== undefined ? [{ entry, record }] : [];
    });
  const leased = before.some(({ kind, body }) => {
    const lease = body as { generation: number; componentDigest: string };
    return (
      kind === 'lease-granted' &&
      lease.generation === generation &&
      lease.componentDigest === componentDigest
    );
  });
  const standing = new Set<string>();
  for (const { kind, body } of before) {
    if (kind === 'state-advanced') standing.add((body as Advanced).obligationId);
  }
  const frontier = before.findLast(
    ({ kind }) => kind === 'state-advanced' || kind === 'contract-bound',
  );
  return {
    receipt,
    admission: admissions.at(-1),
    leased,
    frontier: frontier?.hash ?? '',
    seen: receipts.filter(({ id }) => id === receiptId).length > 1,
    standing,
  };
}
