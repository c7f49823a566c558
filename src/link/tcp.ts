/**
 * A TCP connection to one vehicle, from either side. Enters: bytes of one frame, in the turn in
 * which they must leave. Leaves: chunks with their source. Never: a frame that waits in this
 * process for a later turn, a second peer beside a living one, or attempts without an end.
 */
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { fail, ok, type HaloError, type Result } from '../contract/index.js';
import type { TcpOptions } from './connection-url.js';
import { linkError, refused } from './errors.js';
import { Reconnect } from './reconnect.js';
import { resolveHost } from './resolve.js';
import { type Endpoint, type Receiver, type Sent, type Transport } from './transport.js';

/** A handshake that takes longer is none: start-up answers within seconds. */
const CONNECT_MS = 2_000;
/** A vehicle beats once a second. The kernel itself may hold on to a dead peer for minutes. */
const SILENCE_MS = 5_000;

export class TcpTransport implements Transport {
  #socket: Socket | undefined;
  #peer: Endpoint | undefined;
  #silence: NodeJS.Timeout | undefined;
  #receiver: Receiver = () => undefined;
  #open = true;
  #connections = 0;
  #turnedAway = 0;
  #sent = 0;
  #sendErrors = 0;
  #trouble: HaloError | undefined;
  readonly #server: Server | undefined;
  readonly #reconnect: Reconnect | undefined;

  /** For {@link openTcp}: a server that listens, or the way to connect anew. */
  constructor(
    from: { readonly server: Server } | { readonly connect: () => Promise<Result<Socket>> },
  ) {
    if ('server' in from) {
      this.#server = from.server;
      from.server.on('connection', (socket) => {
        this.#offer(socket);
      });
      from.server.on('error', (error) => {
        this.#trouble = linkError('HALO-514', `Waiting for a connection failed: ${error.message}`);
      });
      this.#trouble = linkError('HALO-514', 'Nobody has connected yet.');
      return;
    }
    this.#reconnect = new Reconnect(async () => {
      const made = await from.connect();
      if (!made.ok) return made;
      this.take(made.value);
      return ok(undefined);
    });
  }

  get peer(): Endpoint | undefined {
    return this.#peer;
  }

  get connections(): number {
    return this.#connections;
  }

  /** Where a server waits; port 0 for a client. */
  get local(): Endpoint {
    const at = this.#server?.address();
    return typeof at === 'object' && at !== null
      ? { host: at.address, port: at.port }
      : { host: '', port: 0 };
  }

  get stats() {
    return {
      sent: this.#sent,
      sendErrors: this.#sendErrors,
      trouble: this.#trouble,
      turnedAway: this.#turnedAway,
    };
  }

  onBytes(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  /** A connection has one peer, from its beginning. */
  adoptPeer(): void {
    // Nothing to adopt.
  }

  /** Takes over a connection that stands. */
  take(socket: Socket): void {
    if (!this.#open) {
      socket.destroy();
      return;
    }
    const source = { host: socket.remoteAddress ?? '', port: socket.remotePort ?? 0 };
    this.#socket = socket;
    this.#peer = source;
    this.#connections += 1;
    this.#trouble = undefined;
    let why = 'The other end closed the connection.';
    const silence = setTimeout(() => {
      why = `Nothing was heard for ${SILENCE_MS / 1000} s.`;
      socket.destroy();
    }, SILENCE_MS);
    socket.on('data', (bytes) => {
      silence.refresh();
      this.#receiver(bytes, source);
    });
    socket.on('error', (error) => {
      why = error.message;
    });
    socket.on('close', () => {
      clearTimeout(silence);
      this.#lost(socket, why);
    });
    this.#silence = silence;
  }

  send(bytes: Uint8Array): Sent {
    if (!this.#open) return refused('HALO-507', 'The link is closed.');
    const socket = this.#socket;
    if (socket === undefined || !socket.writable) {
      return refused('HALO-514', 'Nobody is connected.');
    }
    socket.write(bytes);
    this.#sent += 1;
    if (socket.writableLength === 0) return { ok: true };
    // The system took not all of it. What waits here would leave in a later turn, after the
    // evidence that it was checked against: better a connection less.
    this.#sendErrors += 1;
    const why = 'The other end takes no bytes; the connection was cut, so that no frame is late.';
    this.#lost(socket, why);
    socket.destroy();
    return refused('HALO-507', why);
  }

  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    this.#reconnect?.stop();
    clearTimeout(this.#silence);
    this.#socket?.destroy();
    const server = this.#server;
    if (server !== undefined) await new Promise<void>((done) => server.close(() => done()));
  }

  /** One vehicle at a time: who comes while it lives is turned away. */
  #offer(socket: Socket): void {
    if (this.#socket === undefined) {
      this.take(socket);
      return;
    }
    this.#turnedAway += 1;
    socket.on('error', () => undefined);
    socket.destroy();
  }

  #lost(socket: Socket, why: string): void {
    if (this.#socket !== socket) return;
    this.#socket = undefined;
    this.#peer = undefined;
    if (!this.#open) return;
    this.#trouble = linkError('HALO-514', `The TCP connection is lost: ${why}`);
    this.#reconnect?.start((trouble) => {
      this.#trouble = trouble;
    });
  }
}

function connect(host: string, port: number): Promise<Result<Socket>> {
  const socket = createConnection({ host, port, noDelay: true });
  return new Promise((done) => {
    const failed = (why: string): void => {
      socket.destroy();
      done(fail(linkError('HALO-514', `No connection to ${host}:${port}: ${why}.`)));
    };
    socket.setTimeout(CONNECT_MS, () => {
      failed(`no answer within ${CONNECT_MS / 1000} s`);
    });
    socket.once('error', (error) => {
      failed(error.message);
    });
    socket.once('connect', () => {
      socket.setTimeout(0);
      socket.removeAllListeners();
      done(ok(socket));
    });
  });
}

function listen(host: string, port: number): Promise<Result<Server>> {
  const server = createServer({ noDelay: true });
  return new Promise((done) => {
    server.once('error', (error: Error & { code?: string }) => {
      const inUse = error.code === 'EADDRINUSE';
      const message = inUse
        ? `TCP port ${port} on ${host} is used by another program.`
        : `Cannot listen on ${host}:${port}: ${error.message}`;
      done(fail(linkError(inUse ? 'HALO-501' : 'HALO-503', message)));
    });
    server.listen({ host, port, exclusive: true }, () => {
      server.removeAllListeners('error');
      done(ok(server));
    });
  });
}

/**
 * Connects, or waits for one who does. Answers within three seconds: HALO-514 nobody answers,
 * HALO-501 port in use, HALO-503 host not usable. A connection that ends is made anew, for two
 * minutes; each is a new life of the link.
 */
export async function openTcp(options: TcpOptions): Promise<Result<TcpTransport>> {
  const host = await resolveHost(options.host);
  if (!host.ok) return host;
  if (options.role === 'server') {
    const server = await listen(host.value, options.port);
    return server.ok ? ok(new TcpTransport({ server: server.value })) : server;
  }
  const connectAnew = (): Promise<Result<Socket>> => connect(host.value, options.port);
  const first = await connectAnew();
  if (!first.ok) return first;
  const transport = new TcpTransport({ connect: connectAnew });
  transport.take(first.value);
  return ok(transport);
}
