/**
 * Questions of ROS to the engine. Enters: requests of services, the action and the topic door.
 * Leaves: the engine's answer, or why there is none. Never: a request that waits for ever, or one
 * that reaches an engine whose node is not active.
 */
import {
  CODES,
  fail,
  ok,
  type Code,
  type EnginePort,
  type EngineRequest,
  type Finding,
  type HaloError,
  type Result,
} from '../contract/index.js';
import { haloError } from '../platform/index.js';

/** The tick answers within 20 ms and a ledger write within 1 ms; 5 s is a stalled engine. */
export const REPLY_TIMEOUT_MS = 5000;

export class Requests {
  readonly #engine: () => EnginePort | undefined;
  readonly #trouble: () => HaloError | undefined;
  readonly #pending = new Set<(error: HaloError) => void>();

  /**
   * `engine` gives the engine while the node is active, else undefined; `trouble` is why it takes
   * nothing new. An abort is always taken.
   */
  constructor(
    engine: () => EnginePort | undefined,
    trouble: () => HaloError | undefined = () => undefined,
  ) {
    this.#engine = engine;
    this.#trouble = trouble;
  }

  get waiting(): number {
    return this.#pending.size;
  }

  /** The engine, or HALO-307 while the node is not active. */
  engine(): Result<EnginePort> {
    const engine = this.#engine();
    return engine === undefined
      ? fail(haloError('HALO-307', 'The bridge is not active.'))
      : ok(engine);
  }

  /**
   * Puts one request to the engine. `onReply` runs inside the engine's turn, before any event of
   * that turn is delivered. HALO-307: not active, or no answer in time. HALO-308: inbox full. And
   * whatever keeps the node from taking anything new.
   */
  ask<T>(
    make: (reply: (value: T) => void) => EngineRequest,
    onReply?: (value: T) => void,
  ): Promise<Result<T>> {
    const engine = this.engine();
    if (!engine.ok) return Promise.resolve(engine);
    return new Promise((resolve) => {
      const settle = (result: Result<T>): void => {
        clearTimeout(timer);
        this.#pending.delete(giveUp);
        resolve(result);
      };
      const giveUp = (error: HaloError): void => settle(fail(error));
      const timer = setTimeout(
        () => giveUp(haloError('HALO-307', 'The engine did not answer in time.')),
        REPLY_TIMEOUT_MS,
      );
      this.#pending.add(giveUp);
      const request = make((value) => {
        if (!this.#pending.has(giveUp)) return;
        onReply?.(value);
        settle(ok(value));
      });
      const trouble = request.type === 'abort' ? undefined : this.#trouble();
      if (trouble !== undefined) giveUp(trouble);
      else if (!engine.value.offer(request)) {
        giveUp(haloError('HALO-308', 'The bridge has too many requests waiting.'));
      }
    });
  }

  /** Answers all that still wait: the node is going down. */
  close(): void {
    for (const giveUp of [...this.#pending]) {
      giveUp(haloError('HALO-307', 'The bridge is shutting down.'));
    }
  }
}

export const findingOf = (error: HaloError): Finding => ({
  rule: 'door',
  code: error.code,
  message: error.message,
  remedy: error.remedy,
});

export const findingFor = (code: Code, message: string): Finding => ({
  rule: 'door',
  code,
  message,
  remedy: CODES[code].remedy,
});
