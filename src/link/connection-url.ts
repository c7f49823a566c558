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

export interface TcpOptions {
  /** Who waits: `server` for one client at a time, `client` connects and connects again. */
  readonly role: 'server' | 'client';
  readonly host: string;
  readonly port: number;
}

export interface SerialOptions {
  /** Absolute path of the device. */
  readonly path: string;
  /** Bits a second. */
  readonly baud: number;
}

export type Connection =
  | { readonly kind: 'udp'; readonly udp: UdpOptions }
  | { readonly kind: 'tcp'; readonly tcp: TcpOptions }
  | { readonly kind: 'serial'; readonly serial: SerialOptions }
  /** To be read further by the room of the radio. */
  | { readonly kind: 'radio'; readonly uri: string };

// [bind-host][:bind-port]@host:port, or host:port; scheme first. No path, no query. pymavlink
// writes the named directions without slashes, MAVSDK with them; udp: needs them everywhere.
const ONE_OR_TWO = String.raw`(?:([^@/:?#\s]*)(?::(\d{1,5}))?@)?([^@/:?#\s]*):(\d{1,5})`;
const UDP = new RegExp(`^(udpin:(?://)?|udpout:(?://)?|udp://)${ONE_OR_TWO}$`);
const TCP = /^(tcpin:(?:\/\/)?|tcpout:(?:\/\/)?|tcp:\/\/)([^@/:?#\s]*):(\d{1,5})$/;
const SERIAL = /^serial:(?:\/\/)?(\/[^:?#\s]+):(\d{1,7})$/;
const RADIO = /^radio:\/\/\S{1,80}$/;
const NAME = /^[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?$/;
/** Multicast, broadcast and "any" name no single vehicle. */
const NOT_ONE_HOST = /^(0\.0\.0\.0$|255\.255\.255\.255$|2(2[4-9]|3\d)\.)/;
/** 1,200 is the slowest that any telemetry radio speaks; 4,000,000 the fastest of Linux. */
const BAUD = { min: 1200, max: 4_000_000 };

const isPort = (port: number): boolean => port >= 1 && port <= 65_535;
const isOneHost = (host: string): boolean => NAME.test(host) && !NOT_ONE_HOST.test(host);

type Bad = (why: string) => Result<never>;

/**
 * Reads `udpin://host:port`, `udpout://host:port`, `udp://[host]:port@host:port` (MAVROS),
 * `udp://:port` (as udpin), `tcpin://host:port`, `tcpout://host:port` and `tcp://host:port` (as
 * tcpout), `serial:/dev/path:baud`, `radio://…`; the slashes of the named directions may be left
 * out. 0.0.0.0 is bound only when it is written. Refuses with HALO-502.
 */
export function parseConnectionUrl(url: string): Result<Connection> {
  const shown = url.slice(0, 120);
  const bad: Bad = (why) => fail({ ...linkError('HALO-502', `"${shown}": ${why}.`), path: shown });
  const udp = UDP.exec(url);
  if (udp !== null) return readUdp(udp, url, bad);
  const tcp = TCP.exec(url);
  if (tcp !== null) return readTcp(tcp, bad);
  const serial = SERIAL.exec(url);
  if (serial !== null) return readSerial(serial, bad);
  if (RADIO.test(url)) return ok({ kind: 'radio', uri: url });
  if (/^serial:.*[^:\d]$/.test(url)) return bad('the baud rate is missing');
  return bad('this is none of the known forms');
}

/** `udpout://` as `udpout`. */
const nameOf = (scheme: string | undefined): string => (scheme ?? '').split(':')[0] ?? '';

function readUdp(match: RegExpExecArray, url: string, bad: Bad): Result<Connection> {
  const [, written, bindHost = '', bindPortText, host = '', portText] = match;
  const scheme = nameOf(written);
  const port = Number(portText);
  const udp = (options: UdpOptions): Result<Connection> => ok({ kind: 'udp', udp: options });
  if (!isPort(port)) return bad(`port ${port} is outside 1..65535`);
  for (const name of [bindHost, host]) {
    if (name !== '' && !NAME.test(name)) return bad(`"${name.slice(0, 60)}" is not a host`);
  }
  const bind = (name: string): { bindHost?: string } => (name === '' ? {} : { bindHost: name });
  if (bindPortText !== undefined) {
    const bindPort = Number(bindPortText);
    if (scheme !== 'udp') return bad(`${scheme} takes one address; use udp:// for two`);
    if (!isPort(bindPort)) return bad(`port ${bindPort} is outside 1..65535`);
    if (!isOneHost(host)) return bad('the remote host must be one host');
    return udp({ ...bind(bindHost), bindPort, remoteHost: host, remotePort: port });
  }
  if (url.includes('@')) return bad('the port before @ is missing');
  if (scheme === 'udpout') {
    if (!isOneHost(host)) return bad('udpout needs one remote host');
    return udp({ bindPort: 0, remoteHost: host, remotePort: port });
  }
  // udp://host:port listens for some neighbours and connects for others.
  if (scheme === 'udp' && host !== '') return bad('write udpin:// to listen, udpout:// to connect');
  return udp({ ...bind(host), bindPort: port });
}

function readTcp([, written, host = '', portText]: RegExpExecArray, bad: Bad): Result<Connection> {
  const port = Number(portText);
  if (!isPort(port)) return bad(`port ${port} is outside 1..65535`);
  if (nameOf(written) === 'tcpin') {
    if (host !== '' && !NAME.test(host)) return bad(`"${host.slice(0, 60)}" is not a host`);
    const own = host === '' ? '127.0.0.1' : host;
    return ok({ kind: 'tcp', tcp: { role: 'server', host: own, port } });
  }
  if (!isOneHost(host)) return bad('tcpout needs one remote host');
  return ok({ kind: 'tcp', tcp: { role: 'client', host, port } });
}

function readSerial([, path = '', baudText]: RegExpExecArray, bad: Bad): Result<Connection> {
  const baud = Number(baudText);
  if (baud < BAUD.min || baud > BAUD.max) {
    return bad(`the baud rate ${baud} is outside ${BAUD.min}..${BAUD.max}`);
  }
  return ok({ kind: 'serial', serial: { path, baud } });
}
