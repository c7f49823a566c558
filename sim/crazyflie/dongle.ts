/**
 * A Crazyradio and the air, at the level of USB transfers. Enters: control requests, packets.
 * Leaves: what a dongle answers, from the vehicle that listens where it is tuned. Never: a queue
 * between two packets: one OUT, one IN.
 */
import { REQUEST, type RadioUsb } from '../../src/link/index.js';
import type { Crazyflie } from './crazyflie.js';
import { RadioChip } from './radio-chip.js';

export interface AirOptions {
  readonly vehicle: Crazyflie;
  readonly channel: number;
  /** 0, 1 or 2: 250K, 1M, 2M. */
  readonly rate: number;
  readonly address: readonly number[];
  /** Seeded chance. */
  readonly random: () => number;
}

const ACKED = 0x01;
const STRONG = 0x02;
const RETRIES_SHIFT = 4;

export class SimulatedDongle implements RadioUsb {
  readonly deviceVersion = 0x0053;
  readonly serialNumber = '4C60E0E0E0';
  /** Share of packets, and of acknowledgements, that the air swallows at each try. */
  loss = { packet: 0, ack: 0 };
  /** Pulled out: every transfer fails. */
  unplugged = false;
  readonly #chip: RadioChip;
  #channel = 2;
  #rate = 2;
  #address: readonly number[] = [0xe7, 0xe7, 0xe7, 0xe7, 0xe7];
  #retryCount = 3;
  #acks = true;
  #answer: Uint8Array | undefined;

  constructor(private readonly air: AirOptions) {
    this.#chip = new RadioChip(air.vehicle);
  }

  async control(request: number, value: number, data: Uint8Array): Promise<void> {
    await this.#transfer();
    if (request === REQUEST.channel) this.#channel = value;
    if (request === REQUEST.rate) this.#rate = value;
    if (request === REQUEST.address) this.#address = [...data];
    if (request === REQUEST.ackRetryCount) this.#retryCount = value;
    if (request === REQUEST.ackEnable) this.#acks = value === 1;
  }

  async bulkOut(bytes: Uint8Array): Promise<void> {
    await this.#transfer();
    if (bytes.length < 1 || bytes.length > 32) throw new Error('not a radio packet');
    const answer = this.#exchange(bytes);
    this.#answer = this.#acks ? answer : undefined;
  }

  async bulkIn(): Promise<Uint8Array> {
    await this.#transfer();
    const answer = this.#answer;
    this.#answer = undefined;
    // Nothing went out, so nothing comes in: the transfer ends by the host's time-out alone.
    return answer ?? new Promise<never>(() => undefined);
  }

  async close(): Promise<void> {
    await this.#transfer();
  }

  #exchange(bytes: Uint8Array): Uint8Array {
    for (let retry = 0; retry <= this.#retryCount; retry += 1) {
      if (!this.#listens() || this.air.random() < this.loss.packet) continue;
      const payload = this.#chip.receive(bytes);
      if (this.air.random() < this.loss.ack) continue;
      return Uint8Array.of((retry << RETRIES_SHIFT) | STRONG | ACKED, ...payload);
    }
    return Uint8Array.of(0);
  }

  #listens(): boolean {
    const { channel, rate, address } = this.air;
    const same = address.every((byte, index) => byte === this.#address[index]);
    return same && channel === this.#channel && rate === this.#rate;
  }

  async #transfer(): Promise<void> {
    if (this.unplugged) throw new Error('LIBUSB_ERROR_NO_DEVICE');
    await Promise.resolve();
  }
}
