/**
 * Order is no argument: on seeded random plans, with cycles, loops, references to nothing and twice
 * to one, the verdict of each component is the same wherever it stands, to the word; only names in
 * a sentence (of a cycle, of root causes) stand as they do in the document. The one
 * exception is by design: of two that want one resource with no order between them, the later one
 * in the document is withheld; so holders of resources keep their order among themselves here.
 */
import { describe, expect, it } from 'vitest';
import type { Component, Finding } from '../../src/contract/index.js';
import { digestOf, seededRandom } from '../../src/platform/index.js';
import { AIR, CATALOG, goTo, judge, part, world } from './world.js';

const PLANS = 400;
type Random = () => number;
const below = (random: Random, n: number): number => Math.floor(random() * n);

function randomPart(random: Random, id: string, requires: string[]): Component {
  switch (below(random, 10)) {
    case 0:
      return part(id, 'flight.arm', requires);
    case 1:
      return part(id, 'flight.takeoff', requires, { altitudeM: 4 + below(random, 40) });
    case 2:
    case 3:
      return goTo(id, [below(random, 70), 0, below(random, 40)], requires, 1 + below(random, 6));
    case 4:
      return part(id, 'flight.land', requires);
    case 5:
      return part(id, 'report.range', requires, { sensor: ['front', 'rear'][below(random, 2)] });
    case 6:
      return part(id, 'flight.ram', requires);
    case 7:
      return part(id, 'flight.hold', requires, { durationS: -1 + below(random, 4) });
    default:
      return part(id, 'report.battery', requires);
  }
}

/** Each requires up to three others: itself, one after it, one twice, and some that are not there. */
function randomPlan(random: Random): Component[] {
  const size = 2 + below(random, 9);
  return Array.from({ length: size }, (_, i) => {
    const requires = Array.from({ length: below(random, 4) }, () => {
      if (random() < 0.06) return 'ghost';
      // Mostly backwards: a plan of nothing but cycles shows little.
      return `c${random() < 0.85 ? below(random, Math.max(1, i)) : below(random, size)}`;
    });
    return randomPart(random, `c${i}`, requires);
  });
}

const holdsResource = ({ kind }: Component): boolean =>
  (CATALOG.kinds[kind]?.resources.length ?? 0) > 0;

/** Another order of places and references, but for the holders among themselves. */
function reordered(plan: readonly Component[], random: Random): Component[] {
  const holders = plan.filter(holdsResource);
  const keys = plan.map((one) => ({ one, key: random() }));
  return keys
    .sort((a, b) => a.key - b.key)
    .map(({ one }) => (holdsResource(one) ? (holders.shift() ?? one) : one))
    .map((one) => ({ ...one, requires: [...(one.requires ?? [])].sort(() => random() - 0.5) }));
}

/** The verdict without its order: by id, and places in the document by the id that stands there. */
function unordered(plan: readonly Component[], snapshot: ReturnType<typeof world>) {
  const { verdict, admitted, obligations } = judge(plan, { snapshot });
  const named = ({ path, ...finding }: Finding) => {
    const place = path?.replace(
      /^components\[(\d+)\]/,
      (_, i: string) => plan[Number(i)]?.id ?? '',
    );
    const at = place?.replace(/(?<=\.requires)\[\d+\]$/, '') ?? '';
    const names = finding.code === 'HALO-205' || finding.code === 'HALO-206';
    return names ? { code: finding.code, at } : { ...finding, at };
  };
  const text = (value: unknown): string => JSON.stringify(value);
  const components = verdict.components
    .map((one) => ({
      ...one,
      findings: one.findings.map(named).sort((a, b) => (text(a) < text(b) ? -1 : 1)),
      rootCauses: [...one.rootCauses].sort(),
    }))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const scopes = obligations.map(({ scope }) => [...scope.componentIds].sort().join()).sort();
  const kept = admitted.map(({ component }) => component.id).sort();
  return { outcome: verdict.outcome, components, scopes, kept };
}

describe('the order of components', () => {
  it(`changes no verdict, finding or scope of ${PLANS} random plans`, () => {
    const seen = new Set<string>();
    for (let seed = 1; seed <= PLANS; seed += 1) {
      const random = seededRandom(seed);
      const plan = randomPlan(random);
      const snapshot = random() < 0.5 ? world() : world(AIR);
      const expected = unordered(plan, snapshot);
      for (const { findings } of expected.components)
        for (const { code } of findings) seen.add(code);
      for (let n = 0; n < 5; n += 1) {
        const other = unordered(reordered(plan, random), snapshot);
        expect(other, `seed ${seed}`).toEqual(expected);
        expect(digestOf(other), `seed ${seed}`).toBe(digestOf(expected));
      }
    }
    // It was about something: every root of a denial that a plan alone can have.
    const codes = ['201', '202', '203', '204', '205', '206', '207', '214', '215'];
    expect([...seen].sort()).toEqual(expect.arrayContaining(codes.map((code) => `HALO-${code}`)));
  });
});
