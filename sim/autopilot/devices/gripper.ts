/**
 * A gripper that holds a load. In: DO_GRIPPER. Out: nothing on the wire: whether it has let go is
 * for a sensor of its own to tell. Never grips again in the air.
 */
import { ACCEPTED, type Device, type DeviceCommand, type DeviceView } from './device.js';

const DO_GRIPPER = 211;
const RELEASE = 0;
/** The servo's way. */
const OPENING_US = 500_000;

export class Gripper implements Device {
  readonly component = 1;
  /** It opens, and nothing falls: an acknowledgement alone would not tell. */
  stuck = false;
  private openUs: number | undefined;
  private gone = false;

  get released(): boolean {
    return this.gone;
  }

  handle({ command, p }: DeviceCommand, view: DeviceView): number | undefined {
    if (command !== DO_GRIPPER) return undefined;
    if (p[2] === RELEASE) this.openUs ??= view.bootUs + OPENING_US;
    return ACCEPTED;
  }

  step({ bootUs }: DeviceView): void {
    if (this.openUs !== undefined && bootUs >= this.openUs && !this.stuck) this.gone = true;
  }
}
