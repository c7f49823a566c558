/** The stored mission of the embedded autopilot: its transfer, and its flight, as PX4 has them. */
import { describe, expect, it } from 'vitest';
import type { Fields } from '../../sim/autopilot/index.js';
import { HOME, MODE, RESULT, Rig, type Heard } from './rig.js';

const TO = { target_system: 1, target_component: 1 };
/** PX4's sphere. */
const DEGREE_M = (6_371_000 * Math.PI) / 180;

/** A waypoint north of home. */
const waypoint = (seq: number, northM: number, upM: number, more: Fields = {}): Fields => ({
  ...TO,
  seq,
  frame: 6,
  command: 16,
  current: 0,
  autocontinue: 1,
  ...{ param1: 0, param2: 0.6, param3: 0, param4: NaN },
  x: Math.round((HOME.latitudeDeg + northM / DEGREE_M) * 1e7),
  y: Math.round(HOME.longitudeDeg * 1e7),
  z: upM,
  mission_type: 0,
  ...more,
});

const since = (rig: Rig, from: number, name: string): Heard[] =>
  rig.heard.slice(from).filter((m) => m.name === name);

/** The answer to a whole transfer. */
function upload(rig: Rig, items: readonly Fields[]): number {
  const from = rig.heard.length;
  rig.send('MISSION_COUNT', { ...TO, count: items.length, mission_type: 0 });
  for (let n = 0; n < items.length; n += 1) {
    rig.run(0.02);
    const asked = since(rig, from, 'MISSION_REQUEST_INT').at(-1)?.fields['seq'];
    rig.send('MISSION_ITEM_INT', items[Number(asked)] ?? {});
  }
  rig.run(0.02);
  return Number(since(rig, from, 'MISSION_ACK').at(-1)?.fields['type']);
}

const THREE = [waypoint(0, 3, 3), waypoint(1, 6, 3, { param1: 2 }), waypoint(2, 0, 3)];

function airborne(): Rig {
  const rig = new Rig().boot();
  rig.arm();
  rig.command(22, [0, 0, 0, NaN, NaN, NaN, HOME.altitudeM + 3]);
  rig.until('hold', () => rig.mode === MODE.hold && !rig.autopilot.status().landed, 20);
  return rig;
}

describe('the transfer of a mission', () => {
  it('stores a list that came whole, and tells it again number by number', () => {
    const rig = new Rig().boot();
    expect(upload(rig, THREE)).toBe(0);
    rig.send('MISSION_REQUEST_LIST', { ...TO, mission_type: 0 });
    rig.run(0.02);
    expect(rig.number('MISSION_COUNT', 'count')).toBe(3);
    for (const [seq, sent] of THREE.entries()) {
      rig.send('MISSION_REQUEST_INT', { ...TO, seq, mission_type: 0 });
      rig.run(0.02);
      const { target_system, target_component, current, ...told } =
        rig.last('MISSION_ITEM_INT').fields;
      expect([target_system, target_component, current]).toEqual([1, 191, seq === 0 ? 1 : 0]);
      expect(told).toMatchObject({ seq, x: sent['x'], y: sent['y'], z: sent['z'], param4: NaN });
    }
    rig.send('MISSION_ACK', { ...TO, type: 0, mission_type: 0 });
    expect(upload(rig, [waypoint(0, 9, 3)])).toBe(0);
  });

  it('asks again for what does not come, and gives up after five seconds', () => {
    const rig = new Rig().boot();
    rig.send('MISSION_COUNT', { ...TO, count: 2, mission_type: 0 });
    const from = rig.heard.length;
    rig.run(1.1);
    const asked = since(rig, from, 'MISSION_REQUEST_INT').map((m) => m.fields['seq']);
    expect(asked).toEqual([0, 0, 0, 0, 0]);
    // One out of its turn is left aside, the right one goes on.
    rig.send('MISSION_ITEM_INT', waypoint(1, 6, 3));
    rig.send('MISSION_ITEM_INT', waypoint(0, 3, 3));
    rig.run(0.02);
    expect(rig.number('MISSION_REQUEST_INT', 'seq')).toBe(1);
    rig.run(6);
    const silent = rig.heard.length;
    rig.run(1);
    expect(since(rig, silent, 'MISSION_REQUEST_INT')).toEqual([]);
  });

  it('refuses too many items, what it cannot fly, another type, and a second peer meanwhile', () => {
    const rig = new Rig().boot();
    rig.send('MISSION_COUNT', { ...TO, count: 501, mission_type: 0 });
    rig.run(0.02);
    expect(rig.number('MISSION_ACK', 'type')).toBe(4);
    expect(upload(rig, [waypoint(0, 3, 3, { command: 31000 })])).toBe(3);
    expect(upload(rig, [waypoint(0, 3, 3, { frame: 1 })])).toBe(2);
    rig.send('MISSION_COUNT', { ...TO, count: 1, mission_type: 1 });
    rig.run(0.02);
    expect(rig.number('MISSION_ACK', 'type')).toBe(3);
    rig.send('MISSION_COUNT', { ...TO, count: 1, mission_type: 0 });
    rig.run(0.02);
    rig.send(
      'MISSION_COUNT',
      { ...TO, count: 1, mission_type: 0 },
      { system: 255, component: 190 },
    );
    rig.run(0.02);
    expect(rig.last('MISSION_ACK').fields).toMatchObject({ type: 1, target_system: 255 });
  });

  it('forgets the list when told to', () => {
    const rig = new Rig().boot();
    upload(rig, THREE);
    rig.send('MISSION_CLEAR_ALL', { ...TO, mission_type: 0 });
    rig.run(1.5);
    expect(rig.last('MISSION_CURRENT').fields).toMatchObject({ total: 65535, mission_state: 1 });
  });
});

describe('a stored mission', () => {
  it('is flown item by item, with its holds, and ends where the last one is', () => {
    const rig = airborne();
    upload(rig, THREE);
    expect(rig.setMode(4, 4)).toEqual([RESULT.accepted, RESULT.accepted]);
    const reached = (): Heard[] => rig.heard.filter((m) => m.name === 'MISSION_ITEM_REACHED');
    rig.until('the end', () => reached().some((m) => m.fields['seq'] === 2), 60);
    const first = (seq: number): number =>
      reached().find((m) => m.fields['seq'] === seq)?.atS ?? NaN;
    expect(first(1) - first(0)).toBeGreaterThan(2);
    expect(rig.mode).toBe(MODE.mission);
    rig.run(3);
    const { n, d } = rig.autopilot.truth().positionNedM;
    expect([Math.abs(n) < 0.6, Math.abs(d + 3) < 0.6]).toEqual([true, true]);
    expect(rig.last('MISSION_CURRENT').fields).toMatchObject({
      seq: 2,
      total: 3,
      mission_state: 5,
    });
  });

  it('goes on from the item that it is told, at the speed that an item sets', () => {
    const rig = airborne();
    const speed = {
      ...waypoint(0, 0, 0),
      frame: 2,
      command: 178,
      param1: 1,
      param2: 1,
      param3: -1,
    };
    const items = [waypoint(0, -30, 3), { ...speed, seq: 1, param4: 0 }, waypoint(2, 12, 3)];
    upload(rig, items);
    rig.send('MISSION_SET_CURRENT', { ...TO, seq: 1 });
    rig.run(1.2);
    expect(rig.number('MISSION_CURRENT', 'seq')).toBe(1);
    rig.setMode(4, 4);
    let fastest = 0;
    rig.until(
      'the place',
      () => {
        fastest = Math.max(fastest, rig.autopilot.truth().velocityNedMS.n);
        return rig.autopilot.truth().positionNedM.n > 10;
      },
      30,
    );
    expect(fastest).toBeLessThan(1.3);
  });

  it('is not there to be flown until one is stored', () => {
    const rig = airborne();
    expect(rig.setMode(4, 4)).toEqual([RESULT.accepted, RESULT.temporarilyRejected]);
    expect(rig.ask(300, [0])).toEqual([RESULT.denied]);
  });

  it('arms the vehicle when it is started by command, as PX4 does', () => {
    const rig = new Rig().boot();
    upload(rig, THREE);
    expect(rig.ask(300, [3])).toEqual([RESULT.denied]);
    expect(rig.ask(300, [0])).toEqual([RESULT.accepted]);
    expect(rig.armed).toBe(true);
  });
});
