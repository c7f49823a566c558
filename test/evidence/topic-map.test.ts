import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { extract, loadTopicMap, parseTopicMap } from '../../src/evidence/index.js';

const entry = (type: string, field: string, more = ''): string => {
  const what = `topic: /t, type: ${type}, field: ${field}, evidence: a.b, maxAgeMs: 500`;
  return `evidence:\n  - { ${what}${more} }\n`;
};

function read(yaml: string, message: unknown): unknown {
  const map = parseTopicMap(yaml, 'evidence.yaml');
  if (!map.ok) throw new Error(map.error.message);
  const result = extract(map.value.entries[0]!, message);
  return result.ok ? result.value.value : result.error.code;
}

const trouble = (yaml: string) => {
  const map = parseTopicMap(yaml, 'evidence.yaml');
  return map.ok ? undefined : map.error;
};

describe('the evidence map', () => {
  it('that is shipped can be loaded, and gives range, its limit and the site', () => {
    const shipped = fileURLToPath(new URL('../../launch/params/evidence.yaml', import.meta.url));
    const map = loadTopicMap(shipped);
    expect(map.ok && map.value.entries.map((e) => e.evidence)).toEqual([
      'range.front',
      'range.front.max',
      'site.clear',
    ]);
  });

  it.each([
    ['what is no message type', entry('sensor_msgs/Range', 'range'), 'sensor_msgs/Range'],
    [
      'a field that the type does not have',
      entry('sensor_msgs/msg/Range', 'rang'),
      'usable: range, max_range',
    ],
    ['a part of a path', entry('nav_msgs/msg/Odometry', 'pose.position'), 'pose.pose.position'],
    [
      'a conversion that does not fit',
      entry('std_msgs/msg/Bool', 'data', ', convert: yaw_enu'),
      'by: identity, negate',
    ],
    [
      'a word that is the autopilot’s own',
      entry('sensor_msgs/msg/BatteryState', 'percentage').replace('a.b', 'vehicle.battery'),
      'vehicle.*',
    ],
    ['an unknown key', entry('std_msgs/msg/Bool', 'data', ', rate: 5'), 'rate'],
    ['an age of zero', entry('std_msgs/msg/Bool', 'data').replace('500', '0'), 'maxAgeMs'],
  ])('refuses %s, with its line', (_what, yaml, says) => {
    const error = trouble(yaml);
    expect(error).toMatchObject({ code: 'HALO-707' });
    expect(error?.message).toContain(says);
    expect(error?.path).toMatch(/^evidence\.yaml:2:/);
  });

  it('refuses two sources for one field, and two types on one topic', () => {
    const one = '{ topic: /t, type: std_msgs/msg/Bool, field: data, evidence: a.b, maxAgeMs: 5 }';
    const two = one.replace('/t', '/u');
    expect(trouble(`evidence: [${one}, ${two}]`)?.message).toContain('one field has one source');
    const other =
      '{ topic: /t, type: sensor_msgs/msg/Range, field: range, evidence: c.d, maxAgeMs: 5 }';
    expect(trouble(`evidence: [${one}, ${other}]`)?.message).toContain('two types');
  });

  it('reads types without a table of their own by what their parts are', () => {
    const px4 = (field: string, more = ''): string =>
      entry('px4_msgs/msg/VehicleLocalPosition', field, more);
    const sample = {
      timestamp: 12_000_000n,
      xy_valid: true,
      z: -6,
      position: Float32Array.from([1, 2, -3]),
      huge: 2n ** 60n,
      at: { x: 1, y: 2, z: 3 },
    };
    expect(read(px4('timestamp'), sample)).toBe(12_000_000);
    expect(read(px4('xy_valid'), sample)).toBe(true);
    expect(read(px4('z', ', convert: negate'), sample)).toBe(6);
    expect(read(px4('position', ', convert: enu_from_ned'), sample)).toEqual([2, 1, 3]);
    expect(read(px4('position.1'), sample)).toBe(2);
    expect(read(px4('at', ', convert: vector'), sample)).toEqual([1, 2, 3]);
    expect(read(px4('huge'), sample)).toBe('HALO-208');
    expect(read(px4('at'), sample)).toBe('HALO-208');
    expect(read(px4('gone'), sample)).toBe('HALO-707');
    expect(trouble(px4('z', ', convert: yaw_enu'))?.message).toContain('by: identity');
  });

  it('refuses an agreement of fields that nothing fills, with its line', () => {
    const pack = entry('sensor_msgs/msg/BatteryState', 'percentage').replace(
      'a.b',
      'pack.fraction',
    );
    const agree = (field: string, other: string): string =>
      `${pack}agree:\n  - { field: ${field}, with: ${other}, tolerance: 0.1, maxAgeMs: 3000 }\n`;
    const good = parseTopicMap(agree('vehicle.battery', 'pack.fraction'), 'evidence.yaml');
    expect(good.ok && good.value.agreements).toMatchObject([{ with: 'pack.fraction' }]);
    for (const [field, other] of [
      ['vehicle.bogus', 'pack.fraction'],
      ['vehicle.battery', 'vehicle.battery_v'],
      ['pack.fraction', 'pack.fraction'],
    ] as const) {
      expect(trouble(agree(field, other))).toMatchObject({ code: 'HALO-707' });
      expect(trouble(agree(field, other))?.path).toMatch(/^evidence\.yaml:4:/);
    }
  });

  it('says which file cannot be read', () => {
    const map = loadTopicMap('/nowhere/evidence.yaml');
    expect(!map.ok && map.error).toMatchObject({ code: 'HALO-701' });
  });
});

describe('values from ROS messages', () => {
  const range = entry('sensor_msgs/msg/Range', 'range');
  const echo = (x: unknown) => ({ range: x, min_range: 0.2, max_range: 10 });

  it.each([
    ['an echo', 4.5, 4.5],
    ['nothing in range', Infinity, 'HALO-208'],
    ['too close', -Infinity, 'HALO-208'],
    ['no measurement', NaN, 'HALO-208'],
    ['beyond its own limit', 10.5, 'HALO-208'],
    ['below its own limit', 0.1, 'HALO-208'],
    ['text', '4.5', 'HALO-208'],
  ])('a range finder with %s', (_what, x, expected) => {
    expect(read(range, echo(x))).toBe(expected);
  });

  it('a range finder without limits gives nothing', () => {
    expect(read(range, { range: 4, min_range: 0, max_range: 0 })).toBe('HALO-208');
    expect(read(range, { range: 4 })).toBe('HALO-208');
  });

  it('a message of another shape is not read', () => {
    for (const message of [undefined, null, 5, {}, []]) {
      expect(read(range, message)).toBe('HALO-707');
    }
  });

  it('a battery as a fraction, or in percent where the map says so, within its scale', () => {
    const plain = entry('sensor_msgs/msg/BatteryState', 'percentage');
    const percent = entry(
      'sensor_msgs/msg/BatteryState',
      'percentage',
      ', convert: fraction_from_percent',
    );
    expect(read(plain, { percentage: 0.75 })).toBe(0.75);
    expect(read(plain, { percentage: 75 })).toBe('HALO-208');
    expect(read(plain, { percentage: NaN })).toBe('HALO-208');
    expect(read(percent, { percentage: 75 })).toBe(0.75);
  });

  it('a satellite position only with a fix', () => {
    const yaml = entry('sensor_msgs/msg/NavSatFix', '.');
    const fix = { status: { status: 0 }, latitude: 47, longitude: 8, altitude: 488 };
    expect(read(yaml, fix)).toEqual([47, 8, 488]);
    expect(read(yaml, { ...fix, status: { status: -1 } })).toBe('HALO-208');
    expect(read(yaml, { ...fix, altitude: NaN })).toBe('HALO-208');
  });

  it('odometry as a point, and as a yaw that is zero to the east', () => {
    const q = { x: 0, y: 0, z: Math.SQRT1_2, w: Math.SQRT1_2 };
    const message = { pose: { pose: { position: { x: 1, y: 2, z: 3 }, orientation: q } } };
    const point = entry('nav_msgs/msg/Odometry', 'pose.pose.position');
    const yaw = entry('nav_msgs/msg/Odometry', 'pose.pose.orientation');
    expect(read(point, message)).toEqual([1, 2, 3]);
    expect(read(yaw, message)).toBeCloseTo(Math.PI / 2, 9);
    const empty = { x: 0, y: 0, z: 0, w: 0 };
    expect(read(yaw, { pose: { pose: { orientation: empty } } })).toBe('HALO-208');
  });

  it('a flag as it is, or turned round', () => {
    const flag = entry('std_msgs/msg/Bool', 'data');
    const no = entry('std_msgs/msg/Bool', 'data', ', convert: negate');
    expect(read(flag, { data: true })).toBe(true);
    expect(read(no, { data: true })).toBe(false);
    expect(read(flag, { data: 1 })).toBe('HALO-208');
  });

  it('carry the stamp of their header, and none where nobody filled it in', () => {
    const map = parseTopicMap(range, 'evidence.yaml');
    const stamped = (sec: number, nanosec: number) => {
      const message = { ...echo(3), header: { stamp: { sec, nanosec } } };
      const result = map.ok && extract(map.value.entries[0]!, message);
      return result && result.ok ? result.value.rosStampUs : 'refused';
    };
    expect(stamped(1_700_000_000, 250_000_999)).toBe(1_700_000_000_250_000);
    expect(stamped(0, 0)).toBeUndefined();
  });
});
