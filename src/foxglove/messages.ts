/**
 * The engine's state and events as messages. Enters: EngineState, EngineEvent, the time for people
 * to read. Leaves: plain objects for JSON. Never: a number that JSON cannot say, or a decision.
 */
import { evidenceAgeMs } from '../contract/index.js';
import type { EngineEvent, EngineState, EvidenceValue } from '../contract/index.js';
import type { Outgoing } from './channels.js';

/** The frame of every position here: local ENU, origin where the autopilot has its own. */
export const FRAME_ID = 'local_enu';

export interface ViewerStats {
  /** Viewers connected now. */
  readonly connected: number;
  /** Telemetry messages that slow viewers missed, since the start. */
  readonly telemetryDropped: number;
  /** Viewers sent away because they read too slowly for the records, since the start. */
  readonly viewersClosed: number;
  /** Events that came faster than they could be passed on, since the start. */
  readonly eventsLost: number;
}

export interface FoxgloveTime {
  readonly sec: number;
  readonly nsec: number;
}

export const timeOf = (wallMs: number): FoxgloveTime => ({
  sec: Math.floor(wallMs / 1000),
  nsec: Math.floor(wallMs % 1000) * 1_000_000,
});

const evidenceRow = (value: EvidenceValue, nowUs: number): object => ({
  field: value.field,
  text: typeof value.value === 'string' ? value.value : JSON.stringify(value.value),
  ...(typeof value.value === 'number' ? { number: value.value } : {}),
  source: value.source,
  ageMs: evidenceAgeMs(value, nowUs),
  ...(value.conflict === undefined ? {} : { conflict: value.conflict }),
});

export const stateMessage = (state: EngineState, viewers: ViewerStats): object => ({
  phase: state.phase,
  snapshotId: state.snapshotId,
  vehicle: state.vehicle,
  evidence: state.evidence.map((value) => evidenceRow(value, state.nowUs)),
  guidance: state.guidance,
  viewers,
});

export const dispatchMessage = (state: EngineState): object => ({
  ...state.dispatch,
  leases: state.dispatch.leases.map((lease) => ({
    ...lease,
    remainingS: lease.state === 'ended' ? 0 : (lease.deadlineUs - state.nowUs) / 1_000_000,
  })),
});

/** Undefined while the position is unknown: a viewer must not show a vehicle at the origin. */
export function poseMessage(state: EngineState, wallMs: number): object | undefined {
  const { positionEnuM, yawEnuRad } = state.vehicle;
  if (![...positionEnuM, yawEnuRad].every(Number.isFinite)) return undefined;
  return { timestamp: timeOf(wallMs), frame_id: FRAME_ID, pose: poseOf(positionEnuM, yawEnuRad) };
}

/** Position in m, yaw in rad counter-clockwise from east; the vehicle is drawn level. */
export const poseOf = (
  [x, y, z]: readonly [number, number, number],
  yawEnuRad = 0,
): { position: object; orientation: object } => ({
  position: { x, y, z },
  orientation: { x: 0, y: 0, z: Math.sin(yawEnuRad / 2), w: Math.cos(yawEnuRad / 2) },
});

/** The numbers of foxglove.Log. */
const LEVELS = { info: 2, warn: 3, error: 4 } as const;
type Level = keyof typeof LEVELS;

const log = (level: Level, name: string, message: string, wallMs: number): Outgoing => ({
  channel: 'log',
  payload: {
    timestamp: timeOf(wallMs),
    level: LEVELS[level],
    message,
    name: `halo.${name}`,
    file: '',
    line: 0,
  },
});

type VerdictEvent = Extract<EngineEvent, { type: 'verdict' }>;
type ReceiptEvent = Extract<EngineEvent, { type: 'receipt' }>;
type ObligationEvent = Extract<EngineEvent, { type: 'obligation' }>;

function fromVerdict({ verdict }: VerdictEvent, wallMs: number): readonly Outgoing[] {
  const withheld = verdict.components.filter((component) => !component.admitted);
  const why = [...verdict.findings, ...withheld.flatMap((component) => component.findings)]
    .filter((finding) => finding.code !== 'HALO-206')
    .slice(0, 3)
    .map((finding) => `${finding.code} ${finding.message}`);
  const counts = `${verdict.components.length - withheld.length} of ${verdict.components.length}`;
  const sentence = `${verdict.responseId}: ${verdict.outcome}, ${counts} components admitted`;
  return [
    { channel: 'verdict', payload: verdict },
    log(
      verdict.outcome === 'admitted' ? 'info' : 'warn',
      'admission',
      [sentence, ...why].join('; '),
      wallMs,
    ),
  ];
}

function fromReceipt(event: ReceiptEvent, wallMs: number): readonly Outgoing[] {
  const { receipt, ledgerSeq, obligationId } = event;
  const closes = obligationId === undefined ? '' : `, closes ${obligationId}`;
  const closed = obligationId === undefined ? {} : { obligationId };
  const sentence = `${receipt.componentId}: ${receipt.outcome}${closes}`;
  return [
    { channel: 'receipt', payload: { ...receipt, ledgerSeq, ...closed } },
    log('info', 'receipts', sentence, wallMs),
  ];
}

function fromObligation(event: ObligationEvent, nowUs: number, wallMs: number): Outgoing[] {
  const { obligation } = event;
  const expiresInS = (obligation.expiresUs - nowUs) / 1_000_000;
  return [
    { channel: 'obligation', payload: { ...obligation, expiresInS } },
    log(
      obligation.state === 'discharged' ? 'info' : 'warn',
      'obligations',
      `${obligation.id} ${obligation.state}: ${obligation.reason}`,
      wallMs,
    ),
  ];
}

/**
 * The messages of one event; none for what the telemetry shows anyway (progress, task, a lease
 * that is being drawn from). `nowUs` is the engine's time, for what is left of a deadline.
 */
export function eventMessages(
  event: EngineEvent,
  nowUs: number,
  wallMs: number,
): readonly Outgoing[] {
  switch (event.type) {
    case 'verdict':
      return fromVerdict(event, wallMs);
    case 'receipt':
      return fromReceipt(event, wallMs);
    case 'obligation':
      return fromObligation(event, nowUs, wallMs);
    case 'receipt-refused':
      return [
        log(
          'error',
          'receipts',
          `${event.receiptId} refused: ${event.error.code} ${event.error.message}`,
          wallMs,
        ),
      ];
    case 'lease': {
      const { endReason, componentId } = event.lease;
      if (endReason === undefined || endReason.code === 'done') return [];
      return [log('warn', 'gate', `lease of ${componentId} ended: ${endReason.message}`, wallMs)];
    }
    case 'epoch':
      return [log('warn', 'evidence', `${event.moved.join(', ')}: ${event.reason}`, wallMs)];
    case 'utterance':
      return [
        log('info', 'reports', `${event.utterance.componentId}: ${event.utterance.text}`, wallMs),
      ];
    case 'guardian':
      return [log('warn', 'guardian', `${event.action}: ${event.reason}`, wallMs)];
    case 'response-ended': {
      const { outcome, verdict } = event.report;
      const level = outcome === 'completed' ? 'info' : 'warn';
      return [log(level, 'engine', `${verdict.responseId} ended: ${outcome}`, wallMs)];
    }
    case 'notice':
      return [log(event.level, 'engine', event.message, wallMs)];
    case 'progress':
    case 'task':
      return [];
  }
}
