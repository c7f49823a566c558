/**
 * The dependency graph G_R in compressed rows, with what makes a reference unusable.
 * Enters: ids and the ids they require. Leaves: typed arrays. Never: more than linear work.
 */
import { ints } from './arrays.js';

export interface Graph {
  readonly size: number;
  /** Prerequisites of i: `prereqs[prereqStart[i]] … prereqs[prereqStart[i + 1] - 1]`. */
  readonly prereqStart: Int32Array;
  readonly prereqs: Int32Array;
  readonly dependentStart: Int32Array;
  readonly dependents: Int32Array;
  /** 1: requires an id that is not there. */
  readonly dangling: Uint8Array;
  /** 1: on a cycle, or requires itself. */
  readonly cyclic: Uint8Array;
  /** Number of the strongly connected component: equal numbers stand on one cycle. */
  readonly knot: Int32Array;
  /** Prerequisites first, and document order wherever they leave a choice. */
  readonly order: Int32Array;
}

export interface GraphNode {
  readonly id: string;
  readonly requires?: readonly string[] | undefined;
}

const NO_IDS: readonly string[] = [];

/** Ids in `done` are prerequisites that need no node any more. */
export function buildGraph(nodes: readonly GraphNode[], done?: ReadonlySet<string>): Graph {
  const indexOf = new Map<string, number>();
  let references = 0;
  for (let index = 0; index < nodes.length; index += 1) {
    indexOf.set(nodes[index]?.id ?? '', index);
    references += nodes[index]?.requires?.length ?? 0;
  }
  const dangling = new Uint8Array(nodes.length);
  const prereqStart = ints(nodes.length + 1);
  const prereqs = ints(references);
  let edges = 0;
  for (let index = 0; index < nodes.length; index += 1) {
    for (const id of nodes[index]?.requires ?? NO_IDS) {
      const prereq = indexOf.get(id);
      if (prereq !== undefined) {
        prereqs[edges] = prereq;
        edges += 1;
      } else if (done?.has(id) !== true) dangling[index] = 1;
    }
    prereqStart[index + 1] = edges;
  }
  return graphFromRows(prereqStart, prereqs.subarray(0, edges), dangling);
}

export function graphFromRows(
  prereqStart: Int32Array,
  prereqs: Int32Array,
  dangling: Uint8Array,
): Graph {
  const size = prereqStart.length - 1;
  const { dependentStart, dependents } = transpose(size, prereqStart, prereqs);
  const { order, knot, cyclic } = isForward(size, prereqStart, prereqs)
    ? withoutKnots(size)
    : knots(size, prereqStart, prereqs);
  return { size, prereqStart, prereqs, dependentStart, dependents, dangling, cyclic, knot, order };
}

function transpose(
  size: number,
  prereqStart: Int32Array,
  prereqs: Int32Array,
): { dependentStart: Int32Array; dependents: Int32Array } {
  const dependentStart = ints(size + 1);
  for (let e = 0; e < prereqs.length; e += 1) {
    const p = at(prereqs, e);
    dependentStart[p + 1] = at(dependentStart, p + 1) + 1;
  }
  for (let i = 0; i < size; i += 1) {
    dependentStart[i + 1] = at(dependentStart, i + 1) + at(dependentStart, i);
  }
  const next = ints(size);
  for (let i = 0; i < size; i += 1) next[i] = at(dependentStart, i);
  const dependents = ints(prereqs.length);
  for (let i = 0; i < size; i += 1) {
    for (let e = at(prereqStart, i); e < at(prereqStart, i + 1); e += 1) {
      const p = at(prereqs, e);
      const slot = at(next, p);
      dependents[slot] = i;
      next[p] = slot + 1;
    }
  }
  return { dependentStart, dependents };
}

interface Knots {
  readonly order: Int32Array;
  readonly knot: Int32Array;
  readonly cyclic: Uint8Array;
}

/** Whether each component stands after all that it requires, as most agents write it. */
function isForward(size: number, prereqStart: Int32Array, prereqs: Int32Array): boolean {
  for (let i = 0; i < size; i += 1) {
    for (let e = at(prereqStart, i); e < at(prereqStart, i + 1); e += 1) {
      if (at(prereqs, e) >= i) return false;
    }
  }
  return true;
}

/** What {@link knots} says of such a graph: no cycles, and the order of the document. */
function withoutKnots(size: number): Knots {
  const order = ints(size);
  for (let i = 0; i < size; i += 1) order[i] = i;
  return { order, knot: order, cyclic: new Uint8Array(size) };
}

/**
 * Tarjan's algorithm along the prerequisites, without recursion. Components leave it after all
 * that they require, which is the order of execution; those on a cycle leave it together.
 */
function knots(size: number, prereqStart: Int32Array, prereqs: Int32Array): Knots {
  const order = new Int32Array(size);
  const knot = new Int32Array(size).fill(-1);
  const cyclic = new Uint8Array(size);
  const entered = new Int32Array(size); // 0: not yet
  const low = new Int32Array(size);
  const nextEdge = prereqStart.slice(0, size);
  const open = new Int32Array(size); // entered, not yet in a knot
  const trail = new Int32Array(size); // the walk from its root to here
  let [opened, walked, clock, ordered, knotCount] = [0, 0, 0, 0, 0];

  const enter = (node: number): void => {
    clock += 1;
    entered[node] = clock;
    low[node] = clock;
    open[opened] = node;
    opened += 1;
    trail[walked] = node;
    walked += 1;
  };
  const leaveKnot = (root: number): void => {
    const first = ordered;
    for (let member = -1; member !== root;) {
      opened -= 1;
      member = at(open, opened);
      knot[member] = knotCount;
      order[ordered] = member;
      ordered += 1;
    }
    if (ordered - first > 1) for (let k = first; k < ordered; k += 1) cyclic[at(order, k)] = 1;
    knotCount += 1;
  };

  for (let root = 0; root < size; root += 1) {
    if (entered[root] !== 0) continue;
    enter(root);
    while (walked > 0) {
      const node = at(trail, walked - 1);
      const edge = at(nextEdge, node);
      if (edge < at(prereqStart, node + 1)) {
        nextEdge[node] = edge + 1;
        const prereq = at(prereqs, edge);
        if (prereq === node) cyclic[node] = 1;
        if (entered[prereq] === 0) enter(prereq);
        else if (knot[prereq] === -1) low[node] = Math.min(at(low, node), at(entered, prereq));
        continue;
      }
      walked -= 1;
      if (walked > 0) {
        const parent = at(trail, walked - 1);
        low[parent] = Math.min(at(low, parent), at(low, node));
      }
      if (low[node] === entered[node]) leaveKnot(node);
    }
  }
  return { order, knot, cyclic };
}

/** Indices here are in range by construction; the type does not know it. */
export const at = (array: Int32Array, index: number): number => array[index] ?? 0;
