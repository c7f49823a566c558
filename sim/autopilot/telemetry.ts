/**
 * When each telemetry message is due.
 * In: time, interval requests. Out: the messages that are due in this step.
 * Rates are those measured on PX4's companion port without any request.
 */
import { TELEMETRY } from './telemetry-table.js';
import type { TelemetryView } from './telemetry-view.js';
import type { OutgoingMessage } from './types.js';

const RATES_HZ: Readonly<Record<string, number>> = {
  ATTITUDE: 98.6,
  HIGHRES_IMU: 49.3,
  ATTITUDE_QUATERNION: 49.3,
  GLOBAL_POSITION_INT: 49.3,
  LOCAL_POSITION_NED: 29.6,
  ODOMETRY: 29.6,
  TIMESYNC: 9.9,
  ALTITUDE: 9.9,
  DISTANCE_SENSOR: 9.9,
  SERVO_OUTPUT_RAW: 9.9,
  ATTITUDE_TARGET: 9.9,
  POSITION_TARGET_LOCAL_NED: 9.9,
  VFR_HUD: 9.9,
  GPS_RAW_INT: 7.8,
  EXTENDED_SYS_STATE: 5,
  SYS_STATUS: 5,
  HEARTBEAT: 1,
  ESTIMATOR_STATUS: 1,
  PING: 1,
  SCALED_PRESSURE: 1,
  SYSTEM_TIME: 1,
  LINK_NODE_STATUS: 1,
  MISSION_CURRENT: 0.9,
  BATTERY_STATUS: 0.5,
  HOME_POSITION: 0.5,
  VIBRATION: 0.5,
  CURRENT_MODE: 0.5,
  CURRENT_EVENT_SEQUENCE: 0.4,
  TIME_ESTIMATE_TO_TARGET: 0.4,
};

/** The vehicle's status is published twice a second, so asking for more brings no more. */
const FASTEST_HZ: Readonly<Record<string, number>> = { CURRENT_MODE: 2 };
/** A message never leaves more often than the physics step. */
const STEP_HZ = 250;
/** Measured: first packet 0.34 s after start, first HEARTBEAT at 1.3 s. */
export const FIRST_PACKET_US = 340_000;
const FIRST_HEARTBEAT_US = 1_300_000;

interface Stream {
  intervalUs: number;
  dueUs: number;
}

export class Telemetry {
  private readonly streams = new Map<string, Stream>();

  constructor() {
    let phase = 0;
    for (const [name, rateHz] of Object.entries(RATES_HZ)) {
      const intervalUs = 1_000_000 / rateHz;
      const from = name === 'HEARTBEAT' ? FIRST_HEARTBEAT_US : FIRST_PACKET_US;
      // Streams of one rate do not all fall on the same step.
      phase = (phase + 7919) % 50_000;
      this.streams.set(name, { intervalUs, dueUs: from + (name === 'HEARTBEAT' ? 0 : phase) });
    }
  }

  /** The names that are due at `bootUs` microseconds after boot. */
  due(bootUs: number): string[] {
    const names: string[] = [];
    for (const [name, stream] of this.streams) {
      if (stream.intervalUs <= 0 || bootUs < stream.dueUs) continue;
      names.push(name);
      stream.dueUs += stream.intervalUs;
      if (stream.dueUs < bootUs) stream.dueUs = bootUs + stream.intervalUs;
    }
    return names;
  }

  build(names: readonly string[], view: TelemetryView): OutgoingMessage[] {
    const messages: OutgoingMessage[] = [];
    for (const name of names) {
      const fields = TELEMETRY[name]?.(view);
      if (fields !== undefined) messages.push({ name, fields });
    }
    return messages;
  }

  /** -1 µs: off; 0: the default rate. False: PX4 does not let this message's rate be set. */
  setInterval(name: string | undefined, intervalUs: number, bootUs: number): boolean {
    if (name === undefined || name === 'HEARTBEAT' || TELEMETRY[name] === undefined) return false;
    const usual = RATES_HZ[name];
    const usualUs = usual === undefined ? -1 : 1_000_000 / usual;
    const fastestUs = 1_000_000 / (FASTEST_HZ[name] ?? STEP_HZ);
    const wanted = intervalUs === 0 ? usualUs : intervalUs;
    const actual = wanted < 0 ? -1 : Math.max(wanted, fastestUs);
    this.streams.set(name, { intervalUs: actual, dueUs: bootUs + Math.max(actual, 0) });
    return true;
  }

  /** Microseconds between two messages, -1 when off, undefined when unknown. */
  interval(name: string | undefined): number | undefined {
    if (name === undefined || TELEMETRY[name] === undefined) return undefined;
    return this.streams.get(name)?.intervalUs ?? -1;
  }

  static known(name: string | undefined): name is string {
    return name !== undefined && TELEMETRY[name] !== undefined;
  }
}
