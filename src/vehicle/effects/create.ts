/** Skeleton. */
import { fail, type Result, type Typed } from '../../contract/index.js';
import { haloError } from '../../platform/index.js';
import type { EffectMachine, EffectOptions } from './types.js';

export function createEffect(typed: Typed, _options: EffectOptions): Result<EffectMachine> {
  return fail(haloError('HALO-201', `${typed.does} is not there yet`));
}
