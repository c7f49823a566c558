import { describe, expect, it } from 'vitest';
import { MODE, RESULT, Rig } from './rig.js';

describe('DO_SET_MODE', () => {
  it.each([
    ['main mode 99', [1, 99, 0]],
    ['base mode 0', [0, 6, 0]],
    ['AUTO sub mode 77', [1, 4, 77]],
  ])('with %s is accepted first and rejected then', (_name, params) => {
    const rig = new Rig().boot();
    expect(rig.ask(176, params)).toEqual([RESULT.accepted, RESULT.temporarilyRejected]);
    expect(rig.state).toBe('AUTO.LOITER');
  });

  it('to OFFBOARD in flight without a stream is accepted first and rejected then', () => {
    const rig = new Rig().boot();
    rig.arm();
    rig.ask(22, [0, 0, 0, NaN, NaN, NaN, NaN]);
    rig.until('the climb', () => rig.altitudeM > 1, 10);
    expect(rig.setMode(6)).toEqual([RESULT.accepted, RESULT.temporarilyRejected]);
    expect(rig.state).not.toBe('OFFBOARD');
  });

  it('shows in HEARTBEAT within a second', () => {
    const rig = new Rig().boot();
    rig.setMode(4, 2);
    rig.run(1);
    expect(rig.mode).toBe(MODE.takeoff);
  });
});

describe('a command', () => {
  it('that is unknown is unsupported', () => {
    expect(new Rig().boot().ask(31000)).toEqual([RESULT.unsupported]);
  });

  it('for another system, or for component 50, gets no answer and has no effect', () => {
    const rig = new Rig().boot();
    expect(rig.ask(400, [1], [2, 1])).toEqual([]);
    expect(rig.ask(400, [1], [1, 50])).toEqual([]);
    expect(rig.armed).toBe(false);
  });

  it('for component 0 is executed', () => {
    const rig = new Rig().boot();
    expect(rig.ask(400, [1], [1, 0])).toEqual([RESULT.accepted]);
  });

  it('is answered within 20 ms, to the one who sent it', () => {
    const rig = new Rig().boot();
    const from = rig.timeS;
    rig.command(400, [1]);
    rig.run(0.02);
    const ack = rig.last('COMMAND_ACK');
    expect(ack.atS - from).toBeLessThan(0.02);
    expect(ack.fields).toMatchObject({ command: 400, target_system: 1, target_component: 191 });
  });

  it.each([
    ['reboot', 246, [1], [RESULT.denied]],
    ['shutdown', 246, [2], [RESULT.denied]],
    ['termination with 0', 185, [0], [RESULT.denied]],
    ['reposition without the mode flag', 192, [-1, 0, 0, NaN, NaN, NaN, NaN], [RESULT.unsupported]],
    ['the version', 520, [1], [RESULT.accepted]],
  ])('to ask for %s gives the result that PX4 gives', (_name, id, params, results) => {
    expect(new Rig().boot().ask(id, params)).toEqual(results);
  });

  it('to calibrate in flight is temporarily rejected', () => {
    expect(new Rig().flying().ask(241, [1])).toEqual([RESULT.temporarilyRejected]);
  });

  it('to terminate stops the motors, and no mode change gets out of it', () => {
    const rig = new Rig().flying();
    expect(rig.ask(185, [1])).toEqual([RESULT.accepted]);
    rig.run(1);
    expect(rig.mode).toBe(MODE.termination);
    expect(rig.altitudeM).toBeLessThan(1);
    expect(rig.setMode(4, 3)).toEqual([RESULT.accepted, RESULT.temporarilyRejected]);
    expect(rig.number('HEARTBEAT', 'system_status')).toBe(8);
  });
});

describe('REQUEST_MESSAGE', () => {
  it('brings the message at once', () => {
    const rig = new Rig().boot();
    expect(rig.ask(512, [148])).toEqual([RESULT.accepted]);
    const version = rig.last('AUTOPILOT_VERSION').fields;
    expect(version['uid']).toBeTypeOf('bigint');
    expect(Number(version['flight_sw_version']) >>> 16).toBe(0x0111);
    expect(rig.ask(512, [300])).toEqual([RESULT.accepted]);
    expect(rig.number('PROTOCOL_VERSION', 'version')).toBe(200);
  });

  it('of an unknown id is denied', () => {
    expect(new Rig().boot().ask(512, [60000])).toEqual([RESULT.denied]);
  });
});

describe('INJECT_FAILURE', () => {
  it('answers to nobody in particular, and is silent for sensors', () => {
    const rig = new Rig().boot();
    expect(rig.ask(420, [100, 1, 0])).toEqual([RESULT.accepted]);
    expect(rig.last('COMMAND_ACK').fields).toMatchObject({ target_system: 0, target_component: 0 });
    expect(rig.ask(420, [4, 1, 0])).toEqual([]);
    expect(rig.ask(420, [101, 5, 1])).toEqual([RESULT.unsupported]);
  });

  it('is denied when SYS_FAILURE_EN is 0', () => {
    const rig = new Rig({ parameters: { SYS_FAILURE_EN: 0 } }).boot();
    expect(rig.ask(420, [100, 1, 0])).toEqual([RESULT.denied]);
  });

  it('of a motor has no effect unless CA_FAILURE_MODE is set; then the vehicle crashes', () => {
    const rig = new Rig().flying();
    expect(rig.ask(420, [101, 1, 1])).toEqual([RESULT.accepted]);
    rig.run(2);
    expect(rig.altitudeM).toBeGreaterThan(2.5);

    const doomed = new Rig({ parameters: { CA_FAILURE_MODE: 1 } }).flying();
    doomed.ask(420, [101, 1, 1]);
    expect(doomed.until('the crash', () => doomed.altitudeM === 0, 3)).toBeLessThan(2);
    doomed.run(5);
    expect(doomed.armed).toBe(true);
    expect(doomed.state).toBe('OFFBOARD');
    expect(doomed.number('EXTENDED_SYS_STATE', 'landed_state')).toBe(2);
    expect(doomed.ask(400, [0])).toEqual([RESULT.temporarilyRejected]);
    expect(doomed.ask(400, [0, 21196])).toEqual([RESULT.accepted]);
    doomed.run(2);
    expect(doomed.arm()).toEqual([RESULT.accepted]);
  });
});

describe('services', () => {
  it('answer TIMESYNC only when asked for the time', () => {
    const rig = new Rig().boot();
    rig.send('TIMESYNC', { tc1: 0n, ts1: 77n, target_system: 1, target_component: 1 });
    rig.run(0.01);
    const answer = rig.heard.find((m) => m.name === 'TIMESYNC' && m.fields['ts1'] === 77n);
    expect(Number(answer?.fields['tc1']) / 1e9).toBeCloseTo(rig.timeS, 1);
    rig.send('TIMESYNC', { tc1: 5n, ts1: 78n, target_system: 1, target_component: 1 });
    rig.run(0.05);
    expect(rig.heard.some((m) => m.name === 'TIMESYNC' && m.fields['ts1'] === 78n)).toBe(false);
  });

  it('answer PING with its own number', () => {
    const rig = new Rig().boot();
    rig.send('PING', { time_usec: 9n, seq: 4242, target_system: 0, target_component: 0 });
    rig.run(0.05);
    const answer = rig.heard.find((m) => m.name === 'PING' && m.fields['seq'] === 4242);
    expect(answer?.fields).toMatchObject({ target_system: 1, target_component: 191 });
  });

  it('repeat an event that was missed, and say so when it is gone', () => {
    const rig = new Rig().boot();
    const last = rig.number('EVENT', 'sequence');
    const before = rig.heard.filter((m) => m.name === 'EVENT').length;
    const ask = { target_system: 1, target_component: 1 };
    rig.send('REQUEST_EVENT', { ...ask, first_sequence: last, last_sequence: last });
    rig.run(0.05);
    expect(rig.heard.filter((m) => m.name === 'EVENT').length).toBe(before + 1);
    rig.send('REQUEST_EVENT', { ...ask, first_sequence: 60000, last_sequence: 60000 });
    rig.run(0.05);
    expect(rig.number('RESPONSE_EVENT_ERROR', 'sequence')).toBe(60000);
  });

  it('say that there is no mission', () => {
    const rig = new Rig().boot();
    rig.send('MISSION_REQUEST_LIST', { target_system: 1, target_component: 1 });
    rig.run(0.05);
    expect(rig.number('MISSION_COUNT', 'count')).toBe(0);
  });
});
