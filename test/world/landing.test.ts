/**
 * The guardian lands for a reason that passes: a fresh candidate may still stop that, as long as
 * the vehicle is in the air; a leg may not start out of a landing.
 */
import { describe, expect, it } from 'vitest';
import type { Component } from '../../src/contract/index.js';
import type { Flight } from './flight.js';
import { ARM, goTo, newHop, onTheWay, responseOf, sendHop, UP } from './hop.js';
import { expectNoViolations } from './invariants.js';
import { MESSAGE } from './wire.js';

const HIGH = [
  ARM,
  { ...UP, params: { altitudeM: 15 } },
  goTo('there', [20, 0, 15], { requires: ['up'], fulfils: 'there' }),
];

/** The GPS fix is not told for a while: the guardian lands; then it is told again. */
function landing(): Flight {
  const flight = onTheWay(sendHop(newHop(), HIGH));
  flight.wire.deafTo.add(MESSAGE.gps);
  flight.until('a landing', () => flight.guardian.includes('land seen'), 8);
  flight.wire.deafTo.clear();
  const fix = (): boolean =>
    flight.engine.state().evidence.some((e) => e.field === 'vehicle.gps_fix' && e.value === 3) &&
    flight.engine.state().vehicle.landed === 'landing';
  flight.until('a fix', fix, 2);
  flight.seconds(1);
  expect(flight.engine.state().vehicle.landed).toBe('landing');
  return flight;
}

const answer = (flight: Flight, component: Component) =>
  flight.submit(responseOf([component], { discharges: flight.open?.id ?? '' }));

describe('while the guardian lands the vehicle', () => {
  it('a fresh hold is admitted and flown', () => {
    const flight = landing();
    const reply = answer(flight, { id: 'stop', kind: 'flight.hold', params: { durationS: 3 } });
    expect(reply.verdict?.components).toMatchObject([{ admitted: true, findings: [] }]);
    flight.until('the hold', () => flight.stateOf('stop') === 'done', 15);
    expect(flight.mode).toBe('AUTO.LOITER');
    expect(flight.engine.state().vehicle.landed).toBe('in_air');
    expect(flight.engine.state().obligations[0]?.state).toBe('discharged');
    expect(flight.guardian).toContain('released');
    expectNoViolations(flight);
  });

  it('a fresh return is admitted and flown', () => {
    const flight = landing();
    expect(answer(flight, { id: 'home', kind: 'flight.return' }).accepted).toBe(true);
    flight.until('the return', () => flight.stateOf('home') === 'done', 90);
    expect(flight.engine.state().obligations[0]?.state).toBe('discharged');
    expectNoViolations(flight);
  });

  it('a leg is not begun: no frame of it leaves, and the landing goes on', () => {
    const flight = landing();
    const setpoints = flight.wire.setpoints().length;
    answer(flight, goTo('leg', [20, 0, 15]));
    flight.until('a refusal', () => flight.stateOf('leg') === 'withheld', 5);
    const { components, obligations } = flight.engine.state();
    expect(components.findLast(({ id }) => id === 'leg')?.reason).toMatch(/HALO-211 .*landing/);
    expect(obligations[0]).toMatchObject({ state: 'open', triesLeft: 2 });
    flight.until('rest', () => flight.atRest, 60);
    expect(flight.wire.setpoints()).toHaveLength(setpoints);
    expectNoViolations(flight);
  });
});
