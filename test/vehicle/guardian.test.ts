import { describe, expect, it } from 'vitest';
import { insideEnvelope } from '../../src/contract/index.js';
import { createGuardian, createHandover, legOf } from '../../src/vehicle/index.js';
import {
  goto,
  HOVERING,
  make,
  ON_GROUND,
  SET_MODE,
  TEMPORARILY_REJECTED,
  Timeline,
} from './hand.js';

describe('the guardian', () => {
  const guard = (t: Timeline, action: 'hold' | 'land' | 'return') => {
    const { nowUs } = t;
    t.machine = createGuardian(action, { snapshot: t.snapshot(), nowUs, targetSystem: 1 });
    return t;
  };

  it('is done when the vehicle shows the mode', () => {
    const t = guard(new Timeline({ ...HOVERING, 'vehicle.mode': 'OFFBOARD' }), 'hold');
    t.tick();
    expect(t.commands(SET_MODE)).toHaveLength(1);
    t.show({ 'vehicle.mode': 'AUTO.LOITER' });
    expect(t.run(1)).toMatchObject({ status: 'done', observed: { mode: 'AUTO.LOITER' } });
  });

  it('lands when a hold does not come about within 5 s, or is refused', () => {
    const t = guard(new Timeline({ ...HOVERING, 'vehicle.mode': 'OFFBOARD' }), 'hold');
    t.run(5);
    const modes = t.commands(SET_MODE).map(({ message }) => message.fields['param3']);
    expect(modes.slice(0, 4)).toEqual([3, 3, 3, 6]);
    t.show({ 'vehicle.mode': 'AUTO.LAND' });
    expect(t.run(1)).toMatchObject({ status: 'done', observed: { mode: 'AUTO.LAND' } });
    const u = guard(new Timeline({ ...HOVERING, 'vehicle.mode': 'OFFBOARD' }), 'return');
    u.tick();
    u.ack(SET_MODE, TEMPORARILY_REJECTED);
    u.run(0.5);
    expect(u.commands(SET_MODE).at(-1)?.message.fields).toMatchObject({ param3: 6 });
    expect(u.timeS).toBeLessThan(1);
  });

  it('says that it does not know when even the landing is not seen', () => {
    const t = guard(new Timeline({ ...HOVERING, 'vehicle.mode': 'OFFBOARD' }), 'land');
    expect(t.run(20)).toMatchObject({ status: 'unknown', error: { code: 'HALO-510' } });
    expect(t.timeS).toBeLessThan(6);
  });

  it('leaves a vehicle on the ground alone', () => {
    const t = guard(new Timeline(ON_GROUND), 'land');
    expect(t.run(1)).toMatchObject({ status: 'done', ensured: true });
    expect(t.sent).toEqual([]);
  });
});

describe('the handover after a leg', () => {
  const handOver = (t: Timeline) => {
    make(t, goto);
    const { nowUs } = t;
    const leg = legOf(t.machine!)!;
    t.machine = createHandover(leg, { snapshot: t.snapshot(), nowUs, targetSystem: 1 });
    return t;
  };

  it('streams the target until hold is seen, inside the envelope of the leg too', () => {
    const t = new Timeline({ ...HOVERING, 'vehicle.mode': 'OFFBOARD' });
    make(t, goto);
    const { envelope } = t.machine!;
    handOver(t);
    t.run(0.5);
    expect(t.setpoints.length).toBeGreaterThan(8);
    for (const { message } of t.sent) expect(insideEnvelope(envelope, message)).toBeUndefined();
    for (const { message } of t.setpoints) {
      expect(message.fields).toMatchObject({ x: 2, y: 11, z: -6 });
    }
    t.show({ 'vehicle.mode': 'AUTO.LOITER' });
    expect(t.run(1)).toMatchObject({ status: 'done', frames: [] });
  });

  it('sends no setpoint any more once somebody else flies', () => {
    const t = handOver(new Timeline({ ...HOVERING, 'vehicle.mode': 'OFFBOARD' }));
    t.run(0.3);
    t.show({ 'vehicle.mode': 'POSCTL' });
    expect(t.run(1)).toMatchObject({ status: 'unknown', frames: [] });
  });
});
