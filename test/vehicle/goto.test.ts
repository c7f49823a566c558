import { describe, expect, it } from 'vitest';
import { insideEnvelope, type Typed } from '../../src/contract/index.js';
import {
  ACCEPTED,
  entryOf,
  goto,
  HOVERING,
  make,
  ON_GROUND,
  refusal,
  SECOND,
  SET_MODE,
  TEMPORARILY_REJECTED,
  Timeline,
} from './hand.js';

describe('goto', () => {
  it('streams the start for a second, then asks, and moves only once OFFBOARD is seen', () => {
    const t = make(new Timeline(HOVERING), goto);
    t.run(0.9);
    expect(t.commands(SET_MODE)).toEqual([]);
    t.run(0.3);
    // Both acknowledgements of PX4 come, and mean nothing.
    t.ack(SET_MODE, ACCEPTED);
    t.ack(SET_MODE, ACCEPTED);
    t.run(2);
    expect(t.commands(SET_MODE).length).toBeGreaterThan(0);
    const at = new Set(
      t.setpoints.map(({ message: { fields } }) => JSON.stringify([fields['x'], fields['y']])),
    );
    expect([...at]).toEqual(['[2,1]']);
    t.show({ 'vehicle.mode': 'OFFBOARD' });
    t.run(1);
    expect(t.last?.phase).toBe('moving');
    expect(Number(t.setpoints.at(-1)!.message.fields['y'])).toBeGreaterThan(1);
  });

  it('sends 20 frames a second, each inside the envelope', () => {
    const t = make(new Timeline({ ...HOVERING, 'vehicle.mode': 'OFFBOARD' }), goto);
    t.run(3);
    expect(t.setpoints.length).toBeGreaterThanOrEqual(59);
    expect(t.setpoints.length).toBeLessThanOrEqual(62);
    for (const { message } of t.sent) {
      expect(insideEnvelope(t.machine!.envelope, message)).toBeUndefined();
    }
  });

  it('believes the second acknowledgement when it is a no', () => {
    const t = make(new Timeline(HOVERING), goto);
    t.run(1.1);
    t.ack(SET_MODE, ACCEPTED);
    t.ack(SET_MODE, TEMPORARILY_REJECTED);
    t.reason('no offboard setpoints arrive');
    expect(t.run(2)).toMatchObject({ status: 'refused', error: { code: 'HALO-509' } });
    expect(t.last?.error?.message).toContain('no offboard setpoints arrive');
  });

  it('walks the line at the admitted speed and ends exactly at the target', () => {
    const t = make(new Timeline({ ...HOVERING, 'vehicle.mode': 'OFFBOARD' }), goto);
    for (let i = 0; i < 400 && t.last?.phase !== 'settling'; i += 1) {
      t.tick();
      // A vehicle that follows the point at once.
      const { x, y, z } = t.setpoints.at(-1)!.message.fields;
      t.show({ 'vehicle.position': [Number(y), Number(x), -Number(z)] });
    }
    const { x, y, z, yaw } = t.setpoints.at(-1)!.message.fields;
    expect([x, y, z]).toEqual([2, 11, -6]);
    expect(yaw).toBe(Math.fround(Math.PI / 2));
    expect(t.timeS).toBeCloseTo(5, 0);
    let fastest = 0;
    t.setpoints.forEach(({ atS, message }, i) => {
      const before = t.setpoints[i - 1];
      if (before === undefined) return;
      const step = Number(message.fields['y']) - Number(before.message.fields['y']);
      fastest = Math.max(fastest, step / (atS - before.atS));
    });
    expect(fastest).toBeLessThan(2.9);
    expect(t.run(3)).toMatchObject({ status: 'done', observed: { position: [11, 2, 6] } });
    expect(t.last?.observed?.['dwellS']).toBeGreaterThanOrEqual(1);
  });

  it('does not run away from a vehicle that cannot follow, nor leap after a stall', () => {
    const t = make(new Timeline({ ...HOVERING, 'vehicle.mode': 'OFFBOARD' }), goto);
    t.run(20);
    expect(Number(t.setpoints.at(-1)!.message.fields['y'])).toBeLessThanOrEqual(1 + 1.15 * 2);
    const u = make(new Timeline({ ...HOVERING, 'vehicle.mode': 'OFFBOARD' }), goto);
    u.tick();
    u.nowUs += 2 * SECOND;
    u.tick();
    expect(Number(u.setpoints.at(-1)!.message.fields['y'])).toBeLessThanOrEqual(1 + 2 * 0.2);
  });

  it('holds its point while the position is not seen', () => {
    const t = make(new Timeline({ ...HOVERING, 'vehicle.mode': 'OFFBOARD' }), goto);
    t.run(0.5);
    t.silent.add('vehicle.position');
    t.run(0.7);
    const frozen = t.setpoints.at(-1)!.message.fields['y'];
    t.run(2);
    expect(t.setpoints.at(-1)!.message.fields['y']).toBe(frozen);
    expect(t.last?.detail).toBe('position not known');
  });

  it('ends, and does not go back, when OFFBOARD is left', () => {
    const t = make(new Timeline({ ...HOVERING, 'vehicle.mode': 'OFFBOARD' }), goto);
    t.run(1);
    t.show({ 'vehicle.mode': 'AUTO.RTL' });
    expect(t.run(1)).toMatchObject({ status: 'unknown', detail: 'OFFBOARD was left for AUTO.RTL' });
    expect(t.last?.frames).toEqual([]);
  });

  it('starts the dwell over when the vehicle strays', () => {
    const t = make(new Timeline({ ...HOVERING, 'vehicle.mode': 'OFFBOARD' }), goto);
    t.show({ 'vehicle.position': [11, 2, 6] });
    while (t.last?.phase !== 'settling') t.tick();
    t.run(0.7);
    t.show({ 'vehicle.position': [13, 2, 6] });
    t.run(0.5);
    t.show({ 'vehicle.position': [11, 2, 6] });
    const began = t.timeS;
    expect(t.run(3).status).toBe('done');
    expect(t.timeS - began).toBeGreaterThanOrEqual(1);
  });

  it('takes a running stream over without priming or a mode command', () => {
    const t = make(new Timeline({ ...HOVERING, 'vehicle.mode': 'OFFBOARD' }), goto, {
      streaming: true,
    });
    t.tick();
    expect(t.setpoints).toHaveLength(1);
    expect(t.commands(SET_MODE)).toEqual([]);
    expect(t.last?.phase).toBe('moving');
  });

  it('is refused on the ground, and without a position that is fresh and not of the future', () => {
    expect(refusal(new Timeline(ON_GROUND), goto)).toMatchObject({ code: 'HALO-211' });
    expect(refusal(new Timeline({}), goto)).toMatchObject({ code: 'HALO-208' });
    const stale = new Timeline(HOVERING);
    stale.nowUs += 0.6 * SECOND;
    expect(refusal(stale, goto)).toMatchObject({ code: 'HALO-208' });
    const future = new Timeline(HOVERING);
    future.nowUs -= 0.06 * SECOND;
    expect(refusal(future, goto)).toMatchObject({ code: 'HALO-208' });
  });

  it('is refused when its lease could not carry it to the end', () => {
    const t = new Timeline(HOVERING);
    const short = entryOf('goto', { deadlineS: 6 });
    const few = entryOf('goto', { frames: 100 });
    expect(refusal(t, goto, short)).toMatchObject({ code: 'HALO-404' });
    expect(refusal(t, goto, few)).toMatchObject({ code: 'HALO-403' });
  });

  it('keeps the heading when none is asked for', () => {
    const straight: Typed = {
      does: 'goto',
      params: { frame: 'local_enu', positionM: [1, 12, 6], speedMS: 2 },
    };
    const t = make(new Timeline({ ...HOVERING, 'vehicle.yaw': Math.PI }), straight);
    t.tick();
    expect(t.setpoints[0]!.message.fields['yaw']).toBe(Math.fround(-Math.PI / 2));
  });
});
