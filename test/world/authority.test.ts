/**
 * Who may do what, and on what: approvals, bases, localized obligations and their candidates,
 * budgets. Timelines on the running engine.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SubmitReply } from '../../src/contract/index.js';
import type { Flight } from './flight.js';
import {
  ARM,
  BACK,
  DOWN,
  FUEL,
  goTo,
  hopContract,
  newHop,
  onTheWay,
  responseOf,
  sendHop,
} from './hop.js';
import { digestOf } from '../../src/platform/index.js';
import { expectNoViolations } from './invariants.js';

/** Arming waits for a person, for up to six seconds. */
const WITH_APPROVAL = readFileSync('catalog/multicopter.yaml', 'utf8').replace(
  /^ {2}flight\.arm:$/m,
  '  flight.arm:\n    approval: { validS: 6 }',
);

const codes = (reply: SubmitReply): readonly string[] => [
  ...reply.findings.map(({ code }) => code),
  ...(reply.verdict?.components.flatMap((c) => c.findings.map(({ code }) => code)) ?? []),
];

const progressOf = (flight: Flight, id: string) =>
  flight.engine.state().components.findLast((component) => component.id === id);

/** What an operator reads and copies. */
function digestShown(flight: Flight): string {
  const reason = progressOf(flight, 'arm')?.reason ?? '';
  return /[0-9a-f]{64}/.exec(reason)?.[0] ?? `none in "${reason}"`;
}

describe('a kind that needs a person', () => {
  it('waits for the approval of exactly this component, and is carried out once for it', () => {
    const flight = newHop({ catalog: WITH_APPROVAL });
    sendHop(flight, [ARM]);
    flight.seconds(1);
    expect(flight.stateOf('arm')).toBe('awaiting-approval');
    const digest = digestShown(flight);
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    const other = digest.replace(/^./, (c) => (c === '0' ? '1' : '0'));
    expect(flight.approve(other)).toBe(true);
    flight.seconds(1);
    expect(flight.stateOf('arm')).toBe('awaiting-approval');
    expect(flight.wire.sent).toEqual([]);
    expect(flight.approve(digest)).toBe(true);
    flight.until('arming', () => flight.stateOf('arm') === 'done', 5);
    expect(flight.wire.sent.map(({ command }) => command)).toEqual([400]);
    const given = { approver: 'ada', approved: true, componentDigest: digest };
    expect(flight.ledger.of('approval').at(-1)?.body).toMatchObject(given);
    // PX4 disarms by itself after ten seconds on the ground; the same words need a new approval.
    flight.until('disarming', () => flight.atRest, 20);
    sendHop(flight, [ARM]);
    flight.seconds(1);
    expect(flight.stateOf('arm')).toBe('awaiting-approval');
    expect(flight.wire.sent).toHaveLength(1);
    expect(flight.approve(digest, { approved: false })).toBe(true);
    flight.seconds(0.1);
    expect(flight.stateOf('arm')).toBe('withheld');
    expect(progressOf(flight, 'arm')?.reason).toContain('HALO-216 An operator said no.');
    expectNoViolations(flight);
  });

  it('is withheld when nobody approves in time, and an approval from before is over', () => {
    const flight = newHop({ catalog: WITH_APPROVAL });
    sendHop(flight, [ARM]);
    flight.seconds(0.1);
    const digest = digestShown(flight);
    flight.until('the end of waiting', () => flight.stateOf('arm') === 'withheld', 7);
    expect(progressOf(flight, 'arm')?.reason).toContain('HALO-216 No operator approved it');
    expect(flight.open).toMatchObject({ componentId: 'arm', state: 'open' });
    flight.approve(digest, { validS: 1 });
    flight.seconds(1.5);
    const discharges = flight.open?.id ?? '';
    expect(flight.submit(responseOf([ARM], { discharges })).accepted).toBe(true);
    flight.seconds(1);
    expect(flight.stateOf('arm')).toBe('awaiting-approval');
    expect(flight.wire.sent).toEqual([]);
  });

  it('says when an approval holds shorter than it says, and holds it no longer', () => {
    const flight = newHop({ catalog: WITH_APPROVAL });
    sendHop(flight, [ARM]);
    flight.seconds(0.1);
    const digest = digestShown(flight);
    const { recorded, findings } = flight.approval(digest, { validS: 86_400 });
    expect(recorded).toBe(true);
    expect(findings).toMatchObject([{ code: 'HALO-222', observed: '86400 s', limit: '6 s' }]);
    expect(flight.ledger.of('approval').at(-1)?.body).toMatchObject({ validS: 86_400, holdsS: 6 });
    expect(flight.approval(digest, { validS: 6 }).findings).toEqual([]);
  });

  it('is not carried out on a word that was given before the catalog’s time for it', () => {
    const flight = newHop({ catalog: WITH_APPROVAL });
    const text = JSON.stringify(responseOf([ARM]));
    const digest = digestOf(ARM);
    expect(flight.approval(digest, { validS: 600 }).findings).toEqual([]);
    flight.seconds(7);
    flight.submitText(text);
    flight.seconds(1);
    expect(flight.stateOf('arm')).toBe('awaiting-approval');
    expect(digestShown(flight)).toBe(digest);
    expect(flight.wire.sent).toEqual([]);
  });

  it('is carried out on no word that was given to an earlier life of the bridge', () => {
    const flight = newHop({ catalog: WITH_APPROVAL });
    const digest = digestOf(ARM);
    expect(flight.approve(digest)).toBe(true);
    flight.restart();
    flight.ready();
    flight.submit(responseOf([ARM]));
    flight.seconds(1);
    expect(flight.stateOf('arm')).toBe('awaiting-approval');
    expect(digestShown(flight)).toBe(digest);
    expect(flight.wire.sent).toEqual([]);
    // Spoken to this life it counts.
    flight.approve(digest);
    flight.until('arming', () => flight.stateOf('arm') === 'done', 5);
    expectNoViolations(flight);
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 0, -5])(
    'takes no approval that is good for %d s',
    (validS) => {
      const flight = newHop({ catalog: WITH_APPROVAL });
      sendHop(flight, [ARM]);
      flight.seconds(0.1);
      expect(flight.approve(digestShown(flight), { validS })).toBe(false);
      flight.seconds(0.5);
      expect(flight.stateOf('arm')).toBe('awaiting-approval');
      expect(flight.ledger.of('approval')).toEqual([]);
    },
  );
});

/** Loses the first leg to a reset of the estimator, and holds. */
function denied(flight: Flight): Flight {
  onTheWay(sendHop(flight));
  flight.inject({ name: 'estimator-reset', jumpNedM: { n: 3, e: -2, d: 0 } });
  flight.until('a denial', () => flight.open !== undefined, 5);
  flight.until('holding', () => flight.mode === 'AUTO.LOITER', 5);
  return flight;
}

describe('a basis', () => {
  it('from before an epoch moved withholds what rested on it, though today’s values are fine', () => {
    const flight = newHop();
    const before = flight.engine.state().snapshotId;
    flight.inject({ name: 'estimator-reset', jumpNedM: { n: 3, e: -2, d: 0 } });
    flight.seconds(1);
    const after = flight.engine.state().snapshotId;
    const { components } = responseOf([{ ...BACK, requires: [] }, FUEL]);
    const stale = flight.submit(responseOf(components, { basis: before }));
    expect(stale.verdict?.components.map((c) => c.findings.map((f) => [f.code, f.field]))).toEqual([
      [
        ['HALO-207', undefined],
        ['HALO-212', 'epoch.estimator'],
      ],
      [],
    ]);
    flight.until('the end of it', () => flight.open === undefined, 10);
    const unknown = flight.submit(responseOf(components, { basis: 's-77' }));
    expect(unknown.verdict?.components.map((c) => c.findings.map((f) => f.code))).toEqual([
      ['HALO-207', 'HALO-213'],
      [],
    ]);
    expect(flight.stateOf('fuel')).toBe('delivered');
    flight.until('the end of it', () => flight.open === undefined, 10);
    // From the state of a minute ago at most, with nothing moved since: as good as no basis.
    expect(codes(flight.submit(responseOf([ARM], { basis: after })))).toEqual([]);
    flight.until('arming', () => flight.stateOf('arm') === 'done', 5);
  });
});

describe('a localized obligation', () => {
  it('stays open over candidates that do not fit, and is discharged by the first that does', () => {
    const flight = newHop();
    const stale = flight.engine.state().snapshotId;
    denied(flight);
    const { open } = flight;
    expect(open).toMatchObject({ componentId: 'there', generation: 1 });
    expect(open?.scope.componentIds).toEqual(['there', 'tell', 'back', 'down']);
    const discharges = open?.id ?? '';
    const frames = flight.wire.sent.length;
    const down = { ...DOWN, requires: [] };
    const attempts: readonly (readonly [object, string])[] = [
      [responseOf([down]), 'HALO-304'],
      [responseOf([down], { discharges: 'o-99' }), 'HALO-303'],
      [responseOf([{ id: 'again', kind: 'flight.arm' }], { discharges }), 'HALO-302'],
      [responseOf([{ ...down, replaces: ['fuel'] }], { discharges }), 'HALO-302'],
      [responseOf([down], { discharges, id: 'r-used' }), 'HALO-212'],
      [responseOf([down], { discharges, id: 'r-used' }), 'HALO-111'],
    ];
    for (const [attempt, code] of attempts) {
      const basis = code === 'HALO-212' ? { basis: stale } : {};
      const components = code === 'HALO-212' ? [goTo('leg', [0, 0, 2])] : undefined;
      const reply = flight.submit({ ...attempt, ...basis, ...(components && { components }) });
      expect(codes(reply), code).toContain(code);
      expect(reply.accepted, code).toBe(false);
      expect(flight.open?.id, code).toBe(discharges);
    }
    expect(flight.wire.sent).toHaveLength(frames);
    expect(flight.context().denied.map(({ id }) => id)).toEqual([discharges]);
    const basis = flight.engine.state().snapshotId;
    const good = responseOf([{ ...down, replaces: ['there', 'back', 'down'] }], {
      discharges,
      basis,
    });
    const reply = flight.submit(good);
    expect(codes(reply)).toEqual([]);
    expect(flight.engine.state().obligations[0]?.state).toBe('candidate');
    flight.until('landing', () => flight.stateOf('down') === 'done', 40);
    expect(flight.engine.state().obligations.map((o) => o.state)).toEqual(['discharged']);
    expect(flight.obligation('down')).toBe('satisfied');
    expect(flight.obligation('there')).toBe('open');
    // Generations rise with each response that was judged, and what flew is of the last one.
    const generations = flight.ledger
      .of('verdict')
      .map((record) => (record.body as { generation: number }).generation);
    expect(generations).toEqual(generations.map((_, index) => index + 1));
    const lease = flight.ledger.of('lease-granted').at(-1)?.body;
    expect(lease).toMatchObject({ kind: 'flight.land', generation: generations.at(-1) });
    expect(codes(flight.submit(good))).toEqual(['HALO-111']);
    expectNoViolations(flight);
  });

  it('is not answered by a response of an earlier life of the bridge', () => {
    const flight = newHop();
    const first = responseOf([FUEL]);
    expect(flight.submit(first).accepted).toBe(true);
    flight.restart();
    flight.ready();
    expect(codes(flight.submit(first))).toEqual(['HALO-111']);
    expect(flight.obligation('fuel-told')).toBe('satisfied');
    expect(codes(flight.submit(responseOf([ARM])))).toEqual([]);
    flight.until('arming', () => flight.stateOf('arm') === 'done', 5);
    expectNoViolations(flight);
  });
});

describe('the budget', () => {
  it('of attempts used up leaves the vehicle to the contingency', () => {
    const flight = newHop({ contract: hopContract(['attempts: 4', 'attempts: 1']) });
    onTheWay(sendHop(flight));
    expect(codes(flight.submit(responseOf([FUEL])))).toEqual(['HALO-305', 'HALO-301']);
    flight.inject({ name: 'estimator-reset', jumpNedM: { n: 3, e: -2, d: 0 } });
    flight.until('a denial', () => flight.open !== undefined, 5);
    const discharges = flight.open?.id ?? '';
    const late = flight.submit(responseOf([{ ...DOWN, requires: [] }], { discharges }));
    expect(codes(late)).toEqual(['HALO-305']);
    flight.until('landing', () => flight.atRest, 40);
    expect(flight.guardian).toEqual([
      'hold',
      'hold seen',
      'released',
      'land',
      'land seen',
      'released',
    ]);
    expectNoViolations(flight);
  });

  it('of time used up in flight ends the leg and lands, and nothing is taken after it', () => {
    const flight = newHop({ contract: hopContract(['timeS: 300', 'timeS: 20']) });
    onTheWay(sendHop(flight));
    flight.until('the end of the time', () => flight.nowUs >= 20_020_000, 20);
    const legs = ['there', 'back'].map((id) => flight.stateOf(id));
    expect(legs).toContain('interrupted');
    const sinceUs = flight.nowUs;
    flight.until('landing', () => flight.atRest, 30);
    expect(flight.wire.setpoints(sinceUs)).toEqual([]);
    expect(flight.wire.modes(sinceUs - 20_000)).toEqual(['AUTO.LAND']);
    expect(codes(flight.submit(responseOf([FUEL])))).toContain('HALO-309');
    expectNoViolations(flight);
  });
});
