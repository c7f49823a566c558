/**
 * The wire between bridge and vehicle, watched from outside of both: what left for the vehicle,
 * what reached it, and when the bridge last heard what. Enters: datagrams. Leaves: lists.
 * Never: a word of what the bridge believes it has sent.
 */
import { messageInfo, type Transport } from '../../src/link/index.js';
import { wireDigest } from '../../src/gate/index.js';
import type { VirtualVehicle } from '../../sim/virtual-vehicle.js';

export const SETPOINT = 84;
export const COMMAND_LONG = 76;
export const MESSAGE = {
  heartbeat: 0,
  sysStatus: 1,
  gps: 24,
  position: 32,
  landed: 245,
  estimator: 230,
  commandAck: 77,
  event: 410,
} as const;

/** HEARTBEAT, PING, PARAM_REQUEST_READ, PARAM_REQUEST_LIST, TIMESYNC, STATUSTEXT. */
const HARMLESS: ReadonlySet<number> = new Set([0, 4, 20, 21, 111, 253]);
/** RUN_PREARM_CHECKS, SET_MESSAGE_INTERVAL, REQUEST_MESSAGE: they change what is reported. */
const HARMLESS_COMMANDS: ReadonlySet<number> = new Set([401, 511, 512]);

const HEADER = 10;
const CRC = 2;

/** One frame that makes a vehicle do something. */
export interface Actuation {
  readonly atUs: number;
  readonly id: number;
  /** MAV_CMD of a COMMAND_LONG. */
  readonly command: number | undefined;
  /** DO_SET_MODE: PX4's main and sub mode. */
  readonly mode: string | undefined;
  /** Over the payload before zero truncation, as bindings have it. */
  readonly digest: string;
  /** Every byte that was on the wire. */
  readonly bytes: string;
  /** Age in ms, at that moment, of the last message of each id that the bridge has heard. */
  readonly ageMs: (id: number) => number;
}

const idOf = (bytes: Uint8Array): number =>
  (bytes[7] ?? 0) | ((bytes[8] ?? 0) << 8) | ((bytes[9] ?? 0) << 16);

export class Wire {
  readonly sent: Actuation[] = [];
  /** What reached the vehicle, damaged or not. */
  readonly arrived: Actuation[] = [];
  /** Ids of messages that the bridge does not get to hear for now. */
  readonly deafTo = new Set<number>();
  /** Frames that get lost on their way to the vehicle. */
  loses: (frame: Actuation) => boolean = () => false;
  readonly #heardUs = new Map<number, number>();
  readonly #nowUs: () => number;

  constructor(nowUs: () => number) {
    this.#nowUs = nowUs;
  }

  /** The bridge's end of the link. */
  around(vehicle: VirtualVehicle): Transport {
    const inner = vehicle.transport();
    return {
      get peer() {
        return inner.peer;
      },
      get stats() {
        return inner.stats;
      },
      onBytes: (receiver) => {
        inner.onBytes((bytes, source) => {
          const id = idOf(bytes);
          if (this.deafTo.has(id)) return;
          this.#heardUs.set(id, this.#nowUs());
          receiver(bytes, source);
        });
      },
      adoptPeer: (peer) => inner.adoptPeer(peer),
      send: (bytes) => {
        const frame = this.#note(this.sent, bytes);
        return frame !== undefined && this.loses(frame) ? { ok: true } : inner.send(bytes);
      },
      close: () => inner.close(),
    };
  }

  /** Listens at the vehicle's end too. */
  watch(vehicle: VirtualVehicle): void {
    const channel = vehicle.link.toVehicle;
    const receive = channel.receive.bind(channel);
    channel.receive = (nowUs) => {
      const datagrams = receive(nowUs);
      for (const bytes of datagrams) this.#note(this.arrived, bytes);
      return datagrams;
    };
  }

  setpoints(fromUs = 0): readonly Actuation[] {
    return this.sent.filter((frame) => frame.id === SETPOINT && frame.atUs >= fromUs);
  }

  modes(fromUs = 0): readonly (string | undefined)[] {
    return this.sent.filter((frame) => frame.mode && frame.atUs >= fromUs).map(({ mode }) => mode);
  }

  #note(list: Actuation[], bytes: Uint8Array): Actuation | undefined {
    const id = idOf(bytes);
    if (HARMLESS.has(id)) return undefined;
    const payload = new Uint8Array(messageInfo(id)?.payloadLength ?? 255);
    payload.set(bytes.subarray(HEADER, bytes.length - CRC).subarray(0, payload.length));
    const view = new DataView(payload.buffer);
    const command = id === COMMAND_LONG ? view.getUint16(28, true) : undefined;
    if (command !== undefined && HARMLESS_COMMANDS.has(command)) return undefined;
    const atUs = this.#nowUs();
    const heard = new Map(this.#heardUs);
    const frame = {
      atUs,
      id,
      command,
      mode: command === 176 ? modeName(view) : undefined,
      digest: wireDigest(id, payload),
      bytes: Buffer.from(bytes).toString('hex'),
      ageMs: (of: number) => (atUs - (heard.get(of) ?? Number.NEGATIVE_INFINITY)) / 1000,
    };
    list.push(frame);
    return frame;
  }
}

const MODES: Readonly<Record<string, string>> = {
  '6.0': 'OFFBOARD',
  '4.2': 'AUTO.TAKEOFF',
  '4.3': 'AUTO.LOITER',
  '4.4': 'AUTO.MISSION',
  '4.5': 'AUTO.RTL',
  '4.6': 'AUTO.LAND',
};

/** What DO_SET_MODE asks for. */
function modeName(view: DataView): string {
  const numbers = `${view.getFloat32(4, true)}.${view.getFloat32(8, true)}`;
  return MODES[numbers] ?? numbers;
}
