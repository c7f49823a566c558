import { describe, expect, it } from 'vitest';
import { FaultPlan, parseControlLine, parsePlannedFault } from '../../sim/fault-plan.js';
import { Rig } from './rig.js';

describe('a planned fault', () => {
  it.each([
    ['battery-drop:0.25@t=30', { name: 'battery-drop', fraction: 0.25 }],
    [
      'estimator-reset:1,2,3@airborne+4',
      { name: 'estimator-reset', jumpNedM: { n: 2, e: 1, d: -3 } },
    ],
    ['link-loss:2@t=1', { name: 'link-loss', seconds: 2 }],
    ['wind-gust:4,-1,3@t=1', { name: 'wind-gust', windNedMS: { n: -1, e: 4, d: 0 }, seconds: 3 }],
    ['vehicle-reboot@near=10,0,6,1', { name: 'vehicle-reboot' }],
  ])('%s is understood', (text, fault) => {
    expect(parsePlannedFault(text).fault).toEqual(fault);
  });

  it.each([
    ['battery-drop:0.25', '@WHEN'],
    ['battery-drop:2@t=1', '0 to 1'],
    ['bird-strike@t=1', 'bird-strike'],
    ['link-loss:x@t=1', 'x'],
    ['link-loss@soon', 'soon'],
    ['link-loss@near=1,2,3', 'near='],
  ])('%s is refused with a sentence that names the trouble', (text, part) => {
    expect(() => parsePlannedFault(text)).toThrow(part);
  });

  it('fires once, at its time', () => {
    const rig = new Rig().boot();
    const plan = new FaultPlan([parsePlannedFault('battery-drop:0.5@t=3')]);
    const due = (timeS: number): number =>
      plan.due(timeS, rig.autopilot.truth(), rig.autopilot.status()).length;
    expect([due(2.9), due(3), due(3.1)]).toEqual([0, 1, 0]);
  });

  it('fires a while after take-off, or near a place', () => {
    const rig = new Rig();
    const plan = new FaultPlan([
      parsePlannedFault('wind-gust@airborne+2'),
      parsePlannedFault('battery-drop@near=0,6,3,1'),
    ]);
    const fired: [string, number][] = [];
    rig.clock.every(20_000, () => {
      const { autopilot, timeS } = rig;
      for (const fault of plan.due(timeS, autopilot.truth(), autopilot.status())) {
        fired.push([fault.name, timeS]);
      }
    });
    rig.flying();
    const takeoffS = rig.eventAt('commander_takeoff_detected') ?? 0;
    expect(fired.map(([name]) => name)).toEqual(['wind-gust']);
    expect(fired[0]?.[1]).toBeCloseTo(takeoffS + 2, 1);
    rig.stream({ x: 8, z: -3 });
    rig.run(5);
    expect(fired.map(([name]) => name)).toEqual(['wind-gust', 'battery-drop']);
  });
});

describe('the control channel', () => {
  it('takes a fault as a JSON line', () => {
    expect(parseControlLine('{"fault":"battery-drop","fraction":0.25}')).toEqual({
      fault: { name: 'battery-drop', fraction: 0.25 },
      instance: 0,
    });
    expect(
      parseControlLine('{"fault":"estimator-reset","east":3,"north":-2,"up":0}').fault,
    ).toEqual({
      name: 'estimator-reset',
      jumpNedM: { n: -2, e: 3, d: -0 },
    });
    expect(parseControlLine('{"fault":"link-loss","seconds":2,"instance":1}')).toMatchObject({
      instance: 1,
      fault: { seconds: 2 },
    });
  });

  it.each(['', 'x', '[]', '{}', '{"fault":"no-such"}', '{"fault":"link-loss","seconds":"2"}'])(
    'refuses %j',
    (line) => {
      expect(() => parseControlLine(line)).toThrow();
    },
  );
});
