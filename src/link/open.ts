/**
 * The one way from a connection URL to bytes. Enters: what the operator wrote. Leaves: an open
 * transport, or the error with its remedy, within three seconds. Never: a second guess.
 */
import { fail, type Result } from '../contract/index.js';
import { parseConnectionUrl } from './connection-url.js';
import { linkError } from './errors.js';
import { openSerial } from './serial.js';
import { openTcp } from './tcp.js';
import type { Transport } from './transport.js';
import { openUdp } from './udp.js';

/** Errors: HALO-501, 502, 503, 513, 514. */
export async function openConnection(url: string): Promise<Result<Transport>> {
  const parsed = parseConnectionUrl(url);
  if (!parsed.ok) return parsed;
  const connection = parsed.value;
  switch (connection.kind) {
    case 'udp':
      return openUdp(connection.udp);
    case 'tcp':
      return openTcp(connection.tcp);
    case 'serial':
      return openSerial(connection.serial);
    case 'radio': {
      const text = `"${connection.uri}": MAVLink is spoken over UDP, TCP or a serial line here.`;
      return fail(linkError('HALO-502', text));
    }
  }
}
