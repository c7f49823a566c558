/**
 * Rollback in flight: the checkpoints that a flight leaves, the decision after a failure, and what
 * the agent is told. Timelines on the running engine.
 */
import { describe, expect, it } from 'vitest';
import type { Component } from '../../src/contract/index.js';
import { TraceFold } from '../../src/recovery/dart/index.js';
import type { Flight, FlightOptions } from '../world/flight.js';
import { ARM, DOWN, goTo, newHop, onTheWay, responseOf, sendHop, THERE, UP } from '../world/hop.js';

const picture = (id: string, requires: string[]): Component => ({
  id,
  kind: 'camera.capture',
  requires,
});
const told = (of: string): Component => ({
  id: `tell-${of}`,
  kind: 'report.image',
  params: { of },
  requires: [of],
});
const SURVEY = [ARM, UP, THERE, picture('a', ['there']), told('a'), picture('b', ['tell-a'])];

/** CAMERA_IMAGE_CAPTURED */
const IMAGE = 263;

const equipped = (options: FlightOptions = {}): Flight => {
  const flight = newHop({ devices: true, ...options });
  flight.seconds(1);
  return flight;
};

const checkpointsOf = (flight: Flight) =>
  flight.ledger
    .of('checkpoint')
    .map(({ body }) => body as { kind: string; componentId: string; place?: unknown })
    .map(({ kind, componentId, place }) => `${componentId} ${kind}${place ? ' there' : ''}`);

const decisions = (flight: Flight) =>
  flight.ledger.of('rollback-decision').map(({ body }) => body as Record<string, unknown>);

/** The second picture is taken or not: the bridge does not get to hear of it. */
function deafAtB(): Flight {
  const flight = sendHop(equipped(), SURVEY);
  flight.until('the second picture', () => flight.stateOf('b') === 'active', 90);
  flight.wire.deafTo.add(IMAGE);
  flight.until('its end', () => flight.stateOf('b') === 'unknown', 12);
  flight.wire.deafTo.clear();
  return flight;
}

describe('checkpoints', () => {
  it('are written as a flight goes on, with the place where the vehicle stood in the air', () => {
    expect(checkpointsOf(deafAtB())).toEqual([
      'arm entry',
      'arm exit',
      'up entry',
      'up exit there',
      'there entry there',
      'there commit there',
      'a commit there',
      'tell-a exit',
    ]);
  });

  it('are read back from the ledger into the same trace, and from a snapshot of it', () => {
    const flight = deafAtB();
    const live = JSON.stringify(flight.replayed().trace.trace);
    const fold = new TraceFold();
    fold.restore(JSON.parse(JSON.stringify(flight.replayed().trace.exported())) as never);
    expect(JSON.stringify(fold.trace)).toBe(live);
    const there = fold.trace.instances.find(({ component }) => component === 'goto');
    expect(there).toMatchObject({ entity: '[5, 0, 2]', occurrence: 1, state: 'failed' });
    expect(there?.steps.map(({ id, state }) => `${id} ${state}`)).toEqual([
      '1/there committed',
      '1/a committed',
      '1/b unknown',
    ]);
    expect(
      fold.trace.consumptions.map(({ consumer, producer }) => `${consumer} ${producer}`),
    ).toEqual(['1/a 1/there', '1/tell-a 1/a', '1/b 1/there']);
  });
});

describe('after a failure', () => {
  it('the agent is told to fly back to the last committed place and to do one step again', () => {
    const flight = deafAtB();
    expect(decisions(flight)).toMatchObject([
      { kind: 'rollback', componentId: 'b', instance: 'goto [5, 0, 2]', reexecute: ['b'] },
    ]);
    const { rollback, text } = flight.context();
    expect(rollback).toMatchObject({ kind: 'rollback', reexecute: ['b'], kept: [] });
    const [east = NaN, north = NaN, up = NaN] = rollback?.positionEnuM ?? [];
    expect(Math.hypot(east - 5, north, up - 2)).toBeLessThan(1);
    expect(text).toContain('After b failed: fly back to the last committed place, [');
    expect(text).toContain('m ENU, by a fresh flight.goto');
    expect(text).toContain('then do again: b.');
  });

  it('the advice authorizes nothing, and is gone when a fresh response is taken up', () => {
    const flight = deafAtB();
    const sent = flight.wire.sent.length;
    flight.seconds(3);
    expect(flight.wire.setpoints().length).toBe(
      flight.wire.sent.slice(0, sent).filter(({ id }) => id === 84).length,
    );
    flight.submit(responseOf([picture('b', [])], { discharges: flight.open?.id ?? '' }));
    flight.until('the picture', () => flight.stateOf('b') === 'done', 5);
    expect(flight.context().rollback).toBeUndefined();
  });

  it('a leg that is cut short goes back to where it began', () => {
    const flight = onTheWay(sendHop(equipped(), [ARM, UP, THERE, DOWN_AFTER]));
    flight.inject({ name: 'gps-loss', seconds: 4 });
    flight.until('the end of the leg', () => flight.stateOf('there') === 'interrupted', 10);
    const { rollback } = flight.context();
    expect(rollback).toMatchObject({ kind: 'rollback', reexecute: ['there'] });
    const [east = NaN, north = NaN] = rollback?.positionEnuM ?? [];
    expect(Math.hypot(east, north)).toBeLessThan(1.2);
  });

  it('there is no way back to a place whose frame of reference has moved', () => {
    const flight = onTheWay(sendHop(equipped(), [ARM, UP, THERE, DOWN_AFTER]));
    flight.inject({ name: 'estimator-reset', jumpNedM: { n: 3, e: 0, d: 0 } });
    flight.until('the end of the leg', () => flight.stateOf('there') === 'interrupted', 10);
    expect(decisions(flight).at(-1)).toMatchObject({
      kind: 'whole-task',
      refused: [{ kind: 'entry', reasons: ['the frame of reference has moved since'] }],
      reexecute: ['arm', 'up', 'there'],
    });
    expect(flight.context().text).toContain('After there failed: the whole task again');
  });

  it('nothing is decided of what never began', () => {
    const flight = equipped();
    flight.rangeM = undefined;
    const blind = {
      id: 'blind',
      kind: 'report.range',
      params: { sensor: 'front' },
      requires: ['up'],
    };
    flight.submit(responseOf([ARM, UP, blind]));
    flight.until('the hover', () => flight.stateOf('up') === 'done', 40);
    flight.seconds(1);
    expect(decisions(flight)).toEqual([]);
  });
});

const DOWN_AFTER: Component = { ...DOWN, requires: ['there'] };

describe('what is irreversible', () => {
  it('is never repeated when nobody knows whether it happened: look first', () => {
    const flight = equipped();
    const drop: Component = { id: 'drop', kind: 'payload.release', requires: ['there'] };
    flight.vehicle.autopilot.jamGripper();
    sendHop(flight, [ARM, UP, goTo('there', [5, 0, 2], { requires: ['up'] }), drop]);
    flight.until('the question', () => flight.stateOf('drop') === 'awaiting-approval', 60);
    const shown = flight.engine.state().components.find(({ id }) => id === 'drop')?.reason ?? '';
    flight.approve(/[0-9a-f]{64}/.exec(shown)?.[0] ?? '');
    flight.until('its end', () => flight.stateOf('drop') === 'unknown', 15);
    expect(decisions(flight).at(-1)).toMatchObject({
      kind: 'residual',
      unresolved: ['drop'],
      reexecute: [],
    });
    expect(flight.context().text).toContain(
      'look whether drop happened; nothing that is done again',
    );
  });
});
