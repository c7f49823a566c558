/**
 * What can be read from the ROS messages that an evidence map may name: one table a type.
 * Enters: a message as plain data, a path. Leaves: a value, or why there is none.
 * Never: a sensor's way of saying "nothing there" passed on as a measurement.
 */
import type { EvidenceDatum } from '../contract/index.js';

/** A value, or the sentence that says why there is none. */
export type Taken = { readonly value: EvidenceDatum } | { readonly missing: string };

/** From the part at the path, with the whole message at hand for what the part rests on. */
type Convert = (part: unknown, message: unknown) => Taken;

const missing = (why: string): Taken => ({ missing: why });

/** The part of a message at `a.b.c`; undefined when it is not there. `.` is the message itself. */
export function partAt(message: unknown, path: string): unknown {
  if (path === '.') return message;
  let part: unknown = message;
  for (const key of path.split('.')) {
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, key)) return undefined;
    part = (part as Record<string, unknown>)[key]; // checked above: an object with this key
  }
  return part;
}

const finite = (part: unknown): number | undefined =>
  typeof part === 'number' && Number.isFinite(part) ? part : undefined;

const number =
  (change: (x: number) => number = (x) => x): Convert =>
  (part) => {
    const x = finite(part);
    return x === undefined ? missing('is not a finite number') : { value: change(x) + 0 };
  };

/** BatteryState.percentage is a fraction by definition; drivers that send percent are common. */
const fraction =
  (scale: number): Convert =>
  (part) => {
    const x = finite(part);
    if (x === undefined) return missing('is not measured');
    const value = x * scale;
    return value >= 0 && value <= 1 ? { value } : missing(`is ${x}, outside of the scale`);
  };

const flag =
  (change: (x: boolean) => boolean): Convert =>
  (part) =>
    typeof part === 'boolean' ? { value: change(part) } : missing('is not true or false');

/** [x, y, z]; in a frame that REP 105 calls odom or map these are east, north, up. */
const vector: Convert = (part) => {
  const values = ['x', 'y', 'z'].map((key) => finite(partAt(part, key)));
  const [x, y, z] = values;
  return x === undefined || y === undefined || z === undefined
    ? missing('is not a point of three finite numbers')
    : { value: [x, y, z] };
};

/** Yaw of an ENU orientation, rad: 0 = east, counter-clockwise positive. */
const yaw: Convert = (part) => {
  const [x, y, z, w] = ['x', 'y', 'z', 'w'].map((key) => finite(partAt(part, key)));
  if (x === undefined || y === undefined || z === undefined || w === undefined) {
    return missing('is not a quaternion of finite numbers');
  }
  // A message that nobody filled in has an orientation of four zeros.
  if (Math.abs(Math.hypot(x, y, z, w) - 1) > 0.01) return missing('is not a unit quaternion');
  return { value: Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)) };
};

/** [latitude deg, longitude deg, altitude m above the ellipsoid], with a fix only. */
const navSat: Convert = (_part, message) => {
  const status = finite(partAt(message, 'status.status'));
  if (status === undefined || status < 0) return missing('has no fix');
  const parts = ['latitude', 'longitude', 'altitude'].map((key) => finite(partAt(message, key)));
  const [lat, lon, alt] = parts;
  return lat === undefined || lon === undefined || alt === undefined
    ? missing('has no finite position')
    : { value: [lat, lon, alt] };
};

/** REP 117: -inf is too close, +inf nothing in range, NaN no measurement. None is a distance. */
const range: Convert = (part, message) => {
  const x = finite(part);
  if (x === undefined) return missing('has no echo within its range');
  const min = finite(partAt(message, 'min_range'));
  const max = finite(partAt(message, 'max_range'));
  if (min === undefined || max === undefined || !(min < max)) return missing('has no valid limits');
  return x >= min && x <= max ? { value: x } : missing(`is ${x} m, outside ${min} to ${max} m`);
};

type FieldTable = Readonly<Record<string, Readonly<Record<string, Convert>>>>;

const plain = { identity: number() };
const signed = { ...plain, negate: number((x) => -x) };

/** Type, then field, then conversion. The first conversion of a field is its default. */
export const TOPIC_TYPES: Readonly<Record<string, FieldTable>> = {
  'sensor_msgs/msg/NavSatFix': {
    '.': { navsat_global: navSat },
    'status.status': plain,
    latitude: plain,
    longitude: plain,
    altitude: plain,
  },
  'sensor_msgs/msg/BatteryState': {
    percentage: { identity: fraction(1), fraction_from_percent: fraction(0.01) },
    voltage: plain,
    current: signed,
    temperature: plain,
    present: { identity: flag((x) => x) },
  },
  'sensor_msgs/msg/Range': {
    range: { identity: range },
    // The sensor's own limit comes with every message: that it comes says the sensor is alive.
    max_range: plain,
  },
  'nav_msgs/msg/Odometry': {
    'pose.pose.position': { odometry_enu: vector },
    'pose.pose.position.x': signed,
    'pose.pose.position.y': signed,
    'pose.pose.position.z': signed,
    'pose.pose.orientation': { yaw_enu: yaw },
    'twist.twist.linear': { identity: vector },
  },
  'std_msgs/msg/Bool': {
    data: { identity: flag((x) => x), negate: flag((x) => !x) },
  },
};

/** An array of three numbers, plain or typed, or a point of x, y, z. */
function triple(part: unknown): readonly [number, number, number] | undefined {
  const at = (i: 0 | 1 | 2): number | undefined =>
    finite(partAt(part, String(i)) ?? partAt(part, ['x', 'y', 'z'][i] ?? ''));
  const [a, b, c] = [at(0), at(1), at(2)];
  return a === undefined || b === undefined || c === undefined ? undefined : [a, b, c];
}

const points =
  (turn: (v: readonly [number, number, number]) => readonly number[]): Convert =>
  (part) => {
    const v = triple(part);
    return v === undefined
      ? missing('is not a point of three finite numbers')
      : { value: turn(v).map((x) => x + 0) };
  };

/** A number (64 bits as far as they are exact), true or false, or a word. */
const plainly: Convert = (part) => {
  if (typeof part === 'boolean' || typeof part === 'string') return { value: part };
  const x = typeof part === 'bigint' ? Number(part) : part;
  const exact = typeof x === 'number' && (typeof part !== 'bigint' || Number.isSafeInteger(x));
  return exact && Number.isFinite(x) ? { value: x + 0 } : missing('is not a finite number or word');
};

/** For types without a table of their own: px4_msgs, and whatever else is installed. */
export const ANY_TYPE: Readonly<Record<string, Convert>> = {
  identity: plainly,
  negate: number((x) => -x),
  fraction_from_percent: fraction(0.01),
  vector: points((v) => v),
  enu_from_ned: points(([n, e, d]) => [e, n, -d]),
};
