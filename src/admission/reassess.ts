/**
 * Support drift after admission: a component lost its support at start or on the way; which of
 * the others still stand? Enters: what is not finished, what is done, the denial, a snapshot.
 * Leaves: verdicts of those that no longer stand, who stays, drafts. Never: a revival; what was
 * withheld once comes back only as a fresh candidate.
 */
import type { Catalog, ComponentVerdict, Finding, Snapshot } from '../contract/index.js';
import { buildGraph } from './graph.js';
import { localize } from './localize.js';
import { epochFindings, footprintFindings } from './support.js';
import type { AdmittedComponent, ObligationDraft } from './types.js';
import { closeAndExplain } from './verdicts.js';

export interface Reassessment {
  /** Admitted and not finished, the denied one included. */
  readonly pending: readonly AdmittedComponent[];
  /** Ids with a receipt: a prerequisite that is in neither list counts as missing. */
  readonly done: ReadonlySet<string>;
  readonly denied: { readonly id: string; readonly findings: readonly Finding[] };
  readonly catalog: Catalog;
  readonly snapshot: Snapshot;
  readonly nowUs: number;
}

export interface Reassessed {
  readonly keptIds: readonly string[];
  readonly withheld: readonly ComponentVerdict[];
  readonly obligations: readonly ObligationDraft[];
}

/** Judges the pending ones as at admission: by their footprint at stage `admit` and epochs. */
export function reassess(input: Reassessment): Reassessed {
  const { pending, done, denied, snapshot, nowUs } = input;
  const graph = buildGraph(
    pending.map(({ component, requires }) => ({ id: component.id, requires })),
    done,
  );
  const nodes = pending.map((one) => {
    const findings =
      one.component.id === denied.id
        ? denied.findings
        : [
            ...footprintFindings(one, snapshot, nowUs, 'admit'),
            ...epochFindings(one.entry, snapshot.epochs, one.basisEpochs),
          ];
    const supported = one.component.id !== denied.id && findings.length === 0;
    return { id: one.component.id, kind: one.component.kind, findings, supported };
  });
  const { kept, verdicts } = closeAndExplain(graph, nodes);
  return {
    keptIds: verdicts.filter(({ admitted }) => admitted).map(({ id }) => id),
    withheld: verdicts.filter(({ admitted }) => !admitted),
    obligations: localize({
      graph,
      kept,
      verdicts,
      entries: pending.map(({ entry }) => entry),
      catalog: input.catalog,
    }),
  };
}
