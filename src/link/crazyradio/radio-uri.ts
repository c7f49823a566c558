/**
 * Where a Crazyflie is on the air. Enters: text that an operator wrote, in the form of Bitcraze's
 * own tools. Leaves: dongle, channel, rate, address. Never: a default for a part that is missing,
 * or an address that is padded: both would call a vehicle that nobody meant.
 */
import { fail, ok, type Result } from '../../contract/index.js';
import { linkError } from '../errors.js';

/** Data rates of the nRF24, as bits a second are written in the URI. */
export const RATES = ['250K', '1M', '2M'] as const;
export type RadioRate = (typeof RATES)[number];

export interface RadioUri {
  /** A number counts dongles from 0; anything else is a dongle's serial number. */
  readonly dongle: string;
  /** 0..125: 2400 + n MHz. */
  readonly channel: number;
  readonly rate: RadioRate;
  /** Five bytes, in the order in which they are written. */
  readonly address: Uint8Array;
}

const FORM = /^radio:\/\/([0-9A-Za-z]{1,32})\/(\d{1,3})\/(250K|1M|2M)\/([0-9A-Fa-f]{10})$/;
const CHANNEL_MAX = 125;
const REMEDY = 'Use radio://0/80/2M/E7E7E7E7E7: dongle, channel 0..125, 250K, 1M or 2M, address.';

const isRate = (text: string): text is RadioRate => RATES.some((rate) => rate === text);

/** Reads `radio://<dongle>/<channel>/<rate>/<10 hex digits>`. Refuses with HALO-502. */
export function parseRadioUri(uri: string): Result<RadioUri> {
  const shown = uri.slice(0, 120);
  const bad = (why: string): Result<RadioUri> =>
    fail({ ...linkError('HALO-502', `"${shown}": ${why}.`, REMEDY), path: shown });
  const match = FORM.exec(uri);
  if (match === null) return bad('this is not a complete radio URI');
  const [, dongle = '', channelText, rate = '', hex = ''] = match;
  const channel = Number(channelText);
  if (channel > CHANNEL_MAX) return bad(`channel ${channel} is outside 0..${CHANNEL_MAX}`);
  if (!isRate(rate)) return bad('the rate is none of 250K, 1M, 2M');
  const address = Uint8Array.from({ length: 5 }, (_, i) =>
    Number.parseInt(hex.slice(2 * i, 2 * i + 2), 16),
  );
  return ok({ dongle: dongle.toUpperCase(), channel, rate, address });
}
