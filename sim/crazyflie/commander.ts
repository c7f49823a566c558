/**
 * Which setpoint flies: streamed ones before the high-level commander. Enters: packets of ports 3,
 * 7 and 8. Leaves: the setpoint of this moment and its age. Never: a streamed setpoint that the
 * high-level commander displaces by itself: a client has to say that it stops.
 */
import { HighLevel, type HighLevelCommand } from './high-level.js';
import { decodeGeneric, decodeRpyt } from './setpoints.js';
import { OFF, type Setpoint } from './types.js';

const NOTIFY_STOP = 0;

export class Commander {
  readonly highLevel = new HighLevel();
  #streamed: { readonly setpoint: Setpoint; readonly atUs: number } | undefined;
  /** The stick commander is deaf to thrust until it was told zero once. */
  #thrustLocked = true;

  constructor(private readonly protocol: number) {}

  /** @returns how the firmware dies of the packet, if it does. */
  generic(channel: number, data: Uint8Array, nowUs: number): string | undefined {
    if (channel === 1) {
      if (data[0] === NOTIFY_STOP) this.#streamed = undefined;
      return undefined;
    }
    if (channel !== 0) return undefined;
    const decoded = decodeGeneric(data, this.protocol);
    if (!decoded.ok) return decoded.assertion;
    this.#stream(decoded.setpoint, nowUs);
    return undefined;
  }

  rpyt(data: Uint8Array, nowUs: number): void {
    const setpoint = decodeRpyt(data);
    if (setpoint?.kind !== 'attitude') return;
    if (setpoint.thrust === 0) this.#thrustLocked = false;
    this.#stream(this.#thrustLocked ? { ...setpoint, thrust: 0 } : setpoint, nowUs);
  }

  command(command: HighLevelCommand): number {
    return this.highLevel.command(command);
  }

  now(nowUs: number): { readonly setpoint: Setpoint; readonly ageUs: number } {
    const streamed = this.#streamed;
    if (streamed !== undefined) {
      return { setpoint: streamed.setpoint, ageUs: nowUs - streamed.atUs };
    }
    // The high-level commander feeds itself, also while it has nothing to fly.
    return { setpoint: this.highLevel.setpoint(nowUs), ageUs: 0 };
  }

  #stream(setpoint: Setpoint, nowUs: number): void {
    this.highLevel.stop();
    this.#streamed = { setpoint, atUs: nowUs };
  }
}

export const wantsThrust = (setpoint: Setpoint): boolean =>
  setpoint !== OFF &&
  setpoint.kind !== 'off' &&
  !(setpoint.kind === 'attitude' && setpoint.thrust === 0);
