import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { PARAMETER_TABLE } from '../../sim/autopilot/parameter-table.js';
import {
  HURTING_PARAMETERS,
  hurtOf,
  parseParameterFile,
  type ParameterFile,
} from '../../src/vehicle/index.js';
import { PX4_FACTS } from './px4-facts.js';

const FOLDER = path.resolve(import.meta.dirname, '../../firmware-config/px4');
const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith('.params'));
const textOf = (name: string): string => readFileSync(path.join(FOLDER, name), 'utf8');

function load(name: string): ParameterFile {
  const parsed = parseParameterFile(textOf(name), name);
  if (!parsed.ok) throw new Error(`${parsed.error.path ?? ''} ${parsed.error.message}`);
  return parsed.value;
}
const valuesOf = (name: string): ReadonlyMap<string, number> =>
  new Map(load(name).parameters.map((p) => [p.name, p.value]));

describe('the parameter files for PX4', () => {
  it('are the four that the page tells of', () => {
    expect(NAMES.toSorted()).toEqual([
      'arm-authorizer.params',
      'indoor.params',
      'offboard-no-rc.params',
      'signed-link.params',
    ]);
    const page = readFileSync(path.join(FOLDER, '../README.md'), 'utf8');
    for (const name of NAMES) expect(page).toContain(`px4/${name}`);
  });

  it.each(NAMES)(
    '%s says what it is for, and of each value why, and what PX4 has instead',
    (name) => {
      const { purpose, parameters } = load(name);
      expect(purpose).toMatch(/\.$/);
      for (const { name: parameter, reason = '' } of parameters) {
        expect(reason.length, parameter).toBeGreaterThan(40);
        expect(reason, parameter).toMatch(/\.$/);
      }
    },
  );

  it.each(NAMES)(
    '%s names parameters that PX4 has, with its types, defaults and permitted values',
    (name) => {
      for (const { name: parameter, type, value, px4Default } of load(name).parameters) {
        const fact = PX4_FACTS[parameter];
        expect({ parameter, type, px4Default }).toEqual({
          parameter,
          type: fact?.type,
          px4Default: fact?.px4Default,
        });
        if (fact?.values !== undefined) expect(fact.values, parameter).toContain(value);
        const [min, max] = fact?.range ?? [-Infinity, Infinity];
        expect(value, parameter).toBeGreaterThanOrEqual(min);
        expect(value, parameter).toBeLessThanOrEqual(max);
      }
    },
  );

  it('agree in type with the parameters of the embedded autopilot', () => {
    const types = new Map(PARAMETER_TABLE.map(({ name, type }) => [name, type]));
    const both = NAMES.flatMap((name) => load(name).parameters).filter(({ name }) =>
      types.has(name),
    );
    expect(both.length).toBeGreaterThan(10);
    for (const { name, type } of both) expect(`${name} ${type}`).toBe(`${name} ${types.get(name)}`);
  });

  it('leave nothing that hurts by the bridge’s own start-up check', () => {
    const values = new Map([...valuesOf('offboard-no-rc.params'), ...valuesOf('indoor.params')]);
    for (const name of HURTING_PARAMETERS) {
      const value = values.get(name);
      expect(value, name).toBeDefined();
      expect(hurtOf(name, value ?? NaN, { altitudeMaxM: 3 }), name).toBeUndefined();
    }
  });

  it('indoors keep return and descent below the fence, and the fence below the ceiling', () => {
    const indoor = valuesOf('indoor.params');
    const heights = ['RTL_DESCEND_ALT', 'RTL_RETURN_ALT', 'GF_MAX_VER_DIST'].map(
      (name) => indoor.get(name) ?? NaN,
    );
    expect(heights).toEqual(heights.toSorted((a, b) => a - b));
    expect(heights.at(-1)).toBeLessThan(4);
  });

  it('say so where the bridge itself is not there yet: a file that would lock it out', () => {
    const notYet = NAMES.filter((name) => load(name).notYet !== undefined);
    expect(notYet.toSorted()).toEqual(['arm-authorizer.params', 'signed-link.params']);
  });
});
