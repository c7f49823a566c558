/**
 * The engine as its doors see it: requests in, replies and events out. The ROS node, the command
 * line and Foxglove know the engine only by this file.
 * Enters: nothing. Leaves: types. Never: a way to write to the vehicle.
 */
import type { LeaseView } from './binding.js';
import type { HaloError } from './result.js';
import type { Epochs, EvidenceValue } from './evidence.js';
import type { Receipt } from './receipt.js';
import type { RecoveryContext, TaskStateView } from './task-state.js';
import type { Finding, LocalizedObligation, Verdict } from './verdict.js';

export type ComponentState =
  | 'pending'
  | 'awaiting-approval'
  | 'waiting-evidence'
  | 'active'
  | 'done'
  | 'delivered'
  | 'withheld'
  | 'interrupted'
  | 'unknown';

export interface ComponentProgress {
  readonly responseId: string;
  readonly id: string;
  readonly kind: string;
  readonly state: ComponentState;
  readonly reason: string;
  /** Age of the oldest evidence that its footprint rests on; NaN never: -1 when it has none. */
  readonly evidenceAgeMs: number;
  /** Free text for a pilot: phase of the effect, distance to go. */
  readonly detail: string;
  /** Where it leads, local ENU in metres, for kinds that have a target: viewers draw it. */
  readonly targetEnuM?: readonly [number, number, number];
}

export interface VehicleView {
  readonly connected: boolean;
  readonly systemId: number;
  readonly armed: boolean;
  readonly mode: string;
  readonly landed: string;
  readonly failsafe: boolean;
  readonly prearmOk: boolean;
  readonly positionEnuM: readonly [number, number, number];
  readonly velocityEnuMS: readonly [number, number, number];
  readonly yawEnuRad: number;
  readonly batteryFraction: number;
  readonly batteryV: number;
  readonly linkLossPercent: number;
  readonly heartbeatAgeMs: number;
  readonly epochs: Epochs;
}

/** Delivered words: filled by the bridge from evidence, or an agent's text marked as such. */
export interface Utterance {
  readonly responseId: string;
  readonly componentId: string;
  readonly kind: string;
  readonly text: string;
  readonly evidence: readonly EvidenceValue[];
}

export interface DispatchView {
  readonly leases: readonly LeaseView[];
  readonly framesDispatched: number;
  readonly framesRefused: number;
  readonly bootEpoch: number;
  readonly lastFrameDigest: string;
  readonly lastRefusalCode: string;
}

export type EnginePhase =
  'waiting-vehicle' | 'idle' | 'executing' | 'guarding' | 'contingency' | 'closed';

export interface EngineState {
  readonly nowUs: number;
  readonly phase: EnginePhase;
  readonly snapshotId: string;
  readonly vehicle: VehicleView;
  readonly evidence: readonly EvidenceValue[];
  readonly task: TaskStateView;
  readonly components: readonly ComponentProgress[];
  readonly obligations: readonly LocalizedObligation[];
  readonly dispatch: DispatchView;
  /** Sentences for the agent: what was denied, what is in scope now. */
  readonly guidance: readonly string[];
}

export type RunOutcome = 'completed' | 'partial' | 'refused' | 'aborted';

export interface ResponseReport {
  readonly outcome: RunOutcome;
  readonly verdict: Verdict;
  readonly components: readonly ComponentProgress[];
  readonly obligations: readonly LocalizedObligation[];
  readonly task: TaskStateView;
}

export type EngineEvent =
  | { readonly type: 'verdict'; readonly verdict: Verdict }
  | { readonly type: 'obligation'; readonly obligation: LocalizedObligation }
  | { readonly type: 'progress'; readonly progress: ComponentProgress }
  | { readonly type: 'lease'; readonly lease: LeaseView }
  | {
      readonly type: 'receipt';
      readonly receipt: Receipt;
      readonly ledgerSeq: number;
      readonly obligationId?: string;
    }
  | { readonly type: 'receipt-refused'; readonly receiptId: string; readonly error: HaloError }
  | { readonly type: 'task'; readonly task: TaskStateView }
  | {
      readonly type: 'epoch';
      readonly epochs: Epochs;
      readonly moved: readonly string[];
      readonly reason: string;
    }
  | { readonly type: 'utterance'; readonly utterance: Utterance }
  | { readonly type: 'guardian'; readonly action: string; readonly reason: string }
  | { readonly type: 'response-ended'; readonly report: ResponseReport }
  | {
      readonly type: 'notice';
      readonly level: 'info' | 'warn' | 'error';
      readonly message: string;
      /** The trouble behind it, when there is one. */
      readonly error?: HaloError;
    };

export interface SubmitReply {
  readonly accepted: boolean;
  readonly verdict?: Verdict;
  /** Findings about the whole, when there is no verdict to carry them. */
  readonly findings: readonly Finding[];
}

export interface ApprovalRequest {
  readonly componentDigest: string;
  readonly approver: string;
  readonly approved: boolean;
  readonly validS: number;
}

/**
 * Doors put requests into the engine's bounded inbox; the tick answers through `reply`, in the
 * turn in which it decides. `offer` is false when the inbox is full (HALO-308).
 */
export type EngineRequest =
  | { readonly type: 'submit'; readonly text: string; readonly reply: (r: SubmitReply) => void }
  | { readonly type: 'check'; readonly text: string; readonly reply: (r: SubmitReply) => void }
  | { readonly type: 'recovery-context'; readonly reply: (r: RecoveryContext) => void }
  | {
      readonly type: 'approve';
      readonly approval: ApprovalRequest;
      readonly reply: (r: { recorded: boolean; findings: readonly Finding[] }) => void;
    }
  | {
      readonly type: 'abort';
      readonly reason: string;
      readonly reply: (r: { accepted: boolean; action: string }) => void;
    };

/** One observation from a ROS topic (or any source beside MAVLink), already a single field. */
export interface ExternalEvidence {
  readonly field: string;
  readonly value: unknown;
  readonly source: string;
  readonly receivedUs: number;
  readonly stampUs?: number;
  readonly conflict?: string;
}

/** Why a field has no fresh value; undefined once there is nothing to say. */
export interface ExternalSilence {
  readonly field: string;
  readonly silence: string | undefined;
}

export interface EnginePort {
  /** False when the inbox is full: the door answers HALO-308. */
  offer(request: EngineRequest): boolean;
  /** Hands over one external observation; false when the queue is full (it is counted). */
  observe(evidence: ExternalEvidence | ExternalSilence): boolean;
  /** The state as of the last completed tick. */
  state(): EngineState;
  /** Listeners are called inside the tick and must only enqueue or copy. */
  onEvent(listener: (event: EngineEvent) => void): () => void;
}
