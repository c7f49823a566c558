/**
 * From own findings to verdicts: closure, root causes, and the way to them.
 * Enters: the graph and, for each component, its own findings. Leaves: who stays, a verdict each.
 * Never: a withheld component without a finding.
 */
import type { ComponentVerdict, Finding } from '../contract/index.js';
import { finding } from '../platform/index.js';
import { greatestFixedPoint, rootCauses, withheldPrereqs } from './closure.js';
import type { Graph } from './graph.js';

export interface JudgedNode {
  readonly id: string;
  readonly kind: string;
  readonly findings: readonly Finding[];
  readonly supported: boolean;
}

export interface Closed {
  readonly kept: Uint8Array;
  readonly verdicts: readonly ComponentVerdict[];
}

/** `independent` leaves the closure out: only tests ask for it, to show what then leaks. */
export function closeAndExplain(
  graph: Graph,
  nodes: readonly JudgedNode[],
  independent = false,
): Closed {
  const supported = new Uint8Array(nodes.length);
  for (let i = 0; i < nodes.length; i += 1) supported[i] = nodes[i]?.supported === true ? 1 : 0;
  const kept = independent ? supported : greatestFixedPoint(graph, supported);
  const causes = rootCauses(graph, kept, (index) => nodes[index]?.supported === false);
  const none: readonly never[] = [];
  const idOf = (index: number): string => nodes[index]?.id ?? '';
  const verdicts = nodes.map(({ id, kind, findings }, index): ComponentVerdict => {
    if (kept[index] === 1) return { id, kind, admitted: true, findings: none, rootCauses: none };
    const roots = causes[index] ?? [];
    const outside = withheldPrereqs(graph, kept, index).filter(
      (prereq) => graph.knot[prereq] !== graph.knot[index],
    );
    const all = outside.length === 0 ? findings : [...findings, inherited(outside, roots, idOf)];
    return { id, kind, admitted: false, findings: all, rootCauses: roots.map(idOf) };
  });
  return { kept, verdicts };
}

/** Five names tell where to look; `rootCauses` has them all. */
const NAMES_SHOWN = 5;

function inherited(
  withheld: readonly number[],
  roots: readonly number[],
  idOf: (index: number) => string,
): Finding {
  const names = (indices: readonly number[]): string => {
    const shown = indices.slice(0, NAMES_SHOWN).map(idOf).join(', ');
    return indices.length > NAMES_SHOWN
      ? `${shown} and ${indices.length - NAMES_SHOWN} more`
      : shown;
  };
  const message = `Withheld with ${names(withheld)}, because of ${names(roots)}.`;
  return finding('closure', 'HALO-206', message, { observed: names(withheld) });
}
