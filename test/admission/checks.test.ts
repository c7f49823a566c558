import { describe, expect, it } from 'vitest';
import type { Component, LocalizedObligation } from '../../src/contract/index.js';
import { AIR, CATALOG, codesOf, EPOCHS, idsOf, inputOf, judge, response, world } from './world.js';
import { admit } from '../../src/admission/index.js';
import { admitWithout, type Removable } from '../../src/admission/testing.js';
import type { AdmissionInput } from '../../src/admission/index.js';

const goTo = (
  id: string,
  positionM: readonly [number, number, number],
  requires: string[] = [],
  speedMS = 2,
): Component => ({
  id,
  kind: 'flight.goto',
  params: { frame: 'local_enu', positionM, speedMS },
  requires,
});
const part = (id: string, kind: string, requires: string[] = [], params = {}): Component => ({
  id,
  kind,
  params,
  requires,
});
const takeoff = (altitudeM: number): Component[] => [
  part('arm', 'flight.arm'),
  part('up', 'flight.takeoff', ['arm'], { altitudeM }),
];
const flying = { snapshot: world(AIR) };

const obligation: LocalizedObligation = {
  id: 'o-1',
  state: 'open',
  responseId: 'r-0',
  generation: 1,
  componentId: 'leg2',
  reason: 'leg2 lost its support',
  findings: [],
  scope: { componentIds: ['leg2', 'leg3'], kinds: ['flight.goto', 'flight.land'] },
  openedUs: 0,
  expiresUs: 1,
};

describe('Kinds and params', () => {
  it('are refused with code and path when unknown, missing, surplus or of another type', () => {
    const cases: [Component, string, string][] = [
      [part('a', 'flight.teleport'), 'HALO-201', 'components[0].kind'],
      [part('a', 'flight.to_string'), 'HALO-201', 'components[0].kind'],
      [part('a', 'flight.goto'), 'HALO-202', 'components[0].params.frame'],
      [part('a', 'flight.arm', [], { force: true }), 'HALO-202', 'components[0].params.force'],
      [
        part('a', 'flight.takeoff', [], { altitudeM: '6' }),
        'HALO-202',
        'components[0].params.altitudeM',
      ],
      [
        part('a', 'flight.takeoff', [], { altitude: 6 }),
        'HALO-202',
        'components[0].params.altitudeM',
      ],
      [
        part('a', 'report.range', [], { sensor: '../x' }),
        'HALO-202',
        'components[0].params.sensor',
      ],
    ];
    for (const [component, code, path] of cases) {
      const [verdict] = judge([component]).verdict.components;
      expect(verdict?.findings[0]).toMatchObject({ code, path });
      expect(verdict?.admitted).toBe(false);
    }
    const global = { frame: 'wgs84', positionM: [1, 2], yawDeg: 400, speedMS: 0 };
    const paths = judge([part('a', 'flight.goto', [], global)], flying).verdict.components[0]
      ?.findings;
    expect(paths?.map(({ path }) => path?.slice(14))).toEqual([
      'params.frame',
      'params.positionM',
      'params.yawDeg',
      'params.speedMS',
    ]);
  });

  it('take no part from the prototype of the catalog’s table', () => {
    const catalog = { ...CATALOG, kinds: Object.create(CATALOG.kinds) as typeof CATALOG.kinds };
    expect(codesOf(judge([part('a', 'flight.arm')], { catalog }), 'a')).toContain('HALO-201');
  });
});

describe('Limits', () => {
  const leg = (component: Component, more = {}): readonly string[] =>
    codesOf(judge([component], { ...flying, ...more }), component.id);

  it('refuse a number beyond them and clamp nothing', () => {
    expect(leg(goTo('a', [1, 1, 6], [], 5))).toEqual([]);
    expect(leg(goTo('a', [1, 1, 6], [], 5.01))).toEqual(['HALO-203']);
    const { admitted } = judge([goTo('a', [1, 1, 6], [], 5)], flying);
    expect(admitted[0]?.typed).toEqual({
      does: 'goto',
      params: goTo('a', [1, 1, 6], [], 5).params,
    });
    for (const [altitudeM, codes] of [
      [1.4, ['HALO-203']],
      [1.5, []],
      [30, []],
      [31, ['HALO-203']],
    ] as const) {
      expect(codesOf(judge(takeoff(altitudeM)), 'up'), String(altitudeM)).toEqual(codes);
    }
    const hold = (durationS: number): readonly string[] =>
      leg(part('h', 'flight.hold', [], { durationS }));
    expect(hold(120)).toEqual([]);
    expect(hold(121)).toEqual(['HALO-203']);
  });

  it('measure altitude and distance from home, wherever home is', () => {
    const home = { ...AIR, 'vehicle.home': [50, 0, 3], 'vehicle.position': [50, 0, 9] };
    const snapshot = world(home);
    expect(leg(goTo('a', [50, 59, 33]), { snapshot })).toEqual(['HALO-215']); // leg only
    expect(leg(goTo('a', [50, 0, 33]), { snapshot })).toEqual([]);
    expect(leg(goTo('a', [50, 0, 33.1]), { snapshot })).toEqual(['HALO-215']);
    expect(leg(goTo('a', [50, 0, 4.4]), { snapshot })).toEqual(['HALO-215']);
    const near = world({ ...home, 'vehicle.position': [140, 0, 9] });
    expect(leg(goTo('a', [150, 0, 9]), { snapshot: near })).toEqual([]);
    expect(leg(goTo('a', [150.1, 0, 9]), { snapshot: near })).toEqual(['HALO-215']);
  });

  it('measure a leg from where the motion before it ends, else from the vehicle', () => {
    expect(leg(goTo('a', [0, 60, 6]))).toEqual([]);
    expect(leg(goTo('a', [0, 60.1, 6]))).toEqual(['HALO-215']);
    const chain = [
      ...takeoff(6),
      goTo('a', [0, 50, 6], ['up']),
      part('say', 'operator.message', ['a'], { text: 'x' }),
      part('wait', 'flight.hold', ['say'], { durationS: 1 }),
      goTo('b', [0, 95, 6], ['wait']),
      goTo('c', [0, -10, 6], ['b']),
      part('back', 'flight.return', ['c']),
      goTo('d', [55, 0, 6], ['back']),
    ];
    const admission = judge(chain);
    expect(codesOf(admission, 'b')).toEqual([]);
    expect(codesOf(admission, 'c')).toEqual(['HALO-215']);
    expect(codesOf(admission, 'd')).toEqual(['HALO-206']);
    // Take-off ends at its height above home: 58 m up and across is within, 61 m is not.
    expect(codesOf(judge([...takeoff(6), goTo('a', [57, 0, 20], ['up'])]), 'a')).toEqual([]);
    expect(codesOf(judge([...takeoff(6), goTo('a', [60, 0, 20], ['up'])]), 'a')).toEqual([
      'HALO-215',
    ]);
  });

  it('refuse when home or position is not known: nothing passes for want of evidence', () => {
    const snapshot = world({ ...AIR, 'vehicle.home': undefined });
    expect(leg(goTo('a', [1, 1, 6]), { snapshot })).toEqual(['HALO-208']);
    const lost = world({ ...AIR, 'vehicle.position': undefined });
    expect(leg(goTo('a', [1, 1, 6]), { snapshot: lost })).toEqual(['HALO-208']);
    const flat = world({ ...AIR, 'vehicle.home': [0, 0] });
    expect(leg(goTo('a', [1, 1, 6]), { snapshot: flat })).toEqual(['HALO-211']);
  });
});

describe('Prerequisites', () => {
  it('refuse dangling, self and cyclic references, and only what they touch', () => {
    const admission = judge([
      part('self', 'report.battery', ['self']),
      part('lost', 'report.battery', ['fuel', 'nobody', 'l0st']),
      part('x', 'report.battery', ['y']),
      part('y', 'report.battery', ['x']),
      part('after', 'report.battery', ['y', 'fuel']),
      part('fuel', 'report.battery', []),
      part('twice', 'report.battery', ['fuel', 'fuel']),
    ]);
    expect(
      admission.verdict.components.map(({ id, findings }) => [
        id,
        ...findings.map(({ code, path }) => `${code} ${path ?? ''}`),
      ]),
    ).toEqual([
      ['self', 'HALO-205 components[0].requires'],
      ['lost', 'HALO-204 components[1].requires[1]', 'HALO-204 components[1].requires[2]'],
      ['x', 'HALO-205 components[2].requires'],
      ['y', 'HALO-205 components[3].requires'],
      ['after', 'HALO-206 '],
      ['fuel'],
      ['twice'],
    ]);
    expect(idsOf(admission.admitted)).toEqual(['fuel', 'twice']);
    expect(admission.admitted[1]?.requires).toEqual(['fuel']);
    const root = admission.verdict.components[4];
    expect(root?.rootCauses).toEqual(['y']);
    expect(root?.findings[0]?.message).toBe('Withheld with y, because of y.');
    expect(
      admission.obligations.map(({ componentId, scope }) => [componentId, ...scope.componentIds]),
    ).toEqual([
      ['self', 'self'],
      ['lost', 'lost'],
      ['x', 'x', 'y', 'after'],
    ]);
  });

  it('may be only of the kinds that the catalog permits', () => {
    const report = CATALOG.kinds['report.battery'];
    if (report === undefined) throw new Error('built in');
    const kinds = {
      ...CATALOG.kinds,
      'report.battery': { ...report, prerequisiteKinds: ['report.position'] },
    };
    const catalog = { ...CATALOG, kinds };
    const admission = judge(
      [
        part('where', 'report.position'),
        part('say', 'operator.message', [], { text: 'x' }),
        part('good', 'report.battery', ['where']),
        part('bad', 'report.battery', ['where', 'say']),
      ],
      { catalog },
    );
    expect(codesOf(admission, 'good')).toEqual([]);
    expect(codesOf(admission, 'bad')).toEqual(['HALO-219']);
  });
});

describe('Roles', () => {
  const codes = (components: readonly Component[], id: string, more = {}): readonly string[] =>
    codesOf(judge(components, more), id);

  it('are brought about by a prerequisite, however far before', () => {
    const legs = [...takeoff(6), goTo('a', [5, 0, 6], ['up']), goTo('b', [9, 0, 6], ['a'])];
    expect(codes(legs, 'b')).toEqual([]);
    expect(codes([goTo('a', [5, 0, 6])], 'a')).toEqual(['HALO-207']);
    expect(codes([part('up', 'flight.takeoff', [], { altitudeM: 6 })], 'up')).toEqual(['HALO-207']);
    // A take-off that stands beside it, and is not required, brings nothing about.
    expect(
      codes([...takeoff(6), part('h', 'flight.hold', ['arm'], { durationS: 1 })], 'h'),
    ).toContain('HALO-207');
  });

  it('are shown by live evidence instead, when it is fresh and says so', () => {
    expect(codes([goTo('a', [5, 0, 6])], 'a', flying)).toEqual([]);
    for (const landed of ['takeoff', 'landing', undefined]) {
      const snapshot = world({ ...AIR, 'vehicle.landed': landed });
      expect(codes([goTo('a', [5, 0, 6])], 'a', { snapshot })).toEqual(['HALO-207']);
    }
    const up = part('up', 'flight.takeoff', [], { altitudeM: 6 });
    expect(codes([up], 'up', { snapshot: world({ 'vehicle.armed': true }) })).toEqual([]);
  });

  it('are gone after a prerequisite that ends them, until one brings them back', () => {
    const landed = [...takeoff(6), part('down', 'flight.land', ['up'])];
    expect(codes([...landed, goTo('a', [5, 0, 6], ['down'])], 'a')).toEqual(['HALO-207']);
    expect(
      codes([part('down', 'flight.land'), goTo('a', [5, 0, 6], ['down'])], 'a', flying),
    ).toEqual(['HALO-207']);
    const again = [
      ...landed,
      part('arm2', 'flight.arm', ['down']),
      part('up2', 'flight.takeoff', ['arm2'], { altitudeM: 6 }),
      part('said', 'operator.message', ['down'], { text: 'x' }),
      goTo('a', [5, 0, 6], ['said', 'up2']),
    ];
    expect(codes(again, 'a')).toEqual([]);
    expect(
      codes(
        [...again.slice(0, 3), part('up2', 'flight.takeoff', ['down'], { altitudeM: 6 })],
        'up2',
      ),
    ).toEqual(['HALO-207']);
  });
});

describe('Resources', () => {
  it('go to the first in document order; the later is told to declare a prerequisite', () => {
    const admission = judge(
      [
        goTo('a', [5, 0, 6]),
        goTo('b', [0, 5, 6]),
        goTo('c', [5, 5, 6], ['a']),
        goTo('d', [0, 9, 6], ['b']),
        part('fuel', 'report.battery'),
      ],
      flying,
    );
    expect(idsOf(admission.admitted)).toEqual(['a', 'c', 'fuel']);
    expect(codesOf(admission, 'b')).toEqual(['HALO-214']);
    // d rests on b and takes no part: c is not refused for its sake.
    expect(codesOf(admission, 'd')).toEqual(['HALO-206']);
    const [clash] = admission.verdict.components[1]?.findings ?? [];
    expect(clash?.observed).toBe('a');
  });

  it('are free for components in an order, wherever they stand and whatever lies between', () => {
    const admission = judge(
      [
        goTo('c', [5, 5, 6], ['say']),
        part('say', 'operator.message', ['a'], { text: 'x' }),
        goTo('a', [5, 0, 6]),
      ],
      flying,
    );
    expect(idsOf(admission.admitted)).toEqual(['a', 'say', 'c']);
  });
});

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

  it.each(['kind', 'params'] as const)(
    '%s only explains: what has no types is never flown',
    (name) => {
      const bad = [part('a', name === 'kind' ? 'flight.teleport' : 'flight.takeoff')];
      expect(admitWithout(inputOf(response(bad)), new Set([name])).admitted).toEqual([]);
    },
  );
});
