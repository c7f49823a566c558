/** Tables, log blocks and parameters of the simulated Crazyflie, byte by byte as measured. */
import { describe, expect, it } from 'vitest';
import { PORT } from '../../../src/link/index.js';
import { CrazyflieRig, packed } from './rig.js';

const hex = (bytes: Uint8Array | undefined): string => Buffer.from(bytes ?? []).toString('hex');

function tocIds(rig: CrazyflieRig, port: number): Map<string, number> {
  const info = rig.ask(port, 0, [3])[0]?.data ?? new Uint8Array();
  const count = (info[1] ?? 0) | ((info[2] ?? 0) << 8);
  const ids = new Map<string, number>();
  for (let id = 0; id < count; id += 1) {
    const item = rig.ask(port, 0, [2, id & 0xff, id >> 8])[0]?.data ?? new Uint8Array();
    const [group = '', name = ''] = Buffer.from(item.slice(4)).toString('latin1').split('\0');
    ids.set(`${group}.${name}`, id);
  }
  return ids;
}

describe('who it is', () => {
  it('answers echo and source, tells its protocol, and is silent at the sink', () => {
    const rig = new CrazyflieRig();
    expect(hex(rig.ask(PORT.link, 0, [7, 8])[0]?.data)).toBe('0708');
    const source = rig.ask(PORT.link, 1, [0])[0]?.data;
    expect(Buffer.from(source ?? []).toString('latin1')).toBe(
      `Bitcraze Crazyflie${'\0'.repeat(12)}`,
    );
    expect(rig.ask(PORT.link, 2, [1])).toEqual([]);
    expect(hex(rig.ask(PORT.platform, 1, [0])[0]?.data)).toBe('000c000000');
  });

  it('has no supervisor port before protocol 12, and the old arming packet always', () => {
    const old = new CrazyflieRig({ protocol: 10, model: 'brushless' });
    old.pass(0.5);
    expect(old.arm()).toBeUndefined();
    expect(hex(old.ask(PORT.platform, 0, [1, 1])[0]?.data)).toBe('010101');
    const now = new CrazyflieRig({ model: 'brushless' });
    now.pass(0.5);
    expect(hex(now.ask(PORT.platform, 0, [1, 1])[0]?.data)).toBe('010101');
    now.pass(0.1);
    expect(hex(now.ask(PORT.supervisor, 0, [12])[0]?.data)).toBe('8c0a02');
  });
});

describe('log blocks', () => {
  it('report their values every period with the time in ms', () => {
    const rig = new CrazyflieRig();
    const ids = tocIds(rig, PORT.log);
    const variables = ['stateEstimate.z', 'pm.vbat'].flatMap((name) => [
      0x77,
      ids.get(name) ?? -1,
      0,
    ]);
    expect(hex(rig.ask(PORT.log, 1, [6, 1, ...variables])[0]?.data)).toBe('060100');
    expect(hex(rig.ask(PORT.log, 1, [3, 1, 10])[0]?.data)).toBe('030100');
    rig.pass(1, () => rig.ask(PORT.link, 0, []));
    const data = rig.heard.filter(({ port, channel }) => port === PORT.log && channel === 2);
    expect(data).toHaveLength(10);
    const last = data.at(-1)?.data ?? new Uint8Array();
    expect(hex(last.slice(0, 4))).toBe('01e80300');
    expect(Buffer.from(last).readFloatLE(8)).toBeCloseTo(4.1, 2);
  });

  it.each([
    { what: 'starting an unknown one', data: [3, 9, 10], error: 2 },
    { what: 'an unknown command', data: [9, 1], error: 8 },
    { what: 'an unknown variable', data: [6, 2, 0x77, 0xff, 0xff], error: 2 },
    { what: 'one that is there', data: [6, 1], error: 17 },
    {
      what: 'seven floats',
      data: [6, 3, ...Array.from({ length: 7 }, () => [0x77, 0, 0]).flat()],
      error: 7,
    },
  ])('refuse $what with error $error', ({ data, error }) => {
    const rig = new CrazyflieRig();
    rig.ask(PORT.log, 1, [6, 1]);
    expect(rig.ask(PORT.log, 1, data)[0]?.data[2]).toBe(error);
  });

  it('are forgotten when the client is silent for a second', () => {
    const rig = new CrazyflieRig();
    rig.ask(PORT.log, 1, [6, 1, 0x77, 0, 0]);
    rig.ask(PORT.log, 1, [3, 1, 10]);
    rig.pass(3);
    expect(rig.heard.at(-1)?.data[1]).toBeDefined();
    expect(rig.heard.filter(({ channel }) => channel === 2).length).toBeLessThan(12);
    expect(rig.ask(PORT.log, 1, [3, 1, 10])[0]?.data[2]).toBe(2);
  });
});

describe('parameters', () => {
  it('are read with a status, and written with the same bytes as the answer', () => {
    const rig = new CrazyflieRig();
    const id = tocIds(rig, PORT.param).get('hlCommander.vtoff') ?? -1;
    expect(hex(rig.ask(PORT.param, 1, [id, 0])[0]?.data)).toBe(
      `0${id.toString(16)}0000${'0000003f'}`,
    );
    const write = Uint8Array.of(id, 0, ...packed(['f', 0.75]));
    expect(rig.ask(PORT.param, 2, write)[0]?.data).toEqual(write);
    expect(rig.ask(PORT.param, 1, [id, 0])[0]?.data.slice(3)).toEqual(packed(['f', 0.75]));
  });

  it('give error 2 for an unknown id, and no answer at all when one is read-only', () => {
    const rig = new CrazyflieRig();
    expect(hex(rig.ask(PORT.param, 1, [0xff, 0])[0]?.data)).toBe('ff0002');
    const id = tocIds(rig, PORT.param).get('deck.bcFlow2') ?? -1;
    expect(rig.ask(PORT.param, 2, [id, 0, 0])).toEqual([]);
  });

  it('stabilizer.stop drops a flying vehicle', () => {
    const rig = new CrazyflieRig();
    const id = tocIds(rig, PORT.param).get('stabilizer.stop') ?? -1;
    rig.airborne();
    rig.ask(PORT.param, 2, [id, 0, 1]);
    rig.pass(1.5);
    expect(rig.has('locked')).toBe(true);
  });
});
