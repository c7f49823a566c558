import { describe, expect, it } from 'vitest';
import {
  lossAction,
  reassess,
  supportFindings,
  type Reassessment,
} from '../../src/admission/index.js';
import { finding } from '../../src/platform/index.js';
import {
  AIR,
  CATALOG,
  EPOCHS,
  inputOf,
  judge,
  NOW_US,
  parsed,
  TOWER_TEXT,
  world,
  type Change,
} from './world.js';
import { admit, type AdmittedComponent } from '../../src/admission/index.js';
import type { Component, Stage } from '../../src/contract/index.js';

const leg: Component = {
  id: 'leg',
  kind: 'flight.goto',
  params: { frame: 'local_enu', positionM: [10, 0, 6], speedMS: 2 },
};

const only = (component: Component): AdmittedComponent => {
  const [admitted] = judge([component], { snapshot: world(AIR) }).admitted;
  if (admitted === undefined) throw new Error('admitted in a good world');
  return admitted;
};

const supportOf = (
  stage: Stage,
  changes: Readonly<Record<string, Change>> = {},
  epochs = EPOCHS,
): ReturnType<typeof supportFindings> =>
  supportFindings({
    component: only(leg),
    snapshot: world({ ...AIR, ...changes }, epochs),
    nowUs: NOW_US,
    stage,
    basisEpochs: EPOCHS,
  });

const told = (found: ReturnType<typeof supportFindings>): readonly string[] =>
  found.map(({ code, field }) => `${code} ${field ?? ''}`);

describe('Live support', () => {
  it('is one frozen empty list when all is well, at every stage', () => {
    const lists = (['admit', 'start', 'flight'] as const).map((stage) => supportOf(stage));
    expect(lists.every((list) => list.length === 0 && list === lists[0])).toBe(true);
    expect(Object.isFrozen(lists[0])).toBe(true);
  });

  it('asks at each stage for what belongs to it', () => {
    expect(told(supportOf('start', { 'vehicle.battery': 0.2 }))).toEqual([
      'HALO-211 vehicle.battery',
    ]);
    expect(supportOf('flight', { 'vehicle.battery': 0.2 })).toEqual([]);
    expect(told(supportOf('flight', { 'vehicle.battery': 0.14 }))).toEqual([
      'HALO-211 vehicle.battery',
    ]);
    expect(supportOf('admit', { 'vehicle.landed': 'on_ground' })).toEqual([]);
    expect(told(supportOf('start', { 'vehicle.landed': 'on_ground' }))).toEqual([
      'HALO-211 vehicle.landed',
    ]);
  });

  it('tells everything that is lost at once', () => {
    const changes = {
      'vehicle.gps_fix': 2,
      'vehicle.estimator_ok': undefined,
      'vehicle.armed': false,
    };
    const found = supportOf('flight', changes, { ...EPOCHS, arming: 3 });
    expect(told(found)).toEqual([
      'HALO-211 vehicle.gps_fix',
      'HALO-208 vehicle.estimator_ok',
      'HALO-211 vehicle.armed',
      'HALO-212 epoch.arming',
    ]);
  });

  it('at start measures the leg from where the vehicle really is, and from today’s home', () => {
    expect(supportOf('start', { 'vehicle.position': [-50, 0, 6] })).toEqual([]);
    expect(told(supportOf('start', { 'vehicle.position': [-51, 0, 6] }))).toEqual(['HALO-215 ']);
    expect(supportOf('flight', { 'vehicle.position': [-51, 0, 6] })).toEqual([]);
    expect(told(supportOf('start', { 'vehicle.home': [-91, 0, 0] }))).toEqual(['HALO-215 ']);
    expect(told(supportOf('start', { 'vehicle.home': undefined }))).toEqual([
      'HALO-208 vehicle.home',
    ]);
  });

  it('says what the guardian does: the most cautious of what the lost predicates ask for', () => {
    const component = only(leg);
    const action = (changes: Readonly<Record<string, Change>>, epochs = EPOCHS): string =>
      lossAction(component, supportOf('flight', changes, epochs));
    expect(action({ 'vehicle.landed': 'landing' })).toBe('hold');
    expect(action({}, { ...EPOCHS, home: 2 })).toBe('hold');
    expect(action({ 'vehicle.gps_fix': 1 })).toBe('land');
    expect(action({ 'vehicle.gps_fix': 1, 'vehicle.landed': 'landing' })).toBe('land');
    expect(lossAction(component, [finding('gate', 'HALO-404', 'Too late.')])).toBe('hold');
    const land = only({ id: 'down', kind: 'flight.land' });
    expect(lossAction(land, [finding('gate', 'HALO-404', 'Too late.')])).toBe('continue');
  });
});

describe('Reassessment after a denial', () => {
  const tower = admit(inputOf(parsed(TOWER_TEXT))).admitted;
  const denied = {
    id: 'leg-west',
    findings: [finding('evidence', 'HALO-211', 'The battery is low.')],
  };
  const finished = ['arm', 'up', 'leg-south', 'range-south'];

  const after = (
    changes: Readonly<Record<string, Change>> = {},
    more: Partial<Reassessment> = {},
  ): ReturnType<typeof reassess> =>
    reassess({
      pending: tower.filter(({ component }) => !finished.includes(component.id)),
      done: new Set(finished),
      denied,
      catalog: CATALOG,
      snapshot: world({ ...AIR, ...changes }),
      nowUs: NOW_US,
      ...more,
    });

  it('withholds what rests on it and keeps the rest', () => {
    const { keptIds, withheld, obligations } = after();
    expect([...keptIds].sort()).toEqual(['fuel', 'say-south', 'where']);
    expect(
      withheld.map(({ id, findings, rootCauses }) => [id, findings[0]?.code, ...rootCauses]),
    ).toEqual([
      ['leg-west', 'HALO-211', 'leg-west'],
      ['range-west', 'HALO-206', 'leg-west'],
      ['leg-north', 'HALO-206', 'leg-west'],
      ['range-north', 'HALO-206', 'leg-west'],
      ['say-done', 'HALO-206', 'leg-west'],
      ['down', 'HALO-206', 'leg-west'],
    ]);
    expect(obligations).toHaveLength(1);
    expect(obligations[0]).toMatchObject({
      componentId: 'leg-west',
      reason: 'leg-west (flight.goto) is withheld: The battery is low.',
      scope: {
        componentIds: ['leg-west', 'range-west', 'leg-north', 'range-north', 'say-done', 'down'],
        kinds: [
          ...['flight.goto', 'flight.hold', 'flight.land', 'flight.return'],
          ...['operator.message', 'report.range'],
        ],
      },
    });
  });

  it('finds the others that today’s world no longer supports, each under its own root', () => {
    const { keptIds, obligations } = after({ 'vehicle.battery': { receivedUs: NOW_US - 9e6 } });
    expect([...keptIds].sort()).toEqual(['say-south', 'where']);
    expect(obligations.map(({ componentId }) => componentId)).toEqual(['leg-west', 'fuel']);
  });

  it('counts a prerequisite that is neither pending nor done as missing', () => {
    const { keptIds } = after({}, { done: new Set(finished.filter((id) => id !== 'leg-south')) });
    expect(keptIds).toEqual(['fuel']);
  });

  it('keeps the denied one withheld although its evidence looks fine again', () => {
    expect(after({}, { denied: { id: 'leg-west', findings: [] } }).keptIds).not.toContain(
      'leg-west',
    );
  });
});
