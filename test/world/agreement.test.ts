/** Sources that disagree, on the running engine: no support at the start, none in flight. */
import { expect, it } from 'vitest';
import { ARM, newHop, onTheWay, responseOf, sendHop } from './hop.js';
import { expectNoViolations } from './invariants.js';

it('withholds what rests on a battery that two sources tell differently, and lands in flight', () => {
  const pair = { field: 'vehicle.battery', with: 'pack.fraction', tolerance: 0.1, maxAgeMs: 3000 };
  const flight = newHop({ agreements: [pair] });
  let fraction = 0.3;
  flight.clock.every(200_000, (receivedUs) => {
    const heard = { field: 'pack.fraction', value: fraction, source: 'ros:/pack', receivedUs };
    flight.engine.observe(heard);
  });
  flight.seconds(1);
  const refused = flight.submit(responseOf([ARM]));
  const [finding, ...more] = refused.verdict?.components[0]?.findings ?? [];
  expect(finding).toMatchObject({ code: 'HALO-218', field: 'vehicle.battery' });
  expect(finding?.message).toContain('ros:/pack says 0.3');
  expect(more).toEqual([]);
  fraction = 0.97;
  flight.seconds(1);
  onTheWay(sendHop(flight));
  fraction = 0.5;
  const sinceUs = flight.nowUs;
  flight.until('the end of the leg', () => flight.stateOf('there') === 'interrupted', 2);
  flight.seconds(0.1);
  expect(flight.guardian[0]).toBe('land');
  expect(flight.wire.setpoints(sinceUs + 250_000)).toEqual([]);
  flight.until('the landing', () => flight.atRest, 40);
  expectNoViolations(flight);
});
