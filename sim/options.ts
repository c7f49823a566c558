/**
 * The command line of the simulator process.
 * In: arguments. Out: options, or a sentence that says what is wrong with them.
 */
import { parseArgs } from 'node:util';
import { FAULT_HELP, parsePlannedFault, type PlannedFault } from './fault-plan.js';
import type { GeoPoint, Ned } from './autopilot/index.js';
import { DEFAULT_TOWER, type Tower } from './world.js';

export interface SimOptions {
  readonly instances: number;
  readonly portBase: number;
  readonly remoteBase: number;
  readonly speed: number;
  /** Simulated seconds that the vehicle has been on when the process starts. */
  readonly uptimeS: number;
  readonly seed: number;
  readonly home: GeoPoint;
  readonly parameters: Readonly<Record<string, number>>;
  readonly windNedMS: Ned;
  readonly noise: number;
  readonly faults: readonly PlannedFault[];
  readonly tower: Tower;
  readonly rangeRos: boolean;
  readonly json: boolean;
  readonly withParent: boolean;
}

export const HELP = `A stand-in for PX4's quadrotor, speaking MAVLink 2 over UDP on 127.0.0.1.

  node dist/sim/main.js [options]

  --instances N        vehicles, instance k with system id k+1 (default 1, at most 10)
  --port-base P        local UDP port of instance 0; k listens on P+k (default 14580)
  --remote-base P      where instance 0 sends until it hears somebody (default 14540)
  --speed F            simulated seconds a second, 0.5 to 10 (default 1); like PX4 it also
                       multiplies COM_OF_LOSS_T
  --uptime S           the vehicle has been on for S simulated seconds, 0 to 60 (default 0); PX4
                       needs 4 to 7 s from boot to a passed pre-arm check
  --seed N             seed of noise and chance (default 1)
  --noise F            0: none, 1: as measured on PX4 (default 1)
  --home LAT,LON,ALT   degrees and metres (default 47.397742,8.545594,488)
  --param NAME=VALUE   a PX4 parameter; may be repeated
  --wind N,E           steady wind in m/s (default 0,0)
  --fault SPEC         see below; may be repeated; applies to instance 0
  --tower E,N,W,D,H    the tower's middle from home, its width (east), depth (north), height
  --range-ros          publish the forward range sensor and site clearance of instance 0 on ROS 2
  --json               events as JSON lines
  --with-parent        end when standard input ends
  --help

Control channel: one JSON object a line on standard input,
  {"fault":"battery-drop","fraction":0.25,"instance":0}

${FAULT_HELP}
`;

/** Throws with a sentence for the user. */
export function parseOptions(argv: readonly string[]): SimOptions | 'help' {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      instances: { type: 'string', default: '1' },
      'port-base': { type: 'string', default: '14580' },
      'remote-base': { type: 'string', default: '14540' },
      speed: { type: 'string', default: '1' },
      uptime: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      noise: { type: 'string', default: '1' },
      home: { type: 'string', default: '47.397742,8.545594,488' },
      param: { type: 'string', multiple: true, default: [] },
      wind: { type: 'string', default: '0,0' },
      fault: { type: 'string', multiple: true, default: [] },
      tower: { type: 'string' },
      'range-ros': { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      'with-parent': { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return 'help';
  const speed = inRange('--speed', values.speed, 0.5, 10);
  const [latitudeDeg = 0, longitudeDeg = 0, altitudeM = 0] = list('--home', values.home, 3);
  const [n = 0, e = 0] = list('--wind', values.wind, 2);
  return {
    instances: integer('--instances', values.instances, 1, 10),
    portBase: integer('--port-base', values['port-base'], 1, 65_525),
    remoteBase: integer('--remote-base', values['remote-base'], 1, 65_525),
    speed,
    uptimeS: inRange('--uptime', values.uptime, 0, 60),
    seed: integer('--seed', values.seed, 0, 2 ** 32 - 1),
    home: { latitudeDeg, longitudeDeg, altitudeM },
    // PX4's own simulation stretches this time-out with its speed; an explicit --param wins.
    parameters: { COM_OF_LOSS_T: speed, ...parameters(values.param) },
    windNedMS: { n, e, d: 0 },
    noise: inRange('--noise', values.noise, 0, 10),
    faults: values.fault.map(parsePlannedFault),
    tower: values.tower === undefined ? DEFAULT_TOWER : tower(values.tower),
    rangeRos: values['range-ros'],
    json: values.json,
    withParent: values['with-parent'],
  };
}

function inRange(name: string, text: string, low: number, high: number): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= low && value <= high)) {
    throw new Error(`${name} ${text}: give a number from ${low} to ${high}`);
  }
  return value;
}

function integer(name: string, text: string, low: number, high: number): number {
  const value = inRange(name, text, low, high);
  if (!Number.isInteger(value)) throw new Error(`${name} ${text}: give a whole number`);
  return value;
}

function list(name: string, text: string, count: number): number[] {
  const values = text.split(',').map((part) => (part.trim() === '' ? NaN : Number(part)));
  if (values.length !== count || !values.every(Number.isFinite)) {
    throw new Error(`${name} ${text}: give ${count} numbers with commas between`);
  }
  return values;
}

function tower(text: string): Tower {
  const [eastM = 0, northM = 0, widthM = 0, depthM = 0, heightM = 0] = list('--tower', text, 5);
  return { eastM, northM, widthM, depthM, heightM };
}

function parameters(texts: readonly string[]): Record<string, number> {
  const result: Record<string, number> = {};
  for (const text of texts) {
    const [name = '', value = ''] = text.split('=');
    const number = Number(value);
    if (name === '' || value === '' || !Number.isFinite(number)) {
      throw new Error(`--param ${text}: give NAME=VALUE`);
    }
    result[name] = number;
  }
  return result;
}
