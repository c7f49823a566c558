/** The reference pages must name what the code has: their tables are made from it. */
import { expect, it } from 'vitest';
import { VEHICLE_FIELDS } from '../src/contract/index.js';
import { topicEntrySchema } from '../src/evidence/topic-map.js';
import { PARAMETERS } from '../src/ros/params.js';
import { QOS } from '../src/ros/qos.js';
import { ACTION, RESPONSE_TOPIC, SERVICES, TOPICS } from '../src/ros/topics.js';
import { z } from 'zod';
import { expectSectionInStep, table } from './in-step.js';

const ROS = 'docs/reference/ros.md';
const EVIDENCE = 'docs/reference/evidence.md';
const code = (text: string): string => `\`${text}\``;

it('lists the ways into the node', () => {
  const services = Object.values(SERVICES).map((entry) => ['service', entry] as const);
  const ways = [['action', ACTION] as const, ...services, ['topic', RESPONSE_TOPIC] as const];
  const rows = ways.map(([how, { name, type, what }]) => [code(name), how, code(type), what]);
  expectSectionInStep(ROS, 'ways-in', table(['name', 'how', 'type', 'what it does'], rows));
});

it('lists the topics that the node publishes', () => {
  const rows = Object.values(TOPICS).map(({ name, type, qos, what }) => [
    code(name),
    code(type),
    qos,
    what,
  ]);
  expectSectionInStep(ROS, 'topics', table(['topic', 'type', 'QoS', 'what it says'], rows));
});

it('lists the quality of service of every kind of topic', () => {
  const rows = Object.entries(QOS).map(([name, { reliability, durability, depth }]) => [
    name,
    reliability,
    durability,
    String(depth),
  ]);
  expectSectionInStep(ROS, 'qos', table(['name', 'reliability', 'durability', 'depth'], rows));
});

it('lists every parameter with default, range and meaning', () => {
  const rows = Object.entries(PARAMETERS).map(([name, spec]) => [
    code(name),
    spec.type,
    spec.value === '' ? '' : code(String(spec.value)),
    'range' in spec ? rangeText(spec.range) : '',
    spec.description,
  ]);
  const head = ['parameter', 'type', 'default', 'range', 'meaning'];
  expectSectionInStep(ROS, 'parameters', table(head, rows));
});

const rangeSchema = z.object({ min: z.number(), max: z.number() });

function rangeText(range: unknown): string {
  const parsed = rangeSchema.safeParse(range);
  return parsed.success ? `${parsed.data.min} to ${parsed.data.max}` : '';
}

it('lists every field that the vehicle fills', () => {
  const rows = Object.entries(VEHICLE_FIELDS).map(([field, what]) => [code(field), what]);
  expectSectionInStep(EVIDENCE, 'vehicle-fields', table(['field', 'value'], rows));
});

const MAP_KEYS: Readonly<Record<string, string>> = {
  topic: 'the topic to read',
  type: 'its ROS type; a publisher of another type is a conflict',
  field: 'path into the message',
  evidence: 'name of the evidence field',
  convert: 'how the value is converted on its way in',
  maxAgeMs: 'older values are shown as stale; footprints have ages of their own',
  publishers: 'how many publishers are expected; more are a conflict',
  qos: '`sensor` (best effort) or `reliable`',
};

it('explains every key of the evidence map', () => {
  expect(Object.keys(topicEntrySchema.shape).toSorted()).toEqual(Object.keys(MAP_KEYS).toSorted());
  const minimal = { topic: '/t', type: 'a/msg/B', field: 'f', evidence: 'e', maxAgeMs: 1 };
  const filled: Record<string, unknown> = topicEntrySchema.parse(minimal);
  const rows = Object.entries(MAP_KEYS).map(([key, what]) => {
    const isDefault = !Object.hasOwn(minimal, key) && filled[key] !== undefined;
    return [code(key), isDefault ? code(JSON.stringify(filled[key])) : 'required', what];
  });
  expectSectionInStep(EVIDENCE, 'map-keys', table(['key', 'default', 'meaning'], rows));
});
