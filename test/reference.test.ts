/** The reference pages must name what the code has: their tables are made from it. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import {
  EFFECTS,
  limitsSchema,
  paramSchemas,
  UTTERANCES,
  VEHICLE_FIELDS,
} from '../src/contract/index.js';
import { LIMIT_APPLIES } from '../src/admission/catalog-checks.js';
import { OBSERVED_BY } from '../src/recovery/observed.js';
import { topicEntrySchema } from '../src/evidence/topic-map.js';
import { TOPIC_TYPES } from '../src/evidence/topic-types.js';
import { PARAMETERS } from '../src/ros/params.js';
import { QOS } from '../src/ros/qos.js';
import { ACTION, RESPONSE_TOPIC, SERVICES, TOPICS } from '../src/ros/topics.js';
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

const CATALOG = 'docs/reference/catalog.md';

it('lists the built-in parts of a catalog, with what their receipts show', () => {
  const rows = [...EFFECTS, ...UTTERANCES].map((does) => [
    code(does),
    Object.keys(paramSchemas[does].shape).map(code).join(', '),
    OBSERVED_BY[does].map(code).join(', '),
  ]);
  expectSectionInStep(CATALOG, 'parts', table(['does', 'parameters', 'its receipt shows'], rows));
});

it('lists every limit, and what it applies to', () => {
  expect(Object.keys(limitsSchema.shape).toSorted()).toEqual(Object.keys(LIMIT_APPLIES).toSorted());
  const rows = Object.entries(LIMIT_APPLIES).map(([name, parts]) => [
    code(name),
    parts.map(code).join(', '),
  ]);
  expectSectionInStep(CATALOG, 'limits', table(['limit', 'applies to'], rows));
});

const MAP_KEYS: Readonly<Record<string, string>> = {
  topic: 'the topic to read',
  type: 'its ROS type; a publisher of another type is a conflict',
  field: 'path into the message',
  evidence: 'name of the evidence field',
  convert: 'the conversion of the field, by name',
  maxAgeMs: 'longer silence is reported in `/diagnostics`; footprints have ages of their own',
  publishers: 'how many publishers are expected; more are a conflict',
  qos: '`sensor` (best effort) or `reliable`',
};

it('explains every key of the evidence map', () => {
  expect(Object.keys(topicEntrySchema.shape).toSorted()).toEqual(Object.keys(MAP_KEYS).toSorted());
  const minimal = {
    topic: '/t',
    type: 'a/msg/B',
    field: 'f',
    evidence: 'e.f',
    maxAgeMs: 1,
  };
  const filled: Record<string, unknown> = topicEntrySchema.parse(minimal);
  const rows = Object.entries(MAP_KEYS).map(([key, what]) => {
    const isRequired = Object.hasOwn(minimal, key);
    const otherwise = filled[key] === undefined ? 'its first' : code(JSON.stringify(filled[key]));
    return [code(key), isRequired ? 'required' : otherwise, what];
  });
  expectSectionInStep(EVIDENCE, 'map-keys', table(['key', 'default', 'meaning'], rows));
});

it('lists what can be read from ROS messages', () => {
  const rows = Object.entries(TOPIC_TYPES).flatMap(([type, fields]) =>
    Object.entries(fields).map(([field, converts]) => [
      code(type),
      code(field),
      Object.keys(converts).map(code).join(', '),
    ]),
  );
  const head = ['type', 'field', 'conversions'];
  expectSectionInStep(EVIDENCE, 'topic-types', table(head, rows));
});
