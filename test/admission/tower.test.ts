import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { admit, reassess, supportFindings } from '../../src/admission/index.js';
import type { LocalizedObligation } from '../../src/contract/index.js';
import {
  AIR,
  CATALOG,
  idsOf,
  inputOf,
  NOW_US,
  parsed,
  response,
  table,
  TOWER_TEXT,
  world,
} from './world.js';

const tower = parsed(TOWER_TEXT);

describe('The tower response', () => {
  it('is admitted whole in a good world, in an order that respects its prerequisites', () => {
    const { verdict, admitted, obligations } = admit(inputOf(tower));
    expect(verdict.outcome).toBe('admitted');
    expect(obligations).toEqual([]);
    const order = idsOf(admitted);
    expect(order).toHaveLength(tower.response.components.length);
    for (const { component, requires } of admitted) {
      for (const id of requires)
        expect(order.indexOf(id)).toBeLessThan(order.indexOf(component.id));
    }
  });

  it('at 25 % battery loses what flies and keeps nothing that rests on a leg', () => {
    const drained = admit(inputOf(tower, { snapshot: world({ 'vehicle.battery': 0.25 }) }));
    expect(drained.verdict.outcome).toBe('refused');
    expect(table(drained)).toMatchInlineSnapshot(`
      [
        "arm: HALO-211 vehicle.battery <- arm",
        "up: HALO-211 vehicle.battery, HALO-206 <- arm up",
        "leg-south: HALO-211 vehicle.battery, HALO-206 <- arm up leg-south",
        "range-south: HALO-206 <- arm up leg-south",
        "say-south: HALO-206 <- arm up leg-south",
        "leg-west: HALO-211 vehicle.battery, HALO-206 <- arm up leg-south leg-west",
        "range-west: HALO-206 <- arm up leg-south leg-west",
        "leg-north: HALO-211 vehicle.battery, HALO-206 <- arm up leg-south leg-west leg-north",
        "range-north: HALO-206 <- arm up leg-south leg-west leg-north",
        "say-done: HALO-206 <- arm up leg-south leg-west leg-north",
        "down: HALO-206 <- arm up leg-south leg-west leg-north",
        "fuel: HALO-206 <- arm up",
        "where: HALO-206 <- arm up leg-south",
      ]
    `);
    expect(drained.obligations).toHaveLength(1);
    expect(drained.obligations[0]?.scope.componentIds).toHaveLength(13);
  });

  it('after a battery drop is continued by the fresh candidate, within its scope', () => {
    const { admitted } = admit(inputOf(tower));
    const done = ['arm', 'up', 'leg-south', 'range-south', 'say-south', 'fuel', 'where'];
    const snapshot = world({ ...AIR, 'vehicle.battery': 0.2 });
    const leg = admitted.find(({ component }) => component.id === 'leg-west');
    if (leg === undefined) throw new Error('admitted in a good world');
    const findings = supportFindings({
      component: leg,
      snapshot,
      nowUs: NOW_US,
      stage: 'start',
      basisEpochs: leg.basisEpochs,
    });
    const [draft, ...others] = reassess({
      pending: admitted.filter(({ component }) => !done.includes(component.id)),
      done: new Set(done),
      denied: { id: 'leg-west', findings },
      catalog: CATALOG,
      snapshot,
      nowUs: NOW_US,
    }).obligations;
    if (draft === undefined) throw new Error('a denial leaves an obligation');
    expect(others).toEqual([]);
    const openObligation: LocalizedObligation = {
      ...draft,
      id: 'o-1',
      state: 'open',
      responseId: tower.response.id,
      generation: 1,
      triesLeft: 3,
      openedUs: NOW_US,
      expiresUs: NOW_US + 15_000_000,
    };
    const text = readFileSync('examples/01-inspect-tower/candidate.json', 'utf8');
    const candidate = parsed(JSON.stringify({ ...JSON.parse(text), discharges: 'o-1' }));
    const fresh = admit(inputOf(candidate, { snapshot, openObligation, generation: 2 }));
    expect(table(fresh)).toEqual(['home: admitted', 'down: admitted', 'say-home: admitted']);
    // The denied leg itself does not come back: the battery is still low.
    const again = response([{ ...leg.component, requires: [], replaces: ['leg-west'] }], {
      discharges: 'o-1',
    });
    const revived = admit(inputOf(again, { snapshot, openObligation, generation: 2 }));
    expect(table(revived)).toEqual(['leg-west: HALO-211 vehicle.battery <- leg-west']);
  });
});
