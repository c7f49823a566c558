/** Skeleton. */
import type { AllowedSetpoint, GuardianAction, Snapshot } from '../contract/index.js';
import { assert } from '../platform/index.js';
import type { EffectMachine } from './effects/types.js';

export interface GuardianOptions {
  readonly snapshot: Snapshot;
  readonly nowUs: number;
  readonly targetSystem: number;
}
export function createGuardian(
  _action: Exclude<GuardianAction, 'continue'>,
  _options: GuardianOptions,
): EffectMachine {
  assert(false, 'not there yet');
}
/** After a goto with nothing following: streams exactly its target until AUTO.LOITER is seen. */
export function createHandover(
  _setpoint: AllowedSetpoint,
  _options: GuardianOptions,
): EffectMachine {
  assert(false, 'not there yet');
}
