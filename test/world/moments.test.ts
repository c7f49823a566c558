/**
 * The last moment, and what must not happen after it: lost links, silent sources, a hanging event
 * loop, what is there already, limits that are never bent. Timelines on the running engine.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Flight } from './flight.js';
import { ARM, DOWN, FUEL, goTo, HOP, newHop, onTheWay, responseOf, sendHop, UP } from './hop.js';
import { expectNoViolations } from './invariants.js';
import { MESSAGE } from './wire.js';

const endOf = (flight: Flight, componentId: string) =>
  flight.ledger
    .of('lease-ended')
    .map((record) => record.body as { componentId: string; code: string; message: string })
    .findLast((body) => body.componentId === componentId);

/** The shipped catalog with another number at one place. */
function shipped(from: string, to: string): string {
  const text = readFileSync('catalog/multicopter.yaml', 'utf8');
  if (!text.includes(from)) throw new Error(`the catalog has no ${from}`);
  return text.replace(from, to);
}

const TAKEOFF = 22;

const vehicleMode = (flight: Flight): string => flight.vehicle.autopilot.status().mode;

describe('a link that is lost in a leg', () => {
  it('for 6 s ends the lease for good; PX4 comes home by itself, and obligations say what is left', () => {
    const flight = onTheWay(sendHop(newHop()), 'back');
    const { link } = flight.engine.state().vehicle.epochs;
    const atUs = flight.nowUs;
    flight.inject({ name: 'link-loss', seconds: 6 });
    flight.until('the loss', () => flight.engine.state().phase === 'waiting-vehicle', 4);
    expect(flight.engine.state().vehicle.epochs.link).toBe(link + 1);
    // Position is a second old long before the link counts as lost: the stream ends with it.
    expect(endOf(flight, 'back')).toMatchObject({ code: 'HALO-408' });
    const last = flight.wire.setpoints().at(-1)?.atUs ?? 0;
    expect(last - atUs).toBeLessThan(1_100_000);
    const frames = flight.wire.sent.length;
    flight.until('the vehicle', () => flight.engine.state().vehicle.connected, 5);
    expect(vehicleMode(flight)).toBe('AUTO.RTL');
    expect(flight.open?.scope.componentIds).toEqual(['back', 'down']);
    flight.until('landing by PX4', () => flight.atRest, 60);
    expect(flight.wire.sent).toHaveLength(frames);
    expect(['there', 'back', 'down'].map((id) => flight.obligation(id))).toEqual([
      'satisfied',
      'open',
      'open',
    ]);
    expectNoViolations(flight);
  });

  it('only towards the vehicle is noticed by what the vehicle does, and nothing is claimed', () => {
    const flight = onTheWay(sendHop(newHop()));
    flight.vehicle.link.toVehicle.cut(flight.nowUs + 4_000_000);
    flight.until('a denial', () => flight.open !== undefined, 4);
    expect(vehicleMode(flight)).toBe('AUTO.RTL');
    const frames = flight.wire.setpoints().length;
    flight.until('landing', () => flight.atRest, 60);
    expect(flight.wire.setpoints()).toHaveLength(frames);
    expect(flight.obligation('there')).toBe('open');
    expectNoViolations(flight);
  });
});

describe('evidence that falls silent in a leg', () => {
  it.each([
    ['position', MESSAGE.position, 1000, 'AUTO.LAND'],
    ['landed state', MESSAGE.landed, 2000, 'AUTO.LOITER'],
  ])('stops the stream once the %s is as old as its limit', (_name, id, limitMs, mode) => {
    const flight = onTheWay(
      sendHop(newHop(), [ARM, UP, goTo('there', [30, 0, 2], { requires: ['up'] })]),
    );
    flight.wire.deafTo.add(id);
    const atUs = flight.nowUs;
    flight.seconds(limitMs / 1000 + 0.5);
    const last = flight.wire.setpoints().at(-1);
    expect(last?.ageMs(id)).toBeLessThanOrEqual(limitMs);
    expect((last?.atUs ?? 0) - atUs).toBeGreaterThan((limitMs - 150) * 1000);
    expect(endOf(flight, 'there')).toMatchObject({ code: 'HALO-408' });
    expect(flight.wire.modes(atUs)).toEqual([mode]);
    expectNoViolations(flight);
  });

  it('waits up to two seconds for it at the start of a leg, and sends nothing meanwhile', () => {
    const [from, to] = ['in: [in_air], maxAgeMs: 2000', 'in: [in_air], maxAgeMs: 300'];
    const flight = sendHop(newHop({ catalog: shipped(from, to) }));
    flight.until('the climb', () => flight.mode === 'AUTO.TAKEOFF', 10);
    flight.until('the top', () => flight.mode === 'AUTO.LOITER', 10);
    flight.wire.deafTo.add(MESSAGE.landed);
    flight.until('waiting', () => flight.stateOf('there') === 'waiting-evidence', 6);
    const atUs = flight.nowUs;
    flight.seconds(1);
    expect(flight.wire.setpoints()).toEqual([]);
    flight.wire.deafTo.clear();
    flight.until('the leg', () => flight.stateOf('there') === 'active', 1);
    expect(flight.nowUs - atUs).toBeLessThan(2_000_000);
  });
});

describe('an event loop that hangs', () => {
  it('for 2 s sends nothing meanwhile; PX4’s failsafe has the vehicle then, and keeps it', () => {
    const flight = onTheWay(sendHop(newHop()));
    flight.ticking = false;
    const frames = flight.wire.sent.length;
    flight.seconds(2);
    expect(flight.wire.sent).toHaveLength(frames);
    expect(vehicleMode(flight)).toBe('AUTO.RTL');
    flight.ticking = true;
    flight.seconds(1);
    expect(vehicleMode(flight)).toBe('AUTO.RTL');
    expect(flight.wire.setpoints(flight.nowUs - 1_000_000)).toEqual([]);
    expect(flight.stateOf('there')).toBe('interrupted');
    expectNoViolations(flight);
  });

  it.each([
    ['that is told by an event', []],
    ['that nobody tells of', [MESSAGE.event]],
  ])('for a moment longer than PX4 waits leaves the vehicle in the failsafe %s', (_how, deafTo) => {
    const flight = onTheWay(sendHop(newHop()));
    for (const id of deafTo) flight.wire.deafTo.add(id);
    flight.ticking = false;
    const atUs = flight.nowUs;
    flight.until('the failsafe', () => flight.vehicle.autopilot.status().failsafe, 3);
    flight.seconds(0.04);
    flight.ticking = true;
    flight.seconds(1.5);
    expect(flight.wire.setpoints(atUs + 1)).toHaveLength(0);
    expect(flight.stateOf('there')).toBe('interrupted');
    expect(vehicleMode(flight)).toMatch(/^AUTO\.(RTL|LOITER)$/);
    expectNoViolations(flight);
  });

  it('for less than that goes on as if one tick had been late, without a leap', () => {
    const flight = onTheWay(sendHop(newHop()));
    flight.ticking = false;
    flight.seconds(0.6);
    flight.ticking = true;
    flight.until('landing', () => flight.stateOf('down') === 'done', 60);
    expect(flight.engine.state().components.map(({ state }) => state)).not.toContain('interrupted');
    expectNoViolations(flight);
  });
});

describe('an acknowledgement', () => {
  it('that never comes changes nothing: what counts is what the vehicle shows', () => {
    const flight = newHop();
    flight.wire.deafTo.add(MESSAGE.commandAck);
    sendHop(flight);
    flight.until('landing', () => flight.stateOf('down') === 'done', 60);
    expect(flight.engine.state().task.obligations.map((o) => o.state)).not.toContain('open');
    expectNoViolations(flight);
  });

  it('does not come for a command that nobody hears: three frames, each on fresh evidence', () => {
    const flight = newHop();
    flight.wire.loses = ({ command }) => command === TAKEOFF;
    sendHop(flight);
    flight.until('the end of trying', () => flight.stateOf('up') === 'unknown', 20);
    const sends = flight.wire.sent.filter(({ command }) => command === TAKEOFF);
    expect(sends).toHaveLength(3);
    // Unlike a stream: never again before evidence newer than the last send has said no.
    const gapsUs = sends.slice(1).map(({ atUs }, n) => atUs - (sends[n]?.atUs ?? 0));
    expect(Math.min(...gapsUs)).toBeGreaterThanOrEqual(1_000_000);
    expect(flight.obligation('airborne')).toBe('unknown');
    expect(flight.stateOf('there')).toBe('withheld');
    flight.seconds(3);
    expect(flight.wire.sent.filter(({ command }) => command === TAKEOFF)).toHaveLength(3);
    expectNoViolations(flight);
  });
});

describe('what is there already', () => {
  it('closes by evidence, with no frame sent and a receipt that says so', () => {
    const flight = newHop();
    sendHop(flight, [ARM, UP]);
    flight.until('the air', () => flight.stateOf('up') === 'done', 30);
    const frames = flight.wire.sent.length;
    const again = responseOf([ARM, UP, FUEL]);
    expect(flight.submit(again).verdict?.outcome).toBe('admitted');
    flight.until('both', () => flight.engine.state().phase === 'idle', 3);
    expect(flight.wire.sent).toHaveLength(frames);
    const ensured = flight.ledger
      .of('receipt')
      .map((record) => record.body as { componentId: string; ensured: boolean; generation: number })
      .filter(({ generation }) => generation === 2)
      .map(({ componentId, ensured: is }) => [componentId, is]);
    expect(ensured).toEqual([
      ['fuel', false],
      ['arm', true],
      ['up', true],
    ]);
    // On the ground again: a landing is there already too.
    flight.submit(responseOf([{ ...DOWN, requires: [] }]));
    flight.until('landing', () => flight.stateOf('down') === 'done', 30);
    const down = flight.wire.sent.length;
    flight.submit(responseOf([{ ...DOWN, requires: [] }]));
    flight.until('it', () => flight.stateOf('down') === 'done', 3);
    expect(flight.wire.sent).toHaveLength(down);
    expectNoViolations(flight);
  });
});

describe('a limit', () => {
  it('is not bent: what is beyond it at the start of the leg is refused, not shortened', () => {
    // Legs of at most 6 m, judged from where the vehicle really is when the leg begins.
    const catalog = shipped('legMaxM: 60', 'legMaxM: 6');
    const flight = sendHop(newHop({ catalog }));
    flight.until('the climb', () => flight.stateOf('up') === 'active', 10);
    // A gust carries it away from where the plan said that it would be.
    flight.inject({ name: 'wind-gust', windNedMS: { n: -14, e: -14, d: 0 }, seconds: 20 });
    flight.until(
      'the end of the leg',
      () => ['withheld', 'done'].includes(flight.stateOf('there')),
      30,
    );
    expect(flight.stateOf('there')).toBe('withheld');
    expect(flight.open?.findings.map(({ code }) => code)).toEqual(['HALO-215']);
    expect(flight.wire.setpoints()).toEqual([]);
    flight.until('landing', () => flight.atRest, 60);
    expectNoViolations(flight);
  });
});

describe('two flights of one seed', () => {
  it('are the same, frame by frame and record by record', () => {
    const run = (): Flight => {
      const flight = newHop({ seed: 11, trouble: { drop: 0.02, delayUs: [2_000, 9_000] } });
      flight.submit({ ...responseOf(HOP), id: 'r-same' });
      flight.until('landing', () => flight.atRest && flight.nowUs > 20_000_000, 90);
      return flight;
    };
    const [one, two] = [run(), run()];
    expect(two.wire.sent.map(({ bytes }) => bytes)).toEqual(
      one.wire.sent.map(({ bytes }) => bytes),
    );
    const told = (flight: Flight) => flight.ledger.records.map(({ kind, tUs }) => `${tUs} ${kind}`);
    expect(told(two)).toEqual(told(one));
  });
});
