/** Texts that no bridge may act on: refused whole, with code and place, and nothing is sent. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { entriesOf, ofKind } from './support/ledger.js';
import { EXAMPLE, exitOf, lastWords, Stage } from './support/stage.js';
import { summaryOf, told } from './support/summary.js';

let stage: Stage;
beforeEach(async () => {
  stage = await Stage.open();
});
afterEach(() => stage.close());

const EXAMPLE_TEXT = readFileSync(join(EXAMPLE, 'response.json'), 'utf8');

/** The example with other components. */
const withComponents = (...components: object[]): string =>
  JSON.stringify({ protocol: 'halo/1', id: 'r-bad', task: 'inspect-tower-7', components });

const say = (text: string): object => ({ id: 'a', kind: 'operator.message', params: { text } });

interface Bad {
  readonly what: string;
  readonly text: string;
  readonly code: string;
  readonly place: string;
}

const WHOLE: readonly Bad[] = [
  { what: 'is not JSON', text: 'I would take off and look.', code: 'HALO-101', place: '$' },
  {
    what: 'is larger than 256 KiB',
    text: withComponents(say('a'.repeat(256 * 1024))),
    code: 'HALO-102',
    place: '$',
  },
  {
    what: 'names a key twice',
    text: EXAMPLE_TEXT.replace('"task"', '"task": "another", "task"'),
    code: 'HALO-104',
    place: 'task',
  },
  {
    what: 'holds a number that is not finite',
    text: EXAMPLE_TEXT.replace('"altitudeM": 6', '"altitudeM": 1e999'),
    code: 'HALO-106',
    place: 'components[1].params.altitudeM',
  },
];

const EACH_PART: readonly Bad[] = [
  {
    what: 'has only kinds that the catalog lacks',
    text: withComponents({ id: 'a', kind: 'flight.teleport' }, { id: 'b', kind: 'payload.laser' }),
    code: 'HALO-201',
    place: 'components[0].kind',
  },
  {
    what: 'goes in a circle',
    text: withComponents(
      { id: 'a', kind: 'flight.arm', requires: ['b'] },
      { id: 'b', kind: 'flight.takeoff', params: { altitudeM: 6 }, requires: ['a'] },
    ),
    code: 'HALO-205',
    place: 'components[0].requires',
  },
];

async function refused(text: string) {
  const file = join(stage.dir, 'response.json');
  writeFileSync(file, text);
  const flight = stage.fly(['--response', file, '--speed', '2']);
  expect(await exitOf(flight, 40_000), lastWords(flight)).toBe(1);
  expect(summaryOf(flight)).toMatchObject({
    outcome: 'refused',
    framesDispatched: 0,
    receipts: 0,
    ledgerVerified: true,
    components: { admitted: 0 },
  });
  const entries = entriesOf(stage.ledger);
  expect(ofKind(entries, 'lease-granted')).toEqual([]);
  expect(ofKind(entries, 'frames')).toEqual([]);
  expect(stage.alive()).toEqual([]);
  return flight;
}

const named = (bad: readonly Bad[]) => bad.map((b) => [b.what, b] as const);

describe('a response', () => {
  it.each(named(WHOLE))(
    'that %s is refused whole',
    async (_, { text, code, place }) => {
      const flight = await refused(text);
      expect(summaryOf(flight).refusals.join('\n')).toMatch(new RegExp(`^${code} .* → \\w`));
      expect(summaryOf(flight).refusals[0]).toContain(`[${place}]`);
      // Not even taken up: no generation was spent on it.
      expect(ofKind(entriesOf(stage.ledger), 'response-received')).toEqual([]);
    },
    50_000,
  );

  it.each(named(EACH_PART))(
    'that %s is refused in each part',
    async (_, { text, code, place }) => {
      const flight = await refused(text);
      expect(summaryOf(flight).components).toEqual({ admitted: 0, withheld: 2 });
      const reasons = told(flight, 'progress').map((line) => JSON.stringify(line['progress']));
      expect(reasons).toHaveLength(2);
      expect(reasons.filter((reason) => !reason.includes(code))).toEqual([]);
      const verdict = JSON.stringify(told(flight, 'verdict')[0]?.['verdict']);
      expect(verdict).toContain(`"path":"${place}`);
    },
    50_000,
  );
});
