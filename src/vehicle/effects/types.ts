/**
 * What an effect is: a stepped machine between an admitted component and the vehicle.
 * Enters: nothing. Leaves: types. Never: a machine that writes by itself; it only asks for frames.
 */
import type {
  Envelope,
  HaloError,
  KindEntry,
  Mission,
  Observed,
  Snapshot,
  WireMessage,
} from '../../contract/index.js';
import type { Received } from '../received.js';
import type { CommandAck } from '../telemetry.js';

/** What one step sees. `acks` and `reasons` are those since the last step. */
export interface EffectContext {
  readonly nowUs: number;
  readonly snapshot: Snapshot;
  readonly acks: readonly CommandAck[];
  readonly reasons: readonly string[];
  /** Answers of services, as they came. */
  readonly heard: readonly Received[];
}

/**
 * `done`: observed. `refused`: the vehicle said no, and evidence agrees. `unknown`: neither can be
 * said; nothing is sent again. After anything but `running` the machine is not stepped any more.
 */
export interface EffectStep {
  readonly status: 'running' | 'done' | 'refused' | 'unknown';
  /** One word for a pilot: `arming`, `moving`, `settling`, … */
  readonly phase: string;
  readonly detail: string;
  readonly frames: readonly WireMessage[];
  readonly observed?: Observed;
  readonly error?: HaloError;
  /** Done by evidence alone: no frame was sent. */
  readonly ensured?: boolean;
}

export interface Expects {
  readonly modes: readonly string[];
  readonly armed?: boolean;
}

export interface EffectMachine {
  /**
   * Changes that this effect has asked for, or is about to ask for in its next step, and has not
   * seen yet. Read it after each step: it empties as the changes are seen.
   */
  readonly expects: Expects;
  readonly envelope: Envelope;
  step(context: EffectContext): EffectStep;
}

export interface EffectOptions {
  readonly entry: KindEntry;
  readonly snapshot: Snapshot;
  readonly nowUs: number;
  readonly targetSystem: number;
  /** A goto takes over from another whose last frame has just been sent. */
  readonly streaming?: boolean;
  /** For a mission.start: what the upload that it names has stored, and the digest of that. */
  readonly mission?: Mission | undefined;
  readonly missionHash?: string | undefined;
}
