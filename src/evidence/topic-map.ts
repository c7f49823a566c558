/**
 * The operator's evidence map: which ROS topic, which field of it, becomes which evidence.
 * Enters: YAML; later, messages as plain data. Leaves: the map, or the place of its fault; values.
 * Never: a map that names a field that its type does not have, or that speaks for the autopilot.
 */
import { z } from 'zod';
import {
  fail,
  ok,
  VEHICLE_FIELDS,
  type Agreement,
  type EvidenceDatum,
  type HaloError,
  type Result,
} from '../contract/index.js';
import { haloError, parseYamlWith, readTextFile, type Located } from '../platform/index.js';
import { ANY_TYPE, partAt, TOPIC_TYPES } from './topic-types.js';

export const topicEntrySchema = z.strictObject({
  topic: z
    .string()
    .max(200)
    .regex(/^(~\/|\/)?[A-Za-z_][A-Za-z0-9_]*(\/[A-Za-z_][A-Za-z0-9_]*)*$/, 'expected a topic name'),
  type: z.string().describe('such as sensor_msgs/msg/Range'),
  field: z.string().describe('path in the message, such as pose.pose.position; . is all of it'),
  evidence: z
    .string()
    .regex(
      /^[a-z][a-z0-9_]{0,31}(\.[a-z][a-z0-9_]{0,31})+$/,
      'expected a name such as range.front',
    ),
  convert: z.string().optional().describe('default: the first conversion of the field'),
  maxAgeMs: z.number().positive().max(60_000).describe('older than this is reported as silence'),
  publishers: z.number().int().positive().max(16).default(1).describe('how many may speak'),
  qos: z.enum(['sensor', 'reliable']).default('sensor'),
});

export const agreementSchema = z.strictObject({
  field: z.string().describe('a field of the vehicle or of this map'),
  with: z.string().describe('a field of this map that must confirm it'),
  tolerance: z.number().nonnegative().describe('largest difference; of vectors, distance'),
  maxAgeMs: z.number().positive().max(60_000).describe('older than this it confirms nothing'),
});

export const topicMapSchema = z.strictObject({
  evidence: z.array(topicEntrySchema).max(128),
  agree: z.array(agreementSchema).max(32).default([]),
});

/** `convert` is always there once a map is loaded. */
export type TopicEntry = z.output<typeof topicEntrySchema>;

export interface TopicMap {
  readonly entries: readonly TopicEntry[];
  readonly agreements: readonly Agreement[];
}

export interface Extracted {
  readonly value: EvidenceDatum;
  /** The message's own stamp, µs on the ROS clock: the reader carries it over to ours. */
  readonly rosStampUs?: number;
}

/** Errors: HALO-701, HALO-702, HALO-707 with the line. */
export function loadTopicMap(path: string): Result<TopicMap> {
  const text = readTextFile(path);
  return text.ok ? parseTopicMap(text.value, path) : text;
}

/** `fileName` is only for messages. */
export function parseTopicMap(text: string, fileName: string): Result<TopicMap> {
  const parsed = parseYamlWith(topicMapSchema, text, fileName, { unfit: 'HALO-707' });
  if (!parsed.ok) return parsed;
  const { value, lineOf } = parsed.value;
  const entries: TopicEntry[] = [];
  for (const [index, entry] of value.evidence.entries()) {
    const trouble = entryTrouble(entry, index, value.evidence, lineOf);
    if (trouble !== undefined) return fail(trouble);
    const convert = entry.convert ?? Object.keys(conversions(entry) ?? {})[0] ?? 'identity';
    entries.push({ ...entry, convert });
  }
  const known = new Set([...Object.keys(VEHICLE_FIELDS), ...entries.map((e) => e.evidence)]);
  for (const [index, pair] of value.agree.entries()) {
    const at = (key: keyof Agreement, message: string) =>
      fail(haloError('HALO-707', message, lineOf(['agree', index, key])));
    if (!known.has(pair.field)) return at('field', `Nothing fills ${pair.field}.`);
    if (!entries.some((e) => e.evidence === pair.with) || pair.with === pair.field) {
      return at('with', `${pair.with} is no other field of this map: it cannot confirm.`);
    }
  }
  return ok({ entries, agreements: value.agree });
}

/** A type of the table can be read as the table says; any other by what its part is. */
const conversions = (entry: TopicEntry) =>
  Object.hasOwn(TOPIC_TYPES, entry.type) ? TOPIC_TYPES[entry.type]?.[entry.field] : ANY_TYPE;

const TYPE_NAME = /^[a-z][a-z0-9_]*\/msg\/[A-Z][A-Za-z0-9]*$/;

function entryTrouble(
  entry: TopicEntry,
  index: number,
  all: readonly TopicEntry[],
  lineOf: Located<unknown>['lineOf'],
): HaloError | undefined {
  const at = (key: keyof TopicEntry, message: string): HaloError =>
    haloError('HALO-707', message, lineOf(['evidence', index, key]));
  const one = (known: object): string => Object.keys(known).join(', ');
  if (!TYPE_NAME.test(entry.type)) {
    return at('type', `${entry.type} is no message type, such as px4_msgs/msg/BatteryStatus.`);
  }
  const converts = conversions(entry);
  if (converts === undefined) {
    const usable = one(TOPIC_TYPES[entry.type] ?? {});
    const message = `${entry.type} has no usable field ${entry.field}; usable: ${usable}.`;
    return at('field', message);
  }
  if (entry.convert !== undefined && !Object.hasOwn(converts, entry.convert)) {
    const message = `${entry.field} cannot be converted by ${entry.convert}; by: ${one(converts)}.`;
    return at('convert', message);
  }
  if (entry.evidence.startsWith('vehicle.')) {
    return at('evidence', 'vehicle.* is what the autopilot says of itself; choose another name.');
  }
  if (all.findIndex((other) => other.evidence === entry.evidence) !== index) {
    return at('evidence', `${entry.evidence} is filled twice; one field has one source.`);
  }
  const other = all.find((e) => e.topic === entry.topic && e.type !== entry.type);
  return other === undefined ? undefined : at('type', `${entry.topic} has two types.`);
}

/**
 * One value out of one message. Errors: HALO-208 (the message says that there is nothing),
 * HALO-707 (the message is not of the entry's type).
 */
export function extract(entry: TopicEntry, message: unknown): Result<Extracted> {
  const convert = conversions(entry)?.[entry.convert ?? 'identity'];
  const part = partAt(message, entry.field);
  if (convert === undefined || part === undefined) {
    return fail(haloError('HALO-707', `${entry.topic} carries no ${entry.field}.`, entry.topic));
  }
  const taken = convert(part, message);
  if ('missing' in taken) {
    const what = entry.field === '.' ? entry.topic : `${entry.topic} ${entry.field}`;
    return fail(haloError('HALO-208', `${what} ${taken.missing}.`, entry.topic));
  }
  const rosStampUs = stampOf(message);
  return ok(rosStampUs === undefined ? taken : { ...taken, rosStampUs });
}

/** header.stamp in microseconds; undefined without a header, or when nobody filled it in. */
function stampOf(message: unknown): number | undefined {
  const sec = Number(partAt(message, 'header.stamp.sec'));
  const nanosec = Number(partAt(message, 'header.stamp.nanosec'));
  const stampUs = sec * 1e6 + Math.floor(nanosec / 1000);
  return Number.isFinite(stampUs) && stampUs > 0 ? stampUs : undefined;
}
