/**
 * The course of a response: for each component, which holder of each resource runs before it,
 * and so what state it meets and where its leg begins.
 * Enters: candidates with their graph. Leaves: clashes, states, points. Never: live evidence.
 *
 * Holders of one resource must form a chain under the prerequisites. They are walked in the
 * order of execution (prerequisites first, then document order): a holder that does not follow
 * the tail of the chain clashes with it and stays out, so that the first of two in document
 * order is kept. Where anything else stands in the document changes nothing. Whatever rests on a
 * component that stays out, or that cannot be understood, is unclear: its state and leg are judged
 * when it is proposed anew.
 */
import { ROLES, type KindEntry } from '../contract/index.js';
import { ints } from './arrays.js';
import { at, type Graph } from './graph.js';
import type { Role } from './types.js';

type Resource = KindEntry['resources'][number];

export interface Clash {
  readonly resource: Resource;
  /** Index of the component that holds the resource. */
  readonly holder: number;
}

/** What the components before leave behind; `undefined`: untouched, so live evidence tells. */
export type RoleState = 'brought' | 'ended' | undefined;

export interface Course {
  readonly clashes: ReadonlyMap<number, readonly Clash[]>;
  isUnclear(index: number): boolean;
  /** State of the role that this component meets. */
  roleBefore(index: number, role: Role): RoleState;
  /** The last component that holds motion before this one; undefined: none. */
  motionBefore(index: number): number | undefined;
}

interface Lane {
  readonly resource: Resource;
  /** Last of the chain so far; -1: none. */
  tail: number;
  length: number;
  /** The holder before each component; -1: none. */
  before: Int32Array;
  /** Place of each holder in the chain, from 1; 0: not a holder. */
  rank: Int32Array;
}

const NOTHING: readonly Resource[] = [];

const newLane = (resource: Resource, size: number): Lane => ({
  resource,
  tail: -1,
  length: 0,
  before: ints(size).fill(-1),
  rank: ints(size),
});

export function layCourse(graph: Graph, entryOf: (index: number) => KindEntry | undefined): Course {
  /** What comes before it cannot be told. */
  const unclear = new Uint8Array(graph.size);
  /** It takes no part in the course: unclear, of an unknown kind, or clashing. */
  const out = new Uint8Array(graph.size);
  const clashes = new Map<number, Clash[]>();
  const motion = newLane('motion', graph.size);
  const lanes = [motion, newLane('gimbal', 0), newLane('payload', 0)];
  /** State of each role once a holder of motion is done; kinds that change a role hold motion. */
  const after = ROLES.map((role) => ({ role, state: new Array<RoleState>(graph.size) }));
  for (const index of executionOrder(graph, entryOf)) {
    const entry = entryOf(index);
    unclear[index] = restsOnOut(graph, out, index) ? 1 : 0;
    out[index] = unclear[index];
    const resources = entry?.resources ?? NOTHING;
    for (const lane of lanes) {
      const holds = resources.length > 0 && resources.includes(lane.resource);
      if (lane.length === 0 && !holds) continue;
      if (lane.before.length < graph.size) Object.assign(lane, newLane(lane.resource, graph.size));
      lane.before[index] = latestHolder(graph, lane, index);
      if (unclear[index] === 1 || !holds) continue;
      if (lane.before[index] !== lane.tail) {
        const clash = { resource: lane.resource, holder: lane.tail };
        clashes.set(index, [...(clashes.get(index) ?? []), clash]);
      }
    }
    if (entry === undefined || clashes.has(index)) out[index] = 1;
    // What holds nothing changes no role either, and comes before nobody.
    if (out[index] === 1 || entry === undefined || resources.length === 0) continue;
    for (const lane of lanes) {
      if (!resources.includes(lane.resource)) continue;
      lane.tail = index;
      lane.length += 1;
      lane.rank[index] = lane.length;
    }
    for (const { role, state } of after) {
      if (entry.provides.includes(role)) state[index] = 'brought';
      else if (entry.ends.includes(role)) state[index] = 'ended';
      else state[index] = stateOf(state, at(motion.before, index));
    }
  }
  const before = (index: number): number | undefined => {
    const holder = at(motion.before, index);
    return holder === -1 ? undefined : holder;
  };
  return {
    clashes,
    isUnclear: (index) => unclear[index] === 1,
    motionBefore: before,
    roleBefore: (index, role) => {
      for (const one of after) {
        if (one.role === role) return stateOf(one.state, at(motion.before, index));
      }
      return undefined;
    },
  };
}

const stateOf = (state: readonly RoleState[], holder: number): RoleState =>
  holder === -1 ? undefined : state[holder];

/**
 * Of what may run, the holder that stands first in the document goes first; what holds nothing
 * goes as soon as it may, so that its place decides nothing. A document that names everything
 * after what it requires is in this order already.
 */
function executionOrder(
  graph: Graph,
  entryOf: (index: number) => KindEntry | undefined,
): Iterable<number> {
  if (graph.order.every((node, place) => node === place)) return graph.order;
  const order: number[] = [];
  const missing = new Int32Array(graph.size);
  const free: number[] = [];
  const holders: number[] = [];
  const ready = (index: number): void => {
    (entryOf(index)?.resources.length ? holders : free).push(index);
  };
  for (let index = 0; index < graph.size; index += 1) {
    // What stands on a cycle takes no part, and waits for nothing.
    if (graph.cyclic[index] === 0) {
      missing[index] = at(graph.prereqStart, index + 1) - at(graph.prereqStart, index);
    }
    if (missing[index] === 0) ready(index);
  }
  for (;;) {
    const next = free.pop() ?? takeFirst(holders);
    if (next === undefined) return order;
    order.push(next);
    for (let e = at(graph.dependentStart, next); e < at(graph.dependentStart, next + 1); e += 1) {
      const dependent = at(graph.dependents, e);
      if (graph.cyclic[dependent] === 1) continue;
      missing[dependent] = at(missing, dependent) - 1;
      if (missing[dependent] === 0) ready(dependent);
    }
  }
}

function takeFirst(indices: number[]): number | undefined {
  if (indices.length === 0) return undefined;
  const first = indices.reduce((a, b) => Math.min(a, b));
  indices.splice(indices.indexOf(first), 1);
  return first;
}

/** On a cycle, with a dangling reference, or resting on something that takes no part. */
function restsOnOut(graph: Graph, out: Uint8Array, index: number): boolean {
  if (graph.dangling[index] === 1 || graph.cyclic[index] === 1) return true;
  for (let e = at(graph.prereqStart, index); e < at(graph.prereqStart, index + 1); e += 1) {
    if (out[at(graph.prereqs, e)] === 1) return true;
  }
  return false;
}

/** The highest in the chain among the prerequisites and what ran before them. */
function latestHolder(graph: Graph, lane: Lane, index: number): number {
  let latest = -1;
  for (let e = at(graph.prereqStart, index); e < at(graph.prereqStart, index + 1); e += 1) {
    const prereq = at(graph.prereqs, e);
    const holder = at(lane.rank, prereq) > 0 ? prereq : at(lane.before, prereq);
    if (holder !== -1 && (latest === -1 || at(lane.rank, holder) > at(lane.rank, latest))) {
      latest = holder;
    }
  }
  return latest;
}
