/**
 * What the benches of admission work on: the shipped catalog and contract, a world that supports
 * the plan, and plans of any size. Enters: a count of components. Leaves: texts and snapshots.
 * Never: chance; every run measures the same.
 */
import { readFileSync } from 'node:fs';
import { loadCatalog, type AdmissionInput } from '../../src/admission/index.js';
import {
  taskContractSchema,
  type Catalog,
  type Component,
  type EvidenceDatum,
  type EvidenceValue,
  type Snapshot,
  type TaskContract,
} from '../../src/contract/index.js';
import { assert, parseYamlWith } from '../../src/platform/index.js';

export const NOW_US = 100_000_000;
const AGE_US = 100_000;

export const CATALOG: Catalog = (() => {
  const loaded = loadCatalog('catalog/multicopter.yaml');
  assert(loaded.ok, 'the shipped catalog loads');
  return loaded.value;
})();

export const CONTRACT: TaskContract = (() => {
  const path = 'examples/01-inspect-tower/contract.yaml';
  const parsed = parseYamlWith(taskContractSchema, readFileSync(path, 'utf8'), path, {
    unfit: 'HALO-703',
  });
  assert(parsed.ok, 'the contract of the example is valid');
  return { ...parsed.value.value, digest: '0'.repeat(64) };
})();

export const snapshotOf = (fields: Readonly<Record<string, EvidenceDatum>>): Snapshot => ({
  id: 's-1',
  takenUs: NOW_US,
  values: new Map(
    Object.entries(fields).map(([field, value]): [string, EvidenceValue] => [
      field,
      { field, value, source: 'mavlink:BENCH', receivedUs: NOW_US - AGE_US },
    ]),
  ),
  epochs: { vehicle: 1, estimator: 4, arming: 2, home: 1, link: 3, mode: 7 },
});

/** On the ground and well: everything that the plan needs. */
const SUPPORTING = snapshotOf({
  'vehicle.armed': false,
  'vehicle.prearm_ok': true,
  'vehicle.landed': 'on_ground',
  'vehicle.position': [0, 0, 0],
  'vehicle.home': [0, 0, 0],
  'vehicle.home_global': [47.4, 8.5, 488],
  'vehicle.battery': 0.9,
  'vehicle.gps_fix': 3,
  'vehicle.estimator_ok': true,
  'range.front': 3.2,
  'range.front.max': 12,
});

export const inputOf = (parsed: AdmissionInput['parsed']): AdmissionInput => ({
  parsed,
  catalog: CATALOG,
  contract: CONTRACT,
  snapshot: SUPPORTING,
  basis: { epochs: SUPPORTING.epochs },
  generation: 1,
  nowUs: NOW_US,
});

/** As long as agents write them: 32 components then come to 7.7 kB. */
const SENTENCE =
  'The face has been looked at from two sides, and nothing unusual was found on it. Range and ' +
  'position are in the report; the vehicle goes on to the next point as agreed. If the battery ' +
  'or the wind no longer permit it, the rest of this plan is left out, the vehicle comes back, ' +
  'and what has been seen until then is what counts.';

/** Arm and take-off, then legs with a report and a message each: `count` components, all kept. */
export function planOf(count: number): Component[] {
  const plan: Component[] = [
    { id: 'arm', kind: 'flight.arm' },
    { id: 'up', kind: 'flight.takeoff', params: { altitudeM: 6 }, requires: ['arm'] },
  ];
  for (let leg = 0; plan.length < count; leg += 1) {
    const requires = [leg === 0 ? 'up' : `leg-${leg - 1}`];
    const positionM = [5.25 * (leg % 10), 3.5 + (leg % 7), 6.125];
    const params = { frame: 'local_enu', positionM, yawDeg: 90, speedMS: 2.5 };
    const text = `Leg ${leg} is done. ${SENTENCE}`;
    const after = [`leg-${leg}`];
    plan.push(
      { id: `leg-${leg}`, kind: 'flight.goto', params, requires, fulfils: 'inspect-south' },
      { id: `range-${leg}`, kind: 'report.range', params: { sensor: 'front' }, requires: after },
      { id: `say-${leg}`, kind: 'operator.message', params: { text }, requires: after },
    );
  }
  return plan.slice(0, count);
}

/** As Python's json module writes it, a space behind each colon and comma. */
export function responseText(components: readonly Component[]): string {
  return spaced({ protocol: 'halo/1', id: 'r-1', task: CONTRACT.task, components });
}

function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([key, v]) => `${JSON.stringify(key)}: ${spaced(v)}`);
  return `{${members.join(', ')}}`;
}
