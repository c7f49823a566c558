/** What is aboard beside the flight: camera, gimbal, gripper, winch, parameters. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Component } from '../../src/contract/index.js';
import type { Flight, FlightOptions } from './flight.js';
import { ARM, newHop, responseOf, sendHop, THERE, UP } from './hop.js';
import { expectNoViolations } from './invariants.js';

const SHIPPED = readFileSync('catalog/multicopter.yaml', 'utf8');

const equipped = (options: FlightOptions = {}): Flight => {
  const flight = newHop({ devices: true, ...options });
  flight.seconds(1);
  return flight;
};

const one = (kind: string, params: object = {}, more: Partial<Component> = {}): Component => ({
  id: 'it',
  kind,
  params: { ...params },
  ...more,
});

const receiptOf = (flight: Flight, id = 'it') =>
  flight.events.flatMap((e) =>
    e.type === 'receipt' && e.receipt.componentId === id ? [e.receipt] : [],
  )[0];

const codes = (flight: Flight, component: Component): readonly string[] => {
  const reply = flight.submit(responseOf([component]));
  return reply.verdict?.components.flatMap((c) => c.findings.map(({ code }) => code)) ?? [];
};

const commands = (flight: Flight): readonly unknown[] =>
  flight.wire.sent.flatMap(({ command }) => (command === undefined ? [] : [command]));

describe('camera.capture', () => {
  it('is done when the camera says so, with the image in the receipt, and commanded once', () => {
    const flight = equipped();
    sendHop(flight, [one('camera.capture')]);
    flight.seconds(0.3);
    // Acknowledged by now; no picture yet.
    expect(flight.stateOf('it')).toBe('active');
    flight.until('the picture', () => flight.stateOf('it') === 'done', 3);
    expect(receiptOf(flight)?.observed).toMatchObject({
      completed: true,
      imageIndex: 1,
      fileUrl: 'mftp://dcim/0001.jpg',
    });
    expect(commands(flight)).toEqual([2000]);
    expectNoViolations(flight);
  });

  it('is told of by report.image from its receipt, and only from one that it requires', () => {
    const flight = equipped();
    const image = (of: string, requires: string[]) => ({
      id: 'image',
      kind: 'report.image',
      params: { of },
      requires,
    });
    const refused = (...more: Component[]): readonly string[] =>
      flight
        .check(JSON.stringify(responseOf([one('camera.capture'), ...more])))
        .verdict?.components.flatMap((c) => c.findings.map(({ code }) => code)) ?? [];
    expect(refused(image('it', []))).toEqual(['HALO-204']);
    const fuel = { id: 'fuel', kind: 'report.battery' };
    expect(refused(fuel, image('fuel', ['fuel']))).toEqual(['HALO-219']);
    sendHop(flight, [one('camera.capture'), image('it', ['it'])]);
    flight.until('the report', () => flight.stateOf('image') === 'delivered', 3);
    expect(receiptOf(flight, 'image')?.observed).toMatchObject({ imageIndex: 1, delivered: true });
    const said = flight.events.flatMap((e) => (e.type === 'utterance' ? [e.utterance.text] : []));
    expect(said).toEqual([expect.stringMatching(/^Image 1 taken at \[47\.39.*0001\.jpg$/)]);
  });

  it('is unknown without a camera, sends nothing twice, and withholds what rests on it', () => {
    const flight = newHop();
    const words = {
      id: 'tell',
      kind: 'operator.message',
      params: { text: 'Seen.' },
      requires: ['it'],
    };
    sendHop(flight, [one('camera.capture'), words]);
    flight.seconds(11);
    expect([flight.stateOf('it'), flight.stateOf('tell')]).toEqual(['unknown', 'withheld']);
    expect(commands(flight)).toEqual([2000]);
  });

  it('waits after a leg until the hover has been handed to hold', () => {
    const flight = equipped();
    sendHop(flight, [ARM, UP, THERE, one('camera.capture', {}, { requires: ['there'] })]);
    flight.until('the picture', () => flight.stateOf('it') === 'done', 60);
    expect(flight.mode).toBe('AUTO.LOITER');
    const asked = flight.wire.sent.findIndex(({ command }) => command === 2000);
    expect(flight.wire.sent.slice(0, asked).findLast(({ mode }) => mode)?.mode).toBe('AUTO.LOITER');
    expect(flight.wire.setpoints(flight.wire.sent[asked]!.atUs)).toEqual([]);
    expectNoViolations(flight);
  });
});

describe('camera.point', () => {
  it('takes control of the gimbal and is done when its attitude shows the direction', () => {
    const flight = equipped();
    sendHop(flight, [one('camera.point', { pitchDeg: -60, yawDeg: 90 })]);
    flight.seconds(1);
    expect(flight.stateOf('it')).toBe('active');
    flight.until('the direction', () => flight.stateOf('it') === 'done', 5);
    const { gimbalDeg } = receiptOf(flight)?.observed ?? {};
    expect(gimbalDeg).toHaveLength(3);
    const [, pitch = 0, yaw = 0] = Array.isArray(gimbalDeg) ? (gimbalDeg as readonly number[]) : [];
    expect(Math.abs(pitch + 60)).toBeLessThan(2);
    expect(Math.abs(yaw - 90)).toBeLessThan(4);
    expect(commands(flight)).toEqual([1001, 1000]);
    sendHop(flight, [one('camera.point', { pitchDeg: -60, yawDeg: 90 })]);
    flight.until('the same again', () => flight.stateOf('it') === 'done', 1);
    expect(commands(flight)).toHaveLength(2);
    expectNoViolations(flight);
  });

  it('is withheld without a gimbal, and beyond its range', () => {
    expect(codes(newHop(), one('camera.point', { pitchDeg: 0, yawDeg: 0 }))).toEqual(['HALO-208']);
    expect(codes(equipped(), one('camera.point', { pitchDeg: -91, yawDeg: 0 }))).toEqual([
      'HALO-202',
    ]);
  });
});

const digestShown = (flight: Flight): string =>
  /[0-9a-f]{64}/.exec(flight.engine.state().components.at(-1)?.reason ?? '')?.[0] ?? '';

describe('payload.release', () => {
  it('waits for a person, and is done only when the load is seen to be gone', () => {
    const flight = equipped();
    sendHop(flight, [one('payload.release')]);
    flight.seconds(1);
    expect(flight.stateOf('it')).toBe('awaiting-approval');
    expect(flight.wire.sent).toEqual([]);
    flight.approve(digestShown(flight));
    flight.seconds(0.3);
    expect(flight.stateOf('it')).toBe('active');
    flight.until('the release', () => flight.stateOf('it') === 'done', 3);
    expect(receiptOf(flight)?.observed).toEqual({ completed: true, 'payload.released': true });
    expect(commands(flight)).toEqual([211]);
    // It cannot be done twice: what is gone is no support for letting it go.
    expect(codes(flight, one('payload.release'))).toEqual(['HALO-211']);
    expectNoViolations(flight);
  });

  it('is unknown when the gripper acknowledges and the load hangs on', () => {
    const flight = equipped();
    flight.vehicle.autopilot.jamGripper();
    sendHop(flight, [one('payload.release')]);
    flight.seconds(0.2);
    flight.approve(digestShown(flight));
    flight.seconds(11);
    expect(flight.stateOf('it')).toBe('unknown');
    expect(receiptOf(flight)).toBeUndefined();
    expect(commands(flight)).toEqual([211]);
  });

  it('is withheld where no sensor tells of the load', () => {
    const flight = newHop();
    expect(codes(flight, one('payload.release'))).toEqual(['HALO-208']);
  });
});

describe('payload.winch', () => {
  it('is done when the winch shows the length', () => {
    const flight = equipped();
    sendHop(flight, [one('payload.winch', { lineM: 4, speedMS: 1 })]);
    flight.seconds(2);
    expect(flight.stateOf('it')).toBe('active');
    flight.until('the line', () => flight.stateOf('it') === 'done', 8);
    const { lineM } = receiptOf(flight)?.observed ?? {};
    expect(Math.abs(Number(lineM) - 4)).toBeLessThan(0.1);
    expectNoViolations(flight);
  });

  it('is refused beyond its line', () => {
    expect(codes(equipped(), one('payload.winch', { lineM: 11, speedMS: 1 }))).toEqual([
      'HALO-203',
    ]);
  });
});

const set = (name: string, value: number, type = 'float'): Component =>
  one('param.set', { name, type, value });

describe('param.set', () => {
  it('sets what is listed and reads it back; the second time it is so already', () => {
    const flight = equipped();
    sendHop(flight, [set('MPC_XY_CRUISE', 2.1)]);
    flight.until('the setting', () => flight.stateOf('it') === 'done', 5);
    expect(receiptOf(flight)).toMatchObject({
      ensured: false,
      observed: { completed: true, param: 'MPC_XY_CRUISE', value: Math.fround(2.1) },
    });
    sendHop(flight, [set('MPC_XY_CRUISE', 2.1)]);
    flight.until('the second', () => flight.stateOf('it') === 'done', 5);
    const settings = flight.wire.sent.filter(({ id }) => id === 23);
    expect(settings).toHaveLength(1);
  });

  it('refuses safety parameters at any value, and what is not listed', () => {
    const flight = equipped();
    for (const [name, value] of [
      ['COM_OBL_RC_ACT', 4],
      ['COM_OBL_RC_ACT', 0],
      ['GF_ACTION', 1],
      ['NAV_RCL_ACT', 2],
      ['RTL_RETURN_ALT', 30],
      ['CBRK_SUPPLY_CHK', 894281],
      ['MAV_SIGN_CFG', 0],
    ] as const) {
      expect(codes(flight, set(name, value, 'int32')), name).toEqual(['HALO-221']);
    }
    expect(codes(flight, set('SYS_AUTOSTART', 1, 'int32'))).toEqual(['HALO-220']);
    expect(codes(flight, set('MPC_XY_CRUISE', 2, 'int32'))).toEqual(['HALO-220']);
    expect(codes(flight, set('MPC_XY_CRUISE', 12))).toEqual(['HALO-203']);
    expect(codes(flight, set('mpc_xy_cruise', 2))).toEqual(['HALO-202']);
    expect(flight.wire.sent).toEqual([]);
  });

  it('says what the vehicle says: no such parameter, or another type', () => {
    const listed = SHIPPED.replace(
      '    parameters:\n',
      `    parameters:
      - { name: NO_SUCH, type: float, min: 0, max: 9 }
      - { name: BAT1_N_CELLS, type: float, min: 0, max: 9 }
      - { name: MAV_TYPE, type: int32, min: 0, max: 40 }
`,
    );
    const flight = equipped({ catalog: listed });
    for (const [name, why] of [
      ['NO_SUCH', 'does not exist'],
      ['BAT1_N_CELLS', 'is not a float'],
    ] as const) {
      sendHop(flight, [set(name, 3)]);
      flight.until(`the refusal of ${name}`, () => flight.stateOf('it') === 'interrupted', 5);
      expect(flight.open?.reason).toContain(why);
      flight.abort();
    }
    sendHop(flight, [set('MAV_TYPE', 13, 'int32')]);
    flight.until('an integer', () => flight.stateOf('it') === 'done', 5);
    expect(receiptOf(flight)?.observed['value']).toBe(13);
  });
});
