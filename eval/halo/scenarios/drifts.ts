/** What has drifted between the agent's look at the world and the arrival of its plan. Data. */
import type { Change } from '../world.js';

export const DRIFTS = {
  'battery-low': { 'vehicle.battery': 0.2 },
  'battery-empty': { 'vehicle.battery': 0.05 },
  'battery-silent': { 'vehicle.battery': null },
  'battery-future': { 'vehicle.battery': { aheadMs: 400 } },
  'position-old': { 'vehicle.position': { ageMs: 1500 } },
  'position-silent': { 'vehicle.position': null },
  'position-conflict': { 'vehicle.position': { conflict: 'two sources, 4 m apart' } },
  'gps-lost': { 'vehicle.gps_fix': 1 },
  'estimator-bad': { 'vehicle.estimator_ok': false },
  'estimator-silent': { 'vehicle.estimator_ok': null },
  'prearm-fails': { 'vehicle.prearm_ok': false },
  'home-unknown': { 'vehicle.home': null },
  'home-old': { 'vehicle.home': { ageMs: 6000 } },
  'home-global-unknown': { 'vehicle.home_global': null },
  'landed-unknown': { 'vehicle.landed': null },
  'armed-old': { 'vehicle.armed': { ageMs: 4000 } },
  'armed-silent': { 'vehicle.armed': null },
  'range-silent': { 'range.front.max': null },
  'range-old': { 'range.front.max': { ageMs: 900 } },
  'range-conflict': { 'range.front.max': { conflict: 'a second publisher' } },
  'down-silent': { 'range.down.max': null },
  'down-old': { 'range.down.max': { ageMs: 900 } },
} as const satisfies Readonly<Record<string, Readonly<Record<string, Change>>>>;

export type DriftName = keyof typeof DRIFTS;
