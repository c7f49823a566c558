/**
 * ROS topics as evidence. Enters: messages of the topics that the operator's map names.
 * Leaves: single observations into the engine, and one health report a topic.
 * Never: a value from a topic on which more publishers speak than the map allows without saying
 * so, from the first message of the one too many on, or a stamp bent to look fresh.
 */
import type { EnginePort, ExternalEvidence } from '../contract/index.js';
import { extract, type TopicEntry, type TopicMap } from '../evidence/index.js';
import { haloError } from '../platform/index.js';
import type { Clocks } from './convert.js';
import type { DiagnosticReport } from './diagnostics.js';
import { QOS } from './qos.js';
import type { RosNode } from './rcl-port.js';
import type { SimClock } from './sim-clock.js';
import { conflictOf, reportOf, silenceOf, type Topic } from './topic-health.js';

const NS_PER_US = 1000n;

/** The map allows 16 publishers at most; whoever makes ever new ones shall not fill the memory. */
const WRITERS_MAX = 32;

export class EvidenceTopics {
  readonly #node: RosNode;
  readonly #engine: EnginePort;
  readonly #clocks: Clocks;
  readonly #topics: readonly Topic[];
  readonly #simClock: SimClock | undefined;
  #lost = 0;

  constructor(
    node: RosNode,
    engine: EnginePort,
    clocks: Clocks,
    map: TopicMap,
    hasType: (type: string) => boolean,
    simClock: SimClock | undefined,
  ) {
    this.#node = node;
    this.#engine = engine;
    this.#clocks = clocks;
    this.#simClock = simClock;
    simClock?.onLost((reason) => {
      for (const topic of this.#topics) this.#distrust(topic, reason);
    });
    this.#topics = byTopic(map).map((entries) => this.#listen(entries, hasType));
  }

  /** Observations that the engine's queue had no place for. */
  get lost(): number {
    return this.#lost;
  }

  /** Looks who publishes. Once a second finds the silent; whoever speaks is looked at at once. */
  checkPublishers(): void {
    const nowUs = this.#clocks.clock.nowUs();
    for (const topic of this.#topics) {
      this.#look(topic, nowUs);
      this.#explain(topic, silenceOf(topic, nowUs));
    }
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
      latest: new Map(),
      silence: undefined,
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
    const before = topic.conflict;
    topic.conflict = count > topic.expected ? conflictOf(topic, count) : undefined;
    // One who has not said a word yet is one too many, too.
    if (before === undefined && topic.conflict !== undefined) {
      this.#distrust(topic, topic.conflict);
    }
  }

  /** What was heard last supports nothing any more; the next message is judged afresh. */
  #distrust(topic: Topic, conflict: string): void {
    for (const evidence of topic.latest.values()) this.#offer({ ...evidence, conflict });
  }

  #explain(topic: Topic, silence: string | undefined): void {
    if (topic.silence === silence) return;
    const told = topic.entries.map(({ evidence: field }) =>
      this.#engine.observe({ field, silence }),
    );
    if (told.every(Boolean)) topic.silence = silence;
  }

  #offer(evidence: ExternalEvidence): void {
    if (!this.#engine.observe(evidence)) this.#lost += 1;
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
    const conflict = topic.conflict ?? this.#simClock?.trouble();
    for (const entry of topic.entries) {
      const extracted = extract(entry, message);
      if (!extracted.ok) {
        topic.trouble = extracted.error;
        continue;
      }
      const { value, rosStampUs } = extracted.value;
      const evidence = {
        field: entry.evidence,
        value,
        source: `ros:${topic.name}`,
        receivedUs,
        // Ahead of now stays ahead of now: admission refuses the future, nothing here hides it.
        ...(rosStampUs === undefined ? {} : { stampUs: receivedUs + (rosStampUs - rosNowUs) }),
      };
      topic.latest.set(entry.evidence, evidence);
      this.#offer(conflict === undefined ? evidence : { ...evidence, conflict });
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
