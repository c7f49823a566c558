/**
 * Safelink: one counter bit each way makes the radio lose nothing and repeat nothing. Enters: the
 * packet to send, the payload that came back. Leaves: the packet with its bits; whether the
 * payload is new. Never: a counter that moves without an acknowledgement.
 */

/** Asks the vehicle's radio chip for safelink; it answers with the same bytes. */
export const SAFELINK_ON = Uint8Array.of(0xff, 0x05, 0x01);

const UP_BIT = 3;
const DOWN_BIT = 2;
const COUNTERS = (1 << UP_BIT) | (1 << DOWN_BIT);

export class Safelink {
  #up = 0;
  #down = 0;

  /** A copy of a CRTP packet with both counters in its header. */
  stamp(packet: Uint8Array): Uint8Array {
    const stamped = Uint8Array.from(packet);
    stamped[0] = ((packet[0] ?? 0) & ~COUNTERS) | (this.#up << UP_BIT) | (this.#down << DOWN_BIT);
    return stamped;
  }

  /**
   * Takes the acknowledgement of the last stamped packet.
   * @returns whether its payload is one that was not seen before.
   */
  acknowledged(payload: Uint8Array): boolean {
    this.#up ^= 1;
    const header = payload[0];
    if (header === undefined || ((header >> DOWN_BIT) & 1) !== this.#down) return false;
    this.#down ^= 1;
    return true;
  }
}

export const isSafelinkEcho = (payload: Uint8Array): boolean =>
  payload.length === SAFELINK_ON.length && SAFELINK_ON.every((byte, i) => payload[i] === byte);
