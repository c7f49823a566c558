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

/** PX4 sends everything as component 1, the autopilot. */
const AUTOPILOT_COMPONENT = 1;

export class FrameWriter {
  private sequence = 0;

  constructor(private readonly systemId: number) {}

  /** Throws when a message does not fit its definition: that is a mistake of this program. */
  frame(message: OutgoingMessage): Uint8Array {
    const allowNaN = new Set(Object.keys(message.fields).filter((key) => hasNaN(message, key)));
    const encoded = encodePayload(message, { allowNaN });
    if (!encoded.ok) throw new Error(`cannot encode ${message.name}: ${JSON.stringify(encoded)}`);
    const info = messageInfoByName(message.name);
    if (info === undefined) throw new Error(`unknown message ${message.name}`);
    const frame = encodeFrame({
      sequence: this.sequence,
      systemId: this.systemId,
      componentId: AUTOPILOT_COMPONENT,
      messageId: encoded.id,
      payload: encoded.payload,
      crcExtra: info.crcExtra,
    });
    this.sequence = (this.sequence + 1) & 0xff;
    return frame;
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
