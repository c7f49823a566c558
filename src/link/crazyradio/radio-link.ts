/**
 * One Crazyflie through a Crazyradio. Enters: one CRTP packet at a time. Leaves: those of the
 * vehicle, each once, and how good the link is. Never: two packets waiting, or a packet that
 * goes on the air after it has become old: a null packet takes its place.
 */
import type { HaloError } from '../../contract/index.js';
import { within } from '../../platform/index.js';
import { isNullPacket, NULL_PACKET } from '../crtp/packet.js';
import { linkError, refused } from '../errors.js';
import type { Endpoint, Receiver, Sent, Transport, TransportStats } from '../transport.js';
import type { RadioAck } from './ack.js';
import type { Crazyradio } from './crazyradio.js';
import type { RadioUri } from './radio-uri.js';
import { isSafelinkEcho, Safelink, SAFELINK_ON } from './safelink.js';
import { RadioMeter, type RadioStatistics } from './statistics.js';

/** As often as Bitcraze's driver asks; a vehicle that never answers has no safelink or is away. */
const SAFELINK_TRIES = 10;
/** Bitcraze's driver gives the link up after as many in a row. */
const LOST_AFTER = 100;
/**
 * A vehicle's watchdog levels it after 0.5 s without a setpoint: what is half as old is no longer
 * what was meant. It also is longer than any exchange that succeeds.
 */
const LAPSE_US = 250_000;
/** After so many empty answers the vehicle has nothing to say, and the air is left to others. */
const EMPTY_BEFORE_PAUSE = 10;
const PAUSE_MS = 10;

export interface RadioLinkOptions {
  readonly radio: Crazyradio;
  readonly uri: RadioUri;
  readonly nowUs: () => number;
}

interface Pending {
  readonly bytes: Uint8Array;
  readonly sinceUs: number;
}

export class RadioLink implements Transport {
  readonly peer: Endpoint;
  readonly #options: RadioLinkOptions;
  readonly #safelink = new Safelink();
  readonly #meter = new RadioMeter();
  #receiver: Receiver = () => undefined;
  #waiting: Pending | undefined;
  /** What is on the air under the present counter: it stays the same until acknowledged. */
  #onAir: Pending | undefined;
  /** Wakes the pump out of its pause. */
  #wake: () => void = () => undefined;
  #open = true;
  #safe = false;
  #safelinkTries = 0;
  #lostInARow = 0;
  #empty = 0;
  #accepted = 0;
  #lapsed = 0;
  #trouble: HaloError | undefined;

  constructor(options: RadioLinkOptions) {
    this.#options = options;
    const { address, channel } = options.uri;
    this.peer = { host: Buffer.from(address).toString('hex').toUpperCase(), port: channel };
  }

  get stats(): TransportStats {
    return { sent: this.#accepted, sendErrors: this.#lapsed, trouble: this.#trouble };
  }

  get statistics(): RadioStatistics {
    return this.#meter.statistics;
  }

  /** Whether the vehicle's radio chip took safelink up. Without it nothing is sent but nulls. */
  get safe(): boolean {
    return this.#safe;
  }

  onBytes(receiver: Receiver): void {
    this.#receiver = receiver;
  }

  /** The peer of a radio is its address: it was fixed when the link was made. */
  adoptPeer(): void {
    // Nothing to adopt.
  }

  /** Takes one packet for the next exchange. HALO-508 before safelink, HALO-507 while one waits. */
  send(bytes: Uint8Array): Sent {
    if (!this.#open) return refused('HALO-507', 'The radio link is closed.');
    if (!this.#safe) return refused('HALO-508', 'The Crazyflie has not answered yet.');
    if (this.#waiting !== undefined) return refused('HALO-507', 'A packet waits for the radio.');
    this.#waiting = { bytes: Uint8Array.from(bytes), sinceUs: this.#options.nowUs() };
    this.#accepted += 1;
    this.#wake();
    return { ok: true };
  }

  async close(): Promise<void> {
    if (!this.#open) return;
    this.#open = false;
    this.#wake();
    await this.#options.radio.close();
  }

  /** Exchanges packets until the link is closed or lost. Resolves with the reason, if any. */
  async run(): Promise<HaloError | undefined> {
    while (this.#open && this.#trouble === undefined) {
      await this.exchange();
      if (this.#empty >= EMPTY_BEFORE_PAUSE && this.#waiting === undefined) await this.#pause();
    }
    return this.#trouble;
  }

  /** One packet out and its acknowledgement in: the pending one, else a null packet. */
  async exchange(): Promise<void> {
    const { radio, uri, nowUs } = this.#options;
    const packet = this.#next(nowUs());
    const beganUs = nowUs();
    const result = await radio.exchange(uri, packet);
    if (!this.#open) return;
    if (!result.ok) {
      this.#trouble = result.error;
      return;
    }
    this.#meter.record(result.value, nowUs() - beganUs);
    if (result.value.acked) this.#acknowledged(result.value);
    else this.#unacknowledged();
  }

  #next(nowUs: number): Uint8Array {
    if (!this.#safe) {
      this.#safelinkTries += 1;
      return SAFELINK_ON;
    }
    const isOld = (pending: Pending): boolean => nowUs - pending.sinceUs > LAPSE_US;
    if (this.#onAir === undefined) {
      this.#onAir = this.#waiting;
      this.#waiting = undefined;
    }
    if (this.#onAir !== undefined && this.#onAir.bytes !== NULL_PACKET && isOld(this.#onAir)) {
      this.#onAir = undefined;
      this.#lapsed += 1;
    }
    // Other bytes under a counter that the vehicle may have seen would be taken for a repetition
    // and dropped. A null packet may be: if the old one came through, nothing is missing.
    this.#onAir ??= { bytes: NULL_PACKET, sinceUs: nowUs };
    return this.#safelink.stamp(this.#onAir.bytes);
  }

  #acknowledged(ack: RadioAck): void {
    this.#lostInARow = 0;
    if (!this.#safe) {
      this.#safe = isSafelinkEcho(ack.payload);
      if (!this.#safe) this.#checkTries();
      return;
    }
    this.#onAir = undefined;
    const fresh = this.#safelink.acknowledged(ack.payload);
    if (isNullPacket(ack.payload)) {
      this.#empty += 1;
      const [, kind, level] = ack.payload;
      if (kind === 0x01 && level !== undefined) this.#meter.heardRssi(-level);
      return;
    }
    this.#empty = 0;
    if (fresh) this.#receiver(ack.payload, this.peer);
  }

  #unacknowledged(): void {
    this.#lostInARow += 1;
    if (!this.#safe) this.#checkTries();
    else if (this.#lostInARow >= LOST_AFTER) {
      this.#trouble = linkError('HALO-508', `${LOST_AFTER} packets in a row were not answered.`);
    }
  }

  #checkTries(): void {
    if (this.#safelinkTries < SAFELINK_TRIES) return;
    const text = 'No Crazyflie took up safelink at this channel, rate and address.';
    this.#trouble = linkError('HALO-508', text, 'Start the Crazyflie; check the radio URI.');
  }

  async #pause(): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    await within(woken, PAUSE_MS);
    this.#wake = () => undefined;
  }
}
