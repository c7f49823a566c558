/** What the gate lets through of a velocity: this one or none, and no longer than admitted. */
import { describe, expect, it } from 'vitest';
import type { WireMessage } from '../../src/contract/index.js';
import { createGate } from '../../src/gate/index.js';
import { grantOf, setpoint, World } from './fixture.js';

const MASK = 0b100111000111;

const velocity = (vx: number, changes: Record<string, number> = {}): WireMessage =>
  setpoint(0, { type_mask: MASK, z: 0, vx, ...changes });

function open() {
  const world = new World();
  const gate = createGate(world.ports, { runId: 'run-1', bootEpoch: 3 });
  const allowed = {
    type: 'velocity',
    coordinateFrame: 1,
    typeMask: MASK,
    velocityNedMS: [1.5, 0, 0],
    yawNedRad: 0,
    forUs: 2_000_000,
  } as const;
  const envelope = { targetSystem: 1, targetComponent: 1, allowed: [allowed] };
  const lease = gate.grant(grantOf({ envelope, kind: 'flight.velocity' }), 0);
  gate.recordIntent(lease, 1);
  const send = (message: WireMessage, nowUs: number): string => {
    const minted = gate.mint(lease, message, nowUs);
    if (!minted.ok) return minted.error.code;
    const sent = gate.dispatch(lease, minted.value, nowUs);
    return sent.ok ? 'sent' : sent.error.code;
  };
  return { send, world };
}

describe('the gate', () => {
  it('lets the admitted velocity and the stop pass, and no other number', () => {
    const { send, world } = open();
    expect([send(velocity(0), 0), send(velocity(1.5), 1)]).toEqual(['sent', 'sent']);
    for (const wrong of [
      velocity(1.6),
      velocity(-1.5),
      velocity(-1000),
      velocity(NaN),
      velocity(Infinity),
      velocity(1.5, { vz: 0.1 }),
      velocity(1.5, { yaw: 1 }),
      velocity(1.5, { afx: 1 }),
      velocity(1.5, { x: 5 }),
      velocity(1.5, { type_mask: 0b100111111000 }),
      velocity(1.5, { coordinate_frame: 8 }),
      velocity(1.5, { target_system: 2 }),
      setpoint(1),
    ]) {
      expect(send(wrong, 2), JSON.stringify(wrong.fields)).toBe('HALO-412');
    }
    expect(world.written).toHaveLength(2);
  });

  it('counts its time from the first frame that moves, and lets the stop pass after it', () => {
    const { send } = open();
    expect(send(velocity(0), 5_000_000)).toBe('sent');
    expect(send(velocity(1.5), 6_000_000)).toBe('sent');
    expect(send(velocity(1.5), 8_000_000)).toBe('sent');
    expect(send(velocity(1.5), 8_000_001)).toBe('HALO-412');
    expect(send(velocity(0), 9_000_000)).toBe('sent');
  });
});
