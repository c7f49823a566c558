/** Helpers of the link tests: frames by name, and a transport whose both ends are in memory. */
import {
  encodeFrame,
  encodePayload,
  messageInfoByName,
  type Endpoint,
  type MavFields,
  type MavValue,
  type Receiver,
  type Sent,
  type Transport,
  type TransportStats,
} from '../../src/link/index.js';

/** Valid fields of any message: zeros and empty texts. */
export function zeroFields(name: string): Record<string, MavValue> {
  const info = messageInfoByName(name);
  if (info === undefined) throw new Error(`no message ${name}`);
  const fields: Record<string, MavValue> = {};
  for (const field of info.fields) {
    if (field.kind === 'char') fields[field.name] = '';
    else if (field.length > 0) fields[field.name] = new Array<number>(field.length).fill(0);
    else fields[field.name] = field.kind.endsWith('64_t') ? 0n : 0;
  }
  if (fields.param_value !== undefined && fields.param_type !== undefined) fields.param_type = 9;
  return fields;
}

export interface From {
  readonly systemId?: number;
  readonly componentId?: number;
  readonly sequence?: number;
}

/** The frame of a message; fields that are not given are zero. Sender: a vehicle, 1/1. */
export function frameOf(name: string, fields: MavFields = {}, from: From = {}): Uint8Array {
  const encoded = encodePayload({ name, fields: { ...zeroFields(name), ...fields } });
  const info = messageInfoByName(name);
  if (!encoded.ok || info === undefined) throw new Error(`cannot encode ${name}`);
  return encodeFrame({
    sequence: from.sequence ?? 0,
    systemId: from.systemId ?? 1,
    componentId: from.componentId ?? 1,
    messageId: info.id,
    payload: encoded.payload,
    crcExtra: info.crcExtra,
  });
}

/** A heartbeat as PX4 sends it: quadrotor, autopilot 12. */
export const px4Heartbeat = (from: From = {}, autopilot = 12): Uint8Array =>
  frameOf('HEARTBEAT', { type: 2, autopilot, system_status: 3, mavlink_version: 3 }, from);

export const VEHICLE: Endpoint = { host: '127.0.0.1', port: 14_580 };

export class MemoryTransport implements Transport {
  readonly written: Uint8Array[] = [];
  peer: Endpoint | undefined;
  readonly stats: TransportStats = { sent: 0, sendErrors: 0, trouble: undefined };
  #receiver: Receiver = () => undefined;

  onBytes(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  adoptPeer(peer: Endpoint): void {
    this.peer ??= peer;
  }

  send(bytes: Uint8Array): Sent {
    this.written.push(bytes);
    return { ok: true };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  /** What the other end sends. */
  arrive(bytes: Uint8Array, source: Endpoint = VEHICLE): void {
    this.#receiver(bytes, source);
  }
}

export function concat(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}
