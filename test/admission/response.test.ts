import { describe, expect, it } from 'vitest';
import { admit } from '../../src/admission/index.js';
import type { Component } from '../../src/contract/index.js';
import { seededRandom } from '../../src/platform/index.js';
import { idsOf, inputOf, judge, parsed, response, table, TOWER_TEXT, world } from './world.js';

const tower = parsed(TOWER_TEXT).response.components;

function shuffled<T>(items: readonly T[], random: () => number): T[] {
  const out = [...items];
  for (let i = out.length - 1; i > 0; i -= 1) {
    const j = Math.floor(random() * (i + 1));
    [out[i], out[j]] = [out[j] as T, out[i] as T]; // both indices are within
  }
  return out;
}

describe('A verdict', () => {
  it('is the same whatever the order of the components and of their references', () => {
    const snapshots = [
      world(),
      world({ 'vehicle.battery': 0.25 }),
      world({ 'range.front.max': undefined }),
      world({ 'vehicle.home': undefined, 'vehicle.gps_fix': 2 }),
    ];
    const odd: Component[] = [
      ...tower,
      { id: 'x', kind: 'report.battery', requires: ['y'] },
      { id: 'y', kind: 'report.battery', requires: ['x', 'fuel'] },
      { id: 'z', kind: 'report.nothing', requires: ['nobody', 'up'] },
      { id: 'w', kind: 'operator.message', params: { text: 'w' }, requires: ['z', 'x'] },
    ];
    const told = (components: readonly Component[], snapshot = world()): unknown =>
      judge(components, { snapshot })
        .verdict.components.map(({ id, admitted, findings, rootCauses }) => ({
          id,
          admitted,
          codes: findings.map(({ code, field }) => `${code} ${field ?? ''}`).sort(),
          rootCauses: [...rootCauses].sort(),
        }))
        .sort((a, b) => (a.id < b.id ? -1 : 1));
    for (const snapshot of snapshots) {
      const expected = told(odd, snapshot);
      for (let seed = 1; seed <= 100; seed += 1) {
        const random = seededRandom(seed);
        const mixed = shuffled(odd, random).map((one) =>
          one.requires === undefined ? one : { ...one, requires: shuffled(one.requires, random) },
        );
        expect(told(mixed, snapshot), `seed ${seed}`).toEqual(expected);
      }
    }
  });

  it('keeps more, never less, when the world supports more', () => {
    const fields = ['vehicle.battery', 'vehicle.gps_fix', 'range.front.max', 'vehicle.prearm_ok'];
    const kept = (lost: readonly string[]): readonly string[] =>
      idsOf(
        judge(tower, { snapshot: world(Object.fromEntries(lost.map((f) => [f, undefined]))) })
          .admitted,
      );
    for (let mask = 0; mask < 16; mask += 1) {
      const lost = fields.filter((_, i) => (mask >> i) & 1);
      for (const found of lost) {
        const more = kept(lost.filter((field) => field !== found));
        expect(more, `${found} back`).toEqual(expect.arrayContaining([...kept(lost)]));
      }
    }
  });

  it('at 25 % battery withholds the legs and keeps the reports that rest on none', () => {
    const mixed: Component[] = [
      ...tower.slice(0, 5),
      { id: 'fuel', kind: 'report.battery' },
      { id: 'where', kind: 'report.position' },
      { id: 'look', kind: 'report.range', params: { sensor: 'front' } },
      { id: 'hello', kind: 'operator.message', params: { text: 'Checking.' } },
    ];
    const drained = judge(mixed, { snapshot: world({ 'vehicle.battery': 0.25 }) });
    expect(drained.verdict.outcome).toBe('partial');
    expect(table(drained)).toEqual([
      'arm: HALO-211 vehicle.battery <- arm',
      'up: HALO-211 vehicle.battery, HALO-206 <- arm up',
      'leg-south: HALO-211 vehicle.battery, HALO-206 <- arm up leg-south',
      'range-south: HALO-206 <- arm up leg-south',
      'say-south: HALO-206 <- arm up leg-south',
      'fuel: admitted',
      'where: admitted',
      'look: admitted',
      'hello: admitted',
    ]);
    expect(drained.obligations).toHaveLength(1);
    expect(drained.obligations[0]).toMatchObject({
      componentId: 'arm',
      reason: 'arm (flight.arm) is withheld: vehicle.battery is 0.25, needed is at least 0.3.',
      scope: { componentIds: ['arm', 'up', 'leg-south', 'range-south', 'say-south'] },
    });
  });

  it('without GPS still lets the vehicle come down and talk', () => {
    const parts: Component[] = [
      {
        id: 'leg',
        kind: 'flight.goto',
        params: { frame: 'local_enu', positionM: [5, 0, 6], speedMS: 2 },
      },
      { id: 'down', kind: 'flight.land' },
      { id: 'fuel', kind: 'report.battery' },
    ];
    const snapshot = world({
      'vehicle.armed': true,
      'vehicle.landed': 'in_air',
      'vehicle.gps_fix': 0,
      'vehicle.position': undefined,
    });
    const { admitted } = judge(parts.slice(1), { snapshot });
    expect(idsOf(admitted)).toEqual(['down', 'fuel']);
    expect(judge(parts.slice(0, 1), { snapshot }).verdict.outcome).toBe('refused');
  });

  it('covers 32 components: legs with their reports, whole or in the part that stands', () => {
    const legs = Array.from({ length: 10 }, (_, i): Component[] => [
      {
        id: `leg${i}`,
        kind: 'flight.goto',
        params: { frame: 'local_enu', positionM: [5 * i, 3, 6], yawDeg: 90, speedMS: 2 },
        requires: [i === 0 ? 'up' : `leg${i - 1}`],
      },
      { id: `range${i}`, kind: 'report.range', params: { sensor: 'front' }, requires: [`leg${i}`] },
      {
        id: `say${i}`,
        kind: 'operator.message',
        params: { text: `Leg ${i}.` },
        requires: [`leg${i}`],
      },
    ]).flat();
    const plan = [...tower.slice(0, 2), ...legs];
    expect(plan).toHaveLength(32);
    expect(judge(plan).verdict.outcome).toBe('admitted');
    const bent = plan.map((one) =>
      one.id === 'leg5' ? { ...one, params: { ...one.params, speedMS: 9 } } : one,
    );
    const { verdict, admitted, obligations } = judge(bent);
    expect(verdict.outcome).toBe('partial');
    expect(admitted).toHaveLength(17);
    expect(
      obligations.map(({ componentId, scope }) => [componentId, scope.componentIds.length]),
    ).toEqual([['leg5', 15]]);
  });

  it('answers 1,000 troubled components with at most 32 obligations that cover all of them', () => {
    const flood = Array.from({ length: 1000 }, (_, i): Component => ({
      id: `c${i}`,
      kind: 'flight.warp',
    }));
    const { obligations, verdict } = admit(inputOf(response(flood)));
    expect(verdict.outcome).toBe('refused');
    expect(obligations).toHaveLength(32);
    const covered = new Set(obligations.flatMap(({ scope }) => scope.componentIds));
    expect(covered.size).toBe(1000);
    expect(obligations[31]?.reason).toContain('968 more');
    // An unknown kind names no stand-in; its family may correct it, and no other.
    expect(obligations[0]?.scope.kinds.every((kind) => kind.startsWith('flight.'))).toBe(true);
    expect(obligations[0]?.scope.kinds).toContain('flight.goto');
  });
});
