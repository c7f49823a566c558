/**
 * Params and target stay within the limits of the kind. Enters: a typed candidate, home, the
 * start of its leg. Leaves: HALO-203 (a number), HALO-215 (a place).
 * Never: a clamped number (refuse, don't clamp).
 */
import type { Finding } from '../../contract/index.js';
import { finding } from '../../platform/index.js';
import { numberText } from '../predicate.js';
import { volumeFindings } from '../volume.js';
import type { Check } from './context.js';

export const checkLimits: Check = ({ home, legStart }, { index, place, typed: component }) => {
  if (component === undefined) return [];
  const { typed, entry } = component;
  const { speedMaxMS, altitudeMinM, altitudeMaxM, durationMaxS } = entry.limits;
  const within = (
    name: string,
    value: number,
    min: number,
    max: number,
    unit: string,
  ): Finding[] =>
    value >= min && value <= max
      ? []
      : [outside(name, value, value < min ? `at least ${min}` : `at most ${max}`, unit, place)];
  switch (typed.does) {
    case 'takeoff': {
      const { altitudeM } = typed.params;
      return within('altitudeM', altitudeM, altitudeMinM ?? 0, altitudeMaxM ?? Infinity, 'm');
    }
    case 'goto':
    case 'follow_path':
    case 'orbit':
      return [
        ...within('speedMS', typed.params.speedMS, 0, speedMaxMS ?? Infinity, 'm/s'),
        ...volumeFindings(component, legStart(index), home, place),
      ];
    case 'velocity': {
      const speedMS = Math.hypot(...typed.params.velocityMS);
      return [
        ...within('velocityMS', speedMS, 0, speedMaxMS ?? Infinity, 'm/s'),
        ...within('durationS', typed.params.durationS, 0, durationMaxS ?? Infinity, 's'),
        ...volumeFindings(component, legStart(index), home, place),
      ];
    }
    case 'hold':
      return within('durationS', typed.params.durationS, 0, durationMaxS ?? Infinity, 's');
    default:
      return [];
  }
};

function outside(name: string, value: number, bound: string, unit: string, place: string): Finding {
  const observed = `${numberText(value)} ${unit}`;
  const limit = `${bound} ${unit}`;
  const message = `${name} is ${observed}, permitted is ${limit}.`;
  return finding('limits', 'HALO-203', message, {
    observed,
    limit,
    path: `${place}.params.${name}`,
  });
}
