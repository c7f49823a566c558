import { describe, expect, it } from 'vitest';
import { loadCatalog, parseCatalog } from '../../src/admission/index.js';
import { CATALOG } from './world.js';

/** One kind with one line changed; the line is at 8 or 9. */
const kind = (lines: string, does = 'goto', effectClass = 'reversible'): string => `catalog: test
version: 1
kinds:
  flight.one:
    does: ${does}
    effectClass: ${effectClass}
    resources: [${effectClass === 'none' ? '' : 'motion'}]
    ${lines}
`;

const trouble = (text: string): string => {
  const parsed = parseCatalog(text, 'my.yaml');
  return parsed.ok ? 'fine' : `${parsed.error.code} ${parsed.error.path} ${parsed.error.message}`;
};

describe('The multicopter catalog', () => {
  it('has the kinds that the bridge can carry out, and a digest of its content', () => {
    expect(Object.keys(CATALOG.kinds).sort()).toEqual([
      ...['camera.capture', 'camera.point'],
      ...['flight.arm', 'flight.disarm', 'flight.follow_path', 'flight.goto', 'flight.hold'],
      ...['flight.land', 'flight.orbit', 'flight.return', 'flight.takeoff', 'flight.velocity'],
      ...[
        'flight.yaw',
        'mission.pause',
        'mission.start',
        'mission.upload',
        'operator.ask',
        'operator.message',
        'param.set',
      ],
      ...['payload.release', 'payload.winch'],
      ...['report.battery', 'report.custom', 'report.image', 'report.position', 'report.range'],
    ]);
    expect(CATALOG.digest).toMatch(/^[0-9a-f]{64}$/);
    const text = kind('deadlineS: 9');
    const [a, b, c] = [text, `# a comment\n${text}`, text.replace('9', '8')].map((t) => {
      const parsed = parseCatalog(t, 'my.yaml');
      return parsed.ok ? parsed.value.digest : '';
    });
    expect(a).toBe(b);
    expect(a).not.toBe(c);
  });

  it('lets every withheld effect be answered by something, and by landing once in the air', () => {
    for (const [name, entry] of Object.entries(CATALOG.kinds)) {
      expect(entry.replaceableBy, name).toContain(name);
      if (entry.needs.length > 0) expect(entry.replaceableBy, name).toContain('flight.land');
    }
  });

  it('never asks for battery or position to come down', () => {
    const fields = CATALOG.kinds['flight.land']?.footprint.map(({ field }) => field) ?? [];
    expect(fields.sort()).toEqual(['vehicle.armed', 'vehicle.landed']);
  });
});

describe('A catalog that cannot be meant', () => {
  it.each<[string, string, string]>([
    ['a prerequisite kind that is not there', kind('prerequisiteKinds: [flight.two]'), ':8:25'],
    ['a stand-in that is not there', kind('replaceableBy: [flight.one, flight.two]'), ':8:33'],
    ['an interrupted kind that is not there', kind('interrupts: [flight.two]'), ':8:18'],
    [
      'an interruption by what does not take the flight over',
      kind('interrupts: [flight.one]', 'mission_upload'),
      ':8:5',
    ],
    ['minimum altitude above maximum', kind('limits: {altitudeMinM: 9, altitudeMaxM: 3}'), ':8:14'],
    [
      'a geofence that crosses itself',
      kind('limits: {geofenceEnuM: [[0, 0], [9, 9], [9, 0], [0, 9]]}'),
      ':8:14',
    ],
    ['a limit without a parameter', kind('limits: {speedMaxMS: 3}', 'land'), ':8:14'],
    [
      'a template without a parameter',
      kind("footprint: [{field: 'range.{sensor}', maxAgeMs: 5}]"),
      ':8:18',
    ],
    ['an unknown vehicle field', kind('footprint: [{field: vehicle.bogus, maxAgeMs: 5}]'), ':8:18'],
    ['a field without a family', kind('footprint: [{field: battery, maxAgeMs: 5}]'), ':8:18'],
    [
      'min above max',
      kind('footprint: [{field: vehicle.battery, maxAgeMs: 5, min: 1, max: 0}]'),
      ':8:55',
    ],
    ['is and in', kind('footprint: [{field: vehicle.mode, maxAgeMs: 5, is: A, in: [A]}]'), ':8:52'],
    [
      'a list and bounds',
      kind('footprint: [{field: vehicle.battery, maxAgeMs: 5, in: [1], min: 0}]'),
      ':8:18',
    ],
    [
      'bounds of a boolean',
      kind('footprint: [{field: vehicle.armed, maxAgeMs: 5, min: 1}]'),
      ':8:53',
    ],
    [
      'text for a boolean',
      kind('footprint: [{field: vehicle.armed, maxAgeMs: 5, is: yes}]'),
      ':8:53',
    ],
    ['an effect of class none', kind('frames: 1', 'goto', 'none'), ':6:5'],
    ['an utterance with an effect class', kind('frames: 1', 'report_battery'), ':6:5'],
    ['a state that is provided and ended', kind('provides: [armed]\n    ends: [armed]'), ':9:5'],
    [
      'a change of state without motion',
      kind('provides: [armed]').replace('[motion]', '[]'),
      ':8:5',
    ],
    ['a report of nothing', kind('frames: 1', 'report_custom', 'none'), ':5:5'],
    [
      'a reported field whose age nobody asks for',
      kind('reports: [vehicle.mode]', 'report_custom', 'none'),
      ':8:15',
    ],
    ['a question that waits for no time', kind('frames: 1', 'operator_ask', 'none'), ':5:5'],
    ['a geofence in one line', kind('limits: {geofenceEnuM: [[0, 0], [9, 9], [5, 5]]}'), ':8:14'],
    ['a take-off to below home', kind('limits: {altitudeMaxM: -1}', 'takeoff'), ':8:14'],
    ['a dwell beyond the deadline', kind('deadlineS: 9\n    completion: {dwellS: 9}'), ':8:5'],
    ['a deadline within the stream before OFFBOARD', kind('deadlineS: 1'), ':8:5'],
    ['frames that end before the dwell', kind('frames: 39\n    completion: {dwellS: 1}'), ':8:5'],
    [
      'a hold longer than its deadline',
      kind('deadlineS: 9\n    limits: {durationMaxS: 10}', 'hold'),
      ':9:14',
    ],
    [
      'two predicates that exclude each other',
      kind(
        'footprint: [{field: vehicle.armed, maxAgeMs: 5, is: true, at: [start, flight]}, ' +
          '{field: vehicle.armed, maxAgeMs: 9, is: false, at: [start]}]',
      ),
      ':8:85',
    ],
    [
      'bounds that exclude each other',
      kind(
        'footprint: [{field: vehicle.battery, maxAgeMs: 5, min: 0.5}, ' +
          '{field: vehicle.battery, maxAgeMs: 5, max: 0.4}]',
      ),
      ':8:66',
    ],
    [
      'a safety parameter among those that may be set',
      kind('parameters: [{name: GF_ACTION, type: int32, min: 0, max: 1}]', 'param_set'),
      ':8:19',
    ],
    [
      'a parameter that is listed twice',
      kind(
        'parameters: [{name: MPC_A, type: float, min: 0, max: 1}, ' +
          '{name: MPC_A, type: float, min: 0, max: 2}]',
        'param_set',
      ),
      ':8:63',
    ],
    [
      'an integer between two others',
      kind('parameters: [{name: MPC_A, type: int32, min: 0.2, max: 0.8}]', 'param_set'),
      ':8:45',
    ],
    ['no kinds at all', 'catalog: test\nversion: 1\nkinds: {}\n', ':3:1'],
  ])('is refused with its line: %s', (_name, text, place) => {
    expect(trouble(text)).toMatch(new RegExp(`^HALO-706 my\\.yaml${place} kinds`));
  });

  it.each([
    ['a speed of nothing', 'limits: {speedMaxMS: 0}'],
    ['an empty geofence', 'limits: {geofenceEnuM: []}'],
    ['a geofence of two corners', 'limits: {geofenceEnuM: [[0, 0], [9, 9]]}'],
    ['a limit that is no number', 'limits: {altitudeMaxM: .nan}'],
    ['a limit without end', 'limits: {homeDistanceMaxM: .inf}'],
    ['a deadline that is over', 'deadlineS: 0'],
    ['a lease without frames', 'frames: 0'],
    ['a dwell before its beginning', 'completion: {dwellS: -1}'],
    ['a list of no values', 'footprint: [{field: vehicle.mode, maxAgeMs: 5, in: []}]'],
    ['a predicate at no stage', 'footprint: [{field: vehicle.mode, maxAgeMs: 5, at: []}]'],
    ['an approval for no time', 'approval: {validS: 0}'],
    ['an id that only looks like one', 'replaceableBy: ["flight.\u043ene"]'],
  ])('is refused by its schema with place and remedy: %s', (_what, line) => {
    const parsed = parseCatalog(kind(line), 'my.yaml');
    expect(parsed).toMatchObject({ ok: false, error: { code: 'HALO-705' } });
    if (parsed.ok) throw new Error('unreachable');
    expect(parsed.error.path).toMatch(/^my\.yaml:[89]:\d+$/);
    expect(parsed.error.remedy).not.toBe('');
  });

  it('is refused by its schema with the line, too', () => {
    expect(trouble(kind('colour: red'))).toMatch(/^HALO-705 my\.yaml:8:5 kinds\.flight\.one/);
    expect(trouble(kind('footprint: [{field: vehicle.mode, maxAgeMs: 0}]'))).toMatch(/^HALO-705/);
    expect(trouble(kind('does: fly'))).toMatch(/^HALO-702/);
    const missing = loadCatalog('catalog/no-such.yaml');
    expect(!missing.ok && missing.error.code).toBe('HALO-701');
  });
});
