/**
 * Worlds and responses for the tests of admission. Enters: overrides. Leaves: snapshots and
 * inputs, all at one moment. Never: a clock.
 */
import { readFileSync } from 'node:fs';
import {
  admit,
  loadCatalog,
  type Admission,
  type AdmissionInput,
  type AdmittedComponent,
} from '../../src/admission/index.js';
import type {
  Catalog,
  Component,
  Epochs,
  EvidenceDatum,
  EvidenceValue,
  Response,
  Snapshot,
  TaskContract,
} from '../../src/contract/index.js';
import { taskContractSchema } from '../../src/contract/index.js';
import { parseResponse } from '../../src/intake/index.js';
import { assert, parseYamlWith } from '../../src/platform/index.js';

export const NOW_US = 100_000_000;

export const EPOCHS: Epochs = {
  vehicle: 1,
  estimator: 4,
  arming: 2,
  home: 1,
  link: 3,
  mode: 7,
};

/** On the ground, well, all fresh; ages in ms beside the values. */
const GROUND: Readonly<Record<string, EvidenceDatum>> = {
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
};

export const AIR: Readonly<Record<string, EvidenceDatum>> = {
  'vehicle.armed': true,
  'vehicle.landed': 'in_air',
  'vehicle.position': [0, 0, 6],
};

export type Change = EvidenceDatum | undefined | Partial<EvidenceValue>;

/** `undefined` takes a field away; an object changes its evidence; anything else is its value. */
export function world(changes: Readonly<Record<string, Change>> = {}, epochs = EPOCHS): Snapshot {
  const values = new Map<string, EvidenceValue>();
  for (const [field, value] of Object.entries({ ...GROUND, ...changes })) {
    const before: EvidenceValue = {
      field,
      value: GROUND[field] ?? 0,
      source: 'mavlink:TEST',
      receivedUs: NOW_US - 100_000,
    };
    if (value === undefined) continue;
    const isChange = typeof value === 'object' && !Array.isArray(value);
    values.set(field, isChange ? { ...before, ...value } : { ...before, value: value as never });
  }
  return { id: 's-1', takenUs: NOW_US, values, epochs };
}

export const CATALOG: Catalog = (() => {
  const loaded = loadCatalog('catalog/multicopter.yaml');
  assert(loaded.ok, loaded.ok ? '' : JSON.stringify(loaded.error));
  return loaded.value;
})();

export const CONTRACT: TaskContract = (() => {
  const path = 'examples/01-inspect-tower/contract.yaml';
  const text = readFileSync(path, 'utf8');
  const parsed = parseYamlWith(taskContractSchema, text, path, { unfit: 'HALO-703' });
  assert(parsed.ok, 'the contract of the example is valid');
  return { ...parsed.value.value, digest: '0'.repeat(64) };
})();

export const TOWER_TEXT = readFileSync('examples/01-inspect-tower/response.json', 'utf8');

export function parsed(text: string): AdmissionInput['parsed'] {
  const result = parseResponse(text);
  assert(result.ok, result.ok ? '' : JSON.stringify(result.error));
  return result.value;
}

export const response = (
  components: readonly Component[],
  more: Partial<Response> = {},
): AdmissionInput['parsed'] =>
  parsed(
    JSON.stringify({ protocol: 'halo/1', id: 'r-1', task: CONTRACT.task, components, ...more }),
  );

export function inputOf(
  what: AdmissionInput['parsed'],
  more: Partial<AdmissionInput> = {},
): AdmissionInput {
  return {
    parsed: what,
    catalog: CATALOG,
    contract: CONTRACT,
    snapshot: world(),
    basis: undefined,
    generation: 2,
    nowUs: NOW_US,
    ...more,
  };
}

export const judge = (
  components: readonly Component[],
  more: Partial<AdmissionInput> = {},
): Admission => admit(inputOf(response(components), more));

export const codesOf = (admission: Admission, id: string): readonly string[] =>
  admission.verdict.components.find((one) => one.id === id)?.findings.map(({ code }) => code) ?? [];

export const idsOf = (admitted: readonly AdmittedComponent[]): readonly string[] =>
  admitted.map(({ component }) => component.id);

/** `leg: HALO-211 vehicle.battery <- leg`, one line for each component: a table to read. */
export const table = ({ verdict }: Admission): readonly string[] =>
  verdict.components.map(({ id, admitted, findings, rootCauses }) => {
    const told = findings.map(({ code, field }) => (field ? `${code} ${field}` : code)).join(', ');
    return admitted ? `${id}: admitted` : `${id}: ${told} <- ${rootCauses.join(' ')}`;
  });

export const goTo = (
  id: string,
  positionM: readonly [number, number, number],
  requires: string[] = [],
  speedMS = 2,
): Component => ({
  id,
  kind: 'flight.goto',
  params: { frame: 'local_enu', positionM, speedMS },
  requires,
});
export const part = (
  id: string,
  kind: string,
  requires: string[] = [],
  params = {},
): Component => ({
  id,
  kind,
  params,
  requires,
});
export const takeoff = (altitudeM: number): Component[] => [
  part('arm', 'flight.arm'),
  part('up', 'flight.takeoff', ['arm'], { altitudeM }),
];

/** In the air at 6 m, well, all fresh. */
export const flying = { snapshot: world(AIR) };
