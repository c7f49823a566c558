/**
 * A two-axis gimbal behind the autopilot's gimbal manager.
 * In: DO_GIMBAL_MANAGER_CONFIGURE, DO_GIMBAL_MANAGER_PITCHYAW. Out: its attitude at 10 Hz.
 * Never turns for somebody who has not taken control of it.
 */
import { ACCEPTED, DENIED, type Device, type DeviceCommand, type Say } from './device.js';
import type { DeviceView } from './device.js';

const PITCHYAW = 1000;
const CONFIGURE = 1001;
const WHOEVER_SENDS = -2;
const RATE_DEG_S = 60;
const PERIOD_US = 100_000;
/** Roll and pitch from the horizon, yaw from the nose. */
const FLAGS = 4 + 8 + 32;

export class Gimbal implements Device {
  readonly component = 1;
  pitchDeg = 0;
  yawDeg = 0;
  private target = { pitchDeg: 0, yawDeg: 0 };
  private controller: string | undefined;
  private lastUs = 0;

  handle({ command, p, from }: DeviceCommand): number | undefined {
    if (command === CONFIGURE) {
      if (p[1] === WHOEVER_SENDS) this.controller = from;
      return ACCEPTED;
    }
    if (command !== PITCHYAW) return undefined;
    if (from !== this.controller) return DENIED;
    const [, pitchDeg = NaN, yawDeg = NaN] = p;
    if (Number.isFinite(pitchDeg) && Number.isFinite(yawDeg)) this.target = { pitchDeg, yawDeg };
    return ACCEPTED;
  }

  step({ bootUs }: DeviceView, say: Say, dtS: number): void {
    this.pitchDeg = towards(this.pitchDeg, this.target.pitchDeg, RATE_DEG_S * dtS);
    this.yawDeg = towards(this.yawDeg, this.target.yawDeg, RATE_DEG_S * dtS);
    if (bootUs - this.lastUs < PERIOD_US) return;
    this.lastUs = bootUs;
    const [pitch, yaw] = [(this.pitchDeg * Math.PI) / 360, (this.yawDeg * Math.PI) / 360];
    say('GIMBAL_DEVICE_ATTITUDE_STATUS', {
      time_boot_ms: Math.floor(bootUs / 1000),
      q: [
        Math.cos(pitch) * Math.cos(yaw),
        -Math.sin(pitch) * Math.sin(yaw),
        Math.sin(pitch) * Math.cos(yaw),
        Math.cos(pitch) * Math.sin(yaw),
      ],
      angular_velocity_x: 0,
      angular_velocity_y: 0,
      angular_velocity_z: 0,
      failure_flags: 0,
      flags: FLAGS,
      target_system: 0,
      target_component: 0,
    });
  }
}

function towards(from: number, to: number, most: number): number {
  return Math.abs(to - from) <= most ? to : from + Math.sign(to - from) * most;
}
