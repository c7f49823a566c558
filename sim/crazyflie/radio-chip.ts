/**
 * The vehicle's radio chip: acknowledgements with a payload, and safelink. Enters: a packet from
 * the air. Leaves: the payload of its acknowledgement. Never: a packet that the vehicle gets
 * twice once safelink is on; without it, whatever the air does.
 */
import { isNullPacket } from '../../src/link/index.js';
import type { Crazyflie } from './crazyflie.js';

const COUNTERS = 0b1100;
const EMPTY_HEADER = 0xf3;
/** What the chip measures of the sender, as -dBm. */
const RSSI = 48;

export class RadioChip {
  #safelink = false;
  #up = 1;
  #down = 1;
  #last: Uint8Array = new Uint8Array();
  #lastPacket: Uint8Array | undefined;

  constructor(private readonly vehicle: Crazyflie) {}

  receive(bytes: Uint8Array): Uint8Array {
    const isSetting = bytes.length === 3 && isNullPacket(bytes) && bytes[1] === 0x05;
    if (isSetting) {
      this.#safelink = bytes[2] === 1;
      this.#up = 1;
      this.#down = 1;
      return bytes;
    }
    return this.#safelink ? this.#safely(bytes) : this.#plainly(bytes);
  }

  #safely(bytes: Uint8Array): Uint8Array {
    const header = bytes[0] ?? 0;
    const up = (header >> 3) & 1;
    const down = (header >> 2) & 1;
    if (up !== this.#up) {
      this.#up = up;
      this.#deliver(bytes);
    }
    if (down !== this.#down) {
      this.#down = down;
      this.#last = this.#next();
      this.#last[0] = ((this.#last[0] ?? 0) & ~COUNTERS) | (down << 2);
    }
    return this.#last;
  }

  /** The radio itself drops an immediate repetition of the same packet only. */
  #plainly(bytes: Uint8Array): Uint8Array {
    const repeated = this.#lastPacket !== undefined && same(this.#lastPacket, bytes);
    this.#lastPacket = bytes;
    if (!repeated || isNullPacket(bytes)) this.#deliver(bytes);
    return this.#next();
  }

  #deliver(bytes: Uint8Array): void {
    this.vehicle.receive(bytes);
  }

  #next(): Uint8Array {
    const [packet] = this.vehicle.drain(1);
    return packet ?? Uint8Array.of(EMPTY_HEADER, 0x01, RSSI);
  }
}

const same = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, index) => byte === b[index]);
