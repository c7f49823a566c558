import { describe, expect, it } from 'vitest';
import { admit } from '../../src/admission/index.js';
import { idsOf, inputOf, parsed, table, TOWER_TEXT, world } from './world.js';

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
    expect(drained.obligations).toMatchInlineSnapshot(`
      [
        {
          "componentId": "arm",
          "findings": [
            {
              "ageMs": 100,
              "code": "HALO-211",
              "field": "vehicle.battery",
              "limit": "at least 0.3",
              "message": "vehicle.battery is 0.25, needed is at least 0.3.",
              "observed": "0.25",
              "remedy": "Wait for the world or propose otherwise.",
              "rule": "evidence",
              "source": "mavlink:TEST",
            },
          ],
          "reason": "arm (flight.arm) is withheld: vehicle.battery is 0.25, needed is at least 0.3.",
          "scope": {
            "componentIds": [
              "arm",
              "up",
              "leg-south",
              "range-south",
              "say-south",
              "leg-west",
              "range-west",
              "leg-north",
              "range-north",
              "say-done",
              "down",
              "fuel",
              "where",
            ],
            "kinds": [
              "flight.arm",
              "flight.disarm",
              "flight.goto",
              "flight.hold",
              "flight.land",
              "flight.return",
              "flight.takeoff",
              "operator.message",
              "report.battery",
              "report.position",
              "report.range",
            ],
          },
        },
      ]
    `);
  });
});
