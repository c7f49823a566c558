/**
 * The high-level commander: take-off, landing and go-to as smooth ways in time. Enters: commands of
 * port 8, the time, where the vehicle is. Leaves: a setpoint as long as it flies, and the result
 * byte of each command. Never: a look at whether the vehicle follows; nothing tells "arrived".
 */
import { OFF, type Setpoint, type Xyz } from './types.js';
import { wrapRad } from '../autopilot/ned.js';

export const RESULT = { ok: 0, alreadyDoing: 1, unknown: 8, blocked: 16 } as const;

interface Pose extends Xyz {
  readonly yawRad: number;
}

interface Way {
  readonly from: Pose;
  readonly to: Pose;
  readonly beganUs: number;
  readonly durationS: number;
  readonly linear: boolean;
  readonly landing: boolean;
}

export interface HighLevelCommand {
  readonly data: Uint8Array;
  readonly nowUs: number;
  readonly at: Pose;
  readonly protocol: number;
}

export class HighLevel {
  #way: Way | undefined;

  /** It steers: a way is under way or its end is held. */
  get active(): boolean {
    return this.#way !== undefined;
  }

  finished(nowUs: number): boolean {
    const way = this.#way;
    return way === undefined || nowUs - way.beganUs >= way.durationS * 1e6;
  }

  stop(): void {
    this.#way = undefined;
  }

  /** The setpoint of this moment: off while it does not steer. A landing that ended stops. */
  setpoint(nowUs: number): Setpoint {
    const way = this.#way;
    if (way === undefined) return OFF;
    if (way.landing && this.finished(nowUs)) {
      this.stop();
      return OFF;
    }
    const { x, y, z, yawRad } = poseAt(way, nowUs);
    const later = poseAt(way, nowUs + 10_000);
    const velocityMS = { x: (later.x - x) * 100, y: (later.y - y) * 100, z: (later.z - z) * 100 };
    return {
      kind: 'position',
      positionM: { x, y, z },
      velocityMS,
      yawDeg: (yawRad * 180) / Math.PI,
    };
  }

  /** Carries a command out; the caller has asked the supervisor. */
  command(command: HighLevelCommand): number {
    const { data } = command;
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    const float = (offset: number): number => view.getFloat32(offset, true);
    switch (data[0]) {
      case 3:
        this.stop();
        return RESULT.ok;
      case 7:
      case 8: {
        if (data.length < 15) return RESULT.unknown;
        const yaw = data[10] === 1 ? undefined : float(6);
        return this.#vertical(command, data[0] === 8, float(2), yaw, float(11));
      }
      case 4:
        if (data.length < 23) return RESULT.unknown;
        return this.#goTo(command, { relative: data[2] === 1, linear: false, offset: 3 });
      case 12:
        if (command.protocol < 8 || data.length < 24) return RESULT.unknown;
        return this.#goTo(command, { relative: data[2] === 1, linear: data[3] === 1, offset: 4 });
      default:
        return RESULT.unknown;
    }
  }

  #vertical(
    { nowUs, at }: HighLevelCommand,
    landing: boolean,
    zM: number,
    yawRad: number | undefined,
    durationS: number,
  ): number {
    const way = this.#way;
    if (landing ? way?.landing === true : way !== undefined) return RESULT.alreadyDoing;
    const from = way === undefined ? at : poseAt(way, nowUs);
    const to = { ...from, z: zM, yawRad: yawRad ?? from.yawRad };
    this.#way = { from, to, beganUs: nowUs, durationS, linear: false, landing };
    return RESULT.ok;
  }

  #goTo(
    { data, nowUs, at }: HighLevelCommand,
    how: { readonly relative: boolean; readonly linear: boolean; readonly offset: number },
  ): number {
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    const float = (index: number): number => view.getFloat32(how.offset + 4 * index, true);
    const from = this.#way === undefined ? at : poseAt(this.#way, nowUs);
    const base = how.relative ? from : { x: 0, y: 0, z: 0, yawRad: 0 };
    const to = {
      x: base.x + float(0),
      y: base.y + float(1),
      z: base.z + float(2),
      yawRad: base.yawRad + float(3),
    };
    const durationS = float(4);
    this.#way = { from, to, beganUs: nowUs, durationS, linear: how.linear, landing: false };
    return RESULT.ok;
  }
}

function poseAt({ from, to, beganUs, durationS, linear }: Way, nowUs: number): Pose {
  const t = durationS <= 0 ? 1 : Math.min((nowUs - beganUs) / 1e6 / durationS, 1);
  // No jump in speed or acceleration at either end.
  const k = linear ? t : t * t * t * (10 + t * (6 * t - 15));
  return {
    x: from.x + (to.x - from.x) * k,
    y: from.y + (to.y - from.y) * k,
    z: from.z + (to.z - from.z) * k,
    yawRad: from.yawRad + wrapRad(to.yawRad - from.yawRad) * k,
  };
}
