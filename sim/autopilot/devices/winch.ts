/**
 * A winch of its own component. In: DO_WINCH with a length. Out: WINCH_STATUS at 2 Hz.
 * Never lets out more line than it has.
 */
import { ACCEPTED, DENIED, type Device, type DeviceCommand, type Say } from './device.js';
import type { DeviceView } from './device.js';

/** MAV_COMP_ID_WINCH */
export const WINCH_COMPONENT = 169;
const DO_WINCH = 42600;
const LENGTH_CONTROL = 1;
const LINE_M = 15;
const PERIOD_US = 500_000;

export class Winch implements Device {
  readonly component = WINCH_COMPONENT;
  private outM = 0;
  private targetM = 0;
  private speedMS = 1;
  private lastUs = 0;

  handle({ command, p }: DeviceCommand): number | undefined {
    if (command !== DO_WINCH) return undefined;
    const [, , action, lengthM = NaN, speedMS = NaN] = p;
    if (action !== LENGTH_CONTROL || !(lengthM >= 0 && lengthM <= LINE_M)) return DENIED;
    this.targetM = lengthM;
    this.speedMS = Math.abs(speedMS);
    return ACCEPTED;
  }

  step({ bootUs }: DeviceView, say: Say, dtS: number): void {
    const most = this.speedMS * dtS;
    const leftM = this.targetM - this.outM;
    this.outM = Math.abs(leftM) <= most ? this.targetM : this.outM + Math.sign(leftM) * most;
    if (bootUs - this.lastUs < PERIOD_US) return;
    this.lastUs = bootUs;
    say('WINCH_STATUS', {
      time_usec: BigInt(Math.round(bootUs)),
      line_length: this.outM,
      speed: 0,
      tension: NaN,
      voltage: NaN,
      current: NaN,
      status: 1,
      temperature: 20,
    });
  }
}
