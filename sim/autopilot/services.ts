/**
 * The small services: TIMESYNC, PING, missed events.
 * In: a message. Out: the answer into the outbox; true when the message was for this.
 */
import type { Outbox } from './outbox.js';
import type { IncomingMessage } from './types.js';

const EVENT_UNAVAILABLE = 0;

export function handleService(
  message: IncomingMessage,
  outbox: Outbox,
  bootUs: number,
  systemId: number,
): boolean {
  const to = { target_system: message.systemId, target_component: message.componentId };
  const { fields } = message;
  switch (message.name) {
    case 'TIMESYNC':
      // Zero asks for our time; anything else is the answer to a question of ours.
      if (fields['tc1'] === 0n) {
        outbox.send('TIMESYNC', {
          tc1: BigInt(Math.round(bootUs * 1000)),
          ts1: fields['ts1'] ?? 0n,
          ...to,
        });
      }
      return true;
    case 'PING':
      if (fields['target_system'] === 0 && fields['target_component'] === 0) {
        outbox.send('PING', {
          time_usec: fields['time_usec'] ?? 0n,
          seq: fields['seq'] ?? 0,
          ...to,
        });
      }
      return true;
    case 'REQUEST_EVENT':
      if (fields['target_system'] === systemId) repeatEvents(message, outbox, to);
      return true;
    default:
      return false;
  }
}

function repeatEvents(
  message: IncomingMessage,
  outbox: Outbox,
  to: { target_system: number; target_component: number },
): void {
  const first = Number(message.fields['first_sequence']);
  const last = Number(message.fields['last_sequence']);
  const count = Math.min((last - first) & 0xffff, 64) + 1;
  for (let i = 0; i < count; i += 1) {
    const sequence = (first + i) & 0xffff;
    if (outbox.repeatEvent(sequence)) continue;
    outbox.send('RESPONSE_EVENT_ERROR', {
      ...to,
      sequence,
      sequence_oldest_available: outbox.oldestEventSequence,
      reason: EVENT_UNAVAILABLE,
    });
  }
}
