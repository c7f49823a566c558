/**
 * Dependency closure A*: the largest set whose members are supported and whose prerequisites
 * are all in it. Enters: a graph, who is supported. Leaves: who stays, and why the others go.
 * Never: an answer that depends on the order in which components stand.
 */
import { ints } from './arrays.js';
import { at, type Graph } from './graph.js';

/** As many as a component may require: a longer list of causes is not read, and would let one
 * response of 1,000 components ask for a million answers. */
export const ROOT_CAUSES_MAX = 64;

/**
 * Greatest fixed point by worklist: start with all that are supported and have usable
 * references, take out whatever requires one that is out. Each edge is walked at most once.
 */
export function greatestFixedPoint(graph: Graph, supported: Uint8Array): Uint8Array {
  const kept = new Uint8Array(graph.size);
  const out = ints(graph.size);
  let waiting = 0;
  for (let i = 0; i < graph.size; i += 1) {
    if (supported[i] === 1 && graph.dangling[i] === 0 && graph.cyclic[i] === 0) {
      kept[i] = 1;
    } else {
      out[waiting] = i;
      waiting += 1;
    }
  }
  while (waiting > 0) {
    waiting -= 1;
    const gone = at(out, waiting);
    for (let e = at(graph.dependentStart, gone); e < at(graph.dependentStart, gone + 1); e += 1) {
      const dependent = at(graph.dependents, e);
      if (kept[dependent] === 0) continue;
      kept[dependent] = 0;
      out[waiting] = dependent;
      waiting += 1;
    }
  }
  return kept;
}

/** Indices of the withheld prerequisites of one component, each once. */
export function withheldPrereqs(graph: Graph, kept: Uint8Array, index: number): number[] {
  const found: number[] = [];
  for (let e = at(graph.prereqStart, index); e < at(graph.prereqStart, index + 1); e += 1) {
    const prereq = at(graph.prereqs, e);
    if (kept[prereq] === 0 && !found.includes(prereq)) found.push(prereq);
  }
  return found;
}

/**
 * For each withheld component the components with reasons of their own that it rests on, itself
 * included, in document order; the first {@link ROOT_CAUSES_MAX} of them.
 */
export function rootCauses(
  graph: Graph,
  kept: Uint8Array,
  hasOwnReason: (index: number) => boolean,
): readonly (readonly number[])[] {
  const causes: (readonly number[])[] = new Array<readonly number[]>(graph.size).fill([]);
  for (const index of graph.order) {
    if (kept[index] === 1) continue;
    const before = withheldPrereqs(graph, kept, index)
      .filter((prereq) => graph.knot[prereq] !== graph.knot[index])
      .map((prereq) => causes[prereq] ?? []);
    const [only] = before;
    if (!hasOwnReason(index) && before.length === 1 && only !== undefined) {
      causes[index] = only; // shared: a long chain has one list
      continue;
    }
    const all = new Set(before.flat());
    if (hasOwnReason(index)) all.add(index);
    causes[index] = [...all].sort((a, b) => a - b).slice(0, ROOT_CAUSES_MAX);
  }
  return causes;
}
