import { describe, expect, it } from 'vitest';
import { fitsPlainly } from '../../src/admission/checks/plain-params.js';
import { paramSchemas } from '../../src/contract/index.js';
import { seededRandom } from '../../src/platform/index.js';

const SEED = 20_263;

type Effect = keyof typeof paramSchemas;

const GOOD: Partial<Record<Effect, Readonly<Record<string, unknown>>>> = {
  arm: {},
  disarm: {},
  takeoff: { altitudeM: 6 },
  goto: { frame: 'local_enu', positionM: [1, -2.5, 6], yawDeg: 90, speedMS: 2 },
  hold: { durationS: 5 },
  land: {},
  return: {},
  report_position: {},
  report_battery: {},
  report_range: { sensor: 'front' },
  operator_message: { text: 'Hello.' },
};

/** Every bound of the contract from both sides, and every type that JSON knows. */
const VALUES: readonly unknown[] = [
  ...[0, 1, -1, 1e-9, 100, 100.001, 360, 360.5, -360, -361, 3600, 3601, 100_000, -100_000, 100_001],
  ...[
    '',
    'front',
    'Front',
    '9a',
    'a'.repeat(32),
    'a'.repeat(33),
    'x'.repeat(1000),
    'x'.repeat(1001),
  ],
  ...['local_enu', 'local_ned', null, true, false, {}, [], [1, 2], [1, 2, 3], [1, 2, 3, 4]],
  ...[
    [1, 2, '3'],
    [100_000, 0, -100_000],
    [100_001, 0, 0],
    [0, 0, null],
    { 0: 1, 1: 2, 2: 3, length: 3 },
  ],
];
const KEYS = [...new Set(Object.values(GOOD).flatMap((params) => Object.keys(params))), 'extra'];

describe('Params that fit plainly', () => {
  it(`are exactly those that the contract’s schemas accept unchanged (seed ${SEED})`, () => {
    const random = seededRandom(SEED);
    const pick = <T>(items: readonly T[]): T => items[Math.floor(random() * items.length)] as T; // none is empty
    const effects = Object.keys(GOOD) as Effect[]; // the keys are the effects
    let fits = 0;
    for (let run = 0; run < 20_000; run += 1) {
      const does = pick(effects);
      const params: Record<string, unknown> = { ...GOOD[pick([does, does, pick(effects)])] };
      for (let edits = Math.floor(random() * 3); edits > 0; edits -= 1) {
        const key = pick([...Object.keys(GOOD[does] ?? {}), pick(KEYS)]);
        if (random() < 0.2) delete params[key];
        else params[key] = pick(VALUES);
      }
      const judged = paramSchemas[does].safeParse(params);
      const place = `${does} ${JSON.stringify(params)}`;
      expect(fitsPlainly(does, params), place).toBe(judged.success);
      if (!judged.success) continue;
      fits += 1;
      expect(judged.data, place).toEqual(params);
    }
    expect(fits).toBeGreaterThan(5000);
    expect(fits).toBeLessThan(18_000);
  });
});
