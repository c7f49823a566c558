/**
 * Engine words into ROS messages. Enters: engine views and the two clocks. Leaves: messages.
 * Never: an undefined or a silent zero for a number that is not known: that is NaN, or the value
 * that the message's comment names.
 */
import {
  evidenceAgeMs,
  type ComponentProgress,
  type ComponentVerdict,
  type DispatchView,
  type EngineState,
  type EvidenceValue,
  type Finding,
  type LeaseView,
  type LocalizedObligation,
  type Receipt,
  type TaskStateView,
  type Utterance,
  type VehicleView,
  type Verdict,
} from '../contract/index.js';
import { canonicalJson, type Clock } from '../platform/index.js';
import type * as msg from './messages.js';

/** Our monotonic clock beside the ROS clock, so that both can be written into one message. */
export interface Clocks {
  readonly clock: Clock;
  /** ROS time in nanoseconds. */
  readonly rosNowNs: () => bigint;
}

const NS_PER_S = 1_000_000_000n;

export const toTime = (ns: bigint): msg.TimeMsg => ({
  sec: Number(ns / NS_PER_S),
  nanosec: Number(ns % NS_PER_S),
});

/** ROS time of a moment on our monotonic clock. */
export function stampAt(clocks: Clocks, momentUs: number): msg.TimeMsg {
  const ns = clocks.rosNowNs() - BigInt(Math.round(clocks.clock.nowUs() - momentUs)) * 1000n;
  return toTime(ns > 0n ? ns : 0n);
}

export const stampNow = (clocks: Clocks): msg.TimeMsg => toTime(clocks.rosNowNs());

const UNKNOWN_POINT = [NaN, NaN, NaN] as const;

export const toFinding = (f: Finding): msg.FindingMsg => ({
  rule: f.rule,
  code: f.code,
  message: f.message,
  remedy: f.remedy,
  field: f.field ?? '',
  observed: f.observed ?? '',
  limit: f.limit ?? '',
  source: f.source ?? '',
  age_ms: f.ageMs ?? NaN,
  path: f.path ?? '',
});

const toComponentVerdict = (c: ComponentVerdict): msg.ComponentVerdictMsg => ({
  id: c.id,
  kind: c.kind,
  state: c.admitted ? 'admitted' : 'withheld',
  admitted: c.admitted,
  findings: c.findings.map(toFinding),
  withheld_because: c.rootCauses.filter((id) => id !== c.id),
});

export const toVerdict = (v: Verdict, clocks: Clocks): msg.VerdictMsg => ({
  stamp: stampNow(clocks),
  response_id: v.responseId,
  generation: v.generation,
  outcome: v.outcome,
  snapshot_id: v.snapshotId,
  response_digest: v.responseDigest,
  components: v.components.map(toComponentVerdict),
  findings: v.findings.map(toFinding),
});

/** For a text of which nothing could be judged: no response is named, everything is refused. */
export const noVerdict = (findings: readonly Finding[], clocks: Clocks): msg.VerdictMsg => ({
  stamp: stampNow(clocks),
  response_id: '',
  generation: 0,
  outcome: 'refused',
  snapshot_id: '',
  response_digest: '',
  components: [],
  findings: findings.map(toFinding),
});

const RAD_TO_DEG = 180 / Math.PI;

export const toVehicle = (v: VehicleView, clocks: Clocks): msg.VehicleStateMsg => ({
  stamp: stampNow(clocks),
  connected: v.connected,
  system_id: v.systemId,
  armed: v.armed,
  mode: v.mode,
  landed: v.landed,
  failsafe: v.failsafe,
  prearm_ok: v.prearmOk,
  position_enu_m: [...v.positionEnuM],
  velocity_enu_ms: [...v.velocityEnuMS],
  yaw_enu_deg: v.yawEnuRad * RAD_TO_DEG,
  battery_fraction: v.batteryFraction,
  battery_v: v.batteryV,
  link_loss_percent: v.linkLossPercent,
  last_heartbeat_age_ms: v.heartbeatAgeMs < 0 ? NaN : v.heartbeatAgeMs,
  epochs: { ...v.epochs },
});

export const toEvidence = (e: EvidenceValue, nowUs: number): msg.EvidenceValueMsg => ({
  field: e.field,
  value_json: JSON.stringify(e.value),
  source: e.source,
  // A stamp ahead of now is worth telling: the older of both would hide it.
  age_ms:
    e.stampUs !== undefined && e.stampUs > nowUs
      ? (nowUs - e.stampUs) / 1000
      : evidenceAgeMs(e, nowUs),
  conflict: e.conflict ?? '',
});

export const toTask = (t: TaskStateView, clocks: Clocks): msg.TaskStateMsg => ({
  stamp: stampNow(clocks),
  task: t.task,
  run_id: t.runId,
  frontier: t.frontier,
  ledger_seq: BigInt(t.ledgerSeq),
  generation: t.generation,
  obligations: t.obligations.map((o) => ({
    id: o.id,
    state: o.state,
    after: [...o.after],
    target_kind: o.targetKind,
    receipt_id: o.receiptId ?? '',
  })),
  budget_time_left_s: t.budgetTimeLeftS,
  budget_attempts_left: Math.max(0, t.budgetAttemptsLeft),
});

export const toProgress = (p: ComponentProgress): msg.ComponentProgressMsg => ({
  response_id: p.responseId,
  id: p.id,
  kind: p.kind,
  state: p.state,
  reason: p.reason,
  evidence_age_ms: p.evidenceAgeMs < 0 ? NaN : p.evidenceAgeMs,
  detail: p.detail,
  target_enu_m: [...(p.targetEnuM ?? UNKNOWN_POINT)],
});

export const toLocalized = (
  o: LocalizedObligation,
  clocks: Clocks,
): msg.LocalizedObligationMsg => ({
  stamp: stampNow(clocks),
  id: o.id,
  state: o.state,
  response_id: o.responseId,
  generation: o.generation,
  component_id: o.componentId,
  reason: o.state === 'open' ? `${o.reason} Candidates left: ${o.triesLeft}.` : o.reason,
  findings: o.findings.map(toFinding),
  scope_components: [...o.scope.componentIds],
  scope_kinds: [...o.scope.kinds],
  expires_in_s: secondsUntil(o.expiresUs, clocks),
});

export const toLease = (l: LeaseView, clocks: Clocks): msg.LeaseMsg => ({
  id: l.id,
  component_id: l.componentId,
  authority: l.authority,
  state: l.state,
  end_code: l.endReason?.code ?? '',
  end_reason: l.endReason?.message ?? '',
  frames_allowed: l.framesAllowed,
  frames_drawn: l.framesDrawn,
  remaining_s: l.state === 'active' ? secondsUntil(l.deadlineUs, clocks) : 0,
});

const secondsUntil = (momentUs: number, clocks: Clocks): number =>
  Number.isFinite(momentUs) ? Math.max(0, (momentUs - clocks.clock.nowUs()) / 1e6) : NaN;

export const toDispatch = (d: DispatchView, clocks: Clocks): msg.DispatchStatusMsg => ({
  stamp: stampNow(clocks),
  leases: d.leases.map((lease) => toLease(lease, clocks)),
  frames_dispatched: BigInt(d.framesDispatched),
  frames_refused: BigInt(d.framesRefused),
  boot_epoch: BigInt(d.bootEpoch),
  last_frame_digest: d.lastFrameDigest,
  last_refusal_code: d.lastRefusalCode,
});

export function toReceipt(
  receipt: Receipt,
  ledgerSeq: number,
  obligationId: string | undefined,
  clocks: Clocks,
): msg.ReceiptMsg {
  const { keyId, signature, ...body } = receipt;
  return {
    stamp: stampAt(clocks, receipt.observedUs),
    id: receipt.id,
    run_id: receipt.runId,
    generation: receipt.generation,
    component_id: receipt.componentId,
    kind: receipt.kind,
    fulfils: receipt.fulfils ?? '',
    obligation_id: obligationId ?? '',
    outcome: receipt.outcome,
    ensured: receipt.ensured,
    component_digest: receipt.componentDigest,
    evidence_digest: receipt.evidenceDigest,
    frontier: receipt.frontier,
    observed_json: canonicalJson(receipt.observed),
    body_json: canonicalJson(body),
    signature,
    key_id: keyId,
    ledger_seq: BigInt(ledgerSeq),
  };
}

export const toUtterance = (u: Utterance, clocks: Clocks): msg.UtteranceMsg => ({
  stamp: stampNow(clocks),
  response_id: u.responseId,
  component_id: u.componentId,
  kind: u.kind,
  text: u.text,
  evidence_json: JSON.stringify(u.evidence.map((e) => toEvidence(e, clocks.clock.nowUs()))),
});

export const toBridgeState = (s: EngineState, clocks: Clocks): msg.BridgeStateMsg => ({
  stamp: stampAt(clocks, s.nowUs),
  phase: s.phase,
  snapshot_id: s.snapshotId,
  vehicle: toVehicle(s.vehicle, clocks),
  evidence: s.evidence.map((e) => toEvidence(e, s.nowUs)),
  task: toTask(s.task, clocks),
  components: s.components.map(toProgress),
  obligations: s.obligations.map((o) => toLocalized(o, clocks)),
  dispatch: toDispatch(s.dispatch, clocks),
  guidance: [...s.guidance],
});
