/**
 * Carries engine events out of the engine's turn. Enters: events, inside the tick. Leaves: the
 * same events in order, to the topics and to whoever follows a response.
 * Never: work inside the tick, or a queue that grows.
 */
import type {
  ComponentProgress,
  EngineEvent,
  EnginePort,
  ResponseReport,
} from '../contract/index.js';
import { BoundedQueue } from '../platform/index.js';

/** Four times the largest plan of 1000 components, each changing once. */
const QUEUE_SIZE = 4096;

/** Publishing one message takes about 0.1 ms: 32 leave the tick of 20 ms its time. */
const EVENTS_PER_TURN = 32;

export interface Follower {
  readonly onProgress: (progress: ComponentProgress) => void;
  readonly onEnded: (report: ResponseReport) => void;
}

export class EventPump {
  readonly #queue = new BoundedQueue<EngineEvent>(QUEUE_SIZE);
  readonly #followers = new Map<string, Follower>();
  readonly #publish: (event: EngineEvent) => void;
  readonly #detach: () => void;
  #scheduled: NodeJS.Immediate | undefined;
  #lost = 0;

  constructor(engine: EnginePort, publish: (event: EngineEvent) => void) {
    this.#publish = publish;
    this.#detach = engine.onEvent((event) => this.#take(event));
  }

  /** Events that were dropped because ROS could not keep up. */
  get lost(): number {
    return this.#lost;
  }

  get waiting(): number {
    return this.#queue.size;
  }

  /**
   * Follows one response to its end; returns the function that stops it. Called in the engine's
   * turn that judged it, it misses nothing: events of that turn are delivered after it.
   */
  follow(responseId: string, follower: Follower): () => void {
    this.#followers.set(responseId, follower);
    return () => {
      if (this.#followers.get(responseId) === follower) this.#followers.delete(responseId);
    };
  }

  /** Delivers what waits, and takes nothing more. */
  close(): void {
    this.#detach();
    if (this.#scheduled !== undefined) clearImmediate(this.#scheduled);
    for (let event = this.#queue.shift(); event; event = this.#queue.shift()) this.#deliver(event);
  }

  #take(event: EngineEvent): void {
    // A later progress makes up for a lost one; a lost receipt or end nobody can make up for.
    const replaceable = event.type === 'progress' || event.type === 'notice';
    const full = replaceable && this.#queue.size >= QUEUE_SIZE / 2;
    if (full || !this.#queue.offer(event)) this.#lost += 1;
    this.#scheduled ??= setImmediate(() => this.#drain());
  }

  #drain(): void {
    this.#scheduled = undefined;
    for (let count = 0; count < EVENTS_PER_TURN; count += 1) {
      const event = this.#queue.shift();
      if (event === undefined) return;
      this.#deliver(event);
    }
    if (this.#queue.size > 0) this.#scheduled ??= setImmediate(() => this.#drain());
  }

  #deliver(event: EngineEvent): void {
    this.#publish(event);
    if (event.type === 'progress') {
      this.#followers.get(event.progress.responseId)?.onProgress(event.progress);
    }
    if (event.type === 'response-ended') this.#end(event.report);
  }

  #end(report: ResponseReport): void {
    const id = report.verdict.responseId;
    this.#followers.get(id)?.onEnded(report);
    this.#followers.delete(id);
  }
}
