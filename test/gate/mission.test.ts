/** What the gate lets through of a mission: the admitted items, whole, and the reading of them. */
import { describe, expect, it } from 'vitest';
import type { Allowed, WireMessage } from '../../src/contract/index.js';
import { createGate } from '../../src/gate/index.js';
import { grantOf, World } from './fixture.js';

const TO = { target_system: 1, target_component: 1 };
const SPEED = { frame: 2, command: 178, params: [1, 2, -1, 0], x: 0, y: 0, z: 0 } as const;
const PLACE = {
  frame: 6,
  command: 16,
  params: [0, Math.fround(0.8), 0, NaN],
  x: 473977420,
  y: 85455940,
  z: 3,
} as const;

/** The second of the two, as it is sent. */
const item = (changes: Record<string, number> = {}): WireMessage => ({
  name: 'MISSION_ITEM_INT',
  fields: {
    ...TO,
    seq: 1,
    frame: 6,
    command: 16,
    current: 0,
    autocontinue: 1,
    ...{ param1: 0, param2: Math.fround(0.8), param3: 0, param4: NaN },
    ...{ x: PLACE.x, y: PLACE.y, z: 3, mission_type: 0 },
    ...changes,
  },
});
const message = (name: string, fields: Record<string, number>): WireMessage => ({
  name,
  fields: { ...TO, ...fields },
});

function open(...allowed: readonly Allowed[]) {
  const world = new World();
  const gate = createGate(world.ports, { runId: 'run-1', bootEpoch: 3 });
  const envelope = { targetSystem: 1, targetComponent: 1, allowed };
  const lease = gate.grant(grantOf({ envelope, kind: 'mission.upload' }), 0);
  gate.recordIntent(lease, 1);
  const send = (one: WireMessage): string => {
    const minted = gate.mint(lease, one, 1);
    if (!minted.ok) return minted.error.code;
    const sent = gate.dispatch(lease, minted.value, 1);
    return sent.ok ? 'sent' : sent.error.code;
  };
  return { send, world };
}

describe('the gate', () => {
  it('lets an admitted item pass, and none that differs in one number', () => {
    const { send, world } = open({ type: 'mission', items: [SPEED, PLACE] });
    expect(send(item())).toBe('sent');
    const one: Record<string, number> = {
      ...{ param1: 1, param2: 0.9, param3: 1, param4: 0, x: PLACE.x + 1, y: PLACE.y - 1 },
      ...{ z: 3.01, frame: 3, command: 21, current: 1, autocontinue: 0, mission_type: 1 },
      ...{ seq: 0, target_system: 2, target_component: 191 },
    };
    for (const [name, value] of Object.entries(one)) {
      expect(send(item({ [name]: value })), name).toBe('HALO-412');
    }
    for (const seq of [-1, 2, 0.5, NaN]) expect(send(item({ seq })), `${seq}`).toBe('HALO-412');
    expect(world.written).toHaveLength(1);
  });

  it('lets the exact number of items be offered, and no list be emptied or cleared', () => {
    const { send } = open({ type: 'mission', items: [SPEED, PLACE] });
    const count = (n: number, mission_type = 0): string =>
      send(message('MISSION_COUNT', { count: n, mission_type, opaque_id: 0 }));
    expect([count(2), count(0), count(3), count(2, 1)]).toEqual([
      'sent',
      ...['HALO-412', 'HALO-412', 'HALO-412'],
    ]);
    expect(send(message('MISSION_CLEAR_ALL', { mission_type: 0 }))).toBe('HALO-414');
    expect(send(message('MISSION_SET_CURRENT', { seq: 0 }))).toBe('HALO-414');
  });

  it('lets a reading ask for what there is, and end, and write nothing', () => {
    const { send } = open({ type: 'mission-reading', count: 2 });
    expect(send(message('MISSION_REQUEST_LIST', { mission_type: 0 }))).toBe('sent');
    expect(send(message('MISSION_REQUEST_INT', { seq: 1, mission_type: 0 }))).toBe('sent');
    expect(send(message('MISSION_REQUEST_INT', { seq: 2, mission_type: 0 }))).toBe('HALO-412');
    expect(send(message('MISSION_REQUEST_LIST', { mission_type: 1 }))).toBe('HALO-412');
    const end = (type: number): string =>
      send(message('MISSION_ACK', { type, mission_type: 0, opaque_id: 0 }));
    expect([end(0), end(15), end(1)]).toEqual(['sent', 'sent', 'HALO-412']);
    expect(send(item())).toBe('HALO-414');
    expect(send(message('MISSION_COUNT', { count: 2, mission_type: 0 }))).toBe('HALO-414');
  });

  it('lets a start set its own first item, and no other', () => {
    const { send } = open({ type: 'mission-item', seq: 4 });
    expect(send(message('MISSION_SET_CURRENT', { seq: 4 }))).toBe('sent');
    expect(send(message('MISSION_SET_CURRENT', { seq: 3 }))).toBe('HALO-412');
  });
});
