/**
 * One link to one PX4 vehicle. Enters: bytes from a transport; frames from the one holder of the
 * actuation port; read-only messages from anyone. Leaves: the vehicle's messages, in order, when
 * the tick drains them; frames. Never: a timer, a re-send, a frame of another vehicle handed on,
 * or an actuation frame through any door but the port.
 */
import { fail, ok, type HaloError, type Result } from '../contract/index.js';
import { assert, BoundedQueue } from '../platform/index.js';
import { decodePayload, encodePayload, type MavMessage } from './codec.js';
import { messageInfo } from './dictionary.js';
import { linkError } from './errors.js';
import { encodeFrame } from './frame.js';
import { LossCounter, type ComponentLoss } from './loss.js';
import { SourceParsers } from './source-parsers.js';
import { isServiceMessage } from './service-messages.js';
import type { ParserStats, ReceivedFrame } from './parser.js';
import { sameEndpoint, type Endpoint, type Transport, type TransportStats } from './transport.js';

export interface LinkOptions {
  readonly transport: Transport;
  /** Monotonic, integer microseconds: stamps what arrives. */
  readonly nowUs: () => number;
  /** The vehicle to listen to. Without it the first PX4 that is heard is the vehicle. */
  readonly vehicleSystemId?: number;
}

export interface ReceivedMessage {
  readonly message: MavMessage;
  readonly systemId: number;
  readonly componentId: number;
  /** When the bytes were read, on our monotonic clock. */
  readonly receivedUs: number;
  readonly sequence: number;
}

export type Written = Result<{ readonly frame: Uint8Array; readonly sequence: number }>;

/** The one door for actuation; see {@link MavlinkLink.claimActuationPort}. */
export interface ActuationPort {
  /**
   * Frames the payload and hands the frame to the socket before it returns. HALO-504 and
   * HALO-508 without a PX4 vehicle, HALO-505 for a payload that is not of this message,
   * HALO-507 when the link is closed.
   */
  write(messageId: number, payload: Uint8Array): Written;
}

export interface LinkStats {
  readonly vehicleSystemId: number | undefined;
  /** Messages of the vehicle that were put into the queue. */
  readonly received: number;
  /** Messages that were pushed out of a full queue before a tick drained them. */
  readonly overrun: number;
  /** Datagrams from elsewhere after the vehicle's address was known. */
  readonly strangers: number;
  /** Frames that carried our own identity. */
  readonly echoes: number;
  /** Frames that were not handed on, by system id. */
  readonly ignored: ReadonlyMap<number, number>;
  readonly components: readonly ComponentLoss[];
  readonly parser: ParserStats;
  readonly transport: TransportStats;
}

const HEARTBEAT = 0;
const AUTOPILOT_COMPONENT = 1;
const MAV_AUTOPILOT_INVALID = 8;
const MAV_AUTOPILOT_PX4 = 12;
const MAV_TYPE_ONBOARD_CONTROLLER = 18;
const MAV_COMP_ID_ONBOARD_COMPUTER = 191;
const MAV_STATE_ACTIVE = 4;
/** Ten seconds of everything PX4 sends unasked (402 messages a second). */
const QUEUE_CAPACITY = 4096;

export class MavlinkLink {
  readonly #transport: Transport;
  readonly #nowUs: () => number;
  readonly #wanted: number | undefined;
  readonly #parsers = new SourceParsers();
  readonly #queue = new BoundedQueue<ReceivedMessage>(QUEUE_CAPACITY);
  readonly #loss = new LossCounter();
  readonly #ignored = new Map<number, number>();
  #vehicle: number | undefined;
  #foreign: { readonly systemId: number; readonly text: string } | undefined;
  #otherPx4: number | undefined;
  #received = 0;
  #strangers = 0;
  #echoes = 0;
  #sequence = 0;
  #portClaimed = false;

  constructor(options: LinkOptions) {
    this.#transport = options.transport;
    this.#nowUs = options.nowUs;
    this.#wanted = options.vehicleSystemId;
    this.#transport.onBytes((bytes, source) => {
      this.#receive(bytes, source);
    });
  }

  /** System id of the vehicle, once its autopilot has been heard and is a PX4. */
  get vehicleSystemId(): number | undefined {
    return this.#vehicle;
  }

  /**
   * Our identity: the companion computer of the vehicle. PX4 counts its heartbeat only with the
   * vehicle's own system id. Before the vehicle is known, 1 is what a single PX4 has.
   */
  get identity(): { readonly systemId: number; readonly componentId: number } {
    const systemId = this.#vehicle ?? this.#wanted ?? 1;
    return { systemId, componentId: MAV_COMP_ID_ONBOARD_COMPUTER };
  }

  /** Why this link cannot be used now: HALO-504, HALO-507, HALO-508, HALO-511, or nothing. */
  get trouble(): HaloError | undefined {
    if (this.#foreign !== undefined) return linkError('HALO-504', this.#foreign.text);
    if (this.#vehicle !== undefined) return this.#transport.stats.trouble;
    if (this.#otherPx4 === undefined) return linkError('HALO-508', 'No autopilot has been heard.');
    const text = `System ${this.#otherPx4} is heard, system ${this.#wanted ?? '?'} is not.`;
    return linkError('HALO-511', text);
  }

  /** Share of the vehicle's frames that were lost lately, 0..100. */
  get lossPercent(): number {
    return this.#loss.recentPercent();
  }

  get stats(): LinkStats {
    return {
      vehicleSystemId: this.#vehicle,
      received: this.#received,
      overrun: this.#queue.lost,
      strangers: this.#strangers,
      echoes: this.#echoes,
      ignored: new Map(this.#ignored),
      components: this.#loss.byComponent(),
      parser: this.#parsers.stats,
      transport: this.#transport.stats,
    };
  }

  /** Takes the messages that had arrived by `nowUs`, oldest first. Later ones stay. */
  drain(nowUs: number): readonly ReceivedMessage[] {
    const drained: ReceivedMessage[] = [];
    for (let next = this.#queue.peek(); next !== undefined; next = this.#queue.peek()) {
      if (next.receivedUs > nowUs) break;
      drained.push(next);
      this.#queue.shift();
    }
    return drained;
  }

  /** The one door for actuation, given out once; a second claim is a bug in the wiring. */
  claimActuationPort(): ActuationPort {
    assert(!this.#portClaimed, 'the actuation port of a link has one holder');
    this.#portClaimed = true;
    return {
      write: (messageId, payload) => {
        if (this.#foreign !== undefined) return fail(linkError('HALO-504', this.#foreign.text));
        if (this.#vehicle === undefined) {
          return fail(linkError('HALO-508', 'No PX4 vehicle has been heard on this link.'));
        }
        return this.#write(messageId, payload);
      },
    };
  }

  /**
   * Sends a read-only message: heartbeat, ping, time synchronisation, parameter reads, status
   * text, and three commands that only change what the vehicle reports. Everything else is
   * refused with HALO-506, whatever its target.
   */
  sendService(message: Pick<MavMessage, 'name' | 'fields'>): Written {
    const encoded = encodePayload(message);
    if (!encoded.ok) return fail(encoded);
    if (!isServiceMessage(encoded.id, encoded.payload)) {
      const text = `${message.name} is actuation, or not known to be harmless.`;
      return fail(linkError('HALO-506', text));
    }
    return this.#write(encoded.id, encoded.payload);
  }

  /** Sends our heartbeat. Call it after a completed tick, so that it proves that ticks complete. */
  beat(): Written {
    const fields = {
      type: MAV_TYPE_ONBOARD_CONTROLLER,
      autopilot: MAV_AUTOPILOT_INVALID,
      base_mode: 0,
      custom_mode: 0,
      system_status: MAV_STATE_ACTIVE,
      mavlink_version: 3,
    };
    return this.sendService({ name: 'HEARTBEAT', fields });
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  #write(messageId: number, payload: Uint8Array): Written {
    const info = messageInfo(messageId);
    if (info === undefined || payload.length === 0 || payload.length > info.payloadLength) {
      const text = `${payload.length} bytes are no payload of message ${messageId}.`;
      return fail(linkError('HALO-505', text));
    }
    const sequence = this.#sequence;
    const frame = encodeFrame({
      sequence,
      ...this.identity,
      messageId,
      payload,
      crcExtra: info.crcExtra,
    });
    const sent = this.#transport.send(frame);
    if (!sent.ok) return fail(sent);
    this.#sequence = (sequence + 1) & 0xff;
    return ok({ frame, sequence });
  }

  #receive(bytes: Uint8Array, source: Endpoint): void {
    const { peer } = this.#transport;
    if (peer !== undefined && !sameEndpoint(peer, source)) {
      this.#strangers += 1;
      return;
    }
    const receivedUs = this.#nowUs();
    for (const frame of this.#parsers.push(bytes, source)) this.#take(frame, source, receivedUs);
  }

  #take(frame: ReceivedFrame, source: Endpoint, receivedUs: number): void {
    const { systemId, componentId, sequence } = frame;
    const own = this.identity;
    if (systemId === own.systemId && componentId === own.componentId) {
      this.#echoes += 1;
      return;
    }
    const message = decodePayload(frame.messageId, frame.payload);
    assert(message !== undefined, 'the parser lets only known messages through');
    if (frame.messageId === HEARTBEAT && componentId === AUTOPILOT_COMPONENT) {
      this.#judgeAutopilot(systemId, message, source);
    }
    if (systemId !== this.#vehicle) {
      this.#ignored.set(systemId, (this.#ignored.get(systemId) ?? 0) + 1);
      return;
    }
    this.#loss.add(componentId, sequence);
    this.#received += 1;
    this.#queue.force({ message, systemId, componentId, receivedUs, sequence });
  }

  /** Binds the link to the vehicle, or finds that this autopilot is not one we know. */
  #judgeAutopilot(systemId: number, heartbeat: MavMessage, source: Endpoint): void {
    const { autopilot } = heartbeat.fields;
    const target = this.#vehicle ?? this.#wanted ?? systemId;
    if (systemId !== target) {
      if (autopilot === MAV_AUTOPILOT_PX4) this.#otherPx4 = systemId;
      return;
    }
    // Component 1 with an invalid autopilot is some program that never chose a component id.
    if (autopilot === MAV_AUTOPILOT_INVALID) return;
    if (autopilot !== MAV_AUTOPILOT_PX4) {
      // Also when a PX4 had this id before: two autopilots with one id must not be flown, and
      // only a new start ends that.
      const text = `System ${systemId} has autopilot type ${String(autopilot)}.`;
      this.#foreign = { systemId, text };
      this.#vehicle = undefined;
      return;
    }
    if (this.#foreign?.systemId === systemId || this.#vehicle !== undefined) return;
    this.#foreign = undefined;
    this.#vehicle = systemId;
    this.#transport.adoptPeer(source);
  }
}
