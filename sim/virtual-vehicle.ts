/**
 * The embedded autopilot on a virtual clock behind a lossy link, offered as a link transport.
 * In: a clock, options, trouble. Out: a Transport for the bridge's own link, in virtual time.
 * Never opens a socket.
 */
import { Autopilot, FrameWriter, STEP_US, type AutopilotOptions } from './autopilot/index.js';
import { LossyLink, type Trouble } from './lossy-link.js';
import type { VirtualClock } from './virtual-clock.js';
import type { Endpoint, Receiver, Sent, Transport, TransportStats } from '../src/link/index.js';

/** Where a vehicle in memory pretends to be. */
const VEHICLE: Endpoint = { host: '127.0.0.1', port: 14580 };

export class VirtualVehicle {
  readonly autopilot: Autopilot;
  readonly link: LossyLink;
  private readonly writer: FrameWriter;
  private receiver: Receiver | undefined;

  constructor(
    private readonly clock: VirtualClock,
    options: AutopilotOptions,
    trouble: Trouble = {},
  ) {
    this.autopilot = new Autopilot(options);
    this.writer = new FrameWriter(options.systemId);
    this.link = new LossyLink(options.random, trouble);
    clock.every(STEP_US, (nowUs) => {
      this.turn(nowUs);
    });
  }

  private turn(nowUs: number): void {
    for (const bytes of this.link.toVehicle.receive(nowUs)) this.autopilot.receive(bytes, nowUs);
    for (const message of this.autopilot.step(nowUs)) {
      this.link.fromVehicle.send(this.writer.frame(message), nowUs);
    }
    for (const bytes of this.link.fromVehicle.receive(nowUs)) this.receiver?.(bytes, VEHICLE);
  }

  /** The peer's end: what the bridge's link opens instead of a UDP socket. */
  transport(): Transport {
    let peer: Endpoint | undefined;
    let sent = 0;
    let closed = false;
    const stats = (): TransportStats => ({ sent, sendErrors: 0, trouble: undefined });
    const send = (bytes: Uint8Array): Sent => {
      if (!closed) {
        sent += 1;
        this.link.toVehicle.send(bytes, this.clock.nowUs());
      }
      return { ok: true };
    };
    return {
      get peer() {
        return peer;
      },
      get stats() {
        return stats();
      },
      onBytes: (receiver) => {
        this.receiver = receiver;
      },
      adoptPeer: (endpoint) => {
        peer = endpoint;
      },
      send,
      close: () => {
        closed = true;
        this.receiver = undefined;
        return Promise.resolve();
      },
    };
  }
}
