import { describe, expect, it } from 'vitest';
import { MODE, RESULT, Rig } from './rig.js';

function takenOff(rig: Rig, altitudeM = NaN): Rig {
  rig.boot();
  expect(rig.arm()).toEqual([RESULT.accepted]);
  expect(rig.ask(22, [0, 0, 0, NaN, NaN, NaN, altitudeM])).toEqual([RESULT.accepted]);
  return rig;
}

describe('taking off', () => {
  it('by command climbs to MIS_TAKEOFF_ALT, says TAKEOFF meanwhile, and ends in hold', () => {
    const rig = takenOff(new Rig());
    rig.until('leaving the ground', () => !rig.landed, 4);
    rig.run(0.3);
    expect(rig.number('EXTENDED_SYS_STATE', 'landed_state')).toBe(3);
    rig.until('hold', () => rig.state === 'AUTO.LOITER', 10);
    rig.run(4);
    expect(rig.altitudeM).toBeCloseTo(2.5, 1);
    expect(rig.number('EXTENDED_SYS_STATE', 'landed_state')).toBe(2);
  });

  it('commanded before arming begins with arming, to the height of the last command', () => {
    const rig = new Rig().boot();
    rig.setMode(4, 2);
    expect(rig.ask(22, [0, 0, 0, NaN, NaN, NaN, 493])).toEqual([RESULT.accepted]);
    rig.run(1);
    expect(rig.altitudeM).toBe(0);
    expect(rig.arm()).toEqual([RESULT.accepted]);
    rig.until('hold', () => rig.state === 'AUTO.LOITER', 15);
    rig.run(4);
    expect(rig.altitudeM).toBeCloseTo(5, 1);
  });

  it('to an altitude above sea level climbs there, no faster than MPC_TKO_SPEED', () => {
    const rig = takenOff(new Rig(), 488 + 6);
    let fastest = 0;
    rig.until(
      'hold',
      () => {
        fastest = Math.max(fastest, -rig.autopilot.truth().velocityNedMS.d);
        return rig.state === 'AUTO.LOITER';
      },
      15,
    );
    rig.run(4);
    expect(rig.altitudeM).toBeCloseTo(6, 1);
    expect(fastest).toBeLessThan(1.8);
  });
});

describe('landing', () => {
  it('from 3 m takes 6 to 10 s, disarms 2 s later, and the mode is hold again', () => {
    const rig = takenOff(new Rig(), 491);
    rig.until('hold', () => rig.state === 'AUTO.LOITER', 15);
    rig.run(3);
    expect(rig.ask(21, [0, 0, 0, NaN, NaN, NaN, NaN])).toEqual([RESULT.accepted]);
    rig.run(0.3);
    expect(rig.number('EXTENDED_SYS_STATE', 'landed_state')).toBe(4);
    const down = rig.until('landed', () => rig.landed, 15);
    expect(down).toBeGreaterThan(6);
    expect(down).toBeLessThan(10);
    const disarm = rig.until('disarmed', () => !rig.armed, 4);
    expect(disarm).toBeCloseTo(2, 1);
    rig.run(1.1);
    expect(rig.mode).toBe(MODE.hold);
    expect(rig.ready).toBe(true);
  });
});

describe('returning', () => {
  it('from 20 m away climbs to 30 m first, comes home and lands in about a minute', () => {
    const rig = new Rig().flying({ x: 20, z: -3 });
    rig.until('20 m', () => rig.autopilot.truth().positionNedM.n > 19.5, 15);
    rig.silence();
    let highest = 0;
    const took = rig.until(
      'landing at home',
      () => {
        highest = Math.max(highest, rig.altitudeM);
        return !rig.armed;
      },
      90,
    );
    expect(highest).toBeGreaterThan(29);
    expect(took).toBeGreaterThan(45);
    expect(took).toBeLessThan(70);
    expect(Math.hypot(rig.autopilot.truth().positionNedM.n)).toBeLessThan(1.2);
  });

  it('from over home only descends', () => {
    const rig = new Rig().flying();
    rig.ask(20);
    let highest = 0;
    rig.until(
      'landing',
      () => {
        highest = Math.max(highest, rig.altitudeM);
        return !rig.armed;
      },
      40,
    );
    expect(highest).toBeLessThan(3.5);
  });
});

describe('home', () => {
  it('is set again where the vehicle has come down and disarmed', () => {
    const rig = new Rig().flying({ x: 20, z: -3 });
    rig.until('20 m', () => rig.autopilot.truth().positionNedM.n > 19.5, 15);
    const north = () => rig.number('HOME_POSITION', 'x');
    expect(north()).toBeLessThan(1);
    rig.silence();
    rig.setMode(4, 6);
    rig.until('disarmed', () => !rig.armed, 30);
    rig.run(2.5);
    expect(north()).toBeGreaterThan(18);
  });
});

describe('the body', () => {
  it('is pushed metres off by 8 m/s of wind, and comes back', () => {
    const rig = new Rig().flying();
    rig.autopilot.inject({ name: 'wind-gust', windNedMS: { n: 8, e: 0, d: 0 }, seconds: 30 });
    rig.run(3);
    expect(rig.autopilot.truth().positionNedM.n).toBeGreaterThan(2);
    expect(rig.autopilot.truth().positionNedM.n).toBeLessThan(5);
    rig.run(20);
    expect(Math.abs(rig.autopilot.truth().positionNedM.n)).toBeLessThan(1);
  });

  it('stays within a metre and a half of its setpoint with noise as measured', () => {
    const rig = new Rig({ noise: 1, seed: 5 });
    rig.flying();
    for (let i = 0; i < 60; i += 1) {
      rig.run(0.5);
      const { n, e, d } = rig.autopilot.truth().positionNedM;
      expect(Math.hypot(n, e, d + 3)).toBeLessThan(1.5);
    }
  });

  it('flies the same for the same seed, message by message', () => {
    const flight = (): string => {
      const rig = new Rig({ noise: 1, seed: 9 }).flying();
      return JSON.stringify(rig.heard.slice(-500), (_, v: unknown) =>
        typeof v === 'bigint' ? v.toString() : v,
      );
    };
    expect(flight()).toBe(flight());
  });
});
