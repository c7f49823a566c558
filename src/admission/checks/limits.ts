/**
 * Params and target stay within the limits of the kind. Enters: a typed candidate, home, the
 * start of its leg. Leaves: HALO-203 (a number), HALO-215 (a place).
 * Never: a clamped number (refuse, don't clamp).
 */
import {
  isSafetyParameter,
  type Finding,
  type KindEntry,
  type Mission,
  type ParamsOf,
} from '../../contract/index.js';
import { finding } from '../../platform/index.js';
import { numberText } from '../predicate.js';
import type { TypedComponent } from '../types.js';
import { volumeFindings, type PointReading } from '../volume.js';
import { joined, NO_FINDINGS } from '../findings.js';
import type { Check } from './context.js';

export const checkLimits: Check = ({ home, legStart }, { index, place, typed: component }) => {
  if (component === undefined) return NO_FINDINGS;
  const { typed, entry } = component;
  const { speedMaxMS, altitudeMinM, altitudeMaxM, durationMaxS, lineMaxM } = entry.limits;
  const within = (
    name: string,
    value: number,
    min: number,
    max: number,
    unit: string,
  ): readonly Finding[] =>
    value >= min && value <= max
      ? NO_FINDINGS
      : [outside(name, value, value < min ? `at least ${min}` : `at most ${max}`, unit, place)];
  switch (typed.does) {
    case 'takeoff': {
      const { altitudeM } = typed.params;
      return within('altitudeM', altitudeM, altitudeMinM ?? 0, altitudeMaxM ?? Infinity, 'm');
    }
    case 'goto':
    case 'follow_path':
    case 'orbit':
      return joined(
        within('speedMS', typed.params.speedMS, 0, speedMaxMS ?? Infinity, 'm/s'),
        volumeFindings(component, legStart(index), home, place),
      );
    case 'velocity': {
      const speedMS = Math.hypot(...typed.params.velocityMS);
      return [
        ...within('velocityMS', speedMS, 0, speedMaxMS ?? Infinity, 'm/s'),
        ...within('durationS', typed.params.durationS, 0, durationMaxS ?? Infinity, 's'),
        ...volumeFindings(component, legStart(index), home, place),
      ];
    }
    case 'mission_upload':
      return missionFindings(component, typed.params, home, place);
    case 'mission_start':
      return [
        ...startFindings(component, typed.params, place),
        ...volumeFindings(component, legStart(index), home, place),
      ];
    case 'winch':
      return within('lineM', typed.params.lineM, 0, lineMaxM ?? Infinity, 'm');
    case 'param_set':
      return parameterFindings(typed.params, entry.parameters ?? [], place);
    case 'hold':
      return within('durationS', typed.params.durationS, 0, durationMaxS ?? Infinity, 's');
    default:
      return NO_FINDINGS;
  }
};

/** Each item as the corner of a path, with its own speed and hold. */
function missionFindings(
  component: TypedComponent,
  { speedMS, items }: Mission,
  home: PointReading,
  place: string,
): readonly Finding[] {
  const { speedMaxMS = Infinity, durationMaxS = Infinity } = component.entry.limits;
  const fast = items.findIndex((item) => (item.speedMS ?? speedMS) > speedMaxMS);
  const long = items.findIndex(({ holdS = 0 }) => holdS > durationMaxS);
  const own = items[fast]?.speedMS;
  const found: Finding[] = [];
  if (fast !== -1) {
    const name = own === undefined ? 'speedMS' : `items[${fast}].speedMS`;
    found.push(outside(name, own ?? speedMS, `at most ${speedMaxMS}`, 'm/s', place));
  }
  if (long !== -1) {
    const held = items[long]?.holdS ?? NaN;
    found.push(outside(`items[${long}].holdS`, held, `at most ${durationMaxS}`, 's', place));
  }
  return [...found, ...volumeFindings(component, undefined, home, place)];
}

/** The items to fly are there, in this order. */
function startFindings(
  { mission }: TypedComponent,
  { fromItem = 0, untilItem }: ParamsOf<'mission_start'>,
  place: string,
): readonly Finding[] {
  if (mission === undefined) return NO_FINDINGS;
  const last = mission.items.length - 1;
  const until = untilItem ?? last;
  if (until > last) return [outside('untilItem', until, `at most ${last}`, '', place)];
  return fromItem <= until
    ? NO_FINDINGS
    : [outside('fromItem', fromItem, `at most ${until}`, '', place)];
}

/** HALO-221 at any value and whatever is listed; else 220 for what is not, 203 beyond its range. */
function parameterFindings(
  { name, type, value }: ParamsOf<'param_set'>,
  listed: NonNullable<KindEntry['parameters']>,
  place: string,
): readonly Finding[] {
  const at = (param: string) => ({ path: `${place}.params.${param}` });
  if (isSafetyParameter(name)) {
    const detail = { observed: name, ...at('name') };
    return [finding('limits', 'HALO-221', `${name} keeps people safe and stays as it is.`, detail)];
  }
  const entry = listed.find((one) => one.name === name);
  if (entry === undefined || entry.type !== type) {
    const limit = entry ? `${name} as ${entry.type}` : listed.map((one) => one.name).join(', ');
    const message = `${name} as ${type} is not among what may be set.`;
    return [finding('limits', 'HALO-220', message, { observed: name, limit, ...at('name') })];
  }
  if (type === 'int32' && !Number.isInteger(value)) {
    return [finding('limits', 'HALO-203', `${name} is an integer.`, at('value'))];
  }
  if (value >= entry.min && value <= entry.max) return [];
  const limit = `${entry.min} to ${entry.max}`;
  const message = `${name} is to be ${value}, permitted is ${limit}.`;
  return [
    finding('limits', 'HALO-203', message, { observed: String(value), limit, ...at('value') }),
  ];
}

function outside(name: string, value: number, bound: string, unit: string, place: string): Finding {
  const observed = `${numberText(value)} ${unit}`.trim();
  const limit = `${bound} ${unit}`.trim();
  const message = `${name} is ${observed}, permitted is ${limit}.`;
  return finding('limits', 'HALO-203', message, {
    observed,
    limit,
    path: `${place}.params.${name}`,
  });
}
