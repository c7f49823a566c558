/**
 * Requests that wait for their tick. Enters: requests of the doors. Leaves: the same in order; or
 * an answer to those that cannot be looked at any more. Never: a request without an answer.
 */
import type { EngineRequest, RecoveryContext } from '../contract/index.js';
import { BoundedQueue, finding } from '../platform/index.js';

/** A person and a few agents never wait with more than this; a flood is answered HALO-308. */
const CAPACITY = 32;

export class Inbox {
  readonly #waiting = new BoundedQueue<EngineRequest>(CAPACITY);

  offer(request: EngineRequest): boolean {
    return this.#waiting.offer(request);
  }

  shift(): EngineRequest | undefined {
    return this.#waiting.shift();
  }

  /**
   * Somebody else took the vehicle: what was sent before anybody could know that was not meant for
   * it. Approvals and aborts are; a dry run takes nothing up.
   */
  turnAwaySubmissions(): void {
    const message = 'Somebody else changed the mode while the response waited.';
    const findings = [finding('session', 'HALO-306', message)];
    for (const request of this.#all()) {
      if (request.type === 'submit') request.reply({ accepted: false, findings });
      else this.#waiting.offer(request);
    }
  }

  /** Every door gets its answer, also from a bridge that is closing. */
  refuseAll(message: string, context: () => RecoveryContext): void {
    for (const request of this.#all()) refuse(request, message, context);
  }

  #all(): readonly EngineRequest[] {
    const all: EngineRequest[] = [];
    for (let next = this.shift(); next !== undefined; next = this.shift()) all.push(next);
    return all;
  }
}

/** HALO-307 in the manner of each request. */
export function refuse(
  request: EngineRequest,
  message: string,
  context: () => RecoveryContext,
): void {
  const findings = [finding('session', 'HALO-307', message)];
  switch (request.type) {
    case 'submit':
    case 'check':
      return request.reply({ accepted: false, findings });
    case 'approve':
      return request.reply({ recorded: false, findings });
    case 'abort':
      return request.reply({ accepted: false, action: message });
    case 'recovery-context':
      return request.reply(context());
  }
}
