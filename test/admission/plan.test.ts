import { describe, expect, it } from 'vitest';
import type { Component } from '../../src/contract/index.js';
import {
  AIR,
  CATALOG,
  codesOf,
  flying,
  goTo,
  idsOf,
  judge,
  part,
  takeoff,
  world,
} from './world.js';

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
    const hold = part('h', 'flight.hold', [], { durationS: 1 });
    expect(codes([goTo('a', [5, 0, 6])], 'a', flying)).toEqual([]);
    // A vehicle that is being landed is still in the air: what stops that must be possible.
    for (const landed of ['takeoff', 'in_air', 'landing']) {
      const snapshot = world({ ...AIR, 'vehicle.landed': landed });
      expect(codes([hold], 'h', { snapshot }), landed).toEqual([]);
      expect(codes([part('r', 'flight.return')], 'r', { snapshot }), landed).toEqual([]);
    }
    for (const landed of ['on_ground', undefined]) {
      const snapshot = world({ ...AIR, 'vehicle.landed': landed });
      expect(codes([hold], 'h', { snapshot })).toEqual(['HALO-207']);
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
