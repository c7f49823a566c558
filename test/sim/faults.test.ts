import { describe, expect, it } from 'vitest';
import { MODE, RESULT, Rig } from './rig.js';

describe('the fault', () => {
  it('estimator-reset moves numbers and counter, and the stream drags the vehicle along', () => {
    const rig = new Rig().flying();
    const before = rig.number('ODOMETRY', 'reset_counter');
    rig.autopilot.inject({ name: 'estimator-reset', jumpNedM: { n: 3, e: -2, d: 0 } });
    rig.run(0.1);
    expect(rig.number('ODOMETRY', 'reset_counter')).toBe(before + 1);
    expect(rig.number('LOCAL_POSITION_NED', 'x')).toBeGreaterThan(2.5);
    expect(rig.number('GLOBAL_POSITION_INT', 'lat')).toBeCloseTo(473977420, -2);
    rig.run(10);
    expect(rig.autopilot.truth().positionNedM.n).toBeCloseTo(-3, 0);
    expect(rig.autopilot.truth().positionNedM.e).toBeCloseTo(2, 0);
  });

  it('estimator-reset leaves a hold where it is', () => {
    const rig = new Rig().flying();
    rig.setMode(4, 3);
    rig.autopilot.inject({ name: 'estimator-reset', jumpNedM: { n: 3, e: -2, d: 0 } });
    rig.run(10);
    expect(Math.abs(rig.autopilot.truth().positionNedM.n)).toBeLessThan(0.3);
  });

  it('pilot-takeover changes to position mode and holds, whatever the stream says', () => {
    const rig = new Rig().flying();
    rig.autopilot.inject({ name: 'pilot-takeover' });
    rig.run(1.2);
    expect(rig.mode).toBe(MODE.posctl);
    expect(rig.number('HEARTBEAT', 'base_mode')).toBe(128 + 64 + 16 + 1);
    rig.run(3);
    expect(rig.state).toBe('POSCTL');
    expect(rig.altitudeM).toBeCloseTo(3, 0);
  });

  it('vehicle-reboot starts time again, on the ground at home, disarmed, silent at first', () => {
    const rig = new Rig().flying({ x: 6, z: -3 });
    rig.autopilot.inject({ name: 'vehicle-reboot' });
    const from = rig.timeS;
    rig.run(8);
    expect(rig.count('HEARTBEAT', from, from + 1.2)).toBe(0);
    expect(rig.count('ATTITUDE', from, from + 0.33)).toBe(0);
    expect(rig.number('ATTITUDE', 'time_boot_ms')).toBeLessThan(8100);
    expect(rig.armed).toBe(false);
    expect(rig.autopilot.truth().positionNedM).toEqual({ n: 0, e: 0, d: 0 });
    expect(rig.mode).toBe(MODE.hold);
  });

  it('vehicle-reboot keeps the parameters, as a file would', () => {
    const rig = new Rig().boot();
    rig.send('PARAM_SET', {
      target_system: 1,
      target_component: 1,
      param_id: 'RTL_RETURN_ALT',
      param_value: 12,
      param_type: 9,
    });
    rig.run(0.1);
    rig.autopilot.inject({ name: 'vehicle-reboot' });
    rig.run(1);
    rig.send('PARAM_REQUEST_READ', {
      target_system: 1,
      target_component: 1,
      param_id: 'RTL_RETURN_ALT',
      param_index: -1,
    });
    rig.run(0.1);
    expect(rig.number('PARAM_VALUE', 'param_value')).toBe(12);
  });

  it('link-loss is silence both ways, so the stream is lost too', () => {
    const rig = new Rig().flying();
    rig.autopilot.inject({ name: 'link-loss', seconds: 3 });
    const from = rig.timeS;
    rig.run(2.9);
    expect(rig.heard.filter((m) => m.atS > from + 0.01)).toEqual([]);
    expect(rig.state).toBe('AUTO.RTL');
    rig.run(0.5);
    expect(rig.state).toBe('OFFBOARD');
    expect(rig.count('ATTITUDE', from + 3, from + 3.4)).toBeGreaterThan(30);
  });

  it('gps-loss ends when its time is over', () => {
    const rig = new Rig().boot();
    rig.autopilot.inject({ name: 'gps-loss', seconds: 8 });
    rig.run(7);
    expect(rig.ready).toBe(false);
    rig.run(2);
    expect(rig.ready).toBe(true);
  });

  it('arming-refused makes the check fail for its time', () => {
    const rig = new Rig().boot();
    rig.autopilot.inject({ name: 'arming-refused', seconds: 5 });
    rig.run(0.5);
    expect(rig.ready).toBe(false);
    expect(rig.arm()).toEqual([RESULT.temporarilyRejected]);
    rig.run(5);
    expect(rig.arm()).toEqual([RESULT.accepted]);
  });

  it('range-silent is seen by whoever publishes the range', () => {
    const rig = new Rig().boot();
    rig.autopilot.inject({ name: 'range-silent', seconds: 2 });
    expect(rig.autopilot.status().rangeSilent).toBe(true);
    rig.run(2.1);
    expect(rig.autopilot.status().rangeSilent).toBe(false);
  });

  it('motor-failure brings it down; it believes to be flying until it is forced to disarm', () => {
    const rig = new Rig().flying();
    rig.autopilot.inject({ name: 'motor-failure' });
    expect(rig.until('the crash', () => rig.altitudeM === 0, 3)).toBeLessThan(2);
    rig.run(3);
    expect(rig.armed).toBe(true);
    expect(rig.landed).toBe(false);
    expect(Math.abs(rig.number('ATTITUDE', 'roll'))).toBeGreaterThan(1.7);
  });
});
