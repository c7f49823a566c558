/**
 * Small graphs through the whole of admission: response, catalog, evidence, verdict.
 * Enters: a graph's rows. Leaves: who is retained for a support set.
 * Never: a shortcut to the closure: what is supported is said by evidence alone.
 */
import { admit, type AdmissionInput } from '../../../src/admission/index.js';
import type { Component, EvidenceValue, Snapshot } from '../../../src/contract/index.js';
import { NO_EPOCHS } from '../../../src/contract/index.js';
import { parseResponse } from '../../../src/intake/index.js';
import { must } from '../must.js';
import { CATALOG, CONTRACT, NOW_US } from '../world.js';

const idOf = (index: number): string => `c${index}`;
const sensorOf = (index: number): string => `s${index}`;

/** One report of a range a component: it needs its sensor and nothing else. */
export function responseFor(prereqs: readonly (readonly number[])[]): AdmissionInput['parsed'] {
  const components = prereqs.map((required, index): Component => ({
    id: idOf(index),
    kind: 'report.range',
    params: { sensor: sensorOf(index) },
    ...(required.length === 0 ? {} : { requires: required.map(idOf) }),
  }));
  const response = { protocol: 'halo/1', id: 'r-1', task: CONTRACT.task, components };
  return must(parseResponse(JSON.stringify(response)));
}

const heard = (field: string): EvidenceValue => ({
  field,
  value: 12,
  source: 'ros:/range',
  receivedUs: NOW_US - 100_000,
});

/** The sensors that speak are those of the supported components. */
export function snapshotFor(support: number, size: number): Snapshot {
  const values = new Map<string, EvidenceValue>();
  for (let i = 0; i < size; i += 1) {
    const field = `range.${sensorOf(i)}.max`;
    if (((support >>> i) & 1) === 1) values.set(field, heard(field));
  }
  return { id: 's-1', takenUs: NOW_US, values, epochs: NO_EPOCHS };
}

/** Bit i: component i is retained. */
export function retained(parsed: AdmissionInput['parsed'], snapshot: Snapshot): number {
  const { admitted } = admit({
    parsed,
    catalog: CATALOG,
    contract: CONTRACT,
    snapshot,
    basis: undefined,
    generation: 1,
    nowUs: NOW_US,
  });
  let bits = 0;
  for (const { component } of admitted) bits |= 1 << Number(component.id.slice(1));
  return bits;
}
