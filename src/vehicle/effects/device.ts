/**
 * A command to something aboard that does not fly: camera, gimbal, gripper, winch.
 *
 *   unsent ──► waiting ──► done      evidence shows it
 *                 ├──────► refused   the device, or the autopilot for it, said no
 *                 └──────► unknown   neither in time
 *
 * Enters: what to send, and who watches. Leaves: each command once.
 * Never: a command a second time: a second picture or a second drop is another effect.
 */
import type { Envelope, WireMessage } from '../../contract/index.js';
import { allowCommand, commandLong, type Params } from '../messages.js';
import { ACCEPTED, IN_PROGRESS, RESULTS } from './commanding.js';
import { deadlineUs, refused, running, unknown } from './steps.js';
import type { EffectContext, EffectMachine, EffectOptions, EffectStep, Expects } from './types.js';

export interface DeviceTask {
  readonly phase: string;
  /** Sent once, in this order, in one turn. */
  readonly commands: readonly { readonly command: number; readonly params: Params }[];
  /** The state is there already, by evidence alone. */
  readonly already?: (context: EffectContext) => EffectStep | undefined;
  /** An end that evidence shows, or how far it is. */
  readonly watch: (context: EffectContext, sentUs: number) => EffectStep | string;
}

export class DeviceEffect implements EffectMachine {
  readonly expects: Expects = { modes: [] };
  readonly envelope: Envelope;
  readonly #task: DeviceTask;
  readonly #deadlineUs: number;
  #sentUs: number | undefined;

  constructor(task: DeviceTask, { targetSystem, nowUs, entry }: EffectOptions) {
    this.#task = task;
    this.envelope = {
      targetSystem,
      targetComponent: entry.targetComponent,
      allowed: task.commands.map(({ command, params }) => allowCommand(command, params)),
    };
    this.#deadlineUs = deadlineUs(nowUs, entry.deadlineS);
  }

  step(context: EffectContext): EffectStep {
    const { phase, already, watch } = this.#task;
    if (this.#sentUs === undefined) {
      const there = already?.(context);
      if (there !== undefined) return there;
      this.#sentUs = context.nowUs;
      return running(phase, 'commanded', this.#frames());
    }
    const seen = watch(context, this.#sentUs);
    if (typeof seen !== 'string') return seen;
    const no = this.#refusal(context, this.#sentUs);
    if (no !== undefined) return refused(phase, no);
    if (context.nowUs > this.#deadlineUs) return unknown(phase, `${seen}; not seen done in time`);
    return running(phase, seen);
  }

  #frames(): readonly WireMessage[] {
    const { targetSystem, targetComponent } = this.envelope;
    return this.#task.commands.map(({ command, params }) =>
      commandLong(targetSystem, command, params, 0, targetComponent),
    );
  }

  #refusal({ acks, reasons }: EffectContext, sentUs: number): string | undefined {
    const no = acks.find(
      ({ command, componentId, result, receivedUs }) =>
        this.#task.commands.some((one) => one.command === command) &&
        componentId === this.envelope.targetComponent &&
        receivedUs >= sentUs &&
        result !== ACCEPTED &&
        result !== IN_PROGRESS,
    );
    if (no === undefined) return undefined;
    const word = RESULTS[no.result] ?? `result ${no.result}`;
    return [`command ${no.command} ${word}`, ...reasons].join(': ');
  }
}
