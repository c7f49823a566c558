/**
 * What the evaluation judges responses by: the shipped catalog, a contract, and worlds at one
 * moment. Enters: changes. Leaves: snapshots. Never: a clock.
 */
import { join } from 'node:path';
import { loadCatalog } from '../../src/admission/index.js';
import type {
  Catalog,
  Epochs,
  EvidenceDatum,
  EvidenceValue,
  Snapshot,
  TaskContract,
} from '../../src/contract/index.js';
import { packageRoot } from '../../src/platform/index.js';
import { loadTaskContract } from '../../src/recovery/index.js';
import { must } from './must.js';

const ROOT = packageRoot(import.meta.url);

export const NOW_US = 100_000_000;
export const CATALOG: Catalog = must(loadCatalog(join(ROOT, 'catalog/multicopter.yaml')));
export const CONTRACT: TaskContract = must(
  loadTaskContract(join(ROOT, 'examples/01-inspect-tower/contract.yaml')),
);

export const EPOCHS: Epochs = { vehicle: 1, estimator: 4, arming: 2, home: 1, link: 3, mode: 7 };

/** On the ground, well. */
const GROUND: Readonly<Record<string, EvidenceDatum>> = {
  'vehicle.armed': false,
  'vehicle.mode': 'AUTO.LOITER',
  'vehicle.prearm_ok': true,
  'vehicle.landed': 'on_ground',
  'vehicle.position': [0, 0, 0],
  'vehicle.velocity': [0, 0, 0],
  'vehicle.yaw': 0,
  'vehicle.home': [0, 0, 0],
  'vehicle.home_global': [47.4, 8.5, 488],
  'vehicle.battery': 0.9,
  'vehicle.gps_fix': 3,
  'vehicle.estimator_ok': true,
  'range.front': 3.2,
  'range.front.max': 12,
  'range.down': 0.2,
  'range.down.max': 12,
  'vehicle.gimbal': [0, 0, 0],
  'vehicle.winch_m': 0,
  'payload.released': false,
  'vehicle.mission_current': 0,
};

const AIR: Readonly<Record<string, EvidenceDatum>> = {
  ...GROUND,
  'vehicle.armed': true,
  'vehicle.mode': 'OFFBOARD',
  'vehicle.landed': 'in_air',
  'vehicle.position': [0, 0, 6],
  'range.down': 6,
};

export const PLACES = { ground: GROUND, air: AIR } as const;
export type Place = keyof typeof PLACES;

/** Everything is this old unless a change says otherwise. */
const AGE_US = 100_000;

/** `null` takes a field away; `ageMs`, `conflict` or `aheadMs` change its evidence. */
export type Change =
  | EvidenceDatum
  | null
  | { readonly ageMs: number }
  | { readonly aheadMs: number }
  | { readonly conflict: string };

export function snapshotOf(
  place: Place,
  changes: Readonly<Record<string, Change>> = {},
  epochs: Epochs = EPOCHS,
): Snapshot {
  const values = new Map<string, EvidenceValue>();
  for (const [field, value] of Object.entries(PLACES[place])) {
    values.set(field, { field, value, source: 'mavlink:TEST', receivedUs: NOW_US - AGE_US });
  }
  for (const [field, change] of Object.entries(changes)) {
    const before = values.get(field);
    if (before === undefined) throw new Error(`the world has no ${field}`);
    if (change === null) values.delete(field);
    else values.set(field, changed(before, change));
  }
  return { id: 's-1', takenUs: NOW_US, values, epochs };
}

function changed(before: EvidenceValue, change: Exclude<Change, null>): EvidenceValue {
  if (typeof change !== 'object' || Array.isArray(change)) {
    return { ...before, value: change as EvidenceDatum }; // Arrays are vectors here.
  }
  if ('ageMs' in change) return { ...before, receivedUs: NOW_US - change.ageMs * 1000 };
  if ('aheadMs' in change) return { ...before, stampUs: NOW_US + change.aheadMs * 1000 };
  if ('conflict' in change) return { ...before, conflict: change.conflict };
  throw new Error('unreachable');
}
