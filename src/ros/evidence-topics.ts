/**
 * ROS topics as evidence. Enters: messages of the topics that the operator's map names.
 * Leaves: single observations into the engine, and one health report a topic.
 * Never: a value from a topic on which more publishers speak than the map allows without saying
 * so, from the first message of the one too many on, or a stamp bent to look fresh.
 */
import type { EnginePort, HaloError } from '../contract/index.js';
import { extract, type TopicEntry, type TopicMap } from '../evidence/index.js';
import { haloError } from '../platform/index.js';
import type { Clocks } from './convert.js';
import type { DiagnosticReport } from './diagnostics.js';
import { QOS } from './qos.js';
import type { RosEndpoint, RosNode } from './rcl-port.js';

interface Topic {
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
  /** Why the latest message gave no value, or the topic as a whole cannot be read. */
  trouble: HaloError | undefined;
  readonly end: () => void;
}

const NS_PER_US = 1000n;

/** The map allows 16 publishers at most; whoever makes ever new ones shall not fill the memory. */
const WRITERS_MAX = 32;

/** A conflict names its publishers; a screen holds so many. */
const NAMES_SHOWN = 4;

export class EvidenceTopics {
  readonly #node: RosNode;
  readonly #engine: EnginePort;
  readonly #clocks: Clocks;
  readonly #topics: readonly Topic[];
  #lost = 0;

  constructor(
    node: RosNode,
    engine: EnginePort,
    clocks: Clocks,
    map: TopicMap,
    hasType: (type: string) => boolean,
  ) {
    this.#node = node;
    this.#engine = engine;
    this.#clocks = clocks;
    this.#topics = byTopic(map).map((entries) => this.#listen(entries, hasType));
  }

  /** Observations that the engine's queue had no place for. */
  get lost(): number {
    return this.#lost;
  }

  /** Looks who publishes. Once a second finds the silent; whoever speaks is looked at at once. */
  checkPublishers(): void {
    const nowUs = this.#clocks.clock.nowUs();
    for (const topic of this.#topics) this.#look(topic, nowUs);
  }

  reports(): readonly DiagnosticReport[] {
    return this.#topics.map((topic) => reportOf(topic, this.#clocks.clock.nowUs()));
  }

  close(): void {
    for (const topic of this.#topics) topic.end();
  }

  #listen(entries: readonly TopicEntry[], hasType: (type: string) => boolean): Topic {
    const [first] = entries;
    const { topic: name = '', type = '' } = first ?? {};
    const known = hasType(type);
    const reliable = entries.some(({ qos }) => qos === 'reliable');
    const profile = reliable ? QOS.events : QOS.sensor;
    const topic: Topic = {
      name: this.#node.resolveTopic(name),
      type,
      entries,
      expected: Math.min(...entries.map(({ publishers }) => publishers)),
      reliable,
      countedUs: Math.max(...entries.map(({ maxAgeMs }) => maxAgeMs)) * 1000,
      writers: new Map(),
      publishers: [],
      conflict: undefined,
      receivedUs: undefined,
      received: 0,
      trouble: known
        ? undefined
        : haloError('HALO-802', `No JavaScript has been generated for ${type}.`),
      end: known
        ? this.#node.subscribe(type, name, profile, (message, writer) =>
            this.#observe(topic, message, writer),
          )
        : () => undefined,
    };
    return topic;
  }

  /** Both are counted: the graph may be late, and a publisher that just left was still heard. */
  #look(topic: Topic, nowUs: number): void {
    topic.publishers = this.#node.publishersOf(topic.name);
    for (const [writer, heardUs] of topic.writers) {
      if (nowUs - heardUs > topic.countedUs) topic.writers.delete(writer);
    }
    const count = Math.max(topic.publishers.length, topic.writers.size);
    topic.conflict = count > topic.expected ? conflictOf(topic, count) : undefined;
  }

  #observe(topic: Topic, message: unknown, writer: string): void {
    const receivedUs = this.#clocks.clock.nowUs();
    const known = topic.writers.has(writer);
    if (known || topic.writers.size < WRITERS_MAX) topic.writers.set(writer, receivedUs);
    // 20 us for a look: at once for a new voice, and while there is one too many.
    if (!known || topic.conflict !== undefined) this.#look(topic, receivedUs);
    const rosNowUs = Number(this.#clocks.rosNowNs() / NS_PER_US);
    topic.receivedUs = receivedUs;
    topic.received += 1;
    topic.trouble = undefined;
    for (const entry of topic.entries) {
      const extracted = extract(entry, message);
      if (!extracted.ok) {
        topic.trouble = extracted.error;
        continue;
      }
      const { value, rosStampUs } = extracted.value;
      const taken = this.#engine.observe({
        field: entry.evidence,
        value,
        source: `ros:${topic.name}`,
        receivedUs,
        // Ahead of now stays ahead of now: admission refuses the future, nothing here hides it.
        ...(rosStampUs === undefined ? {} : { stampUs: receivedUs + (rosStampUs - rosNowUs) }),
        ...(topic.conflict === undefined ? {} : { conflict: topic.conflict }),
      });
      if (!taken) this.#lost += 1;
    }
  }
}

/** One subscription serves all entries of a topic. */
function byTopic(map: TopicMap): TopicEntry[][] {
  const groups = new Map<string, TopicEntry[]>();
  for (const entry of map.entries) {
    const key = `${entry.topic} ${entry.type}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [entry]);
    else group.push(entry);
  }
  return [...groups.values()];
}

function conflictOf({ name, expected, publishers }: Topic, count: number): string {
  const names = [...new Set(publishers.map(({ node }) => node))].sort().slice(0, NAMES_SHOWN);
  return `${count} publishers on ${name} where ${expected} is expected: ${names.join(', ')}`;
}

function reportOf(topic: Topic, nowUs: number): DiagnosticReport {
  const ageMs = topic.receivedUs === undefined ? NaN : (nowUs - topic.receivedUs) / 1000;
  const count = topic.publishers.length;
  const other = topic.publishers.find(({ type }) => type !== topic.type);
  const lossy = topic.publishers.find(({ reliable }) => topic.reliable && !reliable);
  const maxAgeMs = Math.min(...topic.entries.map((entry) => entry.maxAgeMs));
  const values = {
    type: topic.type,
    fields: topic.entries.map(({ evidence }) => evidence).join(', '),
    publishers: count,
    'publishers expected': topic.expected,
    received: topic.received,
    'age ms': ageMs,
    'maximum age ms': maxAgeMs,
  };
  const at = (level: DiagnosticReport['level'], message: string): DiagnosticReport => ({
    name: `Evidence ${topic.name}`,
    level,
    message,
    values,
  });
  if (topic.conflict !== undefined) return at('error', topic.conflict);
  if (topic.trouble !== undefined && topic.trouble.code !== 'HALO-208') {
    return at('error', topic.trouble.message);
  }
  if (other !== undefined) {
    return at('error', `${other.node} publishes ${other.type}, not ${topic.type}`);
  }
  if (lossy !== undefined) {
    return at('error', `${lossy.node} publishes best effort, and the map asks for reliable`);
  }
  if (count === 0) return at('error', 'nobody publishes');
  if (topic.received === 0) return at('error', 'published, but nothing has arrived');
  if (ageMs > maxAgeMs) return at('stale', 'too old');
  // The sensor speaks, and says that there is nothing to be measured: no fix, no echo.
  return topic.trouble === undefined ? at('ok', 'fresh') : at('warn', topic.trouble.message);
}
