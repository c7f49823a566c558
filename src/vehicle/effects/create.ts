/**
 * From an admitted component to its machine. Enters: checked parameters, the catalog's entry, a
 * snapshot. Leaves: a machine with its envelope. Never: a machine for what is only said.
 */
import { fail, ok, type Result, type Typed } from '../../contract/index.js';
import { haloError } from '../../platform/index.js';
import { Arm, Disarm } from './arming.js';
import { createCapture, createPoint, createRelease, createWinch } from './devices.js';
import { Hold } from './hold.js';
import { Land } from './land.js';
import { MissionPause } from './mission-pause.js';
import { MissionStart } from './mission-start.js';
import { MissionUpload } from './mission-upload.js';
import { ParamSet } from './param-set.js';
import { ReturnHome } from './return-home.js';
import { createFollowPath, createGoto, createOrbit, createYaw } from './routes.js';
import { Takeoff } from './takeoff.js';
import type { EffectMachine, EffectOptions } from './types.js';
import { Velocity } from './velocity.js';

/**
 * Errors: HALO-208 (evidence that it starts from is missing), HALO-211 (the state forbids it),
 * HALO-403, HALO-404 (the lease could not carry it), HALO-201 (not an effect).
 */
export function createEffect(typed: Typed, options: EffectOptions): Result<EffectMachine> {
  switch (typed.does) {
    case 'arm':
      return ok(new Arm(options));
    case 'disarm':
      return Disarm.create(options);
    case 'takeoff':
      return Takeoff.create(typed.params, options);
    case 'goto':
      return createGoto(typed.params, options);
    case 'follow_path':
      return createFollowPath(typed.params, options);
    case 'orbit':
      return createOrbit(typed.params, options);
    case 'yaw':
      return createYaw(typed.params, options);
    case 'velocity':
      return Velocity.create(typed.params, options);
    case 'hold':
      return ok(new Hold(typed.params, options));
    case 'land':
      return ok(new Land(options));
    case 'return':
      return ok(new ReturnHome(options));
    case 'capture':
      return ok(createCapture(options));
    case 'point':
      return createPoint(typed.params, options);
    case 'release':
      return createRelease(options);
    case 'winch':
      return createWinch(typed.params, options);
    case 'param_set':
      return ParamSet.create(typed.params, options);
    case 'mission_upload':
      return MissionUpload.create(typed.params, options);
    case 'mission_start':
      return MissionStart.create(typed.params, options);
    case 'mission_pause':
      return ok(new MissionPause(options));
    default:
      return fail(haloError('HALO-201', `${typed.does} is an utterance, not an effect.`));
  }
}
