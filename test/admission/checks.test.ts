import { describe, expect, it } from 'vitest';
import { admit, type AdmissionInput } from '../../src/admission/index.js';
import { admitWithout, type Removable } from '../../src/admission/testing.js';
import type { Component, LocalizedObligation } from '../../src/contract/index.js';
import {
  AIR,
  CATALOG,
  codesOf,
  EPOCHS,
  flying,
  goTo,
  idsOf,
  inputOf,
  judge,
  NOW_US,
  part,
  response,
  takeoff,
  world,
} from './world.js';

const obligation: LocalizedObligation = {
  id: 'o-1',
  state: 'open',
  responseId: 'r-0',
  generation: 1,
  componentId: 'leg2',
  reason: 'leg2 lost its support',
  findings: [],
  scope: { componentIds: ['leg2', 'leg3'], kinds: ['flight.goto', 'flight.land'] },
  triesLeft: 3,
  openedUs: 0,
  expiresUs: 1,
};

describe('Basis and epochs', () => {
  const legs = [goTo('a', [5, 0, 6]), part('fuel', 'report.battery')];
  const basis = { epochs: EPOCHS };

  it('withhold a stale route although every value looks fine', () => {
    const snapshot = world(AIR, { ...EPOCHS, estimator: 5, mode: 8 });
    expect(judge(legs, { snapshot }).verdict.outcome).toBe('admitted');
    const stale = judge(legs, { snapshot, basis });
    expect(codesOf(stale, 'a')).toEqual(['HALO-212', 'HALO-212']);
    expect(idsOf(stale.admitted)).toEqual(['fuel']);
    expect(stale.verdict.components[0]?.findings.map(({ field }) => field)).toEqual([
      'epoch.mode',
      'epoch.estimator',
    ]);
  });

  it('do not mind epochs that the kind does not rest on', () => {
    const land = [part('down', 'flight.land')];
    const moved = (kind: string): readonly string[] =>
      codesOf(judge(land, { snapshot: world(AIR, { ...EPOCHS, [kind]: 99 }), basis }), 'down');
    expect(moved('home')).toEqual([]);
    expect(moved('vehicle')).toEqual(['HALO-212']);
  });

  it('refuse what rests on epochs when the named basis is not known, and keep the reports', () => {
    const admission = judge(legs, { ...flying, basis: 'unknown' });
    expect(codesOf(admission, 'a')).toEqual(['HALO-213']);
    expect(idsOf(admission.admitted)).toEqual(['fuel']);
  });

  it('are insisted on where the catalog says so, and carried along for what is admitted', () => {
    const goto_ = CATALOG.kinds['flight.goto'];
    if (goto_ === undefined) throw new Error('built in');
    const kinds = { ...CATALOG.kinds, 'flight.goto': { ...goto_, basisRequired: true } };
    const catalog = { ...CATALOG, kinds };
    expect(codesOf(judge(legs, { ...flying, catalog }), 'a')).toEqual(['HALO-213']);
    const older = { ...EPOCHS, home: EPOCHS.home };
    const named = judge(legs, { ...flying, catalog, basis: { epochs: older } });
    expect(named.admitted[0]?.basisEpochs).toBe(older);
    expect(judge(legs, flying).admitted[0]?.basisEpochs).toBe(flying.snapshot.epochs);
  });
});

describe('Contract, obligation and approval', () => {
  it('refuse a fulfils that the contract does not have', () => {
    const parts = [
      { ...part('fuel', 'report.battery'), fulfils: 'fuel-reported' },
      { ...part('more', 'report.battery'), fulfils: 'fuel-reported2' },
    ];
    const admission = judge(parts);
    expect(codesOf(admission, 'fuel')).toEqual([]);
    expect(codesOf(admission, 'more')).toEqual(['HALO-217']);
  });

  const answer = (
    components: readonly Component[],
    discharges: string | undefined,
    openObligation: LocalizedObligation | undefined,
  ): ReturnType<typeof admit> =>
    admit(
      inputOf(response(components, discharges === undefined ? {} : { discharges }), {
        ...flying,
        openObligation,
      }),
    );

  it('hold a candidate to the scope, by kind and by what it replaces', () => {
    const good = { ...goTo('a', [5, 0, 6]), replaces: ['leg2', 'leg3'] };
    expect(answer([good], 'o-1', obligation).verdict.outcome).toBe('admitted');
    const foreign = { ...goTo('a', [5, 0, 6]), replaces: ['leg2', 'fuel', 'leg1'] };
    const paths = answer([foreign], 'o-1', obligation).verdict.components[0]?.findings;
    expect(paths?.map(({ code, path }) => `${code} ${path}`)).toEqual([
      'HALO-302 components[0].replaces[1]',
      'HALO-302 components[0].replaces[2]',
    ]);
    const kind = answer([part('h', 'flight.hold', [], { durationS: 1 })], 'o-1', obligation);
    expect(codesOf(kind, 'h')).toEqual(['HALO-302']);
    // Reports are candidates like any other: out of scope there is none.
    expect(codesOf(answer([part('f', 'report.battery')], 'o-1', obligation), 'f')).toEqual([
      'HALO-302',
    ]);
  });

  it('refuse the whole response for the wrong task or obligation', () => {
    const fuel = [part('fuel', 'report.battery')];
    const whole = (admission: ReturnType<typeof admit>): readonly string[] => {
      expect(admission.admitted).toEqual([]);
      expect(admission.verdict).toMatchObject({ outcome: 'refused', components: [] });
      return admission.verdict.findings.map(({ code }) => code);
    };
    expect(whole(answer(fuel, undefined, obligation))).toEqual(['HALO-304']);
    expect(whole(answer(fuel, 'o-2', obligation))).toEqual(['HALO-303']);
    expect(whole(answer(fuel, 'o-1', undefined))).toEqual(['HALO-303']);
    expect(whole(admit(inputOf(response(fuel, { task: 'other' }))))).toEqual(['HALO-110']);
    const stray = answer([{ ...goTo('a', [5, 0, 6]), replaces: ['leg2'] }], undefined, undefined);
    expect(codesOf(stray, 'a')).toEqual(['HALO-304']);
  });

  it('mark what an operator must approve, and admit it', () => {
    const arm = CATALOG.kinds['flight.arm'];
    if (arm === undefined) throw new Error('built in');
    const kinds = { ...CATALOG.kinds, 'flight.arm': { ...arm, approval: { validS: 30 } } };
    const { admitted } = judge(takeoff(6), { catalog: { ...CATALOG, kinds } });
    expect(admitted.map(({ needsApproval }) => needsApproval)).toEqual([true, false]);
  });
});

/** For each removable check a case that only it stops: with it withheld, without it admitted. */
const WITNESSES: Readonly<Partial<Record<Removable, AdmissionInput>>> = {
  limits: inputOf(response([goTo('a', [5, 0, 6], [], 50)]), flying),
  prerequisites: inputOf(
    response([part('b', 'report.position'), part('a', 'report.battery', ['b'])]),
    {
      catalog: {
        ...CATALOG,
        kinds: {
          ...CATALOG.kinds,
          'report.battery': {
            ...(CATALOG.kinds['report.battery'] as (typeof CATALOG.kinds)[string]),
            prerequisiteKinds: ['flight.goto'],
          },
        },
      },
    },
  ),
  roles: inputOf(response([goTo('a', [5, 0, 6])])),
  resources: inputOf(response([goTo('b', [5, 0, 6]), goTo('a', [0, 5, 6])]), flying),
  evidence: inputOf(response([goTo('a', [5, 0, 6])]), {
    snapshot: world({ ...AIR, 'vehicle.battery': 0.25 }),
  }),
  epochs: inputOf(response([goTo('a', [5, 0, 6])]), {
    snapshot: world(AIR, { ...EPOCHS, mode: 8 }),
    basis: { epochs: EPOCHS },
  }),
  basis: inputOf(response([goTo('a', [5, 0, 6])]), { ...flying, basis: 'unknown' }),
  hint: inputOf(response([{ ...goTo('a', [5, 0, 6]), fulfils: 'nothing' }]), flying),
  scope: inputOf(
    response([part('a', 'flight.hold', [], { durationS: 1 })], { discharges: 'o-1' }),
    {
      ...flying,
      openObligation: obligation,
    },
  ),
  generation: inputOf(response([part('a', 'flight.land')], { discharges: 'o-1' }), {
    ...flying,
    openObligation: { ...obligation, generation: 4 },
    generation: 4,
  }),
  freshness: inputOf(response([goTo('a', [5, 0, 6])]), {
    snapshot: world({ ...AIR, 'vehicle.gps_fix': { receivedUs: NOW_US - 2_001_000 } }),
  }),
  closure: inputOf(
    response([
      part('b', 'report.range', [], { sensor: 'back' }),
      part('a', 'report.battery', ['b']),
    ]),
  ),
};

describe('Each check', () => {
  it.each(Object.keys(WITNESSES) as Removable[])(
    '%s stops something that nothing else stops',
    (name) => {
      const input = WITNESSES[name];
      if (input === undefined) throw new Error('listed');
      expect(idsOf(admit(input).admitted)).not.toContain('a');
      expect(idsOf(admitWithout(input, new Set([name])).admitted)).toContain('a');
    },
  );

  it('of limits refuses a safety parameter even where the allow-list has it', () => {
    const entry = CATALOG.kinds['param.set'] as (typeof CATALOG.kinds)[string];
    const name = 'COM_OBL_RC_ACT';
    const parameters = [{ name, type: 'int32' as const, min: 0, max: 9 }];
    const catalog = { ...CATALOG, kinds: { 'param.set': { ...entry, parameters } } };
    const asked = part('a', 'param.set', [], { name, type: 'int32', value: 4 });
    expect(codesOf(judge([asked], { ...flying, catalog }), 'a')).toEqual(['HALO-221']);
  });

  it.each(['kind', 'params'] as const)(
    '%s only explains: what has no types is never flown',
    (name) => {
      const bad = [part('a', name === 'kind' ? 'flight.teleport' : 'flight.takeoff')];
      expect(admitWithout(inputOf(response(bad)), new Set([name])).admitted).toEqual([]);
    },
  );
});
