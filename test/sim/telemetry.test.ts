import { describe, expect, it } from 'vitest';
import { RESULT, Rig } from './rig.js';

describe('telemetry', () => {
  it('has the rates that PX4 has on its companion port, without any request', () => {
    const rig = new Rig().boot();
    const from = rig.timeS;
    rig.run(20);
    const rate = (name: string): number => rig.count(name, from, from + 20) / 20;
    const expected: Record<string, number> = {
      ATTITUDE: 98.6,
      HIGHRES_IMU: 49.3,
      ATTITUDE_QUATERNION: 49.3,
      GLOBAL_POSITION_INT: 49.3,
      LOCAL_POSITION_NED: 29.6,
      ODOMETRY: 29.6,
      ALTITUDE: 9.9,
      DISTANCE_SENSOR: 9.9,
      GPS_RAW_INT: 7.8,
      EXTENDED_SYS_STATE: 5,
      SYS_STATUS: 5,
      HEARTBEAT: 1,
      BATTERY_STATUS: 0.5,
      HOME_POSITION: 0.5,
      CURRENT_MODE: 0.5,
    };
    for (const [name, hz] of Object.entries(expected)) {
      expect(Math.abs(rate(name) - hz), `${name} at ${rate(name)} Hz`).toBeLessThan(
        0.06 + hz * 0.02,
      );
    }
  });

  it('changes its rate on request, but CURRENT_MODE gives no more than 2 Hz', () => {
    const rig = new Rig().boot();
    expect(rig.ask(511, [30, 100_000])).toEqual([RESULT.accepted]);
    expect(rig.ask(511, [245, 50_000])).toEqual([RESULT.accepted]);
    expect(rig.ask(511, [436, 100_000])).toEqual([RESULT.accepted]);
    const from = rig.timeS;
    rig.run(10);
    expect(rig.count('ATTITUDE', from, from + 10) / 10).toBeCloseTo(10, 0);
    expect(rig.count('EXTENDED_SYS_STATE', from, from + 10) / 10).toBeCloseTo(20, 0);
    expect(rig.count('CURRENT_MODE', from, from + 10) / 10).toBeCloseTo(2, 0);
  });

  it('of HEARTBEAT and of unknown messages cannot be changed', () => {
    const rig = new Rig().boot();
    expect(rig.ask(511, [0, 100_000])).toEqual([RESULT.failed]);
    expect(rig.ask(511, [60000, 100_000])).toEqual([RESULT.failed]);
  });

  it('can be switched off and asked for its interval', () => {
    const rig = new Rig().boot();
    rig.ask(511, [30, -1]);
    const from = rig.timeS;
    rig.run(1);
    expect(rig.count('ATTITUDE', from, from + 1)).toBe(0);
    expect(rig.ask(510, [30])).toEqual([RESULT.accepted]);
    expect(rig.number('MESSAGE_INTERVAL', 'interval_us')).toBe(-1);
  });

  it('tells position, home and ground distance in one consistent way', () => {
    const rig = new Rig().flying({ x: 4, y: -2, z: -3 });
    rig.run(8);
    expect(rig.number('LOCAL_POSITION_NED', 'x')).toBeCloseTo(4, 0);
    expect(rig.number('ODOMETRY', 'y')).toBeCloseTo(-2, 0);
    expect(rig.number('GLOBAL_POSITION_INT', 'relative_alt') / 1000).toBeCloseTo(3, 0);
    expect(rig.number('GLOBAL_POSITION_INT', 'alt') / 1000).toBeCloseTo(491, 0);
    expect(rig.number('DISTANCE_SENSOR', 'current_distance') / 100).toBeCloseTo(3, 0);
    expect(rig.number('HOME_POSITION', 'altitude')).toBe(488_000);
  });

  it('shows a missing transmitter as enabled and unhealthy, which is no fault', () => {
    const rig = new Rig().boot();
    const RC = 0x10000;
    expect(rig.number('SYS_STATUS', 'onboard_control_sensors_enabled') & RC).toBe(RC);
    expect(rig.number('SYS_STATUS', 'onboard_control_sensors_health') & RC).toBe(0);
    expect(rig.number('SYS_STATUS', 'onboard_control_sensors_present') & 0x10000000).toBe(0);
  });
});
