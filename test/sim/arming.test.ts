import { describe, expect, it } from 'vitest';
import { MODE, RESULT, Rig } from './rig.js';

describe('booting', () => {
  it('is silent for 0.34 s, and its first heartbeat comes at 1.3 s', () => {
    const rig = new Rig();
    rig.run(3);
    expect(rig.heard[0]?.atS).toBeGreaterThan(0.33);
    expect(rig.heard[0]?.atS).toBeLessThan(0.45);
    const heartbeat = rig.heard.find((m) => m.name === 'HEARTBEAT');
    expect(heartbeat?.atS).toBeCloseTo(1.3, 1);
    expect(heartbeat?.fields).toMatchObject({
      type: 2,
      autopilot: 12,
      base_mode: 29,
      custom_mode: MODE.hold,
      system_status: 0,
    });
  });

  it('is ready for arming at 4.4 s or about 6.5 s, as the seed will have it', () => {
    const times = Array.from({ length: 8 }, (_, seed) => {
      const rig = new Rig({ seed: seed + 1 }).boot();
      return rig.timeS;
    });
    for (const time of times) expect([4.4, 6.5].some((t) => Math.abs(time - t) < 0.3)).toBe(true);
    expect(new Set(times.map((time) => time > 5)).size).toBe(2);
  });

  it('refuses to arm right after boot: temporarily rejected, with the reason as an event', () => {
    const rig = new Rig();
    rig.run(2);
    expect(rig.arm()).toEqual([RESULT.temporarilyRejected]);
    expect(rig.eventAt('commander_arm_denied_resolve_failures')).toBeGreaterThan(1.9);
    expect(rig.eventAt('check_estimator_heading_not_stable')).toBeDefined();
  });
});

describe('arming', () => {
  it.each([
    ['OFFBOARD without a stream', 6, 0, 'check_modes_offboard_signal'],
    ['POSCTL without a transmitter', 3, 0, 'check_modes_manual_control'],
    ['MANUAL without a transmitter', 1, 0, 'check_modes_manual_control'],
    ['MISSION without a mission', 4, 4, 'check_modes_mission'],
    ['LAND', 4, 6, 'check_modes_cannot_takeoff'],
    ['RTL', 4, 5, 'check_modes_cannot_takeoff'],
  ])('is refused in %s, although the mode is taken', (_name, main, sub, event) => {
    const rig = new Rig().boot();
    expect(rig.setMode(main, sub)).toEqual([RESULT.accepted, RESULT.accepted]);
    rig.run(0.3);
    expect(rig.ready).toBe(false);
    expect(rig.eventAt(event)).toBeDefined();
    expect(rig.arm()).toEqual([RESULT.temporarilyRejected]);
    expect(rig.armed).toBe(false);
  });

  it('with the force number is refused all the same', () => {
    const rig = new Rig().boot();
    rig.setMode(4, 6);
    expect(rig.ask(400, [1, 21196])).toEqual([RESULT.temporarilyRejected]);
  });

  it('is accepted twice, and so is disarming; a parameter of 2 gets an event and no answer', () => {
    const rig = new Rig().boot();
    expect(rig.arm()).toEqual([RESULT.accepted]);
    expect(rig.arm()).toEqual([RESULT.accepted]);
    expect(rig.ask(400, [0])).toEqual([RESULT.accepted]);
    expect(rig.ask(400, [0])).toEqual([RESULT.accepted]);
    expect(rig.ask(400, [2])).toEqual([]);
    expect(rig.eventAt('commander_unsupported_arm_disarm_param')).toBeDefined();
  });

  it('ends by itself after 10 s on the ground', () => {
    const rig = new Rig().boot();
    rig.arm();
    const armedFor = rig.until('disarming', () => !rig.armed, 15);
    expect(armedFor).toBeGreaterThan(9.5);
    expect(armedFor).toBeLessThan(10.5);
    expect(rig.eventAt('commander_disarmed_by')).toBeDefined();
  });

  it('in flight cannot be undone without force, and with force the vehicle falls', () => {
    const rig = new Rig().flying();
    expect(rig.ask(400, [0])).toEqual([RESULT.temporarilyRejected]);
    expect(rig.eventAt('commander_disarm_denied_not_landed')).toBeDefined();
    expect(rig.ask(400, [0, 21196])).toEqual([RESULT.accepted]);
    expect(rig.until('the fall', () => rig.altitudeM === 0, 2)).toBeLessThan(1.5);
  });

  it('in the armed state shows in HEARTBEAT: base mode, active, home position', () => {
    const rig = new Rig().boot();
    rig.arm();
    rig.run(2.1);
    expect(rig.number('HEARTBEAT', 'base_mode')).toBe(157);
    expect(rig.number('HEARTBEAT', 'system_status')).toBe(4);
    expect(rig.number('HOME_POSITION', 'latitude')).toBe(473977420);
  });

  it('needs a ground station when NAV_DLL_ACT is set', () => {
    const rig = new Rig({ parameters: { NAV_DLL_ACT: 2 } });
    rig.run(8);
    expect(rig.arm()).toEqual([RESULT.temporarilyRejected]);
    expect(rig.eventAt('check_rc_dl_no_dllink')).toBeDefined();
    rig.heartbeat(6, { system: 255, component: 190 });
    rig.run(0.1);
    expect(rig.arm()).toEqual([RESULT.accepted]);
  });
});
