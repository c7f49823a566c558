/**
 * The bridge's own messages as TypeScript sees them, field by field as in interfaces/.
 * Enters: nothing. Leaves: types. Never: a field that the definition does not have.
 */

/** As rclnodejs writes a uint64. */
type U64 = bigint;

/** A message as `client.ts` hands it to its reader: counters as plain numbers. */
export type Read<T> = T extends bigint
  ? number
  : T extends readonly (infer E)[]
    ? readonly Read<E>[]
    : T extends object
      ? { readonly [K in keyof T]: Read<T[K]> }
      : T;

export interface TimeMsg {
  readonly sec: number;
  readonly nanosec: number;
}

export interface FindingMsg {
  readonly rule: string;
  readonly code: string;
  readonly message: string;
  readonly remedy: string;
  readonly field: string;
  readonly observed: string;
  readonly limit: string;
  readonly source: string;
  readonly age_ms: number;
  readonly path: string;
}

export interface ComponentVerdictMsg {
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly admitted: boolean;
  readonly findings: readonly FindingMsg[];
  readonly withheld_because: readonly string[];
}

export interface VerdictMsg {
  readonly stamp: TimeMsg;
  readonly response_id: string;
  readonly generation: number;
  readonly outcome: string;
  readonly snapshot_id: string;
  readonly response_digest: string;
  readonly components: readonly ComponentVerdictMsg[];
  readonly findings: readonly FindingMsg[];
}

export interface EvidenceEpochsMsg {
  readonly vehicle: number;
  readonly estimator: number;
  readonly arming: number;
  readonly home: number;
  readonly link: number;
  readonly mode: number;
}

export interface VehicleStateMsg {
  readonly stamp: TimeMsg;
  readonly connected: boolean;
  readonly system_id: number;
  readonly armed: boolean;
  readonly mode: string;
  readonly landed: string;
  readonly failsafe: boolean;
  readonly prearm_ok: boolean;
  readonly position_enu_m: readonly number[];
  readonly velocity_enu_ms: readonly number[];
  readonly yaw_enu_deg: number;
  readonly battery_fraction: number;
  readonly battery_v: number;
  readonly link_loss_percent: number;
  readonly last_heartbeat_age_ms: number;
  readonly epochs: EvidenceEpochsMsg;
}

export interface EvidenceValueMsg {
  readonly field: string;
  readonly value_json: string;
  readonly source: string;
  readonly age_ms: number;
  readonly conflict: string;
}

export interface TaskObligationMsg {
  readonly id: string;
  readonly state: string;
  readonly after: readonly string[];
  readonly target_kind: string;
  readonly receipt_id: string;
}

export interface TaskStateMsg {
  readonly stamp: TimeMsg;
  readonly task: string;
  readonly run_id: string;
  readonly frontier: string;
  readonly ledger_seq: U64;
  readonly generation: number;
  readonly obligations: readonly TaskObligationMsg[];
  readonly budget_time_left_s: number;
  readonly budget_attempts_left: number;
}

export interface ComponentProgressMsg {
  readonly response_id: string;
  readonly id: string;
  readonly kind: string;
  readonly state: string;
  readonly reason: string;
  readonly evidence_age_ms: number;
  readonly detail: string;
  readonly target_enu_m: readonly number[];
}

export interface LocalizedObligationMsg {
  readonly stamp: TimeMsg;
  readonly id: string;
  readonly state: string;
  readonly response_id: string;
  readonly generation: number;
  readonly component_id: string;
  readonly reason: string;
  readonly findings: readonly FindingMsg[];
  readonly scope_components: readonly string[];
  readonly scope_kinds: readonly string[];
  readonly expires_in_s: number;
}

export interface LeaseMsg {
  readonly id: string;
  readonly component_id: string;
  readonly authority: string;
  readonly state: string;
  readonly end_code: string;
  readonly end_reason: string;
  readonly frames_allowed: number;
  readonly frames_drawn: number;
  readonly remaining_s: number;
}

export interface DispatchStatusMsg {
  readonly stamp: TimeMsg;
  readonly leases: readonly LeaseMsg[];
  readonly frames_dispatched: U64;
  readonly frames_refused: U64;
  readonly boot_epoch: U64;
  readonly last_frame_digest: string;
  readonly last_refusal_code: string;
}

export interface ReceiptMsg {
  readonly stamp: TimeMsg;
  readonly id: string;
  readonly run_id: string;
  readonly generation: number;
  readonly component_id: string;
  readonly kind: string;
  readonly fulfils: string;
  readonly obligation_id: string;
  readonly outcome: string;
  readonly ensured: boolean;
  readonly component_digest: string;
  readonly evidence_digest: string;
  readonly frontier: string;
  readonly observed_json: string;
  readonly body_json: string;
  readonly signature: string;
  readonly key_id: string;
  readonly ledger_seq: U64;
}

export interface UtteranceMsg {
  readonly stamp: TimeMsg;
  readonly response_id: string;
  readonly component_id: string;
  readonly kind: string;
  readonly text: string;
  readonly evidence_json: string;
}

export interface BridgeStateMsg {
  readonly stamp: TimeMsg;
  readonly phase: string;
  readonly snapshot_id: string;
  readonly vehicle: VehicleStateMsg;
  readonly evidence: readonly EvidenceValueMsg[];
  readonly task: TaskStateMsg;
  readonly components: readonly ComponentProgressMsg[];
  readonly obligations: readonly LocalizedObligationMsg[];
  readonly dispatch: DispatchStatusMsg;
  readonly guidance: readonly string[];
}

export interface SubmitResponseMsg {
  readonly accepted: boolean;
  readonly verdict: VerdictMsg;
  readonly findings: readonly FindingMsg[];
}

export interface GetStateMsg {
  readonly available: boolean;
  readonly state: BridgeStateMsg;
  readonly findings: readonly FindingMsg[];
}

export interface RecoveryContextMsg {
  readonly available: boolean;
  readonly context_json: string;
  readonly text: string;
  readonly frontier: string;
  readonly snapshot_id: string;
  readonly open_obligations: readonly string[];
  readonly unknown_obligations: readonly string[];
  readonly findings: readonly FindingMsg[];
}

export interface ApproveMsg {
  readonly recorded: boolean;
  readonly findings: readonly FindingMsg[];
}

export interface AbortMsg {
  readonly accepted: boolean;
  readonly action: string;
  readonly findings: readonly FindingMsg[];
}

export interface ExecuteFeedbackMsg {
  readonly component: ComponentProgressMsg;
  readonly vehicle: VehicleStateMsg;
}

export interface ExecuteResultMsg {
  readonly outcome: string;
  readonly verdict: VerdictMsg;
  readonly findings: readonly FindingMsg[];
  readonly components: readonly ComponentProgressMsg[];
  readonly obligations: readonly LocalizedObligationMsg[];
  readonly task: TaskStateMsg;
  readonly summary_json: string;
}

/** diagnostic_msgs */
export interface DiagnosticArrayMsg {
  readonly header: { readonly stamp: TimeMsg; readonly frame_id: string };
  readonly status: readonly {
    readonly level: number;
    readonly name: string;
    readonly message: string;
    readonly hardware_id: string;
    readonly values: readonly { readonly key: string; readonly value: string }[];
  }[];
}
