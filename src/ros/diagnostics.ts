/**
 * The node's health in the form that ROS 2 diagnostics tools read. Enters: the engine's state and
 * the counters of this room. Leaves: reports and the message. Never: an opinion without a value.
 */
import type { EngineState } from '../contract/index.js';
import type { DiagnosticArrayMsg, TimeMsg } from './messages.js';

export type DiagnosticLevel = 'ok' | 'warn' | 'error' | 'stale';

export interface DiagnosticReport {
  /** Short and stable: it is what a monitor shows and filters by. */
  readonly name: string;
  readonly level: DiagnosticLevel;
  readonly message: string;
  readonly values: Readonly<Record<string, string | number | boolean>>;
}

/** Values of diagnostic_msgs/msg/DiagnosticStatus. */
const LEVELS = { ok: 0, warn: 1, error: 2, stale: 3 } as const;

export function toDiagnosticArray(
  node: string,
  reports: readonly DiagnosticReport[],
  stamp: TimeMsg,
): DiagnosticArrayMsg {
  return {
    header: { stamp, frame_id: '' },
    status: reports.map((report) => ({
      level: LEVELS[report.level],
      name: `${node}: ${report.name}`,
      message: report.message,
      hardware_id: node,
      values: Object.entries(report.values).map(([key, value]) => ({ key, value: show(value) })),
    })),
  };
}

const show = (value: string | number | boolean): string =>
  typeof value === 'number' && !Number.isInteger(value) ? value.toFixed(3) : String(value);

export interface RosCounters {
  readonly eventsWaiting: number;
  readonly eventsLost: number;
  readonly requestsWaiting: number;
  readonly observationsLost: number;
}

/** Vehicle link, task and ledger, gate, queues: what the engine's state tells. */
export const engineReports = (
  state: EngineState,
  counters: RosCounters,
): readonly DiagnosticReport[] => [
  vehicleReport(state),
  ledgerReport(state),
  gateReport(state),
  queueReport(counters),
];

function vehicleReport({ vehicle }: EngineState): DiagnosticReport {
  const [level, message]: [DiagnosticLevel, string] = !vehicle.connected
    ? ['error', 'no fresh heartbeat']
    : vehicle.failsafe
      ? ['warn', 'connected, failsafe']
      : ['ok', 'connected'];
  return {
    name: 'Vehicle link',
    level,
    message,
    values: {
      'system id': vehicle.systemId,
      mode: vehicle.mode,
      armed: vehicle.armed,
      'heartbeat age ms': vehicle.heartbeatAgeMs,
      'link loss percent': vehicle.linkLossPercent,
      'battery fraction': vehicle.batteryFraction,
    },
  };
}

function ledgerReport({ task, phase }: EngineState): DiagnosticReport {
  const count = (wanted: string): number =>
    task.obligations.filter(({ state }) => state === wanted).length;
  const unknown = count('unknown');
  const closed = phase === 'closed';
  return {
    name: 'Ledger',
    level: closed ? 'error' : unknown > 0 ? 'warn' : 'ok',
    message: closed ? 'the run is closed' : unknown > 0 ? `${unknown} with unknown outcome` : phase,
    values: {
      task: task.task,
      run: task.runId,
      frontier: task.frontier,
      'ledger sequence': task.ledgerSeq,
      generation: task.generation,
      'obligations open': count('open'),
      'obligations satisfied': count('satisfied'),
      'obligations unknown': unknown,
      'obligations missed': count('missed'),
    },
  };
}

function gateReport({ dispatch }: EngineState): DiagnosticReport {
  const active = dispatch.leases.filter(({ state }) => state === 'active').length;
  const refused = dispatch.framesRefused;
  return {
    name: 'Gate',
    level: refused > 0 ? 'warn' : 'ok',
    message: refused > 0 ? `${refused} frames stopped, last ${dispatch.lastRefusalCode}` : 'ok',
    values: {
      'active leases': active,
      'frames dispatched': dispatch.framesDispatched,
      'frames refused': refused,
      'boot epoch': dispatch.bootEpoch,
    },
  };
}

function queueReport(counters: RosCounters): DiagnosticReport {
  const lost = counters.eventsLost + counters.observationsLost;
  return {
    name: 'Queues',
    level: lost > 0 ? 'warn' : 'ok',
    message: lost > 0 ? `${lost} lost` : 'ok',
    values: {
      'events waiting': counters.eventsWaiting,
      'events lost': counters.eventsLost,
      'requests waiting': counters.requestsWaiting,
      'observations lost': counters.observationsLost,
    },
  };
}
