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
    expect(check({ ...kinds, 'flight.land': kind('goto') })).toMatchObject({
      error: { code: 'HALO-704', path: 'c.yaml:22:30' },
    });
    expect(check({ ...kinds, 'report.range': kind('report_battery') })).toMatchObject({
      error: { code: 'HALO-704' },
    });
  });
});
