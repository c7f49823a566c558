/**
 * Hands for tests of one effect: snapshots made from plain values on a virtual clock, so that a
 * timeline says exactly what the vehicle showed and when.
 */
import {
  kindEntrySchema,
  NO_EPOCHS,
  type EvidenceDatum,
  type EvidenceValue,
  type KindEntry,
  type HaloError,
  type Snapshot,
  type Typed,
  type WireMessage,
} from '../../src/contract/index.js';
import {
  createEffect,
  type CommandAck,
  type EffectMachine,
  type EffectOptions,
  type EffectStep,
  type Received,
} from '../../src/vehicle/index.js';

export const SECOND = 1_000_000;
const TICK_US = 20_000;

export const entryOf = (does: string, more: Partial<KindEntry> = {}): KindEntry => ({
  ...kindEntrySchema.parse({ does, effectClass: 'reversible', frames: 5000, deadlineS: 60 }),
  ...more,
});

/** A vehicle that stands armed in hold, 6 m up at [1, 2], heading north. */
export const HOVERING: Readonly<Record<string, EvidenceDatum>> = {
  'vehicle.armed': true,
  'vehicle.mode': 'AUTO.LOITER',
  'vehicle.landed': 'in_air',
  'vehicle.position': [1, 2, 6],
  'vehicle.velocity': [0, 0, 0],
  'vehicle.yaw': Math.PI / 2,
  'vehicle.home': [0, 0, 0],
  'vehicle.home_global': [47, 8, 488],
};

export const ON_GROUND: Readonly<Record<string, EvidenceDatum>> = {
  ...HOVERING,
  'vehicle.armed': false,
  'vehicle.landed': 'on_ground',
  'vehicle.position': [0, 0, 0],
};

export interface Sent {
  readonly atS: number;
  readonly message: WireMessage;
}

export class Timeline {
  nowUs = 100 * SECOND;
  readonly sent: Sent[] = [];
  readonly #startUs = this.nowUs;
  readonly #values = new Map<string, EvidenceValue>();
  /** Fields that no longer arrive. */
  readonly silent = new Set<string>();
  #acks: CommandAck[] = [];
  #reasons: string[] = [];
  #heard: Received[] = [];
  machine: EffectMachine | undefined;
  last: EffectStep | undefined;

  constructor(state: Readonly<Record<string, EvidenceDatum>>) {
    this.show(state);
  }

  get timeS(): number {
    return (this.nowUs - this.#startUs) / SECOND;
  }

  /** What the vehicle shows from now on, afresh in every tick. */
  show(state: Readonly<Record<string, EvidenceDatum>>): void {
    for (const [field, value] of Object.entries(state)) {
      this.#values.set(field, { field, value, source: 'test', receivedUs: this.nowUs });
    }
  }

  snapshot(): Snapshot {
    return { id: 's-1', takenUs: this.nowUs, values: new Map(this.#values), epochs: NO_EPOCHS };
  }

  ack(command: number, result: number): void {
    this.#acks.push({ command, result, componentId: 1, receivedUs: this.nowUs });
  }

  /** An answer of the autopilot to us. */
  hear(name: string, fields: Readonly<Record<string, number>>): void {
    const message = { name, fields: { mission_type: 0, ...fields } };
    this.#heard.push({ message, systemId: 1, componentId: 1, receivedUs: this.nowUs });
  }

  reason(text: string): void {
    this.#reasons.push(text);
  }

  tick(): EffectStep {
    this.nowUs += TICK_US;
    for (const [field, value] of this.#values) {
      if (!this.silent.has(field)) this.#values.set(field, { ...value, receivedUs: this.nowUs });
    }
    const acks = this.#acks;
    const reasons = this.#reasons;
    const heard = this.#heard;
    [this.#acks, this.#reasons, this.#heard] = [[], [], []];
    const step = this.machine?.step({
      nowUs: this.nowUs,
      snapshot: this.snapshot(),
      acks,
      reasons,
      heard,
    });
    if (step === undefined) throw new Error('no machine');
    for (const message of step.frames) this.sent.push({ atS: this.timeS, message });
    this.last = step;
    return step;
  }

  /** Ticks until the effect ends or the time is over. */
  run(seconds: number): EffectStep {
    const untilUs = this.nowUs + seconds * SECOND;
    let step = this.tick();
    while (step.status === 'running' && this.nowUs < untilUs) step = this.tick();
    return step;
  }

  commands(command: number): Sent[] {
    return this.sent.filter(({ message }) => message.fields['command'] === command);
  }

  get setpoints(): Sent[] {
    return this.sent.filter(({ message }) => message.name.startsWith('SET_POSITION'));
  }
}

/** MAV_CMD */
export const SET_MODE = 176;
export const ARM = 400;
export const TAKEOFF = 22;
/** MAV_RESULT */
export const ACCEPTED = 0;
export const TEMPORARILY_REJECTED = 1;

/** Ten metres to the east of {@link HOVERING}. */
export const goto: Typed = {
  does: 'goto',
  params: { frame: 'local_enu', positionM: [11, 2, 6], speedMS: 2, yawDeg: 90 },
};

/** Puts an effect on the timeline. */
export function make(
  timeline: Timeline,
  typed: Typed,
  more: Partial<EffectOptions> = {},
): Timeline {
  const made = createEffect(typed, {
    entry: entryOf(typed.does),
    snapshot: timeline.snapshot(),
    nowUs: timeline.nowUs,
    targetSystem: 1,
    ...more,
  });
  if (!made.ok) throw new Error(made.error.message);
  timeline.machine = made.value;
  return timeline;
}

/** Why an effect is refused before its first step. */
export const refusal = (
  timeline: Timeline,
  typed: Typed,
  entry = entryOf(typed.does),
  more: Partial<EffectOptions> = {},
): HaloError | undefined => {
  const { nowUs } = timeline;
  const made = createEffect(typed, {
    entry,
    snapshot: timeline.snapshot(),
    nowUs,
    targetSystem: 1,
    ...more,
  });
  return made.ok ? undefined : made.error;
};
