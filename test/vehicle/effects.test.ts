import { describe, expect, it } from 'vitest';
import type { Typed } from '../../src/contract/index.js';
import {
  ACCEPTED,
  ARM,
  entryOf,
  HOVERING,
  make,
  ON_GROUND,
  refusal,
  SECOND,
  SET_MODE,
  TAKEOFF,
  TEMPORARILY_REJECTED,
  Timeline,
} from './hand.js';

describe('arm', () => {
  const arm: Typed = { does: 'arm', params: {} };

  it('closes by evidence, with no frame, when the vehicle is armed already', () => {
    const t = make(new Timeline(HOVERING), arm);
    expect(t.run(5)).toMatchObject({ status: 'done', ensured: true, observed: { armed: true } });
    expect(t.sent).toEqual([]);
  });

  it('is not done by an acknowledgement: three sends a second apart, then unknown', () => {
    const t = make(new Timeline(ON_GROUND), arm);
    t.tick();
    t.ack(ARM, ACCEPTED);
    expect(t.run(10)).toMatchObject({ status: 'unknown', error: { code: 'HALO-510' } });
    const sends = t.commands(ARM);
    expect(sends.map(({ message }) => message.fields['confirmation'])).toEqual([0, 1, 2]);
    expect(sends[1]!.atS - sends[0]!.atS).toBeGreaterThanOrEqual(1);
    expect(sends[2]!.atS - sends[1]!.atS).toBeGreaterThanOrEqual(1);
  });

  it('sends nothing again while no evidence newer than the send has come', () => {
    const t = make(new Timeline(ON_GROUND), arm);
    t.tick();
    t.silent.add('vehicle.armed');
    t.run(10);
    expect(t.commands(ARM)).toHaveLength(1);
    expect(t.last?.status).toBe('running');
    t.silent.clear();
    t.tick();
    expect(t.commands(ARM)).toHaveLength(2);
  });

  it('is refused with the reasons of the vehicle, also those that come after the answer', () => {
    const t = make(new Timeline(ON_GROUND), arm);
    t.tick();
    t.ack(ARM, TEMPORARILY_REJECTED);
    t.tick();
    t.reason('no valid local position');
    expect(t.run(5)).toMatchObject({
      status: 'refused',
      error: {
        code: 'HALO-509',
        message: 'arming refused: temporarily rejected: no valid local position',
      },
    });
    expect(t.commands(ARM)).toHaveLength(1);
  });

  it('first leaves a mode that cannot arm, or from which a stream would take off', () => {
    const t = make(new Timeline({ ...ON_GROUND, 'vehicle.mode': 'OFFBOARD' }), arm);
    t.tick();
    expect(t.commands(SET_MODE)[0]?.message.fields).toMatchObject({ param2: 4, param3: 3 });
    expect(t.machine?.expects).toEqual({ modes: ['AUTO.LOITER'], armed: true });
    expect(t.commands(ARM)).toEqual([]);
    t.show({ 'vehicle.mode': 'AUTO.LOITER' });
    t.tick();
    expect(t.commands(ARM)).toHaveLength(1);
    expect(t.machine?.expects).toEqual({ modes: [], armed: true });
    t.show({ 'vehicle.armed': true });
    expect(t.run(1)).toMatchObject({ status: 'done', observed: { armed: true } });
    expect(t.machine?.expects).toEqual({ modes: [] });
  });

  it('does not start without knowing whether it is armed, and ends at its deadline', () => {
    const t = make(new Timeline({}), arm, { entry: entryOf('arm', { deadlineS: 3 }) });
    expect(t.run(10)).toMatchObject({ status: 'unknown' });
    expect(t.sent).toEqual([]);
    expect(t.timeS).toBeLessThan(3.1);
  });
});

describe('disarm', () => {
  const disarm: Typed = { does: 'disarm', params: {} };

  it('is refused in the air before anything is sent', () => {
    expect(refusal(new Timeline(HOVERING), disarm)).toMatchObject({ code: 'HALO-211' });
    expect(refusal(new Timeline({}), disarm)).toMatchObject({ code: 'HALO-211' });
  });

  it('is done when the armed bit has gone', () => {
    const t = make(new Timeline({ ...ON_GROUND, 'vehicle.armed': true }), disarm);
    t.tick();
    expect(t.commands(ARM)[0]?.message.fields).toMatchObject({ param1: 0, param2: 0 });
    t.show({ 'vehicle.armed': false });
    expect(t.run(1)).toMatchObject({ status: 'done', observed: { disarmed: true } });
  });
});

describe('take-off', () => {
  const takeoff: Typed = { does: 'takeoff', params: { altitudeM: 6 } };
  const armed = { ...ON_GROUND, 'vehicle.armed': true };

  it('asks for the height above home as altitude above the sea, and leaves the rest to PX4', () => {
    const t = make(new Timeline(armed), takeoff);
    t.tick();
    const { param4, param5, param6, param7 } = t.commands(TAKEOFF)[0]!.message.fields;
    expect([param4, param5, param6]).toEqual([NaN, NaN, NaN]);
    expect(param7).toBe(494);
  });

  it('is done after the height has been held in the air, in the mode that follows', () => {
    const t = make(new Timeline(armed), takeoff);
    t.tick();
    t.show({ 'vehicle.mode': 'AUTO.TAKEOFF', 'vehicle.landed': 'takeoff' });
    t.run(2);
    t.show({ 'vehicle.landed': 'in_air', 'vehicle.position': [0, 0, 5.8] });
    t.run(2);
    expect(t.last?.status).toBe('running');
    t.show({ 'vehicle.mode': 'AUTO.LOITER' });
    const began = t.timeS;
    expect(t.run(5)).toMatchObject({
      status: 'done',
      observed: { airborne: true, altitudeM: 5.8, position: [0, 0, 5.8] },
    });
    expect(t.timeS - began).toBeGreaterThanOrEqual(0.5);
    expect(t.commands(TAKEOFF)).toHaveLength(1);
  });

  it('is judged by the home that it was commanded from, wherever PX4 sets home on the way', () => {
    const t = make(new Timeline(armed), takeoff);
    t.tick();
    t.show({ 'vehicle.mode': 'AUTO.TAKEOFF', 'vehicle.landed': 'takeoff' });
    t.show({ 'vehicle.home': [0, 0, 1.2], 'vehicle.home_global': [47.4, 8.5, 489.2] });
    t.run(2);
    t.show({ 'vehicle.landed': 'in_air', 'vehicle.position': [0, 0, 6] });
    t.show({ 'vehicle.mode': 'AUTO.LOITER' });
    expect(t.run(5)).toMatchObject({ status: 'done', observed: { altitudeM: 6 } });
  });

  it('closes by evidence at that height, and is refused at another', () => {
    const t = make(new Timeline(HOVERING), takeoff);
    expect(t.run(1)).toMatchObject({ status: 'done', ensured: true });
    expect(t.sent).toEqual([]);
    const high: Typed = { does: 'takeoff', params: { altitudeM: 12 } };
    expect(refusal(new Timeline(HOVERING), high)).toMatchObject({ code: 'HALO-211' });
  });

  it('is refused without a fresh home', () => {
    const t = new Timeline(armed);
    t.nowUs += 6 * SECOND;
    expect(refusal(t, takeoff)).toMatchObject({ code: 'HALO-208' });
  });

  it('is unknown when the vehicle disarms on the way, or the mode is taken away', () => {
    const up = { 'vehicle.mode': 'AUTO.TAKEOFF', 'vehicle.landed': 'takeoff' };
    const a = make(new Timeline(armed), takeoff);
    a.tick();
    a.show({ ...up, 'vehicle.armed': false });
    expect(a.run(1)).toMatchObject({ status: 'unknown', detail: 'disarmed on the way up' });
    const b = make(new Timeline(armed), takeoff);
    b.tick();
    b.show(up);
    b.tick();
    b.show({ 'vehicle.mode': 'POSCTL' });
    expect(b.run(1)).toMatchObject({ status: 'unknown', detail: 'the mode became POSCTL' });
  });
});

describe('hold', () => {
  const hold: Typed = { does: 'hold', params: { durationS: 5 } };

  it('is done after the time, in place', () => {
    const t = make(new Timeline(HOVERING), hold);
    expect(t.run(10)).toMatchObject({ status: 'done', observed: { airborne: true } });
    expect(t.timeS).toBeGreaterThanOrEqual(5);
  });

  it('brakes first, and counts from where it stands', () => {
    const t = make(new Timeline({ ...HOVERING, 'vehicle.velocity': [4, 0, 0] }), hold);
    t.run(2);
    expect(t.last?.phase).toBe('braking');
    t.show({ 'vehicle.velocity': [0, 0, 0], 'vehicle.position': [6, 2, 6] });
    expect(t.run(10).status).toBe('done');
    expect(t.timeS).toBeGreaterThanOrEqual(7);
  });

  it('is not done for a vehicle that sinks: it says so', () => {
    const t = make(new Timeline(HOVERING), hold);
    t.run(2);
    t.show({ 'vehicle.position': [1, 2, 4.9] });
    expect(t.run(1)).toMatchObject({ status: 'unknown', detail: 'sank 1.1 m while holding' });
  });

  it('is not done for a vehicle that drifts', () => {
    const t = make(new Timeline(HOVERING), hold);
    t.run(2);
    t.show({ 'vehicle.position': [1, 4.2, 6] });
    expect(t.run(1)).toMatchObject({ status: 'unknown', detail: 'drifted 2.2 m while holding' });
  });

  it('starts the time over when the position was not seen meanwhile', () => {
    const t = make(new Timeline(HOVERING), hold);
    t.run(4);
    t.silent.add('vehicle.position');
    t.run(1);
    expect(t.last?.detail).toBe('position not known');
    t.silent.clear();
    const began = t.timeS;
    expect(t.run(10).status).toBe('done');
    expect(t.timeS - began).toBeGreaterThanOrEqual(5);
  });
});

describe('land', () => {
  const land: Typed = { does: 'land', params: {} };

  it('is done on the ground with the motors stopped, not before', () => {
    const t = make(new Timeline(HOVERING), land);
    t.tick();
    expect(t.commands(SET_MODE)[0]?.message.fields).toMatchObject({ param2: 4, param3: 6 });
    t.show({ 'vehicle.mode': 'AUTO.LAND' });
    t.run(3);
    t.show({ 'vehicle.landed': 'on_ground' });
    t.run(2);
    expect(t.last?.status).toBe('running');
    t.show({ 'vehicle.armed': false, 'vehicle.mode': 'AUTO.LOITER' });
    expect(t.run(1)).toMatchObject({ status: 'done', observed: { landed: true, disarmed: true } });
  });

  it('leaves OFFBOARD after touch-down, where a stream and an arming would be a take-off', () => {
    const t = make(new Timeline({ ...HOVERING, 'vehicle.mode': 'AUTO.LAND' }), land);
    t.run(1);
    t.show({ 'vehicle.landed': 'on_ground', 'vehicle.armed': false, 'vehicle.mode': 'OFFBOARD' });
    t.tick();
    expect(t.last?.phase).toBe('parking');
    expect(t.commands(SET_MODE).at(-1)?.message.fields).toMatchObject({ param2: 4, param3: 3 });
    t.show({ 'vehicle.mode': 'AUTO.LOITER' });
    expect(t.run(1).status).toBe('done');
  });

  it('is unknown when somebody else ends the landing in the air', () => {
    const t = make(new Timeline({ ...HOVERING, 'vehicle.mode': 'AUTO.LAND' }), land);
    t.run(1);
    t.show({ 'vehicle.mode': 'POSCTL' });
    expect(t.run(1)).toMatchObject({ status: 'unknown' });
  });

  it('closes by evidence on the ground', () => {
    const t = make(new Timeline(ON_GROUND), land);
    expect(t.run(1)).toMatchObject({ status: 'done', ensured: true });
    expect(t.sent).toEqual([]);
  });
});

describe('return', () => {
  it('is done near home, after a dwell, not by the mode alone', () => {
    const t = make(new Timeline({ ...HOVERING, 'vehicle.position': [20, 0, 6] }), {
      does: 'return',
      params: {},
    });
    t.tick();
    expect(t.commands(SET_MODE)[0]?.message.fields).toMatchObject({ param2: 4, param3: 5 });
    t.show({ 'vehicle.mode': 'AUTO.RTL' });
    t.run(5);
    expect(t.last?.detail).toBe('20.0 m from home');
    t.show({ 'vehicle.position': [0.5, 0, 6] });
    expect(t.run(3)).toMatchObject({ status: 'done', observed: { airborne: true } });
  });
});
