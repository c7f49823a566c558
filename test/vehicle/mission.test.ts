/** Missions in the words of the wire, and the machines that store and fly them, step by step. */
import { describe, expect, it } from 'vitest';
import type { Mission, Typed } from '../../src/contract/index.js';
import { missionDigest, missionItems, placeOf } from '../../src/vehicle/mission-items.js';
import { Flight } from './flight.js';
import { entryOf, HOVERING, make, refusal, Timeline } from './hand.js';

const MISSION: Mission = {
  frame: 'local_enu',
  speedMS: 2,
  items: [
    { positionM: [4, 0, 5] },
    { positionM: [4, 6, 5], holdS: 1, speedMS: 1.5 },
    { positionM: [0, 0, 5] },
  ],
};
const upload: Typed = { does: 'mission_upload', params: MISSION };
const start = (more: object = {}): Typed => ({
  does: 'mission_start',
  params: { of: 'store', ...more },
});
const HOME = { enuM: [3, -2, 1], global: [47.397742, 8.545594, 488] } as const;

const UPLOAD = entryOf('mission_upload', { deadlineS: 90 });
const START = entryOf('mission_start', { deadlineS: 200 });

describe('a mission on the wire', () => {
  const items = missionItems(MISSION, HOME, 0.8);

  it('has a speed before every place, from home, within two centimetres', () => {
    expect(items.map(({ command }) => command)).toEqual([178, 16, 178, 16, 178, 16]);
    expect(items.flatMap(({ command, params }) => (command === 178 ? [params[1]] : []))).toEqual([
      2, 1.5, 2,
    ]);
    for (const [i, { positionM, holdS = 0 }] of MISSION.items.entries()) {
      const item = items[2 * i + 1];
      const place = placeOf(item, HOME) ?? [NaN, NaN, NaN];
      expect(Math.hypot(...place.map((m, k) => m - (positionM[k] ?? NaN)))).toBeLessThan(0.02);
      expect(item?.params).toEqual([holdS, Math.fround(0.8), 0, NaN]);
    }
    // One degree of latitude is 111.19 km on PX4's sphere: 60 m are 5396 of its 1e-7 degrees.
    const north = { ...MISSION, items: [{ positionM: [3, 58, 5] as [number, number, number] }] };
    expect(missionItems(north, HOME, 0.8)[1]?.x).toBe(473977420 + 5396);
    expect(placeOf(items[0], HOME)).toBeUndefined();
  });

  it('has a digest over every number, also over one that is none', () => {
    const digest = missionDigest(items);
    const [first, second, ...others] = items;
    expect(missionDigest([...items])).toBe(digest);
    for (const changed of [
      { ...second!, x: second!.x + 1 },
      { ...second!, z: second!.z + 0.001 },
      { ...second!, params: [0, 0.8, 0, 0] as const },
      { ...second!, params: [1, second!.params[1], 0, NaN] as const },
      { ...second!, frame: 3 },
    ]) {
      expect(missionDigest([first!, changed, ...others])).not.toBe(digest);
    }
    expect(missionDigest(items.slice(0, -1))).not.toBe(digest);
  });
});

/** Booted, armed and 6 m up. */
function airborne(seed = 1): Flight {
  const flight = new Flight(seed);
  flight.wait(8);
  flight.drive(flight.create({ does: 'arm', params: {} }, entryOf('arm')));
  flight.drive(flight.create({ does: 'takeoff', params: { altitudeM: 6 } }, entryOf('takeoff')));
  return flight;
}

describe('against the embedded autopilot', () => {
  it('stores, flies and holds, and no epoch moves by its own modes', () => {
    const flight = airborne();
    const stored = flight.drive(flight.create(upload, UPLOAD));
    expect(stored).toMatchObject({ status: 'done', observed: { missionItems: 3 } });
    const missionHash = String(stored.observed?.['missionHash']);
    flight.topSpeedMS = 0;
    const flown = flight.drive(
      flight.create(start(), START, { mission: MISSION, missionHash }),
      150,
    );
    expect(flown).toMatchObject({ status: 'done', observed: { itemsFlown: 3, completed: true } });
    expect(flight.topSpeedMS).toBeLessThan(2.6);
    expect(flight.value('vehicle.mode')).toBe('AUTO.LOITER');
    expect(flight.moves).toEqual([]);
    expect(flight.sent.map(({ fields }) => fields['command'])).not.toContain(300);
  });

  it('does not begin what is stored with another digest than the upload has seen', () => {
    const flight = airborne();
    flight.drive(flight.create(upload, UPLOAD));
    const before = flight.sent.length;
    const more = { mission: MISSION, missionHash: 'f'.repeat(64) };
    expect(flight.drive(flight.create(start(), START, more))).toMatchObject({
      status: 'refused',
      error: { code: 'HALO-512' },
    });
    const names = flight.sent.slice(before).map(({ name }) => name);
    expect(names).not.toContain('MISSION_SET_CURRENT');
    expect(names).not.toContain('COMMAND_LONG');
  });

  it('does not begin what lies elsewhere by the home of now', () => {
    const flight = airborne();
    const stored = flight.drive(flight.create(upload, UPLOAD));
    const missionHash = String(stored.observed?.['missionHash']);
    const mission = {
      ...MISSION,
      items: MISSION.items.map(({ positionM: [e, n, u], ...rest }) => ({
        ...rest,
        positionM: [e + 1.2, n, u] as [number, number, number],
      })),
    };
    expect(flight.drive(flight.create(start(), START, { mission, missionHash }))).toMatchObject({
      status: 'refused',
      error: { code: 'HALO-512', message: expect.stringContaining('1.2 m away') as string },
    });
  });
});

describe('an upload', () => {
  it('needs home in both frames, of one message', () => {
    const t = new Timeline(HOVERING);
    expect(refusal(t, upload)).toBeUndefined();
    t.silent.add('vehicle.home_global');
    make(t, upload).tick();
    expect(refusal(t, upload)).toMatchObject({ code: 'HALO-208' });
  });

  it('is refused with the vehicle’s own word and reasons', () => {
    const t = make(new Timeline(HOVERING), upload);
    t.tick();
    t.hear('MISSION_COUNT', { count: 0 });
    t.run(0.1);
    expect(t.sent.at(-1)?.message).toMatchObject({ name: 'MISSION_COUNT', fields: { count: 6 } });
    t.hear('MISSION_ACK', { type: 4 });
    t.tick();
    t.reason('storage is full');
    expect(t.run(2)).toMatchObject({
      status: 'refused',
      error: { code: 'HALO-509', message: 'mission refused: no space; storage is full' },
    });
  });

  it('offers seven times to a vehicle that is silent or busy, and then says that it does not know', () => {
    const t = make(new Timeline(HOVERING), upload);
    t.tick();
    t.hear('MISSION_COUNT', { count: 0 });
    t.run(1.5);
    t.hear('MISSION_ACK', { type: 1 });
    expect(t.run(20)).toMatchObject({ status: 'unknown' });
    const offers = t.sent.filter(({ message }) => message.name === 'MISSION_COUNT');
    expect(offers).toHaveLength(7);
    expect(offers[1]!.atS - offers[0]!.atS).toBeGreaterThanOrEqual(1);
  });

  it('sends an item only when it is asked for, and none that there is not', () => {
    const t = make(new Timeline(HOVERING), upload);
    t.tick();
    t.hear('MISSION_COUNT', { count: 0 });
    t.run(0.5);
    const items = () => t.sent.filter(({ message }) => message.name === 'MISSION_ITEM_INT');
    expect(items()).toEqual([]);
    t.hear('MISSION_REQUEST_INT', { seq: 0 });
    t.hear('MISSION_REQUEST_INT', { seq: 0 });
    t.tick();
    expect(items().map(({ message }) => message.fields['seq'])).toEqual([0]);
    t.hear('MISSION_REQUEST_INT', { seq: 6 });
    expect(t.tick()).toMatchObject({ status: 'refused' });
    expect(items()).toHaveLength(1);
  });

  it('is refused with nothing written when the vehicle does not tell what it has', () => {
    const t = make(new Timeline(HOVERING), upload);
    expect(t.run(10)).toMatchObject({ status: 'refused', error: { code: 'HALO-509' } });
    expect(new Set(t.sent.map(({ message }) => message.name))).toEqual(
      new Set(['MISSION_REQUEST_LIST']),
    );
  });
});

describe('a start', () => {
  const more = { mission: MISSION, missionHash: 'a'.repeat(64) };
  const refused = (state: object, entry = START, params: object = {}) =>
    refusal(new Timeline({ ...HOVERING, ...state }), start(params), entry, more)?.code;

  it('needs an armed vehicle in the air that flies no mission yet', () => {
    expect(refused({})).toBeUndefined();
    expect(refused({ 'vehicle.landed': 'on_ground' })).toBe('HALO-211');
    expect(refused({ 'vehicle.armed': false })).toBe('HALO-211');
    expect(refused({ 'vehicle.mode': 'AUTO.MISSION' })).toBe('HALO-211');
    const bare = refusal(new Timeline(HOVERING), start(), START);
    expect(bare?.code).toBe('HALO-208');
  });

  it('is refused when its lease would end before the mission, counted from where it is', () => {
    // 10.6 m to the first item and 6 m on at 2 and 1.5 m/s, 7.2 m back: about 45 s with its holds.
    expect(refused({}, { ...START, deadlineS: 30 })).toBe('HALO-404');
    expect(refused({}, { ...START, deadlineS: 30 }, { fromItem: 2 })).toBeUndefined();
  });
});
