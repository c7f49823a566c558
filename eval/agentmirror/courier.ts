/**
 * Receipts that must not count, brought to the task's state while it lives. Each is right in all but
 * one condition. Enters: a session, which condition. Leaves: a receipt and the duty that it is for.
 * Never: a receipt for what has already happened.
 */
import type { LedgerRecord, Observed, Receipt, ReceiptBody } from '../../src/contract/index.js';
import type { AdmittedEntry } from '../../src/recovery/index.js';
import { MemoryLedger } from '../../test/world/memory-ledger.js';
import type { Session } from './session.js';
import type { Goal } from './tasks.js';

export type Wrong =
  | 'unadmitted'
  | 'claimed'
  | 'wrong key'
  | 'altered'
  | 'another run'
  | 'before admission'
  | 'earlier frontier'
  | 'misaddressed';

/** Brought before anything of it has begun; the others while it is under way. */
const EARLY: ReadonlySet<Wrong> = new Set(['unadmitted', 'claimed']);

const FORGER = new MemoryLedger({ nowUs: () => 0, wallMs: () => 0 });

export interface Brought {
  readonly receipt: Receipt;
  readonly duty: string;
}

/** Undefined while there is no occasion. */
export function bring(session: Session, wrong: Wrong): Brought | undefined {
  const occasion = occasionOf(session, EARLY.has(wrong));
  if (occasion === undefined) return undefined;
  const { ledger } = session.rig;
  const { duty, verdict } = occasion;
  const body = bodyFor(session, occasion);
  const make = (more: Partial<ReceiptBody>): Brought => ({
    receipt: ledger.signReceipt({ ...body, ...more }),
    duty,
  });
  switch (wrong) {
    case 'unadmitted':
      return make({ componentDigest: 'e'.repeat(64), ensured: true });
    case 'claimed':
      return make({});
    case 'wrong key':
      return { receipt: FORGER.signReceipt(body), duty };
    case 'altered': {
      const signed = ledger.signReceipt({ ...body, observed: {} });
      return { receipt: { ...signed, observed: body.observed }, duty };
    }
    case 'another run':
      return make({ runId: 'run-0' });
    case 'before admission':
      return make({ observedUs: verdict.tUs - 1_000_000 });
    case 'earlier frontier': {
      const frontiers = ledger.records.filter(isFrontier);
      const frontier = frontiers.at(-2)?.hash;
      return frontier === undefined ? undefined : make({ frontier });
    }
    case 'misaddressed': {
      const other = openDuties(session).find((id) => id !== duty);
      return other === undefined ? undefined : make({ obligation: other });
    }
  }
}

const isFrontier = ({ kind }: LedgerRecord): boolean =>
  kind === 'state-advanced' || kind === 'contract-bound';

interface Occasion {
  readonly duty: string;
  readonly goal: Goal;
  readonly entry: AdmittedEntry;
  readonly generation: number;
  readonly verdict: LedgerRecord;
}

interface VerdictBody {
  readonly generation: number;
  readonly admitted: readonly AdmittedEntry[];
}

const openDuties = ({ rig }: Session): readonly string[] =>
  rig.tracker
    .view(rig.nowUs)
    .obligations.filter(({ state }) => state !== 'satisfied')
    .map(({ id }) => id);

/** An effect whose predecessors stand, that has not happened, and that waits or is under way. */
function occasionOf(session: Session, early: boolean): Occasion | undefined {
  const { rig, truth, task } = session;
  const verdict = rig.ledger.of('verdict').at(-1);
  if (verdict === undefined || session.dead) return undefined;
  const { generation, admitted } = verdict.body as VerdictBody;
  const open = new Set(openDuties(session));
  const views = rig.tracker.view(rig.nowUs).obligations;
  for (const { id, state } of rig.engine.state().components) {
    const fits = early ? state === 'pending' : state === 'active';
    const entry = admitted.find(({ componentId }) => componentId === id);
    const goal = task.steps.find((step) => step.component.id === id)?.goal;
    if (!fits || entry === undefined || goal === undefined) continue;
    const after = views.find((view) => view.id === id)?.after ?? [];
    const ready = open.has(id) && !after.some((before) => open.has(before));
    if (goal.what === 'told' || !ready || truth.reachedUs(id) !== undefined) continue;
    return { duty: id, goal, entry, generation, verdict };
  }
  return undefined;
}

let brought = 0;

function bodyFor({ rig }: Session, { duty, goal, entry, generation }: Occasion): ReceiptBody {
  brought += 1;
  return {
    id: `brought-${brought}`,
    runId: rig.tracker.runId,
    frontier: rig.tracker.frontier,
    generation,
    componentId: entry.componentId,
    kind: entry.kind,
    componentDigest: entry.componentDigest,
    fulfils: duty,
    obligation: duty,
    outcome: 'observed',
    ensured: false,
    observed: observedOf(goal),
    evidenceDigest: '0'.repeat(64),
    snapshotId: rig.engine.state().snapshotId,
    observedUs: rig.nowUs,
    bootEpoch: rig.ledger.bootEpoch,
  };
}

/** What a receipt would say had the goal been reached. */
function observedOf(goal: Goal): Observed {
  const flags = { airborne: true, completed: true, landed: true, disarmed: true, dwellS: 2 };
  const place = goal.what === 'visit' ? goal.places.at(-1) : undefined;
  return { ...flags, ...(place === undefined ? {} : { position: [...place] }) };
}
