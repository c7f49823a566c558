/**
 * Connection URLs of MAVSDK and MAVROS. Enters: text that an operator wrote. Leaves: where to
 * bind and where to send. Never: a guess about a form that the neighbours read differently, or
 * an address that the operator did not write: without a host only this machine is reached.
 */
import { fail, ok, type Result } from '../contract/index.js';
import { linkError } from './errors.js';

export interface UdpOptions {
  /** Own address. Without it: the one that routes to the remote host, else 127.0.0.1. */
  readonly bindHost?: string;
  /** Own port; 0 lets the system choose. */
  readonly bindPort: number;
  /** Fixed peer: only it is heard and addressed. Without it the peer is learned. */
  readonly remoteHost?: string;
  readonly remotePort?: number;
}

// [bind-host][:bind-port]@host:port, or host:port; scheme first. No path, no query.
const FORM = /^(udpin|udpout|udp):\/\/(?:([^@/:?#\s]*)(?::(\d{1,5}))?@)?([^@/:?#\s]*):(\d{1,5})$/;
const NAME = /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;
/** Multicast, broadcast and "any" name no single vehicle. */
const NOT_ONE_HOST = /^(0\.0\.0\.0$|255\.255\.255\.255$|2(2[4-9]|3\d)\.)/;

const isPort = (port: number): boolean => port >= 1 && port <= 65_535;

/**
 * Reads `udpin://host:port`, `udpout://host:port`, `udp://[host]:port@host:port` (MAVROS) and
 * `udp://:port` (as udpin). 0.0.0.0 is bound only when it is written. Refuses with HALO-502.
 */
export function parseConnectionUrl(url: string): Result<UdpOptions> {
  const shown = url.slice(0, 120);
  const bad = (why: string): Result<UdpOptions> =>
    fail({ ...linkError('HALO-502', `"${shown}": ${why}.`), path: shown });
  const match = FORM.exec(url);
  if (match === null) return bad('this is none of the known forms');
  const [, scheme, bindHost = '', bindPortText, host = '', portText] = match;
  const port = Number(portText);
  if (!isPort(port)) return bad(`port ${port} is outside 1..65535`);
  for (const name of [bindHost, host]) {
    if (name !== '' && !NAME.test(name)) return bad(`"${name.slice(0, 60)}" is not a host`);
  }
  const bind = (name: string): { bindHost?: string } => (name === '' ? {} : { bindHost: name });
  if (bindPortText !== undefined) {
    const bindPort = Number(bindPortText);
    if (scheme !== 'udp') return bad(`${scheme} takes one address; use udp:// for two`);
    if (!isPort(bindPort)) return bad(`port ${bindPort} is outside 1..65535`);
    if (host === '' || NOT_ONE_HOST.test(host)) return bad('the remote host must be one host');
    return ok({ ...bind(bindHost), bindPort, remoteHost: host, remotePort: port });
  }
  if (url.includes('@')) return bad('the port before @ is missing');
  if (scheme === 'udpout') {
    if (host === '' || NOT_ONE_HOST.test(host)) return bad('udpout needs one remote host');
    return ok({ bindPort: 0, remoteHost: host, remotePort: port });
  }
  // udp://host:port listens for some neighbours and connects for others.
  if (scheme === 'udp' && host !== '') return bad('write udpin:// to listen, udpout:// to connect');
  return ok({ ...bind(host), bindPort: port });
}
