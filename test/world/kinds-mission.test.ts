/** Missions: stored aboard, read back, flown by the autopilot, paused, gone on with. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Component, Observed, Receipt, SubmitReply } from '../../src/contract/index.js';
import type { Flight, FlightOptions } from './flight.js';
import { ARM, newHop, responseOf, sendHop, UP } from './hop.js';
import { expectNoViolations } from './invariants.js';

const SHIPPED = readFileSync('catalog/multicopter.yaml', 'utf8');
/** A square fence of 12 m around home wherever a leg is limited. */
const FENCED = SHIPPED.replaceAll(
  /^ {6}legMaxM: (\d+)$/gm,
  '      legMaxM: $1\n      geofenceEnuM: [[-12, -12], [12, -12], [12, 12], [-12, 12]]',
);

type Item = { readonly positionM: readonly number[]; readonly holdS?: number };
const at = (east: number, north: number, up = 3, more: object = {}): Item => ({
  positionM: [east, north, up],
  ...more,
});
const SQUARE = [at(5, 0), at(5, 5, 3, { holdS: 2 }), at(0, 5), at(0, 0)];

const store = (items: readonly Item[] = SQUARE, requires: readonly string[] = ['up']) => ({
  id: 'store',
  kind: 'mission.upload',
  params: { frame: 'local_enu', speedMS: 2, items },
  requires: [...requires],
});
const fly = (params: object = {}): Component => ({
  id: 'fly',
  kind: 'mission.start',
  params: { of: 'store', ...params },
  requires: ['store'],
});
const DOWN: Component = { id: 'down', kind: 'flight.land', requires: ['fly'] };
const PAUSE: Component = { id: 'pause', kind: 'mission.pause' };

const MESSAGE = { setCurrent: 41, count: 44, item: 73 } as const;
const sentOf = (flight: Flight, id: number) => flight.wire.sent.filter((f) => f.id === id);

const receiptsOf = (flight: Flight, id: string): readonly Receipt[] =>
  flight.events.flatMap((e) =>
    e.type === 'receipt' && e.receipt.componentId === id ? [e.receipt] : [],
  );
const observedOf = (flight: Flight, id: string): Observed =>
  receiptsOf(flight, id).at(-1)?.observed ?? {};

const findings = (reply: SubmitReply): readonly string[] => [
  ...reply.findings.map(({ code }) => code),
  ...(reply.verdict?.components ?? []).flatMap(({ id, findings: own }) =>
    own.map(({ code, path }) => `${id} ${code} ${path ?? ''}`.trim()),
  ),
];

/** In the air, with the mission under way. */
function flying(options: FlightOptions = {}, components: readonly Component[] = [DOWN]): Flight {
  const flight = sendHop(newHop(options), [ARM, UP, store(), fly(), ...components]);
  flight.until('the mission', () => flight.mode === 'AUTO.MISSION', 90);
  return flight;
}

const itemNow = (flight: Flight): number =>
  Number(
    flight.engine.state().evidence.find(({ field }) => field === 'vehicle.mission_current')?.value,
  );

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
