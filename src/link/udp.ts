/**
 * A UDP endpoint. Enters: bytes of one frame, in the turn in which they must leave. Leaves:
 * datagrams with their source. Never: a name looked up while sending, a send that waits for a
 * later turn, a second peer, or a bind to all interfaces that nobody asked for.
 */
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { fail, ok, type HaloError, type Result } from '../contract/index.js';
import type { UdpOptions } from './connection-url.js';
import { linkError, refused } from './errors.js';
import { resolveHost } from './resolve.js';
import {
  type Endpoint,
  type Receiver,
  type Sent,
  type Transport,
  type TransportStats,
} from './transport.js';

export class UdpTransport implements Transport {
  readonly #socket: Socket;
  readonly #fixed: boolean;
  #peer: Endpoint | undefined;
  #receiver: Receiver = () => undefined;
  #open = true;
  #sent = 0;
  #sendErrors = 0;
  #trouble: HaloError | undefined;

  /** For {@link openUdp}: takes over a bound socket. */
  constructor(socket: Socket, peer: Endpoint | undefined) {
    this.#socket = socket;
    this.#peer = peer;
    this.#fixed = peer !== undefined;
    socket.on('message', (bytes: Uint8Array, from: RemoteInfo) => {
      this.#receiver(bytes, { host: from.address, port: from.port });
    });
    socket.on('error', (error) => {
      this.#failed(error);
    });
  }

  get peer(): Endpoint | undefined {
    return this.#peer;
  }

  /** Where this end is bound. */
  get local(): Endpoint {
    const { address, port } = this.#socket.address();
    return { host: address, port };
  }

  get stats(): TransportStats {
    return { sent: this.#sent, sendErrors: this.#sendErrors, trouble: this.#trouble };
  }

  onBytes(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  adoptPeer(peer: Endpoint): void {
    this.#peer ??= peer;
  }

  forgetPeer(): void {
    if (!this.#fixed) this.#peer = undefined;
  }

  send(bytes: Uint8Array): Sent {
    if (!this.#open) return refused('HALO-507', 'The link is closed.');
    const peer = this.#peer;
    if (peer === undefined) return refused('HALO-508', 'Nobody to send to has been heard yet.');
    this.#socket.send(bytes, peer.port, peer.host, (error) => {
      if (error !== null) this.#failed(error);
      else this.#trouble = undefined;
    });
    this.#sent += 1;
    return { ok: true };
  }

  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    await new Promise<void>((done) => this.#socket.close(done));
  }

  #failed(error: Error): void {
    this.#sendErrors += 1;
    this.#trouble = linkError('HALO-507', `Sending failed: ${error.message}`);
  }
}

/**
 * Addresses are resolved when the socket is opened, so this answers at once. Node's own look-up
 * would put every send of an unconnected socket off to a later turn.
 */
function answerAtOnce(
  host: string,
  _options: unknown,
  done: (error: null, address: string, family: number) => void,
): void {
  done(null, host, 4);
}

const newSocket = (): Socket => createSocket({ type: 'udp4', lookup: answerAtOnce });

/** Our own address on the route to `remote`. Connecting a UDP socket sends nothing. */
async function addressTowards(remote: Endpoint): Promise<Result<string>> {
  const probe = newSocket();
  try {
    return await new Promise<Result<string>>((done) => {
      probe.once('error', (error) => {
        done(fail(linkError('HALO-503', `No way to ${remote.host}: ${error.message}`)));
      });
      probe.connect(remote.port, remote.host, () => {
        done(ok(probe.address().address));
      });
    });
  } finally {
    probe.close();
  }
}

function bindTrouble(error: Error & { code?: string }, host: string, port: number): HaloError {
  if (error.code === 'EADDRINUSE') {
    return linkError('HALO-501', `UDP port ${port} on ${host} is used by another program.`);
  }
  return linkError('HALO-503', `Cannot listen on ${host}:${port}: ${error.message}`);
}

async function bind(host: string, port: number): Promise<Result<Socket>> {
  const socket = newSocket();
  return new Promise((done) => {
    const failed = (error: Error): void => {
      socket.close();
      done(fail(bindTrouble(error, host, port)));
    };
    socket.once('error', failed);
    socket.bind({ address: host, port, exclusive: true }, () => {
      socket.off('error', failed);
      done(ok(socket));
    });
  });
}

async function resolvePeer(options: UdpOptions): Promise<Result<Endpoint | undefined>> {
  if (options.remoteHost === undefined || options.remotePort === undefined) return ok(undefined);
  const host = await resolveHost(options.remoteHost);
  return host.ok ? ok({ host: host.value, port: options.remotePort }) : host;
}

async function ownAddress(
  options: UdpOptions,
  peer: Endpoint | undefined,
): Promise<Result<string>> {
  if (options.bindHost !== undefined) return resolveHost(options.bindHost);
  return peer === undefined ? ok('127.0.0.1') : addressTowards(peer);
}

/**
 * Opens a UDP endpoint, with a fixed peer or one that its owner will adopt. Answers within a
 * second: HALO-501 port in use, HALO-503 host not usable.
 */
export async function openUdp(options: UdpOptions): Promise<Result<UdpTransport>> {
  const peer = await resolvePeer(options);
  if (!peer.ok) return peer;
  const host = await ownAddress(options, peer.value);
  if (!host.ok) return host;
  const socket = await bind(host.value, options.bindPort);
  return socket.ok ? ok(new UdpTransport(socket.value, peer.value)) : socket;
}
