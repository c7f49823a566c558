/**
 * The health of one topic that carries evidence. Enters: what was heard, what the graph shows.
 * Leaves: a report for diagnostics, and the reason for a silence. Never: silence without a reason.
 */
import type { ExternalEvidence, HaloError } from '../contract/index.js';
import type { TopicEntry } from '../evidence/index.js';
import type { DiagnosticLevel, DiagnosticReport } from './diagnostics.js';
import type { RosEndpoint } from './rcl-port.js';

export interface Topic {
  readonly name: string;
  readonly type: string;
  readonly entries: readonly TopicEntry[];
  readonly expected: number;
  /** What the subscription asks for: a best-effort publisher never reaches a reliable reader. */
  readonly reliable: boolean;
  /** How long a publisher counts after its last message: as long as its value may stand. */
  readonly countedUs: number;
  /** Who was heard, and when last. */
  readonly writers: Map<string, number>;
  /** Those that the graph shows. */
  publishers: readonly RosEndpoint[];
  /** Set while the publishers are not the ones expected; goes on every observation. */
  conflict: string | undefined;
  receivedUs: number | undefined;
  received: number;
  /** The latest of each field: offered again when what it rests on is lost. */
  readonly latest: Map<string, ExternalEvidence>;
  /** What the engine was last told about why it hears nothing. */
  silence: string | undefined;
  /** Why the latest message gave no value, or the topic as a whole cannot be read. */
  trouble: HaloError | undefined;
  readonly end: () => void;
}

/** A conflict names its publishers; a screen holds so many. */
const NAMES_SHOWN = 4;

/** What the graph says of a publisher whose node it has not heard of yet. */
const NOT_KNOWN_YET = '_NODE_NAME_UNKNOWN_';

export function conflictOf(
  { name, expected, publishers }: Pick<Topic, 'name' | 'expected' | 'publishers'>,
  count: number,
): string {
  const known = publishers.map(({ node }) => node).filter((node) => !node.endsWith(NOT_KNOWN_YET));
  const names = [...new Set(known)].sort().slice(0, NAMES_SHOWN).join(', ');
  const who = names === '' ? '' : `: ${names}`;
  return `${count} publishers on ${name} where ${expected} is expected${who}`;
}

const ageMsOf = ({ receivedUs }: Topic, nowUs: number): number =>
  receivedUs === undefined ? NaN : (nowUs - receivedUs) / 1000;

/** The shortest of what its fields may be silent. */
const maxAgeMsOf = ({ entries }: Topic): number =>
  Math.min(...entries.map(({ maxAgeMs }) => maxAgeMs));

export function reportOf(topic: Topic, nowUs: number): DiagnosticReport {
  const [level, message] = stateOf(topic, nowUs);
  return {
    name: `Evidence ${topic.name}`,
    level,
    message,
    values: {
      type: topic.type,
      fields: topic.entries.map(({ evidence }) => evidence).join(', '),
      publishers: topic.publishers.length,
      'publishers expected': topic.expected,
      received: topic.received,
      'age ms': ageMsOf(topic, nowUs),
      'maximum age ms': maxAgeMsOf(topic),
    },
  };
}

/** Why nothing fresh comes from this topic, for the findings that miss it. */
export function silenceOf(topic: Topic, nowUs: number): string | undefined {
  // A conflict stands on the value itself.
  if (topic.conflict !== undefined) return undefined;
  const [level, message] = stateOf(topic, nowUs);
  return level === 'ok' ? undefined : `${topic.name}: ${message}`;
}

function stateOf(topic: Topic, nowUs: number): readonly [DiagnosticLevel, string] {
  const other = topic.publishers.find(({ type }) => type !== topic.type);
  const lossy = topic.publishers.find(({ reliable }) => topic.reliable && !reliable);
  if (topic.conflict !== undefined) return ['error', topic.conflict];
  if (topic.trouble !== undefined && topic.trouble.code !== 'HALO-208') {
    return ['error', topic.trouble.message];
  }
  if (other !== undefined) {
    return ['error', `${other.node} publishes ${other.type}, not ${topic.type}`];
  }
  if (lossy !== undefined) {
    return ['error', `${lossy.node} publishes best effort, and the map asks for reliable`];
  }
  if (topic.publishers.length === 0) return ['error', 'nobody publishes'];
  if (topic.received === 0) return ['error', 'published, but nothing has arrived'];
  if (ageMsOf(topic, nowUs) > maxAgeMsOf(topic)) {
    return ['stale', 'too old: its publisher has fallen silent'];
  }
  // The sensor speaks, and says that there is nothing to be measured: no fix, no echo.
  return topic.trouble === undefined ? ['ok', 'fresh'] : ['warn', topic.trouble.message];
}
