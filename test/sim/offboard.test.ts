import { describe, expect, it } from 'vitest';
import { MODE, RESULT, Rig, VELOCITY_ONLY } from './rig.js';

describe('OFFBOARD', () => {
  it('takes off, holds, goes and is airborne 1.2 to 2.1 s after arming', () => {
    const rig = new Rig().boot();
    rig.stream({ z: -3 });
    rig.run(0.3);
    rig.setMode(6);
    rig.command(400, [1]);
    const air = rig.until(
      'the lift',
      () => rig.number('EXTENDED_SYS_STATE', 'landed_state') === 2,
      4,
    );
    expect(air).toBeGreaterThan(1.0);
    expect(air).toBeLessThan(2.4);
    rig.until('3 m', () => Math.abs(rig.altitudeM - 3) < 0.3, 15);
    rig.stream({ x: 5.4, z: -3 });
    const leg = rig.until('5.4 m', () => rig.number('LOCAL_POSITION_NED', 'x') > 5.1, 8);
    expect(leg).toBeGreaterThan(2);
    expect(leg).toBeLessThan(4.5);
  });

  it('is accepted after one single setpoint', () => {
    const rig = new Rig().boot();
    rig.setpoint({ z: -3 });
    rig.run(0.09);
    rig.setMode(6);
    rig.run(0.3);
    expect(rig.state).toBe('OFFBOARD');
    expect(rig.ready).toBe(true);
  });

  it('is lost 1.0 to 1.11 s after the last setpoint: event, critical, return', () => {
    const rig = new Rig().flying();
    rig.silence();
    const from = rig.timeS;
    rig.until(
      'the failsafe',
      () => (rig.eventAt('commander_failsafe_enter_generic') ?? 0) > from,
      2,
    );
    const after = rig.timeS - from;
    expect(after).toBeGreaterThan(0.94);
    expect(after).toBeLessThan(1.11);
    expect(rig.state).toBe('AUTO.RTL');
    rig.run(1);
    expect(rig.number('HEARTBEAT', 'system_status')).toBe(5);
    expect(rig.mode).toBe(MODE.return);
  });

  it('is lost after COM_OF_LOSS_T, whatever that is', () => {
    const rig = new Rig({ parameters: { COM_OF_LOSS_T: 0.3 } }).flying();
    rig.silence();
    expect(rig.until('the failsafe', () => rig.state !== 'OFFBOARD', 2)).toBeLessThan(0.36);
  });

  it.each([10, 3, 1.5, 1.01])('is held by a stream of %d Hz', (rate) => {
    const rig = new Rig().flying();
    rig.stream({ z: -3 }, rate);
    const states = new Set<string>();
    for (let i = 0; i < 80; i += 1) {
      rig.run(0.1);
      states.add(rig.state);
    }
    expect([...states]).toEqual(['OFFBOARD']);
  });

  it('flaps at 0.7 Hz', () => {
    const rig = new Rig().flying();
    rig.stream({ z: -3 }, 0.7);
    const states = new Set<string>();
    for (let i = 0; i < 80; i += 1) {
      rig.run(0.1);
      states.add(rig.state);
    }
    expect([...states].sort()).toEqual(['AUTO.RTL', 'OFFBOARD']);
  });

  it.each([
    ['COM_OBL_RC_ACT', 4, 'AUTO.LAND'],
    ['COM_OBL_RC_ACT', 5, 'AUTO.LOITER'],
    ['COM_OBL_RC_ACT', 3, 'AUTO.RTL'],
    ['NAV_RCL_ACT', 3, 'AUTO.LAND'],
  ])(
    'lost with %s=%d goes to %s, and the stream brings it back by itself',
    (name, value, state) => {
      const rig = new Rig({ parameters: { [name]: value } }).flying();
      rig.silence();
      rig.run(1.5);
      expect(rig.state).toBe(state);
      rig.stream({ z: -3 });
      rig.run(0.2);
      expect(rig.state).toBe('OFFBOARD');
    },
  );

  it('lost with COM_OBL_RC_ACT=7 stops the motors at once', () => {
    const rig = new Rig({ parameters: { COM_OBL_RC_ACT: 7 } }).flying();
    rig.silence();
    rig.run(1.2);
    expect(rig.armed).toBe(false);
    rig.run(1.5);
    expect(rig.altitudeM).toBe(0);
  });

  it('comes back even from just above the ground, while it is still armed', () => {
    const rig = new Rig({ parameters: { COM_OBL_RC_ACT: 4 } }).flying();
    rig.silence();
    rig.until('almost landing', () => rig.altitudeM < 0.1, 20);
    rig.stream({ z: -3 });
    rig.until('climbing back', () => rig.altitudeM > 2.7, 15);
    expect(rig.state).toBe('OFFBOARD');
  });

  it('does not come back from a landing that was commanded', () => {
    const rig = new Rig().flying();
    expect(rig.setMode(4, 6)).toEqual([RESULT.accepted, RESULT.accepted]);
    rig.until('the landing', () => !rig.armed, 30);
    expect(rig.altitudeM).toBe(0);
  });

  it('is the mode again after landing: a running stream and arming take off once more', () => {
    const rig = new Rig().flying();
    rig.setMode(4, 6);
    rig.until('disarming', () => !rig.armed, 30);
    rig.run(0.1);
    expect(rig.state).toBe('OFFBOARD');
    expect(rig.arm()).toEqual([RESULT.accepted]);
    rig.until('the second take-off', () => rig.altitudeM > 2.5, 15);
  });

  it('takes no setpoint of nothing but NaN, nor one for somebody else, as a sign of life', () => {
    for (const bad of [
      { x: NaN, y: NaN, z: NaN },
      { target_system: 2, z: -3 },
      { coordinate_frame: 9, z: -3 },
    ]) {
      const rig = new Rig().flying();
      rig.stream(bad);
      rig.run(1.2);
      expect(rig.state).toBe('AUTO.RTL');
      const named = 'x' in bad;
      expect(rig.eventAt('mavlink_rcv_sp_target_invalid') !== undefined).toBe(named);
    }
  });

  it('flies velocities, in the local frame and in the body frame', () => {
    const rig = new Rig().flying();
    rig.stream({ type_mask: VELOCITY_ONLY, vx: 1, vy: 0, vz: 0 });
    rig.run(3);
    expect(rig.autopilot.truth().positionNedM.n).toBeGreaterThan(2.0);
    expect(rig.autopilot.truth().positionNedM.n).toBeLessThan(3.1);

    const turned = new Rig().flying();
    turned.stream({ z: -3, yaw: Math.PI / 2, type_mask: 0b100111111000 });
    turned.run(4);
    turned.stream({ type_mask: VELOCITY_ONLY, coordinate_frame: 8, vx: 1 });
    turned.run(3);
    expect(turned.autopilot.truth().positionNedM.e).toBeGreaterThan(2.0);
    expect(Math.abs(turned.autopilot.truth().positionNedM.n)).toBeLessThan(0.3);
  });

  it('turns to the yaw of a setpoint, no faster than its limit', () => {
    const rig = new Rig().flying();
    rig.stream({ z: -3, yaw: 2, type_mask: 0b100111111000 });
    rig.run(1);
    expect(rig.autopilot.truth().yawRad).toBeLessThan((60 * Math.PI) / 180 + 0.05);
    rig.run(4);
    expect(rig.autopilot.truth().yawRad).toBeCloseTo(2, 1);
  });

  it('ends in DO_REPOSITION: accepted, hold, and the vehicle goes there', () => {
    const rig = new Rig().flying();
    expect(rig.ask(192, [-1, 1, 0, NaN, 47.397832, 8.545594, 495])).toEqual([RESULT.accepted]);
    expect(rig.state).toBe('AUTO.LOITER');
    rig.run(15);
    const { n, d } = rig.autopilot.truth().positionNedM;
    expect(n).toBeGreaterThan(9.5);
    expect(n).toBeLessThan(10.5);
    expect(d).toBeCloseTo(-7, 0);
  });
});
