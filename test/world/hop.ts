/** A short errand for timelines: up, five metres away, back, down; half a minute of flight. */
import type { Component, Response } from '../../src/contract/index.js';
import { Flight, type FlightOptions } from './flight.js';

export const HOP_CONTRACT = `
task: hop-1
obligations:
  - id: airborne
    target: { kind: flight.takeoff }
    evidence: { airborne: true }
  - id: there
    after: [airborne]
    target: { kind: flight.goto, frame: local_enu, positionM: [5, 0, 2] }
    evidence: { within: { of: target, horizontalM: 0.8, verticalM: 0.6, dwellS: 1.0 } }
  - id: back
    after: [there]
    target: { kind: flight.goto, frame: local_enu, positionM: [0, 0, 2] }
    evidence: { within: { of: target, horizontalM: 0.8, verticalM: 0.6, dwellS: 1.0 } }
  - id: fuel-told
    target: { kind: report.battery }
    evidence: { delivered: true }
  - id: down
    after: [airborne]
    target: { kind: flight.land }
    evidence: { landed: true, disarmed: true }
contingency: land
contingencyAfterS: 8
budget: { attempts: 4, timeS: 300 }
`;

/** With other numbers or words at one place each. */
export const hopContract = (...changes: readonly (readonly [string, string])[]): string =>
  changes.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new Error(`the contract has no ${from}`);
    return text.replace(from, to);
  }, HOP_CONTRACT);

export const ARM: Component = { id: 'arm', kind: 'flight.arm' };
export const UP: Component = {
  id: 'up',
  kind: 'flight.takeoff',
  params: { altitudeM: 2 },
  requires: ['arm'],
  fulfils: 'airborne',
};
export const goTo = (
  id: string,
  positionM: readonly [number, number, number],
  more: Partial<Component> = {},
): Component => ({
  id,
  kind: 'flight.goto',
  params: { frame: 'local_enu', positionM, yawDeg: 0, speedMS: 2.5 },
  ...more,
});
export const THERE = goTo('there', [5, 0, 2], { requires: ['up'], fulfils: 'there' });
export const BACK = goTo('back', [0, 0, 2], { requires: ['there'], fulfils: 'back' });
export const DOWN: Component = {
  id: 'down',
  kind: 'flight.land',
  requires: ['back'],
  fulfils: 'down',
};
export const FUEL: Component = { id: 'fuel', kind: 'report.battery', fulfils: 'fuel-told' };
export const TELL: Component = {
  id: 'tell',
  kind: 'operator.message',
  params: { text: 'Turned around.' },
  requires: ['there'],
};
export const HOP = [ARM, UP, THERE, TELL, BACK, DOWN, FUEL];

let responses = 0;

/** A fresh id each time, as an agent owes. */
export function responseOf(components: readonly Component[], more: Partial<Response> = {}) {
  responses += 1;
  return { protocol: 'halo/1', id: `r-${responses}`, task: 'hop-1', components, ...more };
}

export const newHop = (options: FlightOptions = {}): Flight =>
  new Flight({ contract: HOP_CONTRACT, ...options }).ready();

/** Submits the whole errand; fails when any of it is withheld. */
export function sendHop(flight: Flight, components: readonly Component[] = HOP): Flight {
  const reply = flight.submit(responseOf(components));
  if (reply.verdict?.outcome !== 'admitted') throw new Error(JSON.stringify(reply));
  return flight;
}

/** On the first leg, in OFFBOARD, since a moment. */
export function onTheWay(flight: Flight, id = 'there'): Flight {
  flight.until(`the leg ${id}`, () => flight.stateOf(id) === 'active', 60);
  flight.until('OFFBOARD', () => flight.mode === 'OFFBOARD', 5);
  flight.seconds(0.5);
  return flight;
}

/** Comes home when it is withheld underway. */
export const homeAndDown = (flight: Flight, more: Partial<Response> = {}) =>
  responseOf([{ id: 'down', kind: 'flight.land', fulfils: 'down' }], {
    ...(flight.open ? { discharges: flight.open.id } : {}),
    ...more,
  });
