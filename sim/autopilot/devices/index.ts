/**
 * The things aboard, together. In: COMMAND_LONG for one of them, steps. Out: acknowledgements and
 * messages, each from its own component. Never takes a command that the autopilot itself carries
 * out.
 */
import type { Outbox } from '../outbox.js';
import type { IncomingMessage } from '../types.js';
import { Camera } from './camera.js';
import type { Device, DeviceView } from './device.js';
import { Gimbal } from './gimbal.js';
import { Gripper } from './gripper.js';
import { Winch } from './winch.js';

export class Devices {
  readonly gripper = new Gripper();
  readonly gimbal = new Gimbal();
  private readonly all: readonly Device[] = [this.gripper, this.gimbal, new Camera(), new Winch()];

  constructor(
    private readonly systemId: number,
    private readonly outbox: Outbox,
  ) {}

  /** True when the command was for one of them. */
  handle(message: IncomingMessage, view: DeviceView): boolean {
    const { name, fields } = message;
    if (name !== 'COMMAND_LONG' || fields['target_system'] !== this.systemId) return false;
    const number = (key: string): number => Number(fields[key]);
    const p = [NaN, ...[1, 2, 3, 4, 5, 6, 7].map((i) => number(`param${i}`))];
    const command = number('command');
    const from = `${message.systemId}/${message.componentId}`;
    for (const device of this.all) {
      if (device.component !== fields['target_component']) continue;
      const result = device.handle({ command, p, from }, view);
      if (result === undefined) continue;
      const to = { target_system: message.systemId, target_component: message.componentId };
      const ack = { command, result, progress: 0, result_param2: 0, ...to };
      this.outbox.send('COMMAND_ACK', ack, device.component);
      return true;
    }
    return false;
  }

  step(view: DeviceView, dtS: number): void {
    for (const device of this.all) {
      device.step(view, (name, fields) => this.outbox.send(name, fields, device.component), dtS);
    }
  }
}
