/**
 * The vehicle's end of the wire: messages to frames, frames to messages.
 * In: bytes or messages. Out: the other. Never opens a socket.
 */
import {
  decodePayload,
  encodeFrame,
  encodePayload,
  FrameParser,
  messageInfoByName,
} from '../../src/link/index.js';
import type { IncomingMessage, OutgoingMessage } from './types.js';

/** The autopilot; what is aboard beside it speaks as itself. */
const AUTOPILOT_COMPONENT = 1;

export class FrameWriter {
  /** Each component counts its own frames. */
  private readonly sequences = new Map<number, number>();

  constructor(private readonly systemId: number) {}

  /** Throws when a message does not fit its definition: that is a mistake of this program. */
  frame(message: OutgoingMessage): Uint8Array {
    const allowNaN = new Set(Object.keys(message.fields).filter((key) => hasNaN(message, key)));
    const encoded = encodePayload(message, { allowNaN });
    if (!encoded.ok) throw new Error(`cannot encode ${message.name}: ${JSON.stringify(encoded)}`);
    const info = messageInfoByName(message.name);
    if (info === undefined) throw new Error(`unknown message ${message.name}`);
    const componentId = message.componentId ?? AUTOPILOT_COMPONENT;
    const sequence = this.sequences.get(componentId) ?? 0;
    this.sequences.set(componentId, (sequence + 1) & 0xff);
    return encodeFrame({
      sequence,
      systemId: this.systemId,
      componentId,
      messageId: encoded.id,
      payload: encoded.payload,
      crcExtra: info.crcExtra,
    });
  }
}

function hasNaN(message: OutgoingMessage, key: string): boolean {
  const value = message.fields[key];
  return typeof value === 'object' ? value.some(Number.isNaN) : Number.isNaN(value);
}

export class FrameReader {
  private readonly parser = new FrameParser();

  /** The messages that are complete with these bytes; unknown and damaged ones are left out. */
  read(bytes: Uint8Array): IncomingMessage[] {
    const messages: IncomingMessage[] = [];
    for (const frame of this.parser.push(bytes)) {
      const message = decodePayload(frame.messageId, frame.payload);
      if (message === undefined) continue;
      messages.push({
        name: message.name,
        fields: message.fields,
        systemId: frame.systemId,
        componentId: frame.componentId,
      });
    }
    return messages;
  }
}
