/**
 * Contracts as operators write them: the examples load, and what contradicts itself is refused at
 * its line.
 */
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { catalogSchema } from '../../src/contract/index.js';
import { loadTaskContract, parseTaskContract } from '../../src/recovery/index.js';
import { CONTRACT_TEXT } from './support.js';

const EXAMPLES = resolve(import.meta.dirname, '../../examples');

const refusal = (text: string) => {
  const result = parseTaskContract(text, 'c.yaml');
  if (result.ok) throw new Error(`was accepted:\n${text}`);
  return result.error;
};

/** Obligations only; the rest of the contract is right. */
const withObligations = (text: string): string =>
  `task: t\nobligations:\n${text}contingency: land\nbudget: {attempts: 1, timeS: 60}\n`;

const goto = (id: string, position: string, more = ''): string =>
  `  - id: ${id}\n    target: {kind: flight.goto, frame: local_enu, positionM: ${position}}\n` +
  `    evidence: {within: {of: target, horizontalM: 1, verticalM: 1, dwellS: 1}}\n${more}`;

const shown = (id: string, predicates: string): string =>
  `  - id: ${id}\n    target: {kind: camera.capture}\n` +
  `    evidence: {completed: true, shown: [${predicates}]}\n`;

describe('a task contract', () => {
  it('loads from every example', () => {
    const files = readdirSync(EXAMPLES).map((name) => join(EXAMPLES, name, 'contract.yaml'));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const loaded = loadTaskContract(file);
      if (!loaded.ok) throw new Error(`${loaded.error.path} ${loaded.error.message}`);
      expect(loaded.value.obligations.length).toBeGreaterThan(1);
    }
  });

  it('has one digest, however it is laid out, and another for any other content', () => {
    const digest = (text: string): string => {
      const parsed = parseTaskContract(text, 'c.yaml');
      if (!parsed.ok) throw new Error(parsed.error.message);
      return parsed.value.digest;
    };
    const spaced = CONTRACT_TEXT.replaceAll('{', '{ ').replace('task:', '# note\ntask:');
    expect(digest(spaced)).toBe(digest(CONTRACT_TEXT));
    expect(digest(CONTRACT_TEXT.replace('10, 0, 6', '10, 0, 7'))).not.toBe(digest(CONTRACT_TEXT));
  });

  it('may be JSON, with the same digest', () => {
    const yaml = parseTaskContract(CONTRACT_TEXT, 'c.yaml');
    if (!yaml.ok) throw new Error(yaml.error.message);
    const { digest, ...written } = yaml.value;
    const json = parseTaskContract(JSON.stringify(written, null, 2), 'c.json');
    expect(json).toMatchObject({ ok: true, value: { digest } });
    const cut = JSON.stringify(written).slice(0, -9);
    expect(parseTaskContract(cut, 'c.json')).toMatchObject({ error: { code: 'HALO-702' } });
  });

  it('tells two of one kind apart by evidence that never holds at once', () => {
    const both = (one: string, other: string): boolean =>
      parseTaskContract(withObligations(shown('a', one) + shown('b', other)), 'c.yaml').ok;
    const [few, many] = ['{field: n, maxAgeMs: 9, max: 3}', '{field: n, maxAgeMs: 9, min: 4}'];
    expect(both(few, many)).toBe(true);
    expect(both(few, few)).toBe(false);
  });

  it('asks for no evidence that nothing fills', () => {
    const text = withObligations(
      shown('a', '{field: vehicle.battery, maxAgeMs: 500}, {field: gas.ppm, maxAgeMs: 500}'),
    );
    const check = (...fields: string[]) =>
      parseTaskContract(text, 'c.yaml', undefined, new Set(fields));
    expect(check('gas.ppm').ok).toBe(true);
    expect(check()).toMatchObject({
      error: { code: 'HALO-704', path: expect.stringMatching(/^c\.yaml:5:/) as unknown },
    });
  });

  it('is refused with its place when it cannot be read, parsed, or does not fit', () => {
    expect(loadTaskContract('/nowhere/c.yaml')).toMatchObject({ error: { code: 'HALO-701' } });
    expect(refusal('task: [')).toMatchObject({ code: 'HALO-702' });
    expect(refusal(CONTRACT_TEXT.replace('land\nbudget', 'crash\nbudget'))).toMatchObject({
      code: 'HALO-703',
      path: 'c.yaml:23:1',
    });
    expect(
      refusal(CONTRACT_TEXT.replace('task: tower', 'task: tower\nauthority: all')),
    ).toMatchObject({ code: 'HALO-703', path: 'c.yaml:3:1' });
  });

  const cases: readonly (readonly [what: string, text: string, line: number, says: string])[] = [
    [
      'a cycle',
      goto('a', '[0, 0, 5]', '    after: [b]\n') + goto('b', '[9, 0, 5]', '    after: [a]\n'),
      6,
      'a, b',
    ],
    [
      'an obligation after itself',
      goto('a', '[0, 0, 5]', '    after: [a]\n'),
      6,
      'wait for each other: a',
    ],
    ['an unknown predecessor', goto('a', '[0, 0, 5]', '    after: [x]\n'), 6, 'after x'],
    ['an id twice', goto('a', '[0, 0, 5]') + goto('a', '[9, 0, 5]'), 6, 'id a'],
    [
      'within without a position',
      '  - id: a\n    target: {kind: flight.goto}\n    evidence: {within: {of: target, horizontalM: 1, verticalM: 1, dwellS: 1}}\n',
      5,
      'positionM',
    ],
    [
      'a position that nothing compares',
      '  - id: a\n    target: {kind: flight.goto, frame: local_enu, positionM: [0, 0, 5]}\n    evidence: {airborne: true}\n',
      4,
      'within',
    ],
    [
      'a position without a frame',
      goto('a', '[0, 0, 5]').replace('frame: local_enu, ', ''),
      4,
      'frame',
    ],
    [
      'a delivered flight',
      '  - id: a\n    target: {kind: flight.land}\n    evidence: {delivered: true}\n',
      5,
      'not delivered',
    ],
    [
      'a landed report',
      '  - id: a\n    target: {kind: report.battery}\n    evidence: {landed: true}\n',
      5,
      'only be delivered',
    ],
    [
      'armed and disarmed at once',
      '  - id: a\n    target: {kind: flight.land}\n    evidence: {armed: true, disarmed: true}\n',
      5,
      'at once',
    ],
    [
      'airborne and landed at once',
      '  - id: a\n    target: {kind: flight.land}\n    evidence: {airborne: true, landed: true}\n',
      5,
      'at once',
    ],
    [
      'a predecessor named twice',
      goto('a', '[0, 0, 5]') + goto('b', '[9, 0, 5]', '    after: [a, a]\n'),
      9,
      'says so twice',
    ],
    [
      'evidence that no value shows',
      shown('a', '{field: gas, maxAgeMs: 500, min: 3, max: 2}'),
      5,
      'no value of gas',
    ],
    [
      'a number wanted of a word',
      shown('a', '{field: gas, maxAgeMs: 500, is: high, min: 2}'),
      5,
      'no value of gas',
    ],
    [
      'two that never hold at once',
      shown('a', '{field: gas, maxAgeMs: 500, min: 3}, {field: gas, maxAgeMs: 500, max: 2}'),
      5,
      'no value of gas',
    ],
    [
      'a state that holds and is shown by nothing',
      '  - id: a\n    target: {kind: flight.land}\n    evidence: {landed: true, holds: true}\n',
      5,
      'there is no shown',
    ],
    [
      'a deadline after the end of the task',
      goto('a', '[0, 0, 5]', '    deadlineS: 61\n'),
      6,
      'ends after 60 s',
    ],
    [
      'two targets that one visit reaches',
      goto('a', '[0, 0, 5]') + goto('b', '[1.5, 0, 6]'),
      6,
      'both a and b',
    ],
    [
      'two reports that one delivery answers',
      '  - id: a\n    target: {kind: report.range}\n    evidence: {delivered: true}\n' +
        '  - id: b\n    target: {kind: report.range, sensor: front}\n    evidence: {delivered: true}\n',
      6,
      'both a and b',
    ],
  ];
  for (const [what, text, line, says] of cases) {
    it(`is refused for ${what}`, () => {
      const error = refusal(withObligations(text));
      expect(error.code).toBe('HALO-704');
      expect(error.message).toContain(says);
      expect(error.path).toMatch(new RegExp(`^c\\.yaml:${line}:`));
    });
  }

  it('may visit one place twice in order, and places that are apart in any', () => {
    for (const text of [
      goto('a', '[0, 0, 5]') + goto('b', '[0, 0, 5]', '    after: [a]\n'),
      goto('a', '[0, 0, 5]') + goto('b', '[2.1, 0, 5]'),
      goto('a', '[0, 0, 5]') + goto('b', '[0, 0, 7.1]'),
    ]) {
      expect(parseTaskContract(withObligations(text), 'c.yaml').ok).toBe(true);
    }
  });

  it('asks a catalog, when there is one, for no more than its kinds can show', () => {
    const kind = (does: string) => ({ does, effectClass: 'reversible' });
    const kinds = {
      'flight.takeoff': kind('takeoff'),
      'flight.goto': kind('goto'),
      'flight.land': kind('land'),
      'report.range': kind('report_range'),
    };
    const check = (of: Record<string, unknown>) => {
      const defined = Object.fromEntries(Object.entries(of).filter(([, entry]) => entry));
      const catalog = catalogSchema.parse({ catalog: 'c', version: 1, kinds: defined });
      return parseTaskContract(CONTRACT_TEXT, 'c.yaml', { ...catalog, digest: '' });
    };
    expect(check(kinds).ok).toBe(true);
    expect(check({ ...kinds, 'report.range': undefined })).toMatchObject({
      error: { code: 'HALO-704', path: 'c.yaml:17:14' },
    });
    const brief = { ...kind('goto'), completion: { dwellS: 0.5 } };
    expect(check({ ...kinds, 'flight.goto': brief })).toMatchObject({
      error: {
        code: 'HALO-704',
        message: expect.stringContaining('it ends after 0.5 s') as unknown,
      },
    });
    expect(check({ ...kinds, 'flight.goto': { ...kind('goto'), deadlineS: 1 } })).toMatchObject({
      error: { code: 'HALO-704', path: 'c.yaml:10:71' },
    });
    expect(check({ ...kinds, 'flight.land': kind('goto') })).toMatchObject({
      error: { code: 'HALO-704', path: 'c.yaml:22:30' },
    });
    expect(check({ ...kinds, 'report.range': kind('report_battery') })).toMatchObject({
      error: { code: 'HALO-704' },
    });
  });
});
