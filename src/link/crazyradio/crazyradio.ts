/**
 * The dongle. Enters: where to send, one packet at a time. Leaves: the acknowledgement of each.
 * Never: a transfer without a deadline, two at once, or a setting that is believed after a
 * transfer failed.
 */
import { fail, ok, type HaloError, type Result } from '../../contract/index.js';
import { assert, within } from '../../platform/index.js';
import { linkError } from '../errors.js';
import { parseAck, type RadioAck } from './ack.js';
import { RATES, type RadioUri } from './radio-uri.js';
import { REQUEST, type RadioUsb } from './radio-usb.js';

/** Bitcraze's own driver waits as long for a transfer. */
const TRANSFER_LIMIT_MS = 1000;
/** From this firmware on the dongle takes address, power and retry settings. */
const VERSION_MIN = 0.4;
/** The dongle's own repetitions, as Bitcraze's driver sets them. */
export const RETRY_COUNT = 3;
/** Waits as long as an acknowledgement with 32 bytes takes (0x80: in bytes). */
const RETRY_DELAY_32_BYTES = 0x80 | 32;
const POWER_0_DBM = 3;
const PACKET_MAX = 32;
const NONE = new Uint8Array();
const REMEDY = 'Plug the Crazyradio in again, and see that no other program holds it.';

export class Crazyradio {
  readonly #usb: RadioUsb;
  #tuned: RadioUri | undefined;
  #busy = false;

  private constructor(usb: RadioUsb) {
    this.#usb = usb;
  }

  /** Sets up as Bitcraze’s driver does. HALO-503 when it is too old or does not answer. */
  static async open(usb: RadioUsb): Promise<Result<Crazyradio>> {
    const version = versionOf(usb.deviceVersion);
    if (!(version >= VERSION_MIN)) {
      const message = `Crazyradio firmware ${version} is too old.`;
      return fail(linkError('HALO-503', message, `Update it to ${VERSION_MIN} or newer.`));
    }
    const radio = new Crazyradio(usb);
    const failed = await radio.#set([
      [REQUEST.continuousCarrier, 0, NONE],
      [REQUEST.power, POWER_0_DBM, NONE],
      [REQUEST.ackRetryCount, RETRY_COUNT, NONE],
      [REQUEST.ackRetryDelay, RETRY_DELAY_32_BYTES, NONE],
      [REQUEST.ackEnable, 1, NONE],
    ]);
    return failed === undefined ? ok(radio) : fail(failed);
  }

  /** One packet out, its acknowledgement back. HALO-507 when the dongle is gone or silent. */
  async exchange(to: RadioUri, packet: Uint8Array): Promise<Result<RadioAck>> {
    assert(!this.#busy, 'one exchange at a time');
    assert(packet.length >= 1 && packet.length <= PACKET_MAX, 'a packet fits the radio');
    this.#busy = true;
    try {
      const failed = await this.#tune(to);
      if (failed !== undefined) return fail(failed);
      const out = await timely(this.#usb.bulkOut(packet), 'sending');
      if (!out.ok) return out;
      const answer = await timely(this.#usb.bulkIn(), 'waiting for the acknowledgement');
      if (!answer.ok) return answer;
      const ack = parseAck(answer.value, RETRY_COUNT);
      return ack === undefined ? fail(trouble('The Crazyradio answered nonsense.')) : ok(ack);
    } finally {
      this.#busy = false;
    }
  }

  async close(): Promise<void> {
    await timely(this.#usb.close(), 'closing');
  }

  /** A setting costs about a millisecond: only what differs is sent. */
  async #tune(to: RadioUri): Promise<HaloError | undefined> {
    const was = this.#tuned;
    if (was === to) return undefined;
    this.#tuned = undefined;
    const settings: Setting[] = [];
    if (was?.rate !== to.rate) settings.push([REQUEST.rate, RATES.indexOf(to.rate), NONE]);
    if (was?.channel !== to.channel) settings.push([REQUEST.channel, to.channel, NONE]);
    settings.push([REQUEST.address, 0, to.address]);
    const failed = await this.#set(settings);
    if (failed === undefined) this.#tuned = to;
    return failed;
  }

  async #set(settings: readonly Setting[]): Promise<HaloError | undefined> {
    for (const [request, value, data] of settings) {
      const done = await timely(this.#usb.control(request, value, data), 'a setting');
      if (!done.ok) return done.error;
    }
    return undefined;
  }
}

/** The digits are decimal on both sides of the point: 0x0053 is 0.53, 0x0504 is 5.4. */
const versionOf = (bcd: number): number =>
  Number(`${(bcd >> 8).toString(16)}.${(bcd & 0xff).toString(16)}`);

type Setting = readonly [request: number, value: number, data: Uint8Array];

const trouble = (message: string): HaloError => linkError('HALO-507', message, REMEDY);

async function timely<T>(transfer: Promise<T>, what: string): Promise<Result<T>> {
  const ended = transfer.then(
    (value) => ok(value),
    (error: unknown) => fail(trouble(`Crazyradio, ${what}: ${String(error)}.`)),
  );
  const result = await within(ended, TRANSFER_LIMIT_MS);
  return result ?? fail(trouble(`Crazyradio, ${what}: no answer within ${TRANSFER_LIMIT_MS} ms.`));
}
