/**
 * The parts that one vehicle's engine is made of, and what one tick sees.
 * Enters: nothing. Leaves: types, and the three ways to use a lease.
 * Never: a frame that is not drawn from a lease of the gate.
 */
import type {
  Catalog,
  HaloError,
  LeaseEnd,
  Snapshot,
  TaskContract,
  WireMessage,
} from '../contract/index.js';
import type { EpochTracker, EvidenceStore } from '../evidence/index.js';
import type { Gate, Grant, Lease, Refusal } from '../gate/index.js';
import type { TaskTracker } from '../recovery/index.js';
import type { CommandAck, EffectMachine, Received } from '../vehicle/index.js';
import type { LocalizedBook } from './localized.js';
import type { Plan } from './plan.js';
import type { EngineLedger, EngineLink } from './ports.js';
import type { Recorder } from './recorder.js';

export interface Parts {
  readonly runId: string;
  /** When this life of the bridge began. */
  readonly lifeStartedUs: number;
  readonly catalog: Catalog;
  readonly contract: TaskContract;
  readonly link: EngineLink;
  readonly ledger: EngineLedger;
  readonly gate: Gate;
  readonly store: EvidenceStore;
  readonly epochs: EpochTracker;
  readonly tracker: TaskTracker;
  readonly plan: Plan;
  readonly book: LocalizedBook;
  readonly recorder: Recorder;
}

/** Of a vehicle that has not been heard yet. */
export const EMPTY_BATCH = { values: [], acks: [], reasons: [], signs: [], heard: [] } as const;

/** What one tick sees: the same for everything that it decides. */
export interface Moment {
  readonly nowUs: number;
  readonly snapshot: Snapshot;
  readonly acks: readonly CommandAck[];
  readonly reasons: readonly string[];
  readonly heard: readonly Received[];
}

/**
 * How long a change that an effect commands counts as ours. HEARTBEAT comes once a second and
 * CURRENT_MODE every two: 3 s see it at least once.
 */
const EXPECTATION_US = 3_000_000;

/** Sequence of an intent that waits for no disk: the guardian's. Every ledger is beyond it. */
const NO_WAIT = 0;

/**
 * Grants a lease and writes its intent. An agent's effect waits until that is on disk; the
 * guardian does not: holding a vehicle that lost its support cannot wait for a slow disk (ADR 5).
 */
export function grantLease(parts: Parts, grant: Grant, nowUs: number): Lease {
  const lease = parts.gate.grant(grant, nowUs);
  const seq = parts.recorder.leaseGranted(lease);
  parts.gate.recordIntent(lease, grant.authority === 'guardian' ? NO_WAIT : seq);
  return lease;
}

/** Ends a lease for good, and says so once. */
export function endLease(parts: Parts, lease: Lease, end: LeaseEnd): void {
  parts.gate.end(lease, end);
  parts.recorder.leaseEnded(lease, lease.end ?? end);
}

/** Tells the epoch tracker which changes of mode and arming are about to be ours. */
export function expectChanges(parts: Parts, machine: EffectMachine, nowUs: number): void {
  const { modes, armed } = machine.expects;
  if (modes.length > 0) parts.epochs.expectMode(modes, nowUs + EXPECTATION_US);
  if (armed !== undefined) parts.epochs.expectArming(armed, nowUs + EXPECTATION_US);
}

/**
 * Mints and dispatches frames in order, each in one turn. Returns the first refusal; frames after
 * it are not sent. HALO-411 (intent not on disk yet) is no refusal of the effect: it asks again.
 */
export function sendFrames(
  parts: Parts,
  lease: Lease,
  frames: readonly WireMessage[],
  nowUs: number,
): Refusal | HaloError | undefined {
  for (const message of frames) {
    const minted = parts.gate.mint(lease, message, nowUs);
    if (!minted.ok) return minted.error;
    const sent = parts.gate.dispatch(lease, minted.value, nowUs);
    if (!sent.ok) return sent.error;
    parts.recorder.frame(sent.value);
  }
  return undefined;
}
