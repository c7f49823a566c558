/** The kinds that move the vehicle beside goto: flown by the running engine in virtual time. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Component, Observed } from '../../src/contract/index.js';
import type { Flight } from './flight.js';
import { ARM, newHop, responseOf, UP } from './hop.js';
import { expectNoViolations } from './invariants.js';

const SHIPPED = readFileSync('catalog/multicopter.yaml', 'utf8');

/** The shipped catalog with a square fence of 12 m around home on paths and velocities. */
const FENCED = SHIPPED.replaceAll(
  /^ {6}legMaxM: (\d+)$/gm,
  '      legMaxM: $1\n      geofenceEnuM: [[-12, -12], [12, -12], [12, 12], [-12, 12]]',
);

const component = (kind: string, params: object, more: Partial<Component> = {}): Component => ({
  id: 'it',
  kind,
  params: { ...params },
  requires: ['up'],
  ...more,
});

const observedOf = (flight: Flight, id: string): Observed => {
  const found = flight.events.findLast((e) => e.type === 'receipt' && e.receipt.componentId === id);
  if (found?.type !== 'receipt') throw new Error(`no receipt of ${id}`);
  return found.receipt.observed;
};

/** Up, the component, down; the component's receipt. */
function fly(one: Component, catalog = SHIPPED): { flight: Flight; observed: Observed } {
  const flight = newHop({ catalog });
  const down: Component = { id: 'down', kind: 'flight.land', requires: [one.id] };
  const reply = flight.submit(responseOf([ARM, UP, one, down]));
  expect(reply.verdict?.components.flatMap((c) => c.findings)).toEqual([]);
  flight.until(`the end of ${one.kind}`, () => flight.stateOf(one.id) === 'done', 180);
  const observed = observedOf(flight, one.id);
  flight.until('the landing', () => flight.stateOf('down') === 'done', 60);
  expectNoViolations(flight);
  return { flight, observed };
}

/** Codes of the findings against the component, on the ground, before anything flies. */
function refusal(one: Component, catalog = SHIPPED): readonly string[] {
  const flight = newHop({ catalog });
  const reply = flight.submit(responseOf([ARM, UP, one]));
  expect(flight.wire.sent).toEqual([]);
  const own = reply.verdict?.components.find(({ id }) => id === one.id)?.findings ?? [];
  return [...reply.findings, ...own].map(({ code, path }) => `${code} ${path ?? ''}`.trim());
}

const path = (positionsM: readonly (readonly number[])[], speedMS = 2): Component =>
  component('flight.follow_path', { frame: 'local_enu', positionsM, speedMS });

describe('flight.follow_path', () => {
  it('flies every corner and says how far from the path it was', () => {
    const corners = [
      [6, 0, 2],
      [6, 6, 3],
      [0, 0, 2],
    ];
    const { flight, observed } = fly(path(corners));
    expect(observed).toMatchObject({ completed: true, airborne: true, target: [0, 0, 2] });
    expect(Number(observed['offRouteM'])).toBeLessThan(1);
    expect(Number(observed['lengthM'])).toBeGreaterThan(20);
    // 20.6 m at 2 m/s and three corners: the setpoints took that long, not less.
    const sent = flight.wire.setpoints();
    expect((sent.at(-1)!.atUs - sent[0]!.atUs) / 1e6).toBeGreaterThan(10.3);
  });

  it('is refused where a leg leaves the fence, though both of its ends are inside', () => {
    // Home's own corner is cut out of the square: an L.
    const ell = SHIPPED.replaceAll(
      /^ {6}legMaxM: (\d+)$/gm,
      '      legMaxM: $1\n      geofenceEnuM: [[-2, -2], [20, -2], [20, 20], [15, 20], [15, 3], [-2, 3]]',
    );
    expect(
      refusal(
        path([
          [17, 0, 2],
          [17, 15, 2],
        ]),
        ell,
      ),
    ).toEqual([]);
    expect(refusal(path([[17, 15, 2]]), ell)).toEqual(['HALO-215 components[2].params.positionsM']);
    expect(refusal(path([[0, 30, 2]]), ell)).toEqual(['HALO-215 components[2].params.positionsM']);
  });

  it('is refused for an empty path, a corner too high, a speed too fast, a number that is none', () => {
    expect(refusal(path([]))).toEqual(['HALO-202 components[2].params.positionsM']);
    expect(refusal(path([[1, 1, 31]]))).toEqual(['HALO-215 components[2].params.positionsM']);
    expect(refusal(path([[1, 1, 2]], 50))).toEqual(['HALO-203 components[2].params.speedMS']);
    const flight = newHop();
    const text = JSON.stringify(responseOf([ARM, UP, path([[1, 1, 2]])]));
    const nan = flight.submitText(text.replace('[1,1,2]', '[1,NaN,2]'));
    expect(nan.findings.map(({ code }) => code)).toEqual(['HALO-106']);
    const wide = flight.submitText(text.replace('[1,1,2]', '[1,1e999,2]'));
    expect(wide.findings.map(({ code }) => code)).toEqual(['HALO-106']);
  });
});

const orbit = (more: object = {}): Component =>
  component('flight.orbit', {
    frame: 'local_enu',
    centerM: [0, 8, 3],
    radiusM: 4,
    startDeg: 180,
    turns: 1,
    direction: 'clockwise',
    speedMS: 1.5,
    ...more,
  });

describe('flight.orbit', () => {
  it('flies round the centre at its radius, facing it', () => {
    const one = orbit();
    const flight = newHop();
    flight.submit(responseOf([ARM, UP, one]));
    flight.until('the orbit', () => flight.stateOf('it') === 'active', 60);
    const radii: number[] = [];
    const facing: number[] = [];
    flight.until(
      'its end',
      () => {
        const { vehicle, components } = flight.engine.state();
        const [east, north] = vehicle.positionEnuM;
        const detail = components.find(({ id }) => id === 'it')?.detail ?? '';
        const round = detail.startsWith('moving') && Number(/[\d.]+/.exec(detail)?.[0]) < 20;
        if (round) {
          radii.push(Math.hypot(east, north - 8));
          const bearing = Math.atan2(8 - north, -east);
          facing.push(
            Math.abs(
              Math.atan2(
                Math.sin(bearing - vehicle.yawEnuRad),
                Math.cos(bearing - vehicle.yawEnuRad),
              ),
            ),
          );
        }
        return flight.stateOf('it') === 'done';
      },
      120,
    );
    expect(Math.min(...radii)).toBeGreaterThan(2.8);
    expect(Math.max(...radii)).toBeLessThan(5);
    expect(Math.max(...facing)).toBeLessThan(0.6);
    expect(radii.length).toBeGreaterThan(300);
    expect(observedOf(flight, 'it')).toMatchObject({ completed: true, turns: 1 });
    expectNoViolations(flight);
  });

  it('is refused when its far side is outside of fence or reach, however near its centre is', () => {
    const where = 'HALO-215 components[2].params.centerM';
    expect(refusal(orbit({ radiusM: 5 }), FENCED)).toEqual([where]);
    expect(refusal(orbit({ radiusM: 4 }), FENCED)).toEqual([]);
    expect(refusal(orbit({ centerM: [0, 50, 3], radiusM: 60, startDeg: 180 }))).toEqual([where]);
    expect(refusal(orbit({ speedMS: 4 }))).toEqual(['HALO-203 components[2].params.speedMS']);
    expect(refusal(orbit({ direction: 'left' }))).toEqual([
      'HALO-202 components[2].params.direction',
    ]);
  });
});

describe('flight.yaw', () => {
  it('turns on the spot and is done when the heading has been held', () => {
    const { observed } = fly(component('flight.yaw', { yawDeg: 135 }));
    expect(Math.abs(Number(observed['yawDeg']) - 135)).toBeLessThan(5);
    expect(observed).toMatchObject({ completed: true, airborne: true });
    expect(Number(observed['dwellS'])).toBeGreaterThanOrEqual(1);
  });

  it('is refused beyond a turn, and without a unit', () => {
    expect(refusal(component('flight.yaw', { yawDeg: 361 }))).toHaveLength(1);
    expect(refusal(component('flight.yaw', { yaw: 90 }))).toHaveLength(2);
  });
});

const velocity = (velocityMS: readonly number[], durationS = 4): Component =>
  component('flight.velocity', { frame: 'local_enu', velocityMS, durationS });

describe('flight.velocity', () => {
  it('moves for its time, stops by an explicit zero, and is done in hold', () => {
    const { flight, observed } = fly(velocity([1.5, 0, 0]));
    expect(observed).toMatchObject({ completed: true, mode: 'AUTO.LOITER', airborne: true });
    expect(Number(observed['wentM'])).toBeGreaterThan(4);
    expect(Number(observed['wentM'])).toBeLessThan(8);
    const speeds = flight.wire.setpoints().map(({ bytes }) => {
      // vy (east) stands at offset 20 of the payload, after the ten bytes of the header.
      const padded = Buffer.concat([Buffer.from(bytes, 'hex').subarray(10), Buffer.alloc(60)]);
      return padded.readFloatLE(20);
    });
    const moving = speeds.filter((v) => v === 1.5).length;
    expect(moving).toBeGreaterThan(75);
    expect(moving).toBeLessThanOrEqual(81);
    const last = speeds.lastIndexOf(1.5);
    expect(speeds.slice(last + 1).length).toBeGreaterThan(10);
    expect(flight.wire.modes()).toContain('OFFBOARD');
    expect(flight.wire.modes()).toContain('AUTO.LOITER');
  });

  it('is refused when it is fast, long, endless, or leads out of the limits', () => {
    const place = (name: string): string => `components[2].params.${name}`;
    expect(refusal(velocity([-1000, 0, 0]))).toContain(`HALO-202 ${place('velocityMS[0]')}`);
    expect(refusal(velocity([-100, 0, 0]))).toContain(`HALO-203 ${place('velocityMS')}`);
    expect(refusal(velocity([0, 0, 0]))).toEqual([`HALO-202 ${place('velocityMS')}`]);
    expect(refusal(velocity([1, 0, 0], 16))).toContain(`HALO-203 ${place('durationS')}`);
    expect(refusal(velocity([0, 0, -1], 4))).toEqual([`HALO-215 ${place('velocityMS')}`]);
    expect(refusal(velocity([1.5, 0, 0], 12), FENCED)).toEqual([`HALO-215 ${place('velocityMS')}`]);
  });

  it('ends in hold when wind carries the vehicle out of the fence on the way', () => {
    const flight = newHop({ catalog: FENCED });
    flight.submit(responseOf([ARM, UP, velocity([0.9, 0, 0], 12)]));
    flight.until('the velocity', () => flight.stateOf('it') === 'active', 60);
    flight.until('OFFBOARD', () => flight.mode === 'OFFBOARD', 5);
    flight.seconds(5);
    flight.inject({ name: 'wind-gust', windNedMS: { n: 0, e: 25, d: 0 }, seconds: 20 });
    flight.until('its end', () => flight.stateOf('it') === 'interrupted', 8);
    expect(flight.open?.findings).toMatchObject([
      { code: 'HALO-215', limit: 'inside geofenceEnuM' },
    ]);
    flight.until('hold', () => flight.mode === 'AUTO.LOITER', 5);
    expect(flight.guardian[0]).toBe('hold');
    expectNoViolations(flight);
  });
});
