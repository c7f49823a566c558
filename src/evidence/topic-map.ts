/**
 * The operator's evidence map: which ROS topic, which field of it, becomes which evidence.
 * Enters: YAML; later, messages as plain data. Leaves: the map, or the place of its fault; values.
 * Never: a map that names a field that its type does not have, or that speaks for the autopilot.
 */
import { z } from 'zod';
import { fail, ok, type EvidenceDatum, type HaloError, type Result } from '../contract/index.js';
import { haloError, parseYamlWith, readTextFile, type Located } from '../platform/index.js';
import { partAt, TOPIC_TYPES } from './topic-types.js';

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

export const topicMapSchema = z.strictObject({
  evidence: z.array(topicEntrySchema).max(128),
});

/** `convert` is always there once a map is loaded. */
export type TopicEntry = z.output<typeof topicEntrySchema>;

export interface TopicMap {
  readonly entries: readonly TopicEntry[];
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
  return ok({ entries });
}

const conversions = (entry: TopicEntry) => TOPIC_TYPES[entry.type]?.[entry.field];

function entryTrouble(
  entry: TopicEntry,
  index: number,
  all: readonly TopicEntry[],
  lineOf: Located<unknown>['lineOf'],
): HaloError | undefined {
  const at = (key: keyof TopicEntry, message: string): HaloError =>
    haloError('HALO-707', message, lineOf(['evidence', index, key]));
  const one = (known: object): string => Object.keys(known).join(', ');
  const fields = TOPIC_TYPES[entry.type];
  if (fields === undefined) {
    return at('type', `${entry.type} is not a known type; known: ${one(TOPIC_TYPES)}.`);
  }
  const converts = fields[entry.field];
  if (converts === undefined) {
    const message = `${entry.type} has no usable field ${entry.field}; usable: ${one(fields)}.`;
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
