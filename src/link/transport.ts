/**
 * What carries bytes. Enters: bytes of one frame. Leaves: bytes with the place they came from.
 * Never: a look inside the bytes, or a retry.
 */
import type { HaloError } from '../contract/index.js';
import type { Refused } from './errors.js';

/** The other end: an IPv4 address with port, or what stands for one in another transport. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

export const sameEndpoint = (a: Endpoint, b: Endpoint): boolean =>
  a.port === b.port && a.host === b.host;

export type Receiver = (bytes: Uint8Array, source: Endpoint) => void;

export type Sent = { readonly ok: true } | Refused;

export interface TransportStats {
  readonly sent: number;
  readonly sendErrors: number;
  /** The last send that failed, until one succeeds again. */
  readonly trouble: HaloError | undefined;
}

export interface Transport {
  /** Where frames go; undefined until one is fixed or adopted. */
  readonly peer: Endpoint | undefined;
  readonly stats: TransportStats;
  /** One receiver; it is called once a datagram or chunk, and does not keep the bytes. */
  onBytes(receiver: Receiver): void;
  /**
   * How often the other end has been connected, from 1 when it is; each new number is a new life
   * of the link. Absent where there is no connection that could end.
   */
  readonly connections?: number;
  /** Fixes the peer. The owner calls it when a source has proved to be the right one. */
  adoptPeer(peer: Endpoint): void;
  /** Lets go of a peer that was adopted; one that the operator fixed stays. Absent: never. */
  forgetPeer?(): void;
  /** Hands the bytes over in this very turn. HALO-508 without a peer, HALO-507 when closed. */
  send(bytes: Uint8Array): Sent;
  close(): Promise<void>;
}
