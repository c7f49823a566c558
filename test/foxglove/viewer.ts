/**
 * A viewer over a real socket. Enters: a URL. Leaves: everything the server said, by topic.
 * Never: knowledge of the server's code: it reads the wire as the protocol describes it.
 */
import { once } from 'node:events';
import type { IWebSocket } from '@foxglove/ws-protocol';
import { WebSocket } from 'ws';
import { z } from 'zod';

const channelSchema = z.object({
  id: z.number(),
  topic: z.string(),
  encoding: z.string(),
  schemaName: z.string(),
  schema: z.string(),
  schemaEncoding: z.string(),
});
const controlSchema = z.looseObject({ op: z.string() });
const advertiseSchema = z.object({ channels: z.array(channelSchema) });
export type Control = z.infer<typeof controlSchema>;
export type Advertised = z.infer<typeof channelSchema>;

export class Viewer {
  readonly control: Control[] = [];
  readonly channels = new Map<string, Advertised>();
  readonly socket: WebSocket;
  closeCode = 0;
  readonly #messages = new Map<string, unknown[]>();
  readonly #topicOf = new Map<number, string>();
  #nextSubscription = 100;

  constructor(url: string, protocols: string[] = ['foxglove.sdk.v1']) {
    this.socket = new WebSocket(url, protocols);
    this.socket.on('message', (data: Buffer, isBinary: boolean) => {
      if (isBinary) this.#onBinary(data);
      else this.#onText(data.toString('utf8'));
    });
    this.socket.on('close', (code) => (this.closeCode = code));
  }

  /** Connected, and told what there is to see. */
  static async connect(url: string, protocols?: string[]): Promise<Viewer> {
    const viewer = new Viewer(url, protocols);
    await once(viewer.socket, 'open');
    await until(() => viewer.channels.size > 0, 'the channels are advertised');
    return viewer;
  }

  subscribe(...topics: string[]): void {
    const subscriptions = topics.map((topic) => {
      const id = this.#nextSubscription++;
      this.#topicOf.set(id, topic);
      return { id, channelId: this.channels.get(topic)?.id ?? -1 };
    });
    this.send({ op: 'subscribe', subscriptions });
  }

  send(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  messages(topic: string): readonly unknown[] {
    return this.#messages.get(topic) ?? [];
  }

  /** The newest message of a topic, once there is one that `fits`. */
  async next<T>(topic: string, schema: z.ZodType<T>): Promise<T> {
    let found: T | undefined;
    await until(() => {
      const parsed = schema.safeParse(this.messages(topic).at(-1));
      found = parsed.success ? parsed.data : undefined;
      return parsed.success;
    }, `a fitting message on ${topic}`);
    if (found === undefined) throw new Error('unreachable');
    return found;
  }

  async close(): Promise<void> {
    if (this.socket.readyState === WebSocket.CLOSED) return;
    const closed = once(this.socket, 'close');
    this.socket.close();
    await closed;
  }

  #onText(text: string): void {
    const message = controlSchema.parse(JSON.parse(text));
    this.control.push(message);
    if (message.op !== 'advertise') return;
    for (const channel of advertiseSchema.parse(message).channels) {
      this.channels.set(channel.topic, channel);
    }
  }

  #onBinary(data: Buffer): void {
    if (data.readUInt8(0) !== 1) return;
    const topic = this.#topicOf.get(data.readUInt32LE(1)) ?? 'unknown';
    const list = this.#messages.get(topic) ?? [];
    list.push(JSON.parse(data.subarray(13).toString('utf8')));
    this.#messages.set(topic, list);
  }
}

/** Polls, because what is waited for happens in another socket; 5 s is far beyond any of it. */
export async function until(
  condition: () => boolean,
  what: string,
  withinMs = 5000,
): Promise<void> {
  const deadlineMs = Date.now() + withinMs;
  while (!condition()) {
    if (Date.now() > deadlineMs) throw new Error(`waited ${withinMs} ms in vain: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The client library was written against a browser's WebSocket, which Node 20 has not. */
export function asBrowserSocket(socket: WebSocket): IWebSocket {
  const adapter: IWebSocket = {
    binaryType: 'arraybuffer',
    protocol: '',
    onerror: null,
    onopen: null,
    onclose: null,
    onmessage: null,
    close: () => {
      socket.close();
    },
    send: (data) => {
      socket.send(data);
    },
  };
  socket.on('open', () => {
    adapter.protocol = socket.protocol;
    adapter.onopen?.({});
  });
  socket.on('message', (data: Buffer, isBinary: boolean) => {
    adapter.onmessage?.({ data: isBinary ? new Uint8Array(data).buffer : data.toString('utf8') });
  });
  socket.on('close', () => adapter.onclose?.({}));
  socket.on('error', (error) => adapter.onerror?.(error));
  return adapter;
}
