import { describe, expect, it } from 'vitest';
import { FrameWriter } from '../../sim/autopilot/index.js';
import { Rig } from './rig.js';

const TARGET = { target_system: 1, target_component: 1 };
const read = (rig: Rig, name: string): void => {
  rig.send('PARAM_REQUEST_READ', { ...TARGET, param_id: name, param_index: -1 });
  rig.run(0.02);
};
const set = (rig: Rig, name: string, value: number, type: number): void => {
  rig.send('PARAM_SET', { ...TARGET, param_id: name, param_value: value, param_type: type });
  rig.run(0.02);
};

describe('parameters', () => {
  it.each([
    ['COM_OF_LOSS_T', 1, 9],
    ['MPC_XY_P', Math.fround(0.95), 9],
    ['COM_OBL_RC_ACT', 0, 6],
    ['NAV_RCL_ACT', 2, 6],
    ['RTL_RETURN_ALT', 30, 9],
    ['COM_DISARM_PRFLT', 10, 9],
    ['MAV_SYS_ID', 1, 6],
  ])('%s reads %d with the type PX4 gives it', (name, value, type) => {
    const rig = new Rig().boot();
    read(rig, name);
    expect(rig.last('PARAM_VALUE').fields).toMatchObject({
      param_id: name,
      param_value: value,
      param_type: type,
    });
  });

  it('carry integers as their bits in the float field', () => {
    const frame = new FrameWriter(1).frame({
      name: 'PARAM_VALUE',
      fields: {
        param_id: 'NAV_RCL_ACT',
        param_value: 2,
        param_type: 6,
        param_count: 1,
        param_index: 0,
      },
    });
    expect([...frame.slice(10, 14)]).toEqual([2, 0, 0, 0]);
  });

  it('are set while armed, without a check of range', () => {
    const rig = new Rig().flying();
    set(rig, 'COM_OF_LOSS_T', 500, 9);
    expect(rig.number('PARAM_VALUE', 'param_value')).toBe(500);
    set(rig, 'COM_OBL_RC_ACT', 4, 6);
    expect(rig.number('PARAM_VALUE', 'param_value')).toBe(4);
  });

  it('that are unknown or of another type give PARAM_ERROR and no value', () => {
    const rig = new Rig().boot();
    read(rig, 'NO_SUCH_PARAM');
    expect(rig.last('PARAM_ERROR').fields).toMatchObject({ param_id: 'NO_SUCH_PARAM', error: 1 });
    set(rig, 'NAV_RCL_ACT', 3, 9);
    expect(rig.last('PARAM_ERROR').fields).toMatchObject({ param_id: 'NAV_RCL_ACT', error: 7 });
    expect(rig.heard.some((m) => m.name === 'PARAM_VALUE')).toBe(false);
  });

  it('are listed whole and in order, without holding telemetry up', () => {
    const rig = new Rig().boot();
    const from = rig.timeS;
    rig.send('PARAM_REQUEST_LIST', TARGET);
    rig.run(1);
    const values = rig.heard.filter((m) => m.name === 'PARAM_VALUE');
    const count = Number(values[0]?.fields['param_count']);
    expect(values.map((m) => m.fields['param_index'])).toEqual([...Array(count).keys()]);
    expect(rig.count('ATTITUDE', from, from + 1)).toBeGreaterThan(95);
  });

  it('of an autopilot can be given at the start, and a wrong name is not swallowed', () => {
    expect(() => new Rig({ parameters: { COM_OF_LOST_T: 1 } })).toThrow('COM_OF_LOST_T');
  });
});
