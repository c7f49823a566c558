/** A small task as the bridge would write it: two legs of a patrol, in as many lives as wanted. */
import type { Component, TaskContract } from '../../src/contract/index.js';
import { Keyring, type Ledger } from '../../src/ledger/index.js';
import { openLedgerOn, realFiles, SEGMENT_BYTES } from '../../src/ledger/testing.js';
import { digestOf, type Clock } from '../../src/platform/index.js';
import {
  contractBody,
  createTaskTracker,
  parseTaskContract,
  type TaskTracker,
} from '../../src/recovery/index.js';

export const PATROL: TaskContract = (() => {
  const parsed = parseTaskContract(
    `
task: patrol
obligations:
  - id: up
    target: {kind: flight.takeoff}
    evidence: {airborne: true}
  - id: north
    after: [up]
    target: {kind: flight.goto, frame: local_enu, positionM: [10, 0, 6]}
    evidence: {within: {of: target, horizontalM: 0.8, verticalM: 0.6, dwellS: 1.0}}
contingency: land
budget: {attempts: 9, timeS: 600}
`,
    'contract.yaml',
  );
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
})();

export const UP: Component = { id: 'up1', kind: 'flight.takeoff', params: { altitudeM: 6 } };
export const NORTH: Component = {
  id: 'leg1',
  kind: 'flight.goto',
  params: { frame: 'local_enu', positionM: [10, 0, 6], speedMS: 2 },
};

export interface Flight {
  readonly ledger: Ledger;
  readonly tracker: TaskTracker;
}

/** As the bridge opens: the fold follows the records, and a run is opened when none is open. */
export async function openFlight(
  dir: string,
  clock: Clock,
  segmentBytes = SEGMENT_BYTES,
): Promise<Flight> {
  const keyring = new Keyring();
  const tracker = createTaskTracker({
    contract: PATROL,
    verifySignature: (receipt) => keyring.holds(receipt),
  });
  const machine = { files: realFiles, segmentBytes };
  const options = { dir, clock, generateKeys: true, keyring, fold: tracker };
  const opened = await openLedgerOn(machine, options);
  if (!opened.ok) throw new Error(`${opened.error.code} ${opened.error.message}`);
  const flight = { ledger: opened.value, tracker };
  const { keyId, publicKeyPem: publicKey, bootEpoch } = opened.value;
  if (!tracker.bound) {
    note(flight, 'run-opened', { runId: 'run-1', keyId, publicKey });
    note(flight, 'contract-bound', contractBody(PATROL));
  }
  note(flight, 'epoch-opened', { bootEpoch, keyId, publicKey });
  return flight;
}

export function note(
  { ledger, tracker }: Flight,
  ...record: Parameters<Ledger['append']>
): ReturnType<Ledger['append']> {
  const written = ledger.append(...record);
  const applied = tracker.apply(written);
  if (!applied.ok) throw new Error(applied.error.message);
  return written;
}

/** Admission, lease, frames, receipt and what follows of one component. */
export function fly(flight: Flight, component: Component, nowUs: number): void {
  const { ledger, tracker } = flight;
  const generation = tracker.generation + 1;
  const componentDigest = digestOf(component);
  const { id: componentId, kind } = component;
  const entry = { componentId, componentDigest, kind, utterance: false };
  note(flight, 'verdict', {
    responseId: `r-${generation}`,
    outcome: 'admitted',
    generation,
    admitted: [entry],
  });
  const leaseId = `l-${ledger.bootEpoch}-${generation}`;
  const authority = 'agent';
  note(flight, 'lease-granted', {
    leaseId,
    componentId,
    componentDigest,
    kind,
    generation,
    authority,
  });
  const digests = [digestOf(leaseId), digestOf(generation)];
  note(flight, 'frames', { leaseId, first: 0, last: 1, digests });
  note(flight, 'lease-ended', { leaseId, componentId, code: 'done', framesDrawn: 2 });
  const body = {
    id: `rc-${ledger.bootEpoch}-${generation}`,
    runId: tracker.runId,
    frontier: tracker.frontier,
    generation,
    componentId,
    kind,
    componentDigest,
    outcome: 'observed' as const,
    ensured: false,
    observed: { airborne: true, position: [10, 0, 6], dwellS: 1.2 },
    evidenceDigest: digestOf('evidence'),
    snapshotId: 's-1',
    observedUs: nowUs,
    bootEpoch: ledger.bootEpoch,
  };
  const obligation = tracker.obligationOf(body);
  const receipt = ledger.signReceipt({
    ...body,
    ...(obligation === undefined ? {} : { obligation }),
  });
  tracker.settle(receipt, (settled, what) => ledger.append(settled, what));
}
