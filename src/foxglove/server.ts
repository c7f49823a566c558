/**
 * The live server for Foxglove and Lichtblick. Enters: the engine's state and events. Leaves:
 * messages for viewers. Never: a way to the vehicle: no services, no writable parameters, and what
 * a viewer publishes is not even asked for. A slow viewer costs itself, not the flight.
 */
import protocol from '@foxglove/ws-protocol';
import type { WebSocket } from 'ws';
import { ok, type EngineEvent, type EnginePort, type Result } from '../contract/index.js';
import { BoundedQueue, startTicking, type Clock } from '../platform/index.js';
import {
  CHANNELS,
  PUBLISH_RATE_HZ,
  type ChannelName,
  type ChannelSpec,
  type Outgoing,
} from './channels.js';
import { openDoor } from './door.js';
import {
  dispatchMessage,
  eventMessages,
  poseMessage,
  stateMessage,
  type ViewerStats,
} from './messages.js';
import { Outbox } from './outbox.js';
import { parameterValues } from './parameters.js';
import { RetainedRecords, Subscriptions } from './retained.js';
import { Scene } from './scene.js';

export interface FoxgloveOptions {
  readonly engine: EnginePort;
  /** 127.0.0.1 unless the operator says otherwise: there is no log-in. */
  readonly host: string;
  /** 8765 is where Foxglove looks by itself; 0 takes a free one. */
  readonly port: number;
  readonly clock: Clock;
}

export interface FoxgloveHandle {
  readonly port: number;
  readonly url: string;
  stats(): ViewerStats;
  /** Sends what is still waiting, then closes every viewer. */
  close(): Promise<void>;
}

/** 100 ms of events at ten for each engine tick, and room for a verdict's worth more. */
const EVENTS_MAX = 1024;

/** Starts the server; HALO-803 when the port is in use, HALO-503 when the host is not usable. */
export async function startFoxgloveServer(
  options: FoxgloveOptions,
): Promise<Result<FoxgloveHandle>> {
  const publisher = new Publisher(options.engine, options.clock);
  const door = await openDoor({
    host: options.host,
    port: options.port,
    onViewer: (socket, name) => {
      publisher.addViewer(socket, name);
    },
  });
  if (!door.ok) return door;
  const stopListening = options.engine.onEvent((event) => {
    publisher.enqueue(event);
  });
  const stopTicking = startTicking(options.clock, PUBLISH_RATE_HZ, () => {
    publisher.tick();
  });
  const { port } = door.value;
  return ok({
    port,
    url: `ws://${options.host}:${port}`,
    stats: () => publisher.stats(),
    close: async () => {
      stopListening();
      stopTicking();
      publisher.tick();
      await door.value.close();
    },
  });
}

interface StampedEvent {
  readonly event: EngineEvent;
  readonly wallMs: number;
}

class Publisher {
  readonly #engine: EnginePort;
  readonly #clock: Clock;
  readonly #server: InstanceType<typeof protocol.FoxgloveServer>;
  readonly #channelIds = new Map<ChannelName, number>();
  readonly #watched = new Set<number>();
  readonly #viewers = new Set<Outbox>();
  readonly #records = new BoundedQueue<StampedEvent>(EVENTS_MAX);
  readonly #remarks = new BoundedQueue<StampedEvent>(EVENTS_MAX);
  readonly #retained = new RetainedRecords();
  readonly #scene = new Scene();
  #ticks = 0;
  #telemetryDropped = 0;
  #viewersClosed = 0;

  constructor(engine: EnginePort, clock: Clock) {
    this.#engine = engine;
    this.#clock = clock;
    const { task, dispatch } = engine.state();
    this.#server = new protocol.FoxgloveServer({
      name: 'HALO Bridge',
      // Only what this server answers for. Without clientPublish the library lets a viewer's
      // publications (a 3D panel advertises some by itself) fall to the ground.
      capabilities: [protocol.ServerCapability.parameters],
      supportedEncodings: ['json'],
      // A viewer that comes back to a new run must forget the old one.
      sessionId: `${task.runId}-${dispatch.bootEpoch}`,
    });
    for (const name of channelNames()) {
      this.#channelIds.set(name, this.#server.addChannel(advertisement(CHANNELS[name])));
    }
    this.#server.on('subscribe', (channelId) => this.#watched.add(channelId));
    this.#server.on('unsubscribe', (channelId) => this.#watched.delete(channelId));
    this.#server.on('getParameters', (request, connection) => {
      const values = parameterValues(this.#engine.state(), request.parameterNames);
      this.#server.publishParameterValues(values, request.id, connection);
    });
    this.#server.on('setParameters', (request, connection) => {
      const names = request.parameters.map((parameter) => parameter.name);
      const message = `${names.join(', ')}: not changed. Parameters are read-only here.`;
      this.#server.sendStatus({ level: protocol.StatusLevel.WARNING, message }, connection);
      // The values as they are, so that the viewer does not go on showing the wish.
      const values = parameterValues(this.#engine.state(), names);
      this.#server.publishParameterValues(values, request.id, connection);
    });
  }

  addViewer(socket: WebSocket, name: string): void {
    const subscriptions = new Subscriptions();
    const outbox = new Outbox(socket, {
      dropped: () => (this.#telemetryDropped += 1),
      closed: () => (this.#viewersClosed += 1),
      handled: (text, viewer) => {
        for (const { id, channelId } of subscriptions.follow(text)) {
          viewer.lane = 'record';
          for (const frame of this.#retained.framesFor(id, channelId)) viewer.send(frame);
          viewer.lane = 'control';
        }
      },
    });
    socket.on('close', () => this.#viewers.delete(outbox));
    this.#viewers.add(outbox);
    this.#server.handleConnection(outbox, name);
  }

  /** Called inside the engine's tick: only puts aside. Remarks never crowd out records. */
  enqueue(event: EngineEvent): void {
    const stamped = { event, wallMs: this.#clock.wallMs() };
    switch (event.type) {
      case 'verdict':
      case 'obligation':
      case 'receipt':
      case 'receipt-refused':
        this.#records.offer(stamped);
        break;
      case 'progress':
      case 'task':
        break;
      default:
        this.#remarks.force(stamped);
    }
  }

  stats(): ViewerStats {
    return {
      connected: this.#viewers.size,
      telemetryDropped: this.#telemetryDropped,
      viewersClosed: this.#viewersClosed,
      eventsLost: this.#records.lost + this.#remarks.lost,
    };
  }

  tick(): void {
    const state = this.#engine.state();
    const wallMs = this.#clock.wallMs();
    for (const viewer of this.#viewers) viewer.drain();
    for (const queue of [this.#records, this.#remarks]) {
      for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
        const { event, wallMs: saidMs } = next;
        for (const message of eventMessages(event, state.nowUs, saidMs)) {
          this.#publish(message, saidMs);
        }
      }
    }
    const due = (name: ChannelName): boolean => this.#isDue(name);
    if (due('state')) {
      this.#publish({ channel: 'state', payload: stateMessage(state, this.stats()) }, wallMs);
    }
    if (due('components')) {
      const payload = { components: state.components };
      this.#publish({ channel: 'components', payload }, wallMs);
    }
    if (due('dispatch')) {
      this.#publish({ channel: 'dispatch', payload: dispatchMessage(state) }, wallMs);
    }
    if (due('task')) this.#publish({ channel: 'task', payload: state.task }, wallMs);
    const pose = due('pose') ? poseMessage(state, wallMs) : undefined;
    if (pose !== undefined) this.#publish({ channel: 'pose', payload: pose }, wallMs);
    this.#scene.track(state);
    if (due('scene')) {
      this.#publish({ channel: 'scene', payload: this.#scene.render(state, wallMs) }, wallMs);
    }
    this.#tellDropped();
    this.#ticks += 1;
  }

  #isDue(name: ChannelName): boolean {
    const spec: ChannelSpec = CHANNELS[name];
    const watched = this.#watched.has(this.#channelIds.get(name) ?? -1);
    return watched && this.#ticks % (spec.everyTicks ?? 1) === 0;
  }

  #publish({ channel, payload }: Outgoing, wallMs: number): void {
    const { lane } = CHANNELS[channel];
    const id = this.#channelIds.get(channel) ?? -1;
    const bytes = Buffer.from(JSON.stringify(payload));
    const timestampNs = BigInt(Math.floor(wallMs)) * 1_000_000n;
    if (lane === 'record') this.#retained.keep(id, timestampNs, bytes);
    for (const viewer of this.#viewers) viewer.lane = lane;
    this.#server.sendMessage(id, timestampNs, bytes);
    for (const viewer of this.#viewers) viewer.lane = 'control';
  }

  #tellDropped(): void {
    for (const viewer of this.#viewers) {
      const dropped = viewer.takeDropped();
      if (dropped === 0) continue;
      const message = `${dropped} telemetry messages were left out: this viewer read too slowly.`;
      this.#server.sendStatus({ level: protocol.StatusLevel.WARNING, message }, viewer);
    }
  }
}

const channelNames = (): ChannelName[] => {
  const names: ChannelName[] = [];
  for (const name in CHANNELS) if (isChannelName(name)) names.push(name);
  return names;
};

const isChannelName = (name: string): name is ChannelName => Object.hasOwn(CHANNELS, name);

const advertisement = (
  spec: ChannelSpec,
): {
  topic: string;
  encoding: string;
  schemaName: string;
  schema: string;
  schemaEncoding: string;
} => ({
  topic: spec.topic,
  encoding: 'json',
  schemaName: spec.schemaName,
  schema: JSON.stringify(spec.schema),
  schemaEncoding: 'jsonschema',
});
