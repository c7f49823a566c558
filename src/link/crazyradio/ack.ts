/**
 * What the dongle says about one packet on the air. Enters: the bytes of one IN transfer. Leaves:
 * whether it was acknowledged, how often it was repeated, the payload. Never: a retry count that
 * the dongle did not tell.
 */

export interface RadioAck {
  readonly acked: boolean;
  /** The signal was above -64 dBm. */
  readonly strong: boolean;
  /** Repetitions by the dongle; all that were allowed when nothing came back. */
  readonly retries: number;
  readonly payload: Uint8Array;
}

const ACKED = 0x01;
const STRONG = 0x02;
/** The radio carries at most 32 bytes; longer is not from this firmware. */
const PAYLOAD_MAX = 32;
const NOTHING = new Uint8Array();

/**
 * Reads status byte and payload.
 * @param retryCount what the dongle was set to: its answer without an acknowledgement has no count.
 * @returns undefined for bytes that no Crazyradio sends.
 */
export function parseAck(bytes: Uint8Array, retryCount: number): RadioAck | undefined {
  const status = bytes[0];
  if (status === undefined || bytes.length > 1 + PAYLOAD_MAX) return undefined;
  if ((status & ACKED) === 0) {
    return { acked: false, strong: false, retries: retryCount, payload: NOTHING };
  }
  return {
    acked: true,
    strong: (status & STRONG) !== 0,
    retries: status >> 4,
    payload: bytes.slice(1),
  };
}
