/** A wrong path or type in the evidence map is found at configure, against what is installed. */
import { expect, it } from 'vitest';
import { parseTopicMap } from '../../src/evidence/index.js';
import { topicMapTrouble, type FieldShape } from '../../src/ros/message-shape.js';

const part = (name: string, type: string, isArray = false): FieldShape => ({ name, type, isArray });

const INSTALLED: Readonly<Record<string, readonly FieldShape[]>> = {
  'px4_msgs/msg/VehicleOdometry': [
    part('timestamp', 'uint64'),
    part('position', 'float32', true),
    part('quality', 'int8'),
    part('origin', 'geometry_msgs/msg/Point'),
  ],
  'geometry_msgs/msg/Point': [part('x', 'float64'), part('y', 'float64'), part('z', 'float64')],
};

function trouble(type: string, field: string): string | undefined {
  const entry = { topic: '/t', type, field, evidence: 'a.b', maxAgeMs: 500 };
  const map = parseTopicMap(JSON.stringify({ evidence: [entry] }), 'evidence.yaml');
  if (!map.ok) throw new Error(map.error.message);
  const found = topicMapTrouble(map.value, (name) => INSTALLED[name]);
  return found && `${found.code} ${found.message}`;
}

it.each(['timestamp', 'quality', 'position', 'position.2', 'origin', 'origin.x'])(
  'takes %s of an installed type',
  (field) => {
    expect(trouble('px4_msgs/msg/VehicleOdometry', field)).toBeUndefined();
  },
);

it.each([
  ['px4_msgs/msg/Nothing', 'x', 'HALO-707 px4_msgs/msg/Nothing is not installed here.'],
  ['sensor_msgs/msg/Range', 'range', 'HALO-707 sensor_msgs/msg/Range is not installed here.'],
  ['px4_msgs/msg/VehicleOdometry', 'postion', 'timestamp, position, quality, origin'],
  ['px4_msgs/msg/VehicleOdometry', 'position.x', 'float32[] has no x'],
  ['px4_msgs/msg/VehicleOdometry', 'quality.value', 'int8 has no parts'],
  ['px4_msgs/msg/VehicleOdometry', 'origin.w', 'x, y, z'],
])('refuses %s %s', (type, field, says) => {
  expect(trouble(type, field)).toContain(says);
});
