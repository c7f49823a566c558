/** What the recovery tests share: a contract, a ledger in memory, and the life of one task. */
import type {
  Component,
  KindEntry,
  LedgerRecord,
  Receipt,
  ReceiptBody,
  RecordKind,
  TaskContract,
  Verdict,
} from '../../src/contract/index.js';
import { kindEntrySchema } from '../../src/contract/index.js';
import { contractBody, parseTaskContract, verdictBody } from '../../src/recovery/index.js';
import type { TaskTracker } from '../../src/recovery/index.js';
import { digestOf } from '../../src/platform/index.js';

export const RUN = 'run-1';

export const CONTRACT_TEXT = `
task: tower
obligations:
  - id: up
    target: {kind: flight.takeoff}
    evidence: {airborne: true}
  - id: north
    after: [up]
    target: {kind: flight.goto, frame: local_enu, positionM: [10, 0, 6]}
    evidence: {within: {of: target, horizontalM: 0.8, verticalM: 0.6, dwellS: 1.0}}
  - id: east
    after: [up]
    target: {kind: flight.goto, frame: local_enu, positionM: [0, 10, 6]}
    evidence: {within: {of: target, horizontalM: 0.8, verticalM: 0.6, dwellS: 1.0}}
  - id: told
    after: [north]
    target: {kind: report.range, sensor: front}
    evidence: {delivered: true}
  - id: down
    after: [up]
    target: {kind: flight.land}
    evidence: {landed: true, disarmed: true}
contingency: land
budget: {attempts: 3, timeS: 600}
`;

export function contractOf(text: string): TaskContract {
  const parsed = parseTaskContract(text, 'contract.yaml');
  if (!parsed.ok) throw new Error(`${parsed.error.path} ${parsed.error.message}`);
  return parsed.value;
}

/** Signs with a hash in place of a key: what counts here is who may say that it holds. */
export const signed = (body: ReceiptBody): Receipt => ({
  ...body,
  keyId: 'k',
  signature: digestOf(body),
});

export const verifySignature = (receipt: Receipt): boolean => {
  const { keyId, signature, ...body } = receipt;
  return keyId === 'k' && signature === digestOf(body);
};

const entryOf = (kind: string): KindEntry =>
  kindEntrySchema.parse({
    does: kind.startsWith('flight.') ? 'hold' : 'report_range',
    effectClass: 'none',
  });

/** Writes records as a ledger would and hands each to the trackers that follow it. */
export class Story {
  readonly records: LedgerRecord[] = [];
  readonly #trackers: readonly TaskTracker[];
  epoch = 1;
  tUs = 1_000_000;
  wallMs = 1_700_000_000_000;
  #generation = 0;
  #receipts = 0;

  constructor(...trackers: readonly TaskTracker[]) {
    this.#trackers = trackers;
  }

  /** Without the trackers: what {@link TaskTracker.settle} wants. */
  readonly write = (kind: RecordKind, body: unknown): LedgerRecord => {
    const head = { v: 1 as const, seq: this.records.length + 1, epoch: this.epoch, kind };
    const rest = { tUs: this.tUs, wallMs: this.wallMs, prev: this.records.at(-1)?.hash ?? '' };
    // As it comes back from the file: a body that JSON cannot say would show here.
    const plain: unknown = JSON.parse(JSON.stringify(body));
    const record = { ...head, ...rest, body: plain, hash: digestOf([head, rest, plain]) };
    this.records.push(record);
    return record;
  };

  append(kind: RecordKind, body: unknown): LedgerRecord {
    const record = this.write(kind, body);
    for (const tracker of this.#trackers) {
      const applied = tracker.apply(record);
      if (!applied.ok) throw new Error(applied.error.message);
    }
    return record;
  }

  begin(contract: TaskContract): this {
    this.append('run-opened', { runId: RUN });
    this.append('contract-bound', contractBody(contract));
    return this;
  }

  wait(seconds: number): this {
    this.tUs += seconds * 1_000_000;
    this.wallMs += seconds * 1000;
    return this;
  }

  /** One response whose components are all admitted; returns its generation. */
  admit(...components: readonly Component[]): number {
    this.#generation += 1;
    const verdict: Verdict = {
      responseId: `r-${this.#generation}`,
      responseDigest: 'd',
      generation: this.#generation,
      snapshotId: 's-1',
      outcome: 'admitted',
      components: [],
      findings: [],
    };
    const admitted = components.map((component) => ({
      component,
      digest: digestOf(component),
      entry: entryOf(component.kind),
    }));
    this.append('verdict', verdictBody(verdict, admitted));
    return this.#generation;
  }

  lease(component: Component, generation: number, authority = 'agent'): string {
    const leaseId = `l-${this.records.length}`;
    const { id, kind } = component;
    const componentDigest = digestOf(component);
    const body = { leaseId, componentId: id, componentDigest, kind, generation, authority };
    this.append('lease-granted', body);
    return leaseId;
  }

  /** A receipt that would be taken, except for what `over` changes before it is signed. */
  receipt(
    frontier: string,
    component: Component,
    generation: number,
    over: Partial<ReceiptBody> = {},
  ): Receipt {
    this.#receipts += 1;
    const body: ReceiptBody = {
      id: `rc-${this.#receipts}`,
      runId: RUN,
      frontier,
      generation,
      componentId: component.id,
      kind: component.kind,
      componentDigest: digestOf(component),
      ...(component.fulfils === undefined ? {} : { fulfils: component.fulfils }),
      outcome: component.kind.startsWith('flight.') ? 'observed' : 'delivered',
      ensured: false,
      observed: observedFor(component),
      evidenceDigest: 'e',
      snapshotId: 's-2',
      observedUs: this.tUs,
      bootEpoch: this.epoch,
      ...over,
    };
    const obligation = this.#trackers[0]?.obligationOf(body);
    return signed({ ...(obligation === undefined ? {} : { obligation }), ...body });
  }
}

function observedFor({ kind, params }: Component): ReceiptBody['observed'] {
  switch (kind) {
    case 'flight.takeoff':
      return { airborne: true, altitudeM: 6 };
    case 'flight.goto':
      return { position: params?.['positionM'] as number[], dwellS: 1.2, airborne: true };
    case 'flight.land':
      return { landed: true, disarmed: true };
    case 'report.range':
      return { delivered: true, sensor: String(params?.['sensor']) };
    default:
      return { armed: true };
  }
}

export const ARM: Component = { id: 'arm', kind: 'flight.arm' };
export const UP: Component = { id: 'up1', kind: 'flight.takeoff', params: { altitudeM: 6 } };
export const NORTH: Component = {
  id: 'leg1',
  kind: 'flight.goto',
  params: { frame: 'local_enu', positionM: [10, 0, 6], speedMS: 2 },
};
export const EAST: Component = {
  id: 'leg2',
  kind: 'flight.goto',
  params: { frame: 'local_enu', positionM: [0, 10, 6], speedMS: 2 },
};
export const RANGE: Component = { id: 'rng', kind: 'report.range', params: { sensor: 'front' } };
export const LAND: Component = { id: 'dn', kind: 'flight.land' };
