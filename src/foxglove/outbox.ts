/**
 * One viewer's side of a connection, bounded. Enters: whole frames from the server, with the lane
 * they belong to. Leaves: the frames that this viewer can take. Never: memory that grows because a
 * viewer does not read, or a record that is left out of the middle of what a viewer gets.
 *
 *   telemetry: socket backlog above the limit → dropped, counted
 *   record:    socket backlog above the limit → queued; queue full → the viewer is sent away
 *   control:   answers to the viewer itself; backlog far above the limit → the viewer is sent away
 */
import type { WebSocket } from 'ws';
import { BoundedQueue } from '../platform/index.js';
import type { Lane } from './channels.js';

/** A quarter second of everything that we send at its fullest: more backlog is old news. */
export const TELEMETRY_BACKLOG_BYTES = 256 * 1024;
/** A viewer that asks and never reads gets no further answers than this. */
const CONTROL_BACKLOG_BYTES = 4 * 1024 * 1024;
/** Records of a long flight; with the byte limit below, at most 8 MiB for each viewer. */
export const RECORD_QUEUE_MAX = 1000;
const RECORD_QUEUE_BYTES = 8 * 1024 * 1024;
/** WebSocket close code "try again later": the records are in the ledger, nothing is lost. */
const TRY_AGAIN_LATER = 1013;

type Frame = string | ArrayBuffer | ArrayBufferView;

export interface OutboxEvents {
  /** Telemetry was dropped: counted for the state message. */
  dropped(): void;
  /** The viewer was sent away. */
  closed(): void;
  /** After each message of the viewer that the server has dealt with; text messages only. */
  handled(text: string, outbox: Outbox): void;
}

const sizeOf = (frame: Frame): number =>
  typeof frame === 'string' ? Buffer.byteLength(frame) : frame.byteLength;

/** The shape that @foxglove/ws-protocol expects of a connection. */
export class Outbox {
  binaryType = 'arraybuffer';
  readonly protocol: string;
  onerror: ((event: unknown) => void) | null = null;
  onopen: ((event: unknown) => void) | null = null;
  onclose: ((event: unknown) => void) | null = null;
  onmessage: ((event: unknown) => void) | null = null;
  /** Lane of the frames that are being sent; the server sets it around a message. */
  lane: Lane | 'control' = 'control';
  readonly #socket: WebSocket;
  readonly #events: OutboxEvents;
  readonly #records = new BoundedQueue<Frame>(RECORD_QUEUE_MAX);
  #recordBytes = 0;
  #droppedNow = 0;

  constructor(socket: WebSocket, events: OutboxEvents) {
    this.#socket = socket;
    this.#events = events;
    this.protocol = socket.protocol;
    socket.on('message', (data: Buffer, isBinary: boolean) => {
      const text = data.toString('utf8');
      this.onmessage?.({ data: isBinary ? data : text });
      if (!isBinary) this.#events.handled(text, this);
    });
    socket.on('close', (code, reason) => {
      this.onclose?.({ code, reason: reason.toString(), wasClean: code === 1000 });
    });
    // An unheard 'error' event would end the process: a viewer's broken frame must not do that.
    socket.on('error', () => {
      socket.terminate();
    });
  }

  close(): void {
    this.#socket.close(1001);
  }

  /** Takes exactly one whole frame; the arity tells the server not to send it in two parts. */
  send(frame: Frame): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    if (this.lane === 'telemetry') this.#sendTelemetry(frame);
    else if (this.lane === 'record') this.#sendRecord(frame);
    else if (this.#socket.bufferedAmount > CONTROL_BACKLOG_BYTES) this.#sendAway();
    else this.#socket.send(frame);
  }

  /** Called at the publishing rate: hands on what waited, as far as the viewer has read. */
  drain(): void {
    while (!this.#backlogged()) {
      const frame = this.#records.shift();
      if (frame === undefined) break;
      this.#recordBytes -= sizeOf(frame);
      this.#socket.send(frame);
    }
  }

  /** How many telemetry messages were dropped since the last call, once the viewer reads again. */
  takeDropped(): number {
    if (this.#backlogged()) return 0;
    const dropped = this.#droppedNow;
    this.#droppedNow = 0;
    return dropped;
  }

  #backlogged(): boolean {
    return this.#socket.bufferedAmount > TELEMETRY_BACKLOG_BYTES;
  }

  #sendTelemetry(frame: Frame): void {
    if (this.#backlogged() || this.#records.size > 0) {
      this.#droppedNow += 1;
      this.#events.dropped();
    } else this.#socket.send(frame);
  }

  #sendRecord(frame: Frame): void {
    if (!this.#backlogged() && this.#records.size === 0) {
      this.#socket.send(frame);
      return;
    }
    const bytes = sizeOf(frame);
    if (this.#recordBytes + bytes > RECORD_QUEUE_BYTES || !this.#records.offer(frame)) {
      this.#sendAway();
    } else this.#recordBytes += bytes;
  }

  #sendAway(): void {
    this.#events.closed();
    this.#socket.close(TRY_AGAIN_LATER, 'reads too slowly; the records are in the ledger');
  }
}
