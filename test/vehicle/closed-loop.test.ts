import { describe, expect, it } from 'vitest';
import type { KindEntry, Typed } from '../../src/contract/index.js';
import { createGuardian, createHandover, legOf } from '../../src/vehicle/index.js';
import { Flight } from './flight.js';
import { entryOf } from './hand.js';

const goto = (e: number, n: number, u: number, speedMS = 2, yawDeg?: number) => ({
  does: 'goto' as const,
  params: {
    frame: 'local_enu' as const,
    positionM: [e, n, u] as [number, number, number],
    speedMS,
    ...(yawDeg === undefined ? {} : { yawDeg }),
  },
});
const GOTO = entryOf('goto', { completion: { horizontalM: 0.6, verticalM: 0.5, dwellS: 1 } });

/** Booted, armed and 6 m up, by the effects themselves. */
function airborne(seed = 1): Flight {
  const flight = new Flight(seed);
  flight.wait(8);
  const armed = flight.drive(flight.create({ does: 'arm', params: {} }, entryOf('arm')));
  expect(armed).toMatchObject({ status: 'done', observed: { armed: true } });
  const up = flight.create({ does: 'takeoff', params: { altitudeM: 6 } }, entryOf('takeoff'));
  expect(flight.drive(up)).toMatchObject({ status: 'done', observed: { airborne: true } });
  return flight;
}

describe('effects against the embedded autopilot', () => {
  it('arms, takes off, flies 10 m at the admitted speed, holds, lands, and no epoch moves', () => {
    const flight = airborne();
    expect(flight.autopilot.truth().positionNedM.d).toBeLessThan(-5);
    flight.topSpeedMS = 0;

    const leg = flight.create(goto(10, 0, 6, 2, 0), GOTO);
    const began = flight.nowUs;
    const there = flight.drive(leg);
    const tookS = (flight.nowUs - began) / 1e6;
    expect(there).toMatchObject({ status: 'done', observed: { airborne: true } });
    const truth = flight.autopilot.truth();
    expect(Math.hypot(truth.positionNedM.e - 10, truth.positionNedM.n)).toBeLessThan(1.5);
    expect(Math.abs(truth.yawRad)).toBeLessThan(0.1);
    expect(flight.topSpeedMS).toBeLessThanOrEqual(2.3);
    expect(tookS).toBeGreaterThan(5);
    expect(tookS).toBeLessThan(13);

    const handover = createHandover(legOf(leg)!, { ...flight, targetSystem: 1 });
    expect(flight.drive(handover).status).toBe('done');
    expect(flight.value('vehicle.mode')).toBe('AUTO.LOITER');

    const hold = flight.create({ does: 'hold', params: { durationS: 5 } }, entryOf('hold'));
    expect(flight.drive(hold)).toMatchObject({ status: 'done', observed: { airborne: true } });

    const down = flight.drive(flight.create({ does: 'land', params: {} }, entryOf('land')));
    expect(down).toMatchObject({ status: 'done', observed: { landed: true, disarmed: true } });
    expect(flight.moves).toEqual([]);
  });

  it('flies legs one after the other in one stream, without leaving OFFBOARD between them', () => {
    const flight = airborne(2);
    expect(flight.drive(flight.create(goto(4, 0, 6), GOTO)).status).toBe('done');
    const next = flight.create(goto(4, 4, 7), GOTO, { streaming: true });
    const before = flight.sent.length;
    expect(flight.drive(next).status).toBe('done');
    const commands = flight.sent.slice(before).filter((m) => m.name === 'COMMAND_LONG');
    expect(commands).toEqual([]);
    expect(flight.moves).toEqual([]);
  });

  it('lands out of OFFBOARD into a mode that no stream can take off from', () => {
    const flight = airborne(3);
    flight.drive(flight.create(goto(3, 3, 6), GOTO));
    const down = flight.drive(flight.create({ does: 'land', params: {} }, entryOf('land')));
    expect(down.status).toBe('done');
    flight.wait(2);
    expect(flight.value('vehicle.mode')).toBe('AUTO.LOITER');
    expect(flight.value('vehicle.prearm_ok')).toBe(true);
    expect(flight.moves).toEqual([]);
    const again = flight.drive(flight.create({ does: 'arm', params: {} }, entryOf('arm')));
    expect(again.status).toBe('done');
  });

  it.each([31, 32, 33, 34])(
    'with a fifth of all messages lost either way still arms, flies and lands (seed %i)',
    (seed) => {
      const flight = new Flight(seed);
      flight.loss = 0.2;
      flight.wait(8);
      const plan: readonly (readonly [Typed, KindEntry])[] = [
        [{ does: 'arm', params: {} }, entryOf('arm')],
        [{ does: 'takeoff', params: { altitudeM: 4 } }, entryOf('takeoff')],
        [goto(5, 5, 5), GOTO],
        [{ does: 'land', params: {} }, entryOf('land')],
      ];
      for (const [typed, kind] of plan) {
        expect(flight.drive(flight.create(typed, kind))).toMatchObject({ status: 'done' });
      }
      expect(flight.moves.filter((m) => m.kind !== 'link')).toEqual([]);
      const arms = flight.sent.filter((m) => m.fields['command'] === 400);
      expect(arms.length).toBeLessThanOrEqual(3);
    },
  );

  it('returns home', () => {
    const flight = airborne(4);
    flight.drive(flight.create(goto(8, 0, 6), GOTO));
    const home = flight.create(
      { does: 'return', params: {} },
      entryOf('return', { deadlineS: 180 }),
    );
    const back = flight.drive(home, 180);
    expect(back.status).toBe('done');
    const { n, e } = flight.autopilot.truth().positionNedM;
    expect(Math.hypot(n, e)).toBeLessThan(2);
    expect(flight.moves).toEqual([]);
  });

  it('reports the pilot and not itself when the pilot takes over on the way', () => {
    const flight = airborne(5);
    const leg = flight.create(goto(20, 0, 6), GOTO);
    for (let i = 0; i < 150; i += 1) flight.tick(leg);
    flight.inject({ name: 'pilot-takeover' });
    const end = flight.drive(leg);
    expect(end).toMatchObject({ status: 'unknown', error: { code: 'HALO-510' } });
    expect(flight.epochs.lastModeChange).toMatchObject({ by: 'foreign', to: 'POSCTL' });
    expect(flight.moves.map((m) => m.reason)).toContain(
      'pilot or ground station took over: POSCTL',
    );
  });

  it('calls a lost stream a failsafe, not a pilot', () => {
    const flight = airborne(6);
    const leg = flight.create(goto(20, 0, 6), GOTO);
    for (let i = 0; i < 150; i += 1) flight.tick(leg);
    flight.wait(4);
    expect(flight.epochs.lastModeChange).toMatchObject({ by: 'failsafe' });
    expect(flight.moves.map((m) => m.kind)).toContain('mode');
    expect(flight.value('vehicle.failsafe')).toBe(true);
  });

  it('arms again after a failsafe has landed it out of OFFBOARD, in a mode that can be armed', () => {
    const flight = airborne(10);
    const leg = flight.create(goto(4, 0, 6), GOTO);
    for (let i = 0; i < 150; i += 1) flight.tick(leg);
    for (let s = 0; s < 90 && flight.value('vehicle.armed') === true; s += 1) flight.wait(1);
    flight.wait(4);
    expect(flight.value('vehicle.mode')).toBe('OFFBOARD');
    expect(flight.value('vehicle.prearm_ok')).toBe(true);
    const again = flight.drive(flight.create({ does: 'arm', params: {} }, entryOf('arm')));
    expect(again).toMatchObject({ status: 'done', observed: { armed: true } });
    expect(flight.value('vehicle.mode')).toBe('AUTO.LOITER');
  });

  it('tells why arming was refused', () => {
    const flight = new Flight(7);
    flight.wait(8);
    flight.inject({ name: 'arming-refused', seconds: 30 });
    flight.wait(1);
    const end = flight.drive(flight.create({ does: 'arm', params: {} }, entryOf('arm')));
    expect(end).toMatchObject({ status: 'refused', error: { code: 'HALO-509' } });
    expect(end.error?.message).toContain('heading estimate is not stable');
    expect(flight.value('vehicle.armed')).toBe(false);
  });

  it('the guardian holds a vehicle in mid-leg, and lands it', () => {
    const flight = airborne(8);
    const leg = flight.create(goto(20, 0, 6, 4), GOTO);
    for (let i = 0; i < 200; i += 1) flight.tick(leg);
    const began = flight.nowUs;
    const hold = flight.drive(createGuardian('hold', { ...flight, targetSystem: 1 }));
    expect(hold).toMatchObject({ status: 'done', observed: { mode: 'AUTO.LOITER' } });
    expect(flight.nowUs - began).toBeLessThan(1_500_000);
    flight.wait(3);
    const { n, e } = flight.autopilot.truth().velocityNedMS;
    expect(Math.hypot(n, e)).toBeLessThan(0.5);
    const land = flight.drive(createGuardian('land', { ...flight, targetSystem: 1 }));
    expect(land.status).toBe('done');
    flight.wait(15);
    expect(flight.value('vehicle.armed')).toBe(false);
    expect(flight.moves).toEqual([]);
  });

  it('raises vehicle and estimator for a reboot, and estimator for a jump', () => {
    const flight = airborne(9);
    flight.inject({ name: 'estimator-reset', jumpNedM: { n: 5, e: 0, d: 0 } });
    flight.wait(1);
    expect(flight.moves.map((m) => m.kind)).toContain('estimator');
    flight.moves.length = 0;
    flight.inject({ name: 'vehicle-reboot' });
    flight.wait(4);
    expect(flight.moves.map((m) => m.kind)).toEqual(
      expect.arrayContaining(['vehicle', 'estimator', 'arming', 'home']),
    );
    expect(flight.moves.map((m) => m.kind)).not.toContain('mode');
  });

  it('raises link when nothing is heard for 3 s, until the next heartbeat', () => {
    const flight = airborne(10);
    flight.inject({ name: 'link-loss', seconds: 5 });
    flight.wait(4.5);
    expect(flight.moves.map((m) => m.kind)).toEqual(['link']);
    expect(flight.epochs.connected).toBe(false);
    flight.wait(2);
    expect(flight.epochs.connected).toBe(true);
  });

  it('stamps evidence on our clock once the vehicle has answered three times', () => {
    const flight = new Flight(11);
    flight.wait(2);
    expect(flight.snapshot.values.get('vehicle.position')?.stampUs).toBeUndefined();
    flight.wait(6);
    const position = flight.snapshot.values.get('vehicle.position');
    const lagUs = (position?.receivedUs ?? 0) - (position?.stampUs ?? 0);
    expect(lagUs).toBeGreaterThanOrEqual(0);
    expect(lagUs).toBeLessThan(40_000);
  });
});
