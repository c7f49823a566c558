import { describe, expect, it } from 'vitest';
import { insideEnvelope, type Typed } from '../../src/contract/index.js';
import {
  createEffect,
  createGuardian,
  createHandover,
  legOf,
  type EffectOptions,
} from '../../src/vehicle/index.js';
import { entryOf, HOVERING, ON_GROUND, SECOND, Timeline } from './hand.js';

const SET_MODE = 176;
const ARM = 400;
const TAKEOFF = 22;
const ACCEPTED = 0;
const TEMPORARILY_REJECTED = 1;

const goto: Typed = {
  does: 'goto',
  params: { frame: 'local_enu', positionM: [11, 2, 6], speedMS: 2, yawDeg: 90 },
};

function make(timeline: Timeline, typed: Typed, more: Partial<EffectOptions> = {}): Timeline {
  const made = createEffect(typed, {
    entry: entryOf(typed.does),
    snapshot: timeline.snapshot(),
    nowUs: timeline.nowUs,
    targetSystem: 1,
    ...more,
  });
  if (!made.ok) throw new Error(made.error.message);
  timeline.machine = made.value;
  return timeline;
}

const refusal = (timeline: Timeline, typed: Typed, entry = entryOf(typed.does)) => {
  const { nowUs } = timeline;
  const made = createEffect(typed, {
    entry,
    snapshot: timeline.snapshot(),
    nowUs,
    targetSystem: 1,
  });
  return made.ok ? undefined : made.error;
};

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
    future.nowUs -= 1000;
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
