import { describe, expect, it } from 'vitest';
import { admit } from '../../src/admission/index.js';
import { buildGraph, greatestFixedPoint, rootCauses } from '../../src/admission/testing.js';
import type { Component } from '../../src/contract/index.js';
import { seededRandom } from '../../src/platform/index.js';
import { idsOf, inputOf, response } from './world.js';

/** `edges[i]` has bit j when i requires j. */
type Edges = readonly number[];

const bits = (mask: number): number[] =>
  Array.from({ length: 31 }, (_, i) => i).filter((i) => (mask >> i) & 1);

/** i reaches j over one or more edges. */
function reachability(edges: Edges): boolean[][] {
  const reach = edges.map((mask) => edges.map((_, j) => ((mask >> j) & 1) === 1));
  edges.forEach((_, k) =>
    reach.forEach((row) => {
      if (row[k]) reach[k]?.forEach((to, j) => (row[j] ||= to));
    }),
  );
  return reach;
}

/** From the definition: the union of all supported, prerequisite-closed sets; no cycles in any. */
function byDefinition(edges: Edges, supported: number): number {
  const reach = reachability(edges);
  const cyclic = edges.reduce((mask, _, i) => mask | (reach[i]?.[i] === true ? 1 << i : 0), 0);
  const usable = supported & ~cyclic;
  let union = 0;
  for (let set = 0; set < 1 << edges.length; set += 1) {
    const inside = (set & ~usable) === 0;
    if (inside && bits(set).every((i) => ((edges[i] ?? 0) & ~set) === 0)) union |= set;
  }
  return union;
}

const idOf = (i: number): string => `n${i}`;
const graphOf = (edges: Edges): ReturnType<typeof buildGraph> =>
  buildGraph(edges.map((mask, i) => ({ id: idOf(i), requires: bits(mask).map(idOf) })));
const flags = (mask: number, n: number): Uint8Array =>
  Uint8Array.from({ length: n }, (_, i) => (mask >> i) & 1);
const maskOf = (kept: Uint8Array): number => kept.reduce((mask, k, i) => mask | (k << i), 0);

describe('The closure', () => {
  it('is the definition, on all 512 digraphs of 3 components times 8 supports', () => {
    for (let graph = 0; graph < 512; graph += 1) {
      const edges = [graph & 7, (graph >> 3) & 7, graph >> 6];
      for (let supported = 0; supported < 8; supported += 1) {
        const kept = maskOf(greatestFixedPoint(graphOf(edges), flags(supported, 3)));
        expect(kept, `edges ${edges.join(' ')} supported ${supported}`).toBe(
          byDefinition(edges, supported),
        );
      }
    }
  });

  it('is the definition, and names every root cause, on 2,000 random digraphs of 8', () => {
    for (let seed = 1; seed <= 2000; seed += 1) {
      const random = seededRandom(seed);
      const density = random() * 0.4;
      const edges = Array.from({ length: 8 }, () =>
        Array.from({ length: 8 }, (_, j) => (random() < density ? 1 << j : 0)).reduce(
          (a, b) => a | b,
        ),
      );
      const supported = Math.floor(random() * 256) | Math.floor(random() * 256);
      const graph = graphOf(edges);
      const kept = greatestFixedPoint(graph, flags(supported, 8));
      expect(maskOf(kept), `seed ${seed}`).toBe(byDefinition(edges, supported));

      const reach = reachability(edges);
      const own = (i: number): boolean => ((supported >> i) & 1) === 0 || reach[i]?.[i] === true;
      const causes = rootCauses(graph, kept, own);
      edges.forEach((_, i) => {
        const onCycle = (j: number): boolean => reach[i]?.[j] === true && reach[j]?.[i] === true;
        const expected = edges
          .map((__, j) => j)
          .filter((j) => own(j) && (i === j || (reach[i]?.[j] === true && !onCycle(j))));
        if (kept[i] === 1) expect(causes[i], `seed ${seed}`).toEqual([]);
        // A member of a cycle answers for itself; what its fellows rest on is told with them.
        else if (reach[i]?.[i] !== true && !expected.some((j) => reach[j]?.[j])) {
          expect(causes[i], `seed ${seed} component ${i}`).toEqual(expected);
        } else expect(causes[i]?.length, `seed ${seed}`).toBeGreaterThan(0);
      });
    }
  });

  it('comes out of a whole admission too, on all digraphs of 3 components times 8 supports', () => {
    for (let graph = 0; graph < 512; graph += 1) {
      const edges = [graph & 7, (graph >> 3) & 7, graph >> 6];
      for (let supported = 0; supported < 8; supported += 1) {
        const components = edges.map((mask, i): Component => ({
          id: idOf(i),
          kind: 'report.range',
          // The sensor `back` says nothing in the world of these tests.
          params: { sensor: (supported >> i) & 1 ? 'front' : 'back' },
          requires: bits(mask).map(idOf),
        }));
        const { admitted, verdict, obligations } = admit(inputOf(response(components)));
        const expected = bits(byDefinition(edges, supported)).map(idOf);
        expect([...idsOf(admitted)].sort()).toEqual(expected);
        for (const one of verdict.components) {
          expect(one.findings.length > 0, one.id).toBe(!one.admitted);
          expect(one.rootCauses.length > 0, one.id).toBe(!one.admitted);
        }
        // Every withheld component is in some scope, and no admitted one is in any.
        const scoped = new Set(obligations.flatMap(({ scope }) => scope.componentIds));
        expect([...scoped].sort()).toEqual(
          edges.map((_, i) => idOf(i)).filter((id) => !expected.includes(id)),
        );
      }
    }
  });

  it('takes a chain of 100,000 without recursion, and in time that grows with the chain', () => {
    const n = 100_000;
    const nodes = Array.from({ length: n }, (_, i) => ({
      id: idOf(i),
      requires: i === 0 ? [] : [idOf(i - 1)],
    }));
    const graph = buildGraph(nodes);
    const supported = new Uint8Array(n).fill(1);
    expect(greatestFixedPoint(graph, supported).every((k) => k === 1)).toBe(true);
    supported[0] = 0;
    const kept = greatestFixedPoint(graph, supported);
    expect(kept.some((k) => k === 1)).toBe(false);
    const causes = rootCauses(graph, kept, (i) => supported[i] === 0);
    expect(causes[n - 1]).toEqual([0]);
  });
});
