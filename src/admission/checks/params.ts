/**
 * The params fit the schema of the built-in effect. Enters: a component, its catalog entry.
 * Leaves: typed params, or HALO-202 for each place that does not fit.
 * Never: a default for a frame or a unit, or a coerced value.
 */
import {
  paramSchemas,
  type Component,
  type Finding,
  type KindEntry,
  type Typed,
} from '../../contract/index.js';
import { finding, jsonPathText } from '../../platform/index.js';
import type { TypedComponent } from '../types.js';
import type { Check } from './context.js';
import { fitsPlainly } from './plain-params.js';

/** As many as intake reports for a whole response. */
const FINDINGS_MAX = 32;

export type TypedParams =
  | { readonly ok: true; readonly value: TypedComponent }
  | { readonly ok: false; readonly findings: readonly Finding[] };

export function typeParams(component: Component, entry: KindEntry, place: string): TypedParams {
  const params = component.params ?? {};
  if (fitsPlainly(entry.does, params)) return typedAs(component, entry, params);
  const checked = paramSchemas[entry.does].safeParse(params);
  if (checked.success) return typedAs(component, entry, checked.data);
  const findings = checked.error.issues.flatMap((issue) => {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, FINDINGS_MAX) : [];
    if (keys.length === 0) return [misfit(place, issue.path, `${issue.message}.`)];
    return keys.map((key) => misfit(place, [...issue.path, key], 'Unknown parameter.'));
  });
  return { ok: false, findings: findings.slice(0, FINDINGS_MAX) };
}

/**
 * The parse edge: the schema under `does` has just accepted the params, and `Typed` pairs each
 * `does` with the output of its own schema; the compiler cannot follow the lookup.
 */
function typedAs(component: Component, entry: KindEntry, params: unknown): TypedParams {
  const typed = { does: entry.does, params } as Typed;
  return { ok: true, value: { component, entry, typed } };
}

function misfit(place: string, path: readonly PropertyKey[], what: string): Finding {
  const inner = jsonPathText(['params', ...path]);
  return finding('params', 'HALO-202', `${inner}: ${what}`, { path: `${place}.${inner}` });
}

export const checkParams: Check = (_context, { paramFindings }) => paramFindings;
