/**
 * What an agent should not send, put before a vehicle that is ready to fly: each is refused with
 * code, place and remedy, nothing leaves for the vehicle, and the next good answer is taken.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Component, Finding, SubmitReply } from '../../src/contract/index.js';
import type { Flight } from './flight.js';
import { ARM, FUEL, goTo, newHop, responseOf, sendHop, TELL, THERE, UP } from './hop.js';

let flight: Flight;

beforeAll(() => {
  flight = newHop();
});

const findingsOf = (reply: SubmitReply): readonly Finding[] => [
  ...reply.findings,
  ...(reply.verdict?.components.flatMap((component) => component.findings) ?? []),
];

/** What the bridge knows of the task and of the vehicle, without the passing of time. */
function standing() {
  const { task, components, obligations, phase, vehicle, dispatch } = flight.engine.state();
  const attempts = task.budgetAttemptsLeft;
  const { armed, mode, landed } = vehicle;
  const active = components.filter(({ state }) => state !== 'withheld');
  return {
    attempts,
    done: task.obligations,
    active,
    obligations,
    phase,
    armed,
    mode,
    landed,
    leases: dispatch.leases,
  };
}

function refusedWhole(reply: SubmitReply, code: string, path: string | undefined): void {
  expect(reply.accepted).toBe(false);
  const found = findingsOf(reply).find(
    (one) => one.code === code && (path === undefined || one.path === path),
  );
  expect(found, JSON.stringify(reply).slice(0, 2000)).toBeDefined();
  expect(found?.path ?? found?.field).toBeTruthy();
  expect(found?.remedy).toBeTruthy();
  expect(found?.message).toMatch(/\.$/);
}

const GOOD = '{"protocol":"halo/1","id":"r-bad","task":"hop-1","components":[PART]}';
const withPart = (part: string): string => GOOD.replace('PART', part);
const LEG = '"kind":"flight.goto","params":';
const leg = (params: string): string => withPart(`{"id":"leg",${LEG}${params}}`);
const nested = (depth: number): string =>
  withPart(`{"id":"leg",${LEG}{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`);

/** Rows: what it is, the text, the code, the place. */
const TEXTS: readonly (readonly [string, string, string, string | undefined])[] = [
  ['text that is not JSON', 'Sure! Here is the plan:', 'HALO-101', '$'],
  ['JSON that is cut off', GOOD.slice(0, 40), 'HALO-101', undefined],
  ['two documents in one text', `${withPart('1')} {}`, 'HALO-101', '$'],
  ['a list instead of an object', '[]', 'HALO-108', '$'],
  ['50 MB in one string', `"${'a'.repeat(50_000_000)}"`, 'HALO-102', '$'],
  ['one byte more than 256 KiB', ' '.repeat(256 * 1024) + '1', 'HALO-102', '$'],
  ['100,000 levels of nesting', nested(100_000), 'HALO-103', undefined],
  ['13 levels of nesting in params', nested(13), 'HALO-103', undefined],
  [
    'a key that stands twice',
    leg('{"frame":"local_enu","positionM":[1,0,2],"positionM":[90,0,2],"speedMS":1}'),
    'HALO-104',
    'components[0].params.positionM',
  ],
  [
    'a key that stands twice once its escapes are read',
    leg('{"speedMS":1,"speedM\\u0053":5}'),
    'HALO-104',
    'components[0].params.speedMS',
  ],
  [
    'an own __proto__',
    leg('{"__proto__":{"speedMS":1}}'),
    'HALO-105',
    'components[0].params.__proto__',
  ],
  ['an own constructor', withPart('{"constructor":1}'), 'HALO-105', 'components[0].constructor'],
  ['1e400', leg('{"speedMS":1e400}'), 'HALO-106', 'components[0].params.speedMS'],
  ['NaN', leg('{"speedMS":NaN}'), 'HALO-106', 'components[0].params.speedMS'],
  ['-Infinity', leg('{"speedMS":-Infinity}'), 'HALO-106', 'components[0].params.speedMS'],
  [
    'an integer that a double would round',
    leg('{"positionM":[9007199254740993,0,2]}'),
    'HALO-106',
    'components[0].params.positionM[0]',
  ],
  ['a byte order mark', `\ufeff${withPart('1')}`, 'HALO-107', '$'],
  ['half a character', withPart('{"id":"\\ud83d"}'), 'HALO-107', 'components[0].id'],
  ['an invisible character', withPart('{"id":"leg\u202e1"}'), 'HALO-107', 'components[0].id'],
  [
    'an id that only looks like another',
    withPart('{"id":"le\u0301g"}'),
    'HALO-108',
    'components[0].id',
  ],
  [
    'a toJSON of its own',
    withPart('{"id":"a","kind":"flight.arm","toJSON":1}'),
    'HALO-108',
    'components[0].toJSON',
  ],
  ['a component without a kind', withPart('{"id":"a"}'), 'HALO-108', 'components[0].kind'],
  ['no components at all', withPart(''), 'HALO-108', 'components'],
  [
    'one id for two components',
    withPart('{"id":"a","kind":"flight.arm"},{"id":"a","kind":"flight.land"}'),
    'HALO-109',
    'components[1].id',
  ],
  [
    'an answer to another task',
    withPart('{"id":"a","kind":"flight.arm"}').replace('hop-1', 'hop-2'),
    'HALO-110',
    'task',
  ],
];

const FRAMELESS = { positionM: [5, 0, 2], speedMS: 1 };
const PARTS: readonly (readonly [string, Component, string, string | undefined])[] = [
  ['a kind that nobody knows', { id: 'x', kind: 'flight.ram' }, 'HALO-201', 'components[0].kind'],
  [
    'a kind named after an inherited key',
    { id: 'x', kind: 'flight.tostring' },
    'HALO-201',
    'components[0].kind',
  ],
  [
    'a leg without a frame',
    { id: 'x', kind: 'flight.goto', params: FRAMELESS },
    'HALO-202',
    'components[0].params.frame',
  ],
  [
    'a leg without a speed',
    goTo('x', [5, 0, 2], { params: { frame: 'local_enu', positionM: [5, 0, 2] } }),
    'HALO-202',
    'components[0].params.speedMS',
  ],
  [
    'a height without a unit',
    { ...UP, requires: [], params: { altitude: 2 } },
    'HALO-202',
    'components[0].params.altitude',
  ],
  [
    'a number as text',
    { ...UP, requires: [], params: { altitudeM: '2' } },
    'HALO-202',
    'components[0].params.altitudeM',
  ],
  [
    'a frame that is not offered',
    goTo('x', [5, 0, 2], { params: { ...FRAMELESS, frame: 'global' } }),
    'HALO-202',
    'components[0].params.frame',
  ],
  [
    'a speed beyond the limit',
    goTo('x', [5, 0, 2], { params: { ...FRAMELESS, frame: 'local_enu', speedMS: 9 } }),
    'HALO-203',
    'components[0].params.speedMS',
  ],
  [
    'a height beyond the limit',
    { ...UP, requires: [], params: { altitudeM: 31 } },
    'HALO-203',
    'components[0].params.altitudeM',
  ],
  ['a target 500 m away', goTo('x', [500, 0, 2]), 'HALO-215', 'components[0].params.positionM'],
  [
    'a target below the ground',
    goTo('x', [5, 0, -2]),
    'HALO-215',
    'components[0].params.positionM',
  ],
  [
    'a prerequisite that is not there',
    { ...ARM, requires: ['ghost'] },
    'HALO-204',
    'components[0].requires[0]',
  ],
  [
    'a component that requires itself',
    { ...ARM, requires: ['arm'] },
    'HALO-205',
    'components[0].requires',
  ],
  [
    'an obligation that the contract does not have',
    { ...ARM, fulfils: 'world-peace' },
    'HALO-217',
    'components[0].fulfils',
  ],
  [
    'a flight of a vehicle on the ground',
    goTo('x', [5, 0, 2]),
    'HALO-207',
    'components[0].requires',
  ],
  [
    'a stand-in where nothing was denied',
    { ...ARM, replaces: ['leg'] },
    'HALO-304',
    'components[0].replaces',
  ],
];

describe('a response that must not fly', () => {
  it.each(TEXTS)('is refused whole: %s (%#)', (_what, text, code, path) => {
    const before = standing();
    const records = flight.ledger.records.length;
    refusedWhole(flight.submitText(text), code, path);
    expect(standing()).toEqual(before);
    // It is told of, once and not in its own words.
    const told = flight.ledger.records.slice(records);
    expect(told.length).toBeLessThanOrEqual(1);
    expect(JSON.stringify(told).length).toBeLessThan(4000);
  });

  it.each(PARTS)('is refused with its only component: %s', (_what, part, code, path) => {
    const before = standing();
    refusedWhole(flight.submit(responseOf([part])), code, path);
    expect(standing()).toEqual(before);
  });

  it('is not told apart by -0 and 0: what is digested is what would be sent', () => {
    const digest = (zero: string): string | undefined =>
      flight.check(leg(`{"frame":"local_enu","positionM":[${zero},0,2],"speedMS":1}`)).verdict
        ?.responseDigest;
    expect(digest('-0')).toMatch(/^[0-9a-f]{64}$/);
    expect(digest('-0.0')).toBe(digest('0'));
    expect(digest('1')).not.toBe(digest('0'));
  });

  it('is refused when it is the guidance itself, sent back as a plan', () => {
    const guidance = JSON.stringify(flight.context());
    refusedWhole(flight.submitText(guidance), 'HALO-108', 'protocol');
  });

  it('is refused as long as it names an obligation that nobody opened', () => {
    refusedWhole(flight.submit(responseOf([ARM], { discharges: 'o-7' })), 'HALO-303', 'discharges');
  });

  it('is refused by its id once that was used, whatever came of it', () => {
    const first = responseOf([{ id: 'x', kind: 'flight.ram' }]);
    expect(flight.submit(first).accepted).toBe(false);
    refusedWhole(flight.submit({ ...first, components: [ARM] }), 'HALO-111', 'id');
  });

  it('has left nothing behind: no frame, no attempt, and the next good one is flown', () => {
    expect(flight.wire.sent).toEqual([]);
    expect(flight.ledger.of('lease-granted')).toEqual([]);
    expect(flight.engine.state().task.budgetAttemptsLeft).toBe(4);
    sendHop(flight, [ARM, FUEL]);
    flight.until('arming', () => flight.stateOf('arm') === 'done', 10);
    expect(flight.stateOf('fuel')).toBe('delivered');
    expect(flight.wire.sent.map(({ command }) => command)).toEqual([400]);
  });
});

describe('a flood of requests', () => {
  it('is cut off at the door, and what waits is answered in order over the next ticks', () => {
    const answered: number[] = [];
    const offered = Array.from({ length: 100 }, (_, index) =>
      flight.engine.offer({ type: 'check', text: '{', reply: () => answered.push(index) }),
    );
    expect(offered.filter((taken) => taken)).toHaveLength(32);
    flight.seconds(0.02);
    expect(answered).toEqual([0, 1, 2, 3]);
    flight.seconds(0.2);
    expect(answered).toEqual(Array.from({ length: 32 }, (_, index) => index));
  });
});

describe('a response of which a part must not fly', () => {
  it('keeps the report, withholds the rest with its reasons, and sends nothing', () => {
    const mixed = newHop({ seed: 2 });
    const reply = mixed.submit(
      responseOf([
        FUEL,
        { id: 'ram', kind: 'flight.ram' },
        { ...THERE, requires: ['ram'] },
        TELL,
        { id: 'a', kind: 'report.position', requires: ['b'] },
        { id: 'b', kind: 'report.position', requires: ['a'] },
        { id: 'c', kind: 'report.position', requires: ['b'] },
      ]),
    );
    expect(reply).toMatchObject({ accepted: true, verdict: { outcome: 'partial' } });
    const codes = reply.verdict?.components.map(({ id, admitted, findings, rootCauses }) =>
      admitted
        ? `${id} kept`
        : `${id} ${findings.map((f) => f.code).join()} by ${rootCauses.join()}`,
    );
    expect(codes).toEqual([
      'fuel kept',
      'ram HALO-201 by ram',
      'there HALO-206 by ram',
      'tell HALO-206 by ram',
      'a HALO-205 by a',
      'b HALO-205 by b',
      'c HALO-206 by b',
    ]);
    mixed.seconds(1);
    expect(mixed.stateOf('fuel')).toBe('delivered');
    expect(mixed.obligation('fuel-told')).toBe('satisfied');
    const told = mixed.engine.state().obligations.map((o) => [o.componentId, o.scope.componentIds]);
    expect(told).toEqual([
      ['ram', ['ram', 'there', 'tell']],
      ['a', ['a', 'b', 'c']],
    ]);
    // An answer that ignores what is open is refused; once the time is over, one may come again.
    expect(mixed.submit(responseOf([ARM])).findings[0]?.code).toBe('HALO-304');
    mixed.until('expiry', () => mixed.open === undefined, 10);
    expect(mixed.wire.sent).toEqual([]);
    expect(mixed.submit(responseOf([ARM])).verdict?.outcome).toBe('admitted');
  });
});
