/**
 * Localized obligations o_e: for each root of a denial its reason and the scope S(o_e) of what a
 * fresh candidate may replace. Enters: the graph, who stays, verdicts, catalog entries.
 * Leaves: drafts. Never: a component that stays in a scope, or a root without a draft.
 */
import {
  isEffect,
  type Catalog,
  type ComponentVerdict,
  type Finding,
  type KindEntry,
} from '../contract/index.js';
import { at, type Graph } from './graph.js';
import type { ObligationDraft } from './types.js';

/**
 * More roots than this share the last draft: every scope is a walk of the graph, and one
 * response of 1,000 unknown kinds must not cost a thousand walks inside a tick.
 */
export const OBLIGATIONS_MAX = 32;

export interface Denials {
  readonly graph: Graph;
  readonly kept: Uint8Array;
  readonly verdicts: readonly ComponentVerdict[];
  readonly entries: readonly (KindEntry | undefined)[];
  readonly catalog: Catalog;
}

/** One draft for each withheld component (or cycle) that rests on no other withheld one. */
export function localize(denials: Denials): readonly ObligationDraft[] {
  const roots = minimalRoots(denials);
  const own = roots.slice(0, OBLIGATIONS_MAX - (roots.length > OBLIGATIONS_MAX ? 1 : 0));
  const drafts = own.map((root) => draft(denials, [root]));
  const rest = roots.slice(own.length);
  if (rest.length > 0) drafts.push(draft(denials, rest));
  return drafts;
}

/** In document order; a cycle is one root, named by its first member. */
function minimalRoots({ graph, kept }: Denials): readonly number[] {
  const restsOnOther = new Uint8Array(graph.size); // by knot
  const first = new Map<number, number>();
  for (let index = 0; index < graph.size; index += 1) {
    if (kept[index] === 1) continue;
    const knot = at(graph.knot, index);
    if (!first.has(knot)) first.set(knot, index);
    for (let e = at(graph.prereqStart, index); e < at(graph.prereqStart, index + 1); e += 1) {
      const prereq = at(graph.prereqs, e);
      if (kept[prereq] === 0 && graph.knot[prereq] !== knot) restsOnOther[knot] = 1;
    }
  }
  return [...first].filter(([knot]) => restsOnOther[knot] === 0).map(([, index]) => index);
}

function draft(denials: Denials, roots: readonly number[]): ObligationDraft {
  const { verdicts } = denials;
  const scope = scopeOf(denials, roots);
  const heads = roots.flatMap((root) => verdicts[root] ?? []);
  const findings = heads.flatMap((head) => head.findings).slice(0, OBLIGATIONS_MAX);
  const [head] = heads;
  const others = heads.length > 1 ? ` (and ${heads.length - 1} more components)` : '';
  return {
    componentId: head?.id ?? '',
    reason: `${head?.id ?? ''} (${head?.kind ?? ''}) is withheld${others}: ${reasonOf(findings)}`,
    findings,
    scope: {
      componentIds: scope.map((index) => verdicts[index]?.id ?? ''),
      kinds: kindsOf(denials, scope),
    },
  };
}

const reasonOf = (findings: readonly Finding[]): string => {
  const [first, ...more] = findings;
  const sentence = first?.message ?? '';
  return more.length === 0 ? sentence : `${sentence} (and ${more.length} more findings)`;
};

/** The roots and everything that rests on them: all of it is withheld. In document order. */
function scopeOf({ graph }: Denials, roots: readonly number[]): readonly number[] {
  const inside = new Uint8Array(graph.size);
  const waiting = [...roots];
  for (const root of roots) inside[root] = 1;
  for (let index = waiting.pop(); index !== undefined; index = waiting.pop()) {
    for (let e = at(graph.dependentStart, index); e < at(graph.dependentStart, index + 1); e += 1) {
      const dependent = at(graph.dependents, e);
      if (inside[dependent] === 1) continue;
      inside[dependent] = 1;
      waiting.push(dependent);
    }
  }
  return [...inside.keys()].filter((index) => inside[index] === 1);
}

/**
 * What the catalog lets stand in, and the utterances of the scope themselves. An unknown kind
 * names no stand-in: any kind of its family may correct it, under all checks like any other.
 */
function kindsOf({ verdicts, entries, catalog }: Denials, scope: readonly number[]): string[] {
  const kinds = new Set<string>();
  for (const index of scope) {
    const [entry, kind] = [entries[index], verdicts[index]?.kind ?? ''];
    if (entry === undefined) {
      const family = kind.slice(0, kind.indexOf('.') + 1);
      for (const known of Object.keys(catalog.kinds)) {
        if (known.startsWith(family)) kinds.add(known);
      }
      continue;
    }
    for (const other of entry.replaceableBy) kinds.add(other);
    if (!isEffect(entry)) kinds.add(kind);
  }
  return [...kinds].sort();
}
