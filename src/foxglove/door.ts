/**
 * The listening side. Enters: HTTP upgrades. Leaves: WebSockets that speak a protocol we know.
 * Never: a viewer that is let in and then finds that nobody understands it.
 */
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type ServerOptions, type WebSocket } from 'ws';
import { fail, ok, type Result } from '../contract/index.js';
import { haloError } from '../platform/index.js';

/** Two names of one wire format: the older clients know the first, the newer only the second. */
export const PROTOCOLS = ['foxglove.websocket.v1', 'foxglove.sdk.v1'] as const;

/** More viewers than a control room has; each may hold 8 MiB of waiting records. */
export const VIEWERS_MAX = 16;

/** Requests of a viewer are short; one that subscribes to everything sends under 2 kB. */
const INCOMING_MAX_BYTES = 64 * 1024;

/** A viewer that does not read cannot answer a close: shutdown waits this long, no longer. */
const CLOSE_MS = 500;

export interface Door {
  readonly port: number;
  close(): Promise<void>;
}

export interface DoorOptions {
  readonly host: string;
  readonly port: number;
  readonly onViewer: (socket: WebSocket, name: string) => void;
}

/** Listens; HALO-803 when the port is taken, HALO-503 when the host cannot be used. */
export async function openDoor({ host, port, onViewer }: DoorOptions): Promise<Result<Door>> {
  // The types of ws do not name closeTimeout yet.
  const wssOptions: ServerOptions & { closeTimeout: number } = {
    noServer: true,
    maxPayload: INCOMING_MAX_BYTES,
    handleProtocols: (offered) => chooseProtocol([...offered]) ?? false,
    closeTimeout: CLOSE_MS,
  };
  const wss = new WebSocketServer(wssOptions);
  const http = createServer((_request, response) => {
    response.writeHead(426, { 'content-type': 'text/plain', upgrade: 'websocket' });
    response.end(`HALO Bridge: open Foxglove and connect it to ws://${host}:${port}\n`);
  });
  http.on('upgrade', (request, socket, head) => {
    const refusal = whyRefused(request, wss.clients.size);
    if (refusal !== undefined) {
      refuse(socket, refusal.status, refusal.message);
      return;
    }
    wss.handleUpgrade(request, socket, head, (viewer) => {
      onViewer(viewer, request.socket.remoteAddress ?? 'unknown');
    });
  });
  // Unheard, an 'error' event ends the process; a failed accept must not end a flight.
  http.on('error', () => undefined);
  const trouble = await listen(http, host, port);
  if (trouble !== undefined) return fail(listenError(trouble, host, port));
  return ok({ port: portOf(http, port), close: () => closeDoor(http, wss) });
}

/** The first name that the viewer offers and we know: the viewer's order is its preference. */
export const chooseProtocol = (offered: readonly string[]): string | undefined =>
  offered.find((name) => (PROTOCOLS as readonly string[]).includes(name));

interface Refusal {
  readonly status: string;
  readonly message: string;
}

function whyRefused(request: IncomingMessage, viewers: number): Refusal | undefined {
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((p) => p.trim());
  if (chooseProtocol(offered) === undefined) {
    const theirs = offered.filter((name) => name !== '').join(', ');
    return {
      status: '400 Bad Request',
      message:
        `This server speaks ${PROTOCOLS.join(' and ')}; the client offered ` +
        `${theirs === '' ? 'no subprotocol' : theirs}. Connect with Foxglove or Lichtblick.`,
    };
  }
  if (viewers >= VIEWERS_MAX) {
    return {
      status: '503 Service Unavailable',
      message: `${VIEWERS_MAX} viewers are connected already. Close one of them.`,
    };
  }
  return undefined;
}

function refuse(socket: Duplex, status: string, message: string): void {
  const body = `${message}\n`;
  socket.on('error', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain\r\nConnection: close\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

function listen(http: Server, host: string, port: number): Promise<Error | undefined> {
  return new Promise((resolve) => {
    http.once('error', resolve);
    http.listen(port, host, () => {
      http.off('error', resolve);
      resolve(undefined);
    });
  });
}

function listenError(trouble: Error, host: string, port: number): ReturnType<typeof haloError> {
  const where = `ws://${host}:${port}`;
  const inUse = 'code' in trouble && trouble.code === 'EADDRINUSE';
  return inUse
    ? haloError('HALO-803', `Another program listens on ${host}:${port}.`, where)
    : haloError('HALO-503', `Foxglove server cannot listen: ${trouble.message}.`, where);
}

function portOf(http: Server, asked: number): number {
  const address: AddressInfo | string | null = http.address();
  return address === null || typeof address === 'string' ? asked : address.port;
}

async function closeDoor(http: Server, wss: WebSocketServer): Promise<void> {
  for (const viewer of wss.clients) viewer.close(1001, 'the bridge is closing');
  await new Promise<void>((resolve) => {
    wss.close(() => {
      resolve();
    });
  });
  await new Promise<void>((resolve) => {
    http.close(() => {
      resolve();
    });
    http.closeAllConnections();
  });
}
