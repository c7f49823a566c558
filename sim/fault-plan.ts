/**
 * The operator's script of faults: what happens to which vehicle, and when.
 * In: `NAME[:ARG]@WHEN` texts or JSON lines, and the vehicle's truth. Out: faults, each once.
 * Never fires anything by itself.
 */
import type { AutopilotStatus, Fault, FaultName, Truth } from './autopilot/index.js';

export type When =
  | { readonly kind: 'time'; readonly seconds: number }
  | { readonly kind: 'airborne'; readonly seconds: number }
  | {
      readonly kind: 'near';
      readonly eastM: number;
      readonly northM: number;
      readonly upM: number;
      readonly radiusM: number;
    };

export interface PlannedFault {
  readonly fault: Fault;
  readonly when: When;
}

/** For how long a fault lasts when no time is given: longer than any flight here. */
const FOR_GOOD_S = 1e6;

export const FAULT_HELP = `faults, as NAME[:ARG]@WHEN
  battery-drop:FRACTION        what is left of the battery, 0 to 1 (default 0.25)
  estimator-reset:E,N,U        the local frame's numbers jump by these metres (default 3,-2,0)
  pilot-takeover               a pilot switches to position mode
  gps-loss[:S]                 no satellites, for S seconds or for good
  vehicle-reboot               the autopilot starts again, on the ground at home
  link-loss[:S]                no packets either way (default 5 s)
  range-silent[:S]             the forward range sensor falls silent
  wind-gust:E,N,S              extra wind in m/s for S seconds (default 6,0,5)
  arming-refused[:S]           the pre-arm check fails
  motor-failure                one motor stops
when
  t=S                          S seconds after start (simulated time)
  airborne+S                   S seconds after it left the ground
  near=E,N,U,R                 when it truly is within R metres of that point, from home`;

type Argument = Readonly<Record<string, unknown>>;

/** Throws with a sentence that names what is wrong. */
export function parsePlannedFault(text: string): PlannedFault {
  const at = text.lastIndexOf('@');
  if (at < 0) throw new Error(`fault "${text}" has no @WHEN`);
  const [name = '', ...rest] = text.slice(0, at).split(':');
  return { fault: makeFault(name, numbers(rest.join(':'))), when: parseWhen(text.slice(at + 1)) };
}

/** A line of the control channel: `{"fault":"battery-drop","fraction":0.25,"instance":0}`. */
export function parseControlLine(line: string): { fault: Fault; instance: number } {
  const value: unknown = JSON.parse(line);
  if (typeof value !== 'object' || value === null) throw new Error('not a JSON object');
  const entry: Argument = { ...value };
  const instance = entry['instance'] ?? 0;
  if (typeof entry['fault'] !== 'string') throw new Error('"fault" must be a name');
  if (typeof instance !== 'number') throw new Error('"instance" must be a number');
  return { fault: makeFault(entry['fault'], argumentsOf(entry)), instance };
}

/** The named arguments of a control line in the order of the text form. */
function argumentsOf(entry: Argument): number[] {
  const order = ['fraction', 'east', 'north', 'up', 'seconds'];
  const given = order.map((key) => entry[key]).filter((value) => value !== undefined);
  return given.map((value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) throw new Error('not a number');
    return value;
  });
}

function numbers(text: string): number[] {
  if (text === '') return [];
  return text.split(',').map((part) => {
    const value = Number(part);
    if (part.trim() === '' || !Number.isFinite(value)) throw new Error(`"${part}" is not a number`);
    return value;
  });
}

const NAMES: readonly FaultName[] = [
  'battery-drop',
  'estimator-reset',
  'pilot-takeover',
  'gps-loss',
  'vehicle-reboot',
  'link-loss',
  'range-silent',
  'wind-gust',
  'arming-refused',
  'motor-failure',
];

function makeFault(text: string, args: readonly number[]): Fault {
  const name = NAMES.find((known) => known === text);
  if (name === undefined) {
    throw new Error(`no fault is called "${text}"; there are ${NAMES.join(', ')}`);
  }
  const [a, b, c] = args;
  switch (name) {
    case 'battery-drop': {
      const fraction = a ?? 0.25;
      if (fraction < 0 || fraction > 1) throw new Error('a battery fraction lies in 0 to 1');
      return { name, fraction };
    }
    case 'estimator-reset':
      return { name, jumpNedM: { n: b ?? -2, e: a ?? 3, d: -(c ?? 0) } };
    case 'wind-gust':
      return { name, windNedMS: { n: b ?? 0, e: a ?? 6, d: 0 }, seconds: c ?? 5 };
    case 'link-loss':
      return { name, seconds: a ?? 5 };
    case 'gps-loss':
    case 'range-silent':
    case 'arming-refused':
      return { name, seconds: a ?? FOR_GOOD_S };
    case 'pilot-takeover':
    case 'vehicle-reboot':
    case 'motor-failure':
      return { name };
  }
}

function parseWhen(text: string): When {
  if (text.startsWith('t=')) return { kind: 'time', seconds: one(text.slice(2)) };
  if (text.startsWith('airborne+')) return { kind: 'airborne', seconds: one(text.slice(9)) };
  if (text.startsWith('near=')) {
    const [eastM, northM, upM, radiusM, ...more] = numbers(text.slice(5));
    if (radiusM === undefined || more.length > 0) throw new Error('near= wants E,N,U,R');
    return { kind: 'near', eastM: eastM ?? 0, northM: northM ?? 0, upM: upM ?? 0, radiusM };
  }
  throw new Error(`"${text}" is not a time: t=S, airborne+S or near=E,N,U,R`);
}

function one(text: string): number {
  const [value, ...more] = numbers(text);
  if (value === undefined || more.length > 0) throw new Error(`"${text}" is not one number`);
  return value;
}

export class FaultPlan {
  private waiting: PlannedFault[];
  private airborneS: number | undefined;

  constructor(planned: readonly PlannedFault[]) {
    this.waiting = [...planned];
  }

  /** The faults whose moment has come at `timeS` seconds after start. */
  due(timeS: number, truth: Truth, status: AutopilotStatus): Fault[] {
    if (status.landed) this.airborneS = undefined;
    else this.airborneS ??= timeS;
    const { waiting } = this;
    const now = waiting.filter(({ when }) => this.isDue(when, timeS, truth));
    this.waiting = waiting.filter((planned) => !now.includes(planned));
    return now.map((planned) => planned.fault);
  }

  private isDue(when: When, timeS: number, truth: Truth): boolean {
    switch (when.kind) {
      case 'time':
        return timeS >= when.seconds;
      case 'airborne':
        return this.airborneS !== undefined && timeS - this.airborneS >= when.seconds;
      case 'near': {
        const { n, e, d } = truth.positionNedM;
        const away = Math.hypot(e - when.eastM, n - when.northM, -d - when.upM);
        return away <= when.radiusM;
      }
    }
  }
}
