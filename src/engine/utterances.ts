/**
 * What the bridge says: reports filled from evidence, and the agent's messages marked as such.
 * Enters: an admitted utterance and a snapshot. Leaves: text and the evidence behind it.
 * Never: a number that an agent wrote presented as measured.
 */
import type { AdmittedComponent } from '../admission/index.js';
import {
  evidenceAgeMs,
  type EvidenceDatum,
  type EvidenceValue,
  type Observed,
  type Snapshot,
  type Utterance,
} from '../contract/index.js';

export interface Filled {
  readonly text: string;
  readonly evidence: readonly EvidenceValue[];
  readonly observed: Observed;
}

/** Undefined when a field is missing: the caller checked support, so this refuses a second time. */
export function fillUtterance(
  admitted: AdmittedComponent,
  snapshot: Snapshot,
  nowUs: number,
): Filled | undefined {
  const { typed } = admitted;
  switch (typed.does) {
    case 'operator_message':
      return { text: typed.params.text, evidence: [], observed: { delivered: true } };
    case 'operator_ask': {
      // The digest is what an approval must name.
      const text = `${typed.params.text} (to answer: approve ${admitted.digest})`;
      return { text, evidence: [], observed: { delivered: true } };
    }
    case 'report_custom': {
      const fields = admitted.entry.reports ?? [];
      return filled(snapshot, nowUs, fields, (values) =>
        fields.map((field, i) => `${field} ${datum(values[i])}`).join(', '),
      );
    }
    case 'report_position':
      return filled(snapshot, nowUs, ['vehicle.position'], (v) => `Position ${vector(v[0])} m ENU`);
    case 'report_battery':
      return filled(snapshot, nowUs, ['vehicle.battery'], (v) => `Battery ${percent(v[0])}`);
    case 'report_range': {
      const { sensor } = typed.params;
      const report = filled(
        snapshot,
        nowUs,
        [`range.${sensor}`, 'vehicle.position'],
        (v) => `Range ${sensor} ${metres(v[0])} at ${vector(v[1])} m ENU`,
      );
      return report && { ...report, observed: { ...report.observed, sensor } };
    }
    default:
      return undefined;
  }
}

/** Of one picture, as its receipt has it. */
export function fillImage(observed: Observed): Filled | undefined {
  const { imageIndex, globalDegM, fileUrl } = observed;
  if (typeof imageIndex !== 'number' || !Array.isArray(globalDegM)) return undefined;
  const place = globalDegM.map((x: number) => Number(x.toFixed(7))).join(', ');
  const file = typeof fileUrl === 'string' && fileUrl !== '' ? `, ${fileUrl}` : '';
  const text = `Image ${imageIndex} taken at [${place}] deg, deg, m AMSL${file}`;
  const where = file === '' ? {} : { fileUrl: fileUrl ?? '' };
  return { text, evidence: [], observed: { imageIndex, globalDegM, ...where, delivered: true } };
}

function filled(
  snapshot: Snapshot,
  nowUs: number,
  fields: readonly string[],
  say: (values: readonly EvidenceDatum[]) => string,
): Filled | undefined {
  const evidence = fields.map((field) => snapshot.values.get(field));
  const known = evidence.filter((value) => value !== undefined);
  if (known.length !== fields.length) return undefined;
  const ages = known.map((value) => Math.round(evidenceAgeMs(value, nowUs)));
  const text = `${say(known.map((value) => value.value))} (${Math.max(...ages)} ms old)`;
  const observed = Object.fromEntries(known.map((value) => [value.field, value.value]));
  return { text, evidence: known, observed: { ...observed, delivered: true } };
}

export const utteranceOf = (
  responseId: string,
  admitted: AdmittedComponent,
  filledIn: Filled,
): Utterance => ({
  responseId,
  componentId: admitted.component.id,
  kind: admitted.component.kind,
  text: filledIn.text,
  evidence: filledIn.evidence,
});

const vector = (value: EvidenceDatum | undefined): string =>
  Array.isArray(value) ? `[${value.map((x: number) => x.toFixed(1)).join(', ')}]` : '[?]';
const metres = (value: EvidenceDatum | undefined): string =>
  typeof value === 'number' ? `${value.toFixed(2)} m` : '?';
const percent = (value: EvidenceDatum | undefined): string =>
  typeof value === 'number' ? `${Math.round(value * 100)} %` : '?';
const datum = (value: EvidenceDatum | undefined): string => {
  if (typeof value === 'number') return String(Number(value.toFixed(3)));
  return Array.isArray(value) ? vector(value) : String(value);
};
