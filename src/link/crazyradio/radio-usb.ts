/**
 * What a Crazyradio is to its driver: USB transfers. Enters: control requests and bulk bytes.
 * Leaves: what the dongle answers. Never: a meaning; a USB library or the simulated dongle is put
 * in here, and nothing above knows which.
 */

/** USB identity of a Crazyradio that runs its firmware, PA and 2.0 alike. */
export const CRAZYRADIO_USB = { vendorId: 0x1915, productId: 0x7777 } as const;

/** A transfer rejects when the device is gone; the driver puts a deadline on each. */
export interface RadioUsb {
  /** bcdDevice of the descriptor: the firmware's version in hex digits, 0x0053 is 0.53. */
  readonly deviceVersion: number;
  readonly serialNumber: string;
  /** Vendor request to the device (bmRequestType 0x40), wIndex 0. */
  control(request: number, value: number, data: Uint8Array): Promise<void>;
  /** To endpoint 1: one radio packet, 1..32 bytes. */
  bulkOut(bytes: Uint8Array): Promise<void>;
  /** From endpoint 0x81: up to 64 bytes. */
  bulkIn(): Promise<Uint8Array>;
  close(): Promise<void>;
}

/** Vendor requests of crazyradio-firmware and of crazyradio2-firmware in its compatible mode. */
export const REQUEST = {
  channel: 0x01,
  address: 0x02,
  rate: 0x03,
  power: 0x04,
  ackRetryDelay: 0x05,
  ackRetryCount: 0x06,
  ackEnable: 0x10,
  continuousCarrier: 0x20,
} as const;
