/** Missions: stored aboard, read back, flown by the autopilot, ended by what happens on the way. */
import { describe, expect, it } from 'vitest';
import type { Component } from '../../src/contract/index.js';
import { ARM, newHop, responseOf, sendHop, UP } from './hop.js';
import { expectNoViolations } from './invariants.js';
import {
  at,
  DOWN,
  FENCED,
  findings,
  fly,
  flying,
  MESSAGE,
  observedOf,
  receiptsOf,
  sentOf,
  setModeByOther,
  SHIPPED,
  SQUARE,
  store,
  storeByOther,
  type Item,
} from './mission.js';

describe('a mission', () => {
  it('is stored, flown item by item, and ends in hold', () => {
    const flight = sendHop(newHop(), [ARM, UP, store(), fly(), DOWN]);
    flight.until('the stored mission', () => flight.stateOf('store') === 'done', 60);
    expect(observedOf(flight, 'store')).toMatchObject({ completed: true, missionItems: 4 });
    expect(observedOf(flight, 'store')['missionHash']).toMatch(/^[0-9a-f]{64}$/);
    flight.until('the end of the mission', () => flight.stateOf('fly') === 'done', 120);
    expect(flight.mode).toBe('AUTO.LOITER');
    expect(observedOf(flight, 'fly')).toMatchObject({
      completed: true,
      airborne: true,
      target: [0, 0, 3],
      itemsFlown: 4,
      mode: 'AUTO.LOITER',
      missionHash: observedOf(flight, 'store')['missionHash'],
    });
    flight.until('the landing', () => flight.stateOf('down') === 'done', 60);
    // The list went out once, and nothing but the wire's own two items for each of ours.
    expect(sentOf(flight, MESSAGE.count)).toHaveLength(1);
    expect(sentOf(flight, MESSAGE.item)).toHaveLength(8);
    expect(flight.wire.sent.some(({ command }) => command === 300)).toBe(false);
    expectNoViolations(flight);
  });
});

describe('a mission over a bad link', () => {
  it.each([11, 12, 13])('is stored and flown like any other (seed %i)', (seed) => {
    const flight = newHop({ seed, trouble: { drop: 0.1, duplicate: 0.05 } });
    sendHop(flight, [ARM, UP, store(), fly(), DOWN]);
    flight.until('the landing', () => flight.stateOf('down') === 'done', 240);
    expect(observedOf(flight, 'fly')).toMatchObject({ itemsFlown: 4, mode: 'AUTO.LOITER' });
    expectNoViolations(flight);
  });
});

describe('mission.upload', () => {
  it('refuses an item outside of fence, height, reach, leg, speed or hold, and names the place', () => {
    const where = 'store HALO-215 components[2].params.items';
    const refused = (items: readonly Item[], catalog = SHIPPED): readonly string[] => {
      const flight = newHop({ catalog });
      const text = JSON.stringify(responseOf([ARM, UP, store(items), fly()]));
      const found = findings(flight.check(text));
      expect(flight.wire.sent).toEqual([]);
      return found.filter((line) => line.startsWith('store'));
    };
    expect(refused(SQUARE, FENCED)).toEqual([]);
    expect(refused([at(0, 0), at(20, 0)], FENCED)).toEqual([where]);
    expect(refused([at(0, 0), at(0, 0, 31)])).toEqual([where]);
    expect(refused([at(0, 0, 1)])).toEqual([where]);
    expect(refused([at(101, 0)])).toEqual([where]);
    expect(refused([at(-40, 0), at(40, 0)])).toEqual([where]);
    const param = (name: string): string => `components[2].params.${name}`;
    expect(refused([at(0, 0, 3, { speedMS: 9 })])).toEqual([
      `store HALO-203 ${param('items[0].speedMS')}`,
    ]);
    expect(refused([at(0, 0), at(1, 0, 3, { holdS: 61 })])).toEqual([
      `store HALO-203 ${param('items[1].holdS')}`,
    ]);
    expect(refused([])).toEqual([`store HALO-202 ${param('items')}`]);
    expect(refused(Array.from({ length: 65 }, () => at(0, 0)))).toEqual([
      `store HALO-202 ${param('items')}`,
    ]);
    expect(refused([at(0, 0, 3, { altitudeM: 5 })])).toEqual([
      `store HALO-202 ${param('items[0].altitudeM')}`,
    ]);
  });

  it('closes by what is read back, with nothing written, when it is stored already', () => {
    const flight = sendHop(newHop(), [ARM, UP, store()]);
    flight.until('the stored mission', () => flight.stateOf('store') === 'done', 60);
    const written = sentOf(flight, MESSAGE.item).length + sentOf(flight, MESSAGE.count).length;
    sendHop(flight, [store(SQUARE, [])]);
    flight.until('the second', () => receiptsOf(flight, 'store').length === 2, 20);
    const [first, second] = receiptsOf(flight, 'store');
    expect([first?.ensured, second?.ensured]).toEqual([false, true]);
    expect(second?.observed).toEqual(first?.observed);
    expect(sentOf(flight, MESSAGE.item).length + sentOf(flight, MESSAGE.count).length).toBe(
      written,
    );
    // One number is another mission.
    sendHop(flight, [store([at(5, 0.1), ...SQUARE.slice(1)], [])]);
    flight.until('the third', () => receiptsOf(flight, 'store').length === 3, 20);
    expect(receiptsOf(flight, 'store')[2]?.ensured).toBe(false);
    expectNoViolations(flight);
  });

  it('is not done when the vehicle stores something else, though it acknowledges', () => {
    const flight = newHop();
    flight.vehicle.autopilot.storeMissionsWrongly();
    sendHop(flight, [ARM, UP, store(), fly()]);
    flight.until('its end', () => flight.stateOf('store') === 'interrupted', 60);
    expect(flight.open?.findings).toMatchObject([{ code: 'HALO-512' }]);
    expect(flight.stateOf('fly')).toBe('withheld');
    expect(receiptsOf(flight, 'store')).toEqual([]);
    expectNoViolations(flight);
  });

  it('comes through a link that loses a quarter both ways', () => {
    const flight = newHop({ seed: 7 });
    sendHop(flight, [ARM, UP]);
    flight.until('the climb', () => flight.stateOf('up') === 'done', 60);
    flight.vehicle.link.toVehicle.trouble = { drop: 0.25 };
    flight.vehicle.link.fromVehicle.trouble = { drop: 0.25 };
    sendHop(flight, [store(SQUARE, [])]);
    flight.until('the stored mission', () => flight.stateOf('store') === 'done', 90);
    expect(observedOf(flight, 'store')).toMatchObject({ completed: true });
    // Each of the eight was sent as often as it was asked for, and always the same.
    const items = sentOf(flight, MESSAGE.item);
    expect(items.length).toBeGreaterThan(8);
    expect(new Set(items.map(({ digest }) => digest)).size).toBe(8);
    expectNoViolations(flight);
  });

  it('is unknown when nothing can be read back', () => {
    const flight = sendHop(newHop(), [ARM, UP]);
    flight.until('the climb', () => flight.stateOf('up') === 'done', 60);
    sendHop(flight, [store(SQUARE, [])]);
    flight.until('the first item', () => sentOf(flight, MESSAGE.item).length > 0, 20);
    // MISSION_COUNT, MISSION_ITEM_INT, MISSION_ACK, MISSION_REQUEST_INT
    for (const id of [44, 73, 47, 51]) flight.wire.deafTo.add(id);
    flight.until('its end', () => flight.stateOf('store') === 'unknown', 60);
    expect(receiptsOf(flight, 'store')).toEqual([]);
    expectNoViolations(flight);
  });
});

describe('mission.start', () => {
  it('must require the upload that it names, and only items that are there', () => {
    const flight = newHop();
    const check = (...more: readonly Component[]): readonly string[] =>
      findings(flight.check(JSON.stringify(responseOf([ARM, UP, ...more]))));
    const place = 'components[3].params';
    expect(check(store(), { ...fly(), requires: ['up'] })).toContain(`fly HALO-204 ${place}.of`);
    expect(check(store(), fly({ of: 'up' }))).toContain(`fly HALO-204 ${place}.of`);
    const takes = { ...fly({ of: 'up' }), requires: ['up', 'store'] };
    expect(check(store(), takes)).toContain(`fly HALO-219 ${place}.of`);
    expect(check(store(), fly({ untilItem: 4 }))).toEqual([`fly HALO-203 ${place}.untilItem`]);
    expect(check(store(), fly({ fromItem: 2, untilItem: 1 }))).toEqual([
      `fly HALO-203 ${place}.fromItem`,
    ]);
    expect(check(store(), fly({ fromItem: 64 }))).toEqual([`fly HALO-202 ${place}.fromItem`]);
    // The way from where it is to the first item is a leg as well.
    const far = [at(59, 0), at(90, 0)];
    expect(check(store(far), fly({ fromItem: 1 }))).toEqual([`fly HALO-215 ${place}.of`]);
    expect(check(store(far), fly())).toEqual([]);
  });

  it('flies only the items that it names, and holds after the last of them', () => {
    const flight = sendHop(newHop(), [ARM, UP, store(), fly({ fromItem: 1, untilItem: 1 }), DOWN]);
    let east = 0;
    flight.until(
      'its end',
      () => {
        east = Math.max(east, flight.engine.state().vehicle.positionEnuM[0]);
        return flight.stateOf('fly') === 'done';
      },
      120,
    );
    expect(observedOf(flight, 'fly')).toMatchObject({ target: [5, 5, 3], itemsFlown: 1 });
    expect(flight.mode).toBe('AUTO.LOITER');
    const [x, y] = flight.engine.state().vehicle.positionEnuM;
    expect(Math.hypot(x - 5, y - 5)).toBeLessThan(3);
    expectNoViolations(flight);
  });

  it('is refused when somebody has stored another mission since', () => {
    const flight = sendHop(newHop(), [ARM, UP, store(), fly()]);
    flight.until('the stored mission', () => flight.stateOf('store') === 'done', 60);
    storeByOther(flight);
    flight.until('its end', () => flight.stateOf('fly') === 'interrupted', 20);
    expect(flight.open?.findings).toMatchObject([{ code: 'HALO-512' }]);
    expect(flight.wire.modes()).not.toContain('AUTO.MISSION');
  });

  it('ends in hold when somebody stores another mission on the way', () => {
    const flight = flying();
    flight.seconds(2);
    storeByOther(flight);
    flight.until('its end', () => flight.stateOf('fly') === 'unknown', 10);
    expect(flight.open?.findings).toMatchObject([{ code: 'HALO-512' }]);
    flight.until('hold', () => flight.mode === 'AUTO.LOITER', 5);
    expect(flight.guardian[0]).toBe('hold');
    expectNoViolations(flight);
  });

  it('ends with the pilot who takes over, and nothing is sent against him', () => {
    const flight = flying();
    flight.seconds(3);
    flight.inject({ name: 'pilot-takeover' });
    flight.until('the takeover', () => flight.stateOf('fly') === 'interrupted', 5);
    const before = flight.wire.sent.length;
    flight.seconds(15);
    expect(flight.wire.sent.length).toBe(before);
    expect(flight.mode).toBe('POSCTL');
    expect(flight.stateOf('down')).toBe('withheld');
    expectNoViolations(flight);
  });

  it('is brought down by the guardian when the battery falls below its floor on the way', () => {
    const flight = flying({ parameters: { COM_LOW_BAT_ACT: 0 } });
    flight.seconds(3);
    flight.inject({ name: 'battery-drop', fraction: 0.14 });
    flight.until('its end', () => flight.stateOf('fly') === 'interrupted', 5);
    expect(flight.open?.findings).toMatchObject([{ code: 'HALO-211', field: 'vehicle.battery' }]);
    expect(flight.guardian[0]).toBe('land');
    flight.until('the ground', () => flight.atRest, 60);
    expectNoViolations(flight);
  });

  it('ends in hold when wind carries the vehicle out of the fence on the way', () => {
    const flight = flying({ catalog: FENCED });
    flight.seconds(2);
    flight.inject({ name: 'wind-gust', windNedMS: { n: 0, e: 30, d: 0 }, seconds: 20 });
    flight.until('its end', () => flight.stateOf('fly') === 'interrupted', 15);
    expect(flight.open?.findings).toMatchObject([
      { code: 'HALO-215', limit: 'inside geofenceEnuM' },
    ]);
    flight.until('hold', () => flight.mode === 'AUTO.LOITER', 5);
    expectNoViolations(flight);
  });

  it('flies on while the link is lost, and is brought down when nobody has a plan after it', () => {
    const flight = flying({}, []);
    flight.inject({ name: 'link-loss', seconds: 5 });
    flight.until('the loss', () => flight.stateOf('fly') === 'interrupted', 6);
    flight.until('the landing', () => flight.mode === 'AUTO.LAND', 30);
    flight.until('the ground', () => flight.atRest, 60);
    expectNoViolations(flight);
  });

  it('is brought down by the next life of the bridge when its process dies on the way', () => {
    const flight = flying();
    flight.seconds(2);
    flight.restart();
    flight.until('the landing', () => flight.mode === 'AUTO.LAND', 30);
    expect(flight.guardian.at(-1)).toMatch(/^land/);
    expectNoViolations(flight);
  });

  it('leaves a mission alone that somebody else has started', () => {
    const flight = sendHop(newHop(), [ARM, UP, store()]);
    flight.until('the stored mission', () => flight.stateOf('store') === 'done', 60);
    // It begins while no life of the bridge listens: only the ledger can tell whose it is.
    flight.ticking = false;
    setModeByOther(flight);
    flight.seconds(1);
    const before = flight.wire.sent.length;
    flight.restart();
    flight.ticking = true;
    flight.seconds(15);
    expect(flight.wire.sent.length).toBe(before);
    expect(flight.mode).toBe('AUTO.MISSION');
  });
});
