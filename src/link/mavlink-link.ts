/**
 * One link to one PX4 vehicle. Enters: bytes from a transport; frames from the one holder of the
 * actuation port; read-only messages from anyone. Leaves: the vehicle's messages, in order, when
 * the tick drains them; frames. Never: a timer, a re-send, a frame of another vehicle handed on,
 * an actuation frame through any door but the port, or, with a key, anything believed unsigned.
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
import {
  SIGNATURE_LENGTH,
  type LinkSigning,
  type SignatureVerdict,
  type SignedFrame,
} from './signing.js';
import { MAV_AUTOPILOT_INVALID, VehicleBinding } from './vehicle-binding.js';
import { sameEndpoint, type Endpoint, type Transport, type TransportStats } from './transport.js';

export interface LinkOptions {
  readonly transport: Transport;
  /** Monotonic, integer microseconds: stamps what arrives. */
  readonly nowUs: () => number;
  /** The vehicle to listen to. Without it the first PX4 that is heard is the vehicle. */
  readonly vehicleSystemId?: number;
  /** With it every frame is signed, and only what is signed with the same key is believed. */
  readonly signing?: LinkSigning;
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
   * HALO-508 without a PX4 vehicle, HALO-518 with two in one name, HALO-505 for a payload that
   * is not of this message, HALO-507, 513 and 514 when the bytes cannot leave now, HALO-515
   * while no timestamp may be used.
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
  /** Frames that were not believed, by what their signatures were worth. */
  readonly disbelieved: ReadonlyMap<SignatureVerdict, number>;
  /** Frames that carried our own identity. */
  readonly echoes: number;
  /** Frames that were not handed on, by system id. */
  readonly ignored: ReadonlyMap<number, number>;
  readonly components: readonly ComponentLoss[];
  readonly parser: ParserStats;
  readonly transport: TransportStats;
}

const HEARTBEAT = 0;
const COMMAND_ACK = 77;
const AUTOPILOT_VERSION = 148;
const AUTOPILOT_COMPONENT = 1;
const MAV_TYPE_ONBOARD_CONTROLLER = 18;
const MAV_COMP_ID_ONBOARD_COMPUTER = 191;
const MAV_STATE_ACTIVE = 4;
/** Ten seconds of everything PX4 sends unasked (402 messages a second). */
const QUEUE_CAPACITY = 4096;
/** What MAVLink asks for, and what PX4 misses after five. */
const BEAT_EVERY_US = 1_000_000;
/** The period of the slowest tick that may be set: one that takes longer has missed its turn. */
const TICK_DEADLINE_US = 100_000;
/** More than noise between two frames; a second of the slowest telemetry radio. */
const BYTES_WITHOUT_FRAME = 1_000;

export class MavlinkLink {
  readonly #transport: Transport;
  readonly #nowUs: () => number;
  readonly #signing: LinkSigning | undefined;
  readonly #binding: VehicleBinding;
  readonly #parsers: SourceParsers;
  /** Of their own, so that a flood of strangers never costs the vehicle a frame. */
  readonly #others: SourceParsers;
  readonly #disbelieved = new Map<SignatureVerdict, number>();
  readonly #queue = new BoundedQueue<ReceivedMessage>(QUEUE_CAPACITY);
  readonly #loss = new LossCounter();
  readonly #ignored = new Map<number, number>();
  #connection: number | undefined;
  #discontinuity: string | undefined;
  /** A source of our key is spoken to, and has not been believed yet. */
  #peerOnTrial = false;
  #lastBeatUs = Number.NEGATIVE_INFINITY;
  #received = 0;
  #strangers = 0;
  #echoes = 0;
  #sequence = 0;
  #portClaimed = false;

  constructor(options: LinkOptions) {
    this.#transport = options.transport;
    this.#nowUs = options.nowUs;
    this.#signing = options.signing;
    this.#binding = new VehicleBinding(options.vehicleSystemId);
    const { signing } = options;
    const judge = signing && ((frame: SignedFrame) => signing.judge(frame));
    this.#parsers = new SourceParsers(judge);
    this.#others = new SourceParsers(judge);
    this.#transport.onBytes((bytes, source) => {
      this.#receive(bytes, source);
    });
  }

  /** System id of the vehicle, once its autopilot has been heard and is a PX4. */
  get vehicleSystemId(): number | undefined {
    return this.#binding.vehicle;
  }

  /**
   * Our identity: the companion computer of the vehicle. PX4 counts its heartbeat only with the
   * vehicle's own system id. Before the vehicle is known, 1 is what a single PX4 has.
   */
  get identity(): { readonly systemId: number; readonly componentId: number } {
    return { systemId: this.#binding.systemId, componentId: MAV_COMP_ID_ONBOARD_COMPUTER };
  }

  /** Why nothing may be sent in this life any more: HALO-504, HALO-518, or nothing. */
  get stopped(): HaloError | undefined {
    return this.#binding.stopped;
  }

  /** Why it cannot be used now: HALO-504, 507, 508, 511, 513, 514, 516 to 518. */
  get trouble(): HaloError | undefined {
    const trouble = this.#transport.stats.trouble;
    const why = this.#binding.trouble(this.#nowUs());
    if (why === undefined || trouble !== undefined) return this.#binding.stopped ?? trouble;
    return why.code === 'HALO-508' ? (this.#whatIsHeard() ?? why) : why;
  }

  /** What comes instead of a vehicle that is believed. */
  #whatIsHeard(): HaloError | undefined {
    const count = (verdict: SignatureVerdict): number => this.#disbelieved.get(verdict) ?? 0;
    const told: readonly (readonly [SignatureVerdict, string])[] = [
      ['wrong-key', 'are signed with another key'],
      ['zero-key', 'are signed with the all-zero key: the vehicle has none'],
      ['unsigned', 'are not signed'],
      ['late', 'are signed with an old time'],
    ];
    const most = told.toSorted(([a], [b]) => count(b) - count(a))[0];
    if (most !== undefined && count(most[0]) > 0) {
      return linkError('HALO-516', `${count(most[0])} frames ${most[1]}.`);
    }
    const { bytes, frames, mavlink1 } = this.#parsers.stats;
    if (frames > 0 || bytes < BYTES_WITHOUT_FRAME) return undefined;
    const old = mavlink1 === 0 ? '' : ` ${mavlink1} of MAVLink 1 are not read.`;
    return linkError('HALO-517', `${bytes} bytes were heard, and no MAVLink 2 frame.${old}`);
  }

  /** Share of the vehicle's frames that were lost lately, 0..100. */
  get lossPercent(): number {
    return this.#loss.recentPercent();
  }

  get stats(): LinkStats {
    return {
      vehicleSystemId: this.#binding.vehicle,
      received: this.#received,
      overrun: this.#queue.lost,
      strangers: this.#strangers,
      disbelieved: new Map(this.#disbelieved),
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

  /** Why the link has begun anew since the last call; what was decided before rests on nothing. */
  takeDiscontinuity(): string | undefined {
    const reason = this.#discontinuity;
    this.#discontinuity = undefined;
    return reason;
  }

  /** The one door for actuation, given out once; a second claim is a bug in the wiring. */
  claimActuationPort(): ActuationPort {
    assert(!this.#portClaimed, 'the actuation port of a link has one holder');
    this.#portClaimed = true;
    return {
      write: (messageId, payload) => {
        if (this.#binding.stopped !== undefined) return fail(this.#binding.stopped);
        if (this.#binding.vehicle === undefined) {
          const none = linkError('HALO-508', 'No PX4 vehicle has been heard on this link.');
          return fail(this.#binding.trouble(this.#nowUs()) ?? none);
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

  /**
   * Sends our heartbeat, once a second; undefined when it is not due. Call it at the end of each
   * tick with the time at which that began: a tick that never ends, or ends late, proves nothing
   * and sends nothing (HALO-507).
   */
  beat(tickUs: number): Written | undefined {
    const nowUs = this.#nowUs();
    if (nowUs - tickUs > TICK_DEADLINE_US) {
      const ms = Math.round((nowUs - tickUs) / 1000);
      const remedy = 'The machine is too busy: take load off it.';
      return fail(linkError('HALO-507', `The tick took ${ms} ms; no heartbeat.`, remedy));
    }
    if (nowUs - this.#lastBeatUs < BEAT_EVERY_US) return undefined;
    const fields = {
      type: MAV_TYPE_ONBOARD_CONTROLLER,
      autopilot: MAV_AUTOPILOT_INVALID,
      base_mode: 0,
      custom_mode: 0,
      system_status: MAV_STATE_ACTIVE,
      mavlink_version: 3,
    };
    const sent = this.sendService({ name: 'HEARTBEAT', fields });
    if (sent.ok) this.#lastBeatUs = nowUs;
    return sent;
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
    const parts = { sequence, ...this.identity, messageId, payload, crcExtra: info.crcExtra };
    const frame = encodeFrame(parts, this.#signing !== undefined);
    if (this.#signing?.sign(frame, frame.length - SIGNATURE_LENGTH) === false) {
      return fail(linkError('HALO-515', 'No timestamp may be used before it is on the disk.'));
    }
    const sent = this.#transport.send(frame);
    if (!sent.ok) return fail(sent);
    this.#sequence = (sequence + 1) & 0xff;
    return ok({ frame, sequence });
  }

  #receive(bytes: Uint8Array, source: Endpoint): void {
    this.#watchConnection();
    const { peer } = this.#transport;
    const receivedUs = this.#nowUs();
    if (peer !== undefined && !this.#peerOnTrial && !sameEndpoint(peer, source)) {
      this.#strangers += 1;
      for (const frame of this.#others.push(bytes, source)) {
        this.#takeElsewhere(frame, source, receivedUs);
      }
      return;
    }
    for (const frame of this.#parsers.push(bytes, source)) this.#take(frame, source, receivedUs);
  }

  #watchConnection(): void {
    const { connections } = this.#transport;
    if (connections === this.#connection) return;
    if (this.#connection !== undefined) {
      this.#parsers.restart();
      this.#discontinuity = `the link was connected anew (connection ${connections ?? 0})`;
    }
    this.#connection = connections;
  }

  /** What another address says counts only as that, and where the vehicle itself went silent. */
  #takeElsewhere(frame: ReceivedFrame, source: Endpoint, receivedUs: number): void {
    const { systemId, componentId, messageId } = frame;
    const inItsName = systemId === this.#binding.vehicle && componentId === AUTOPILOT_COMPONENT;
    if (!inItsName || !this.#believes(frame)) return;
    if (messageId === HEARTBEAT && this.#binding.silent(receivedUs) && this.#movePeer(source)) {
      this.#discontinuity = `the vehicle speaks from ${source.host}:${source.port} now`;
      this.#binding.moved();
      this.#take(frame, source, receivedUs);
      return;
    }
    if (messageId === HEARTBEAT || messageId === COMMAND_ACK) this.#binding.rival(receivedUs);
  }

  /** False where the operator fixed the address. */
  #movePeer(source: Endpoint): boolean {
    this.#transport.forgetPeer?.();
    this.#transport.adoptPeer(source);
    const { peer } = this.#transport;
    return peer !== undefined && sameEndpoint(peer, source);
  }

  #believes({ verdict }: ReceivedFrame): boolean {
    if (this.#signing === undefined || verdict === 'valid') return true;
    const worth = verdict ?? 'unsigned';
    this.#disbelieved.set(worth, (this.#disbelieved.get(worth) ?? 0) + 1);
    return false;
  }

  #take(frame: ReceivedFrame, source: Endpoint, receivedUs: number): void {
    const { systemId, componentId, sequence } = frame;
    if (!this.#believes(frame)) {
      // Of our key, but behind our time: it rises once the vehicle has heard a frame of ours. So
      // we speak to it; nothing that it said is believed.
      const ours = this.#binding.vehicle === undefined && systemId === this.#binding.systemId;
      if (frame.verdict === 'late' && ours) this.#peerOnTrial = this.#movePeer(source);
      return;
    }
    const own = this.identity;
    if (systemId === own.systemId && componentId === own.componentId) {
      this.#echoes += 1;
      return;
    }
    const message = decodePayload(frame.messageId, frame.payload);
    assert(message !== undefined, 'the parser lets only known messages through');
    if (componentId === AUTOPILOT_COMPONENT)
      this.#judgeAutopilot(systemId, message, receivedUs, source);
    if (systemId !== this.#binding.vehicle) {
      this.#ignored.set(systemId, (this.#ignored.get(systemId) ?? 0) + 1);
      return;
    }
    this.#binding.heard(receivedUs);
    this.#loss.add(componentId, sequence);
    this.#received += 1;
    this.#queue.force({ message, systemId, componentId, receivedUs, sequence });
  }

  /** Binds the link to the vehicle, or finds that this autopilot is not the one we know. */
  #judgeAutopilot(systemId: number, message: MavMessage, nowUs: number, source: Endpoint): void {
    if (message.id === HEARTBEAT) {
      const { autopilot } = message.fields;
      if (!this.#binding.heartbeat(systemId, autopilot, nowUs)) return;
      this.#peerOnTrial = false;
      this.#movePeer(source);
    } else if (message.id === AUTOPILOT_VERSION && systemId === this.#binding.vehicle) {
      this.#binding.version(message);
    }
  }
}
