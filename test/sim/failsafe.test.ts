import { describe, expect, it } from 'vitest';
import { MODE, RESULT, Rig } from './rig.js';

const elapsed = (rig: Rig, from: number, event: string): number =>
  (rig.eventAt(event) ?? Infinity) - from;

describe('an empty battery', () => {
  it('warns at 1.8 s, holds 5 s from 2.6 s, lands at 7.7 s, and cannot be armed again', () => {
    const rig = new Rig().flying();
    rig.ask(420, [100, 1, 0]);
    const from = rig.timeS - 0.1;
    rig.run(7.4);
    expect(elapsed(rig, from, 'commander_failsafe_enter_low_bat')).toBeCloseTo(1.8, 1);
    expect(elapsed(rig, from, 'commander_failsafe_enter_hold')).toBeCloseTo(2.6, 1);
    expect(rig.state).toBe('AUTO.LOITER');
    rig.run(0.5);
    expect(rig.state).toBe('AUTO.LAND');
    expect(elapsed(rig, from, 'commander_failsafe_enter_crit_low_bat_warn')).toBeCloseTo(7.7, 1);
    rig.until('disarming', () => !rig.armed, 20);
    expect(rig.arm()).toEqual([RESULT.temporarilyRejected]);
  });

  it('is not overruled by the stream, but a mode change during the hold does it', () => {
    const rig = new Rig().flying();
    rig.ask(420, [100, 1, 0]);
    rig.run(4);
    expect(rig.state).toBe('AUTO.LOITER');
    rig.setMode(6);
    expect(rig.state).toBe('OFFBOARD');
    expect(rig.eventAt('failsafe_rc_override')).toBeDefined();
  });

  it('does not break off a landing that was commanded', () => {
    const rig = new Rig().flying();
    rig.setMode(4, 6);
    rig.autopilot.inject({ name: 'battery-drop', fraction: 0.06 });
    rig.run(0.5);
    expect(rig.state).toBe('AUTO.LAND');
    rig.until('disarming', () => !rig.armed, 20);
  });

  it('that drops to a quarter changes what is reported and nothing else', () => {
    const rig = new Rig().flying();
    rig.autopilot.inject({ name: 'battery-drop', fraction: 0.25 });
    rig.run(5);
    expect(rig.number('BATTERY_STATUS', 'battery_remaining')).toBe(25);
    expect(rig.number('SYS_STATUS', 'battery_remaining')).toBe(25);
    expect(rig.state).toBe('OFFBOARD');
  });

  it('only warns with COM_LOW_BAT_ACT=0, and lands at the critical level with 2', () => {
    const warned = new Rig({ parameters: { COM_LOW_BAT_ACT: 0 } }).flying();
    warned.autopilot.inject({ name: 'battery-drop', fraction: 0.06 });
    warned.run(8);
    expect(warned.state).toBe('OFFBOARD');
    expect(warned.eventAt('commander_failsafe_enter_crit_bat_warn')).toBeDefined();

    const landed = new Rig({ parameters: { COM_LOW_BAT_ACT: 2 } }).flying();
    landed.autopilot.inject({ name: 'battery-drop', fraction: 0.06 });
    landed.run(5.2);
    expect(landed.state).toBe('AUTO.LAND');
  });

  it('empties by flying: about a twentieth a minute', () => {
    const rig = new Rig().flying();
    const before = rig.autopilot.status().batteryFraction;
    rig.run(60);
    expect(before - rig.autopilot.status().batteryFraction).toBeCloseTo(0.05, 2);
  });
});

describe('losing GPS', () => {
  it('on the ground makes the pre-arm check fail after 5.4 s', () => {
    const rig = new Rig().boot();
    rig.autopilot.inject({ name: 'gps-loss', seconds: 1e6 });
    const after = rig.until('the failing check', () => !rig.ready, 10);
    expect(after).toBeGreaterThan(5.3);
    expect(after).toBeLessThan(5.8);
    expect(rig.arm()).toEqual([RESULT.temporarilyRejected]);
    expect(rig.number('GPS_RAW_INT', 'fix_type')).toBe(0);
  });

  it('in OFFBOARD ends in altitude mode after 6.2 s; it sinks, drifts and lands', () => {
    const rig = new Rig().flying();
    rig.send('PARAM_SET', {
      target_system: 1,
      target_component: 1,
      param_id: 'SIM_GPS_USED',
      param_value: 0,
      param_type: 6,
    });
    const after = rig.until('the failsafe', () => rig.state === 'ALTCTL', 8);
    expect(after).toBeCloseTo(6.2, 1);
    expect(rig.eventAt('commander_failsafe_enter_autopilot_disengaged')).toBeDefined();
    rig.until('landing', () => !rig.armed, 20);
    const { n, e } = rig.autopilot.truth().positionNedM;
    expect(Math.hypot(n, e)).toBeGreaterThan(0.5);
    expect(Math.hypot(n, e)).toBeLessThan(6);
  });

  it('in hold ends in a blind descent, and stops GLOBAL_POSITION_INT', () => {
    const rig = new Rig().flying();
    rig.setMode(4, 3);
    rig.autopilot.inject({ name: 'gps-loss', seconds: 1e6 });
    rig.run(6.5);
    expect(rig.state).toBe('DESCEND');
    const from = rig.timeS;
    rig.run(1);
    expect(rig.count('GLOBAL_POSITION_INT', from, from + 1)).toBe(0);
    expect(rig.mode).toBe(MODE.land);
  });
});

describe('losing a ground station', () => {
  const beat = (rig: Rig): (() => void) =>
    rig.clock.every(1_000_000, () => {
      rig.heartbeat(6, { system: 255, component: 190 });
    });

  it('is an event only, unless NAV_DLL_ACT asks for more', () => {
    const rig = new Rig();
    const stop = beat(rig);
    rig.flying();
    stop();
    const after = rig.until('the event', () => rig.eventAt('commander_gcs_lost') !== undefined, 15);
    expect(after).toBeGreaterThan(10.5);
    expect(after).toBeLessThan(13.4);
    rig.run(6);
    expect(rig.state).toBe('OFFBOARD');
  });

  it('with NAV_DLL_ACT=3 holds 5 s and lands, although it came back during the hold', () => {
    const rig = new Rig({ parameters: { NAV_DLL_ACT: 3 } });
    const stop = beat(rig);
    rig.flying();
    stop();
    rig.until('hold', () => rig.state === 'AUTO.LOITER', 15);
    rig.run(2);
    beat(rig);
    rig.run(3.5);
    expect(rig.state).toBe('AUTO.LAND');
  });

  it('is spared in OFFBOARD by COM_DLL_EXCEPT=4', () => {
    const rig = new Rig({ parameters: { NAV_DLL_ACT: 3, COM_DLL_EXCEPT: 4 } });
    const stop = beat(rig);
    rig.flying();
    stop();
    rig.run(20);
    expect(rig.state).toBe('OFFBOARD');
  });
});

describe('a companion', () => {
  it('is missed after 5 s when it carries the own system id, and only then', () => {
    const rig = new Rig().flying();
    rig.heartbeat(18, { system: 245 });
    rig.run(7);
    expect(rig.eventAt('commander_mission_comp_lost')).toBeUndefined();
    rig.heartbeat(18);
    rig.run(5.2);
    expect(rig.eventAt('commander_mission_comp_lost')).toBeDefined();
    expect(rig.state).toBe('OFFBOARD');
  });
});

describe('STATUSTEXT', () => {
  it('goes only to a link that heard a ground station, in pieces of 50, tab at the end', () => {
    const rig = new Rig().boot();
    rig.heartbeat(18);
    rig.setMode(4, 6);
    rig.arm();
    expect(rig.heard.some((m) => m.name === 'STATUSTEXT')).toBe(false);
    rig.heartbeat(6, { system: 255, component: 190 });
    rig.run(0.1);
    const from = rig.heard.length;
    rig.arm();
    const texts = rig.heard.slice(from).filter((m) => m.name === 'STATUSTEXT');
    expect(texts.map((m) => m.fields['text'])).toEqual([
      'Arming denied: Resolve system health failures firs',
      't\t',
    ]);
    expect(texts.map((m) => m.fields['chunk_seq'])).toEqual([0, 1]);
    expect(texts[0]?.fields['id']).toBe(texts[1]?.fields['id']);
  });
});
