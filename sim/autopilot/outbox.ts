/**
 * What the vehicle says in one step, in order.
 * In: messages, acknowledgements, events, texts. Out: the messages, once. Never encodes bytes.
 */
import {
  eventId,
  eventLevel,
  eventText,
  packArguments,
  type EventArgument,
  type EventName,
} from './events.js';
import type { Fields, OutgoingMessage } from './types.js';

/** PX4 starts high, so that receivers meet the wrap soon. */
const FIRST_EVENT_SEQUENCE = 65525;
const EVENT_HISTORY = 20;
const STATUSTEXT_LENGTH = 50;
const PROTOCOL_LEVEL = 8;

export class Outbox {
  private messages: OutgoingMessage[] = [];
  private sequence = FIRST_EVENT_SEQUENCE;
  private readonly history: OutgoingMessage[] = [];
  private textId = 0;
  /** STATUSTEXT leaves only on a link that has heard a ground station. */
  groundStationHeard = false;

  send(name: string, fields: Fields, componentId = 1): void {
    this.messages.push(componentId === 1 ? { name, fields } : { name, fields, componentId });
  }

  event(timeMs: number, name: EventName, args: readonly EventArgument[] = []): void {
    const level = eventLevel(name);
    this.sequence = (this.sequence + 1) & 0xffff;
    const message = {
      name: 'EVENT',
      fields: {
        id: eventId(name),
        event_time_boot_ms: timeMs,
        sequence: this.sequence,
        destination_component: 0,
        destination_system: 0,
        log_levels: (level << 4) | level,
        arguments: packArguments(args),
      },
    };
    this.messages.push(message);
    this.history.push(message);
    if (this.history.length > EVENT_HISTORY) this.history.shift();
    if (level < PROTOCOL_LEVEL) this.text(level, eventText(name, args));
  }

  /** Repeats an event that a receiver missed; false when it is too old. */
  repeatEvent(sequence: number): boolean {
    const found = this.history.find((message) => message.fields['sequence'] === sequence);
    if (found !== undefined) this.messages.push(found);
    return found !== undefined;
  }

  get eventSequence(): number {
    return this.sequence;
  }

  get oldestEventSequence(): number {
    return Number(this.history[0]?.fields['sequence'] ?? this.sequence);
  }

  /** PX4 ends many texts in a tab, and cuts long ones into chunks of 50 with one id. */
  private text(severity: number, text: string): void {
    if (!this.groundStationHeard) return;
    const whole = `${text}\t`;
    const long = whole.length > STATUSTEXT_LENGTH;
    if (long) this.textId = (this.textId % 0xffff) + 1;
    for (let chunk = 0; chunk * STATUSTEXT_LENGTH < whole.length; chunk += 1) {
      this.send('STATUSTEXT', {
        severity,
        text: whole.slice(chunk * STATUSTEXT_LENGTH, (chunk + 1) * STATUSTEXT_LENGTH),
        id: long ? this.textId : 0,
        chunk_seq: chunk,
      });
    }
  }

  drain(): OutgoingMessage[] {
    const out = this.messages;
    this.messages = [];
    return out;
  }
}
