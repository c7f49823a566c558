/** The door of the vehicle room: effects to messages, telemetry to evidence. */
export { createEffect } from './effects/create.js';
export { legOf } from './effects/route.js';
export type {
  EffectContext,
  EffectMachine,
  EffectOptions,
  EffectStep,
  Expects,
} from './effects/types.js';
export { createGuardian, createHandover, type GuardianOptions } from './guardian.js';
export { HURTING_PARAMETERS, hurtOf, type Hurt, type Permitted } from './hurting-parameters.js';
export { parseParameterFile, type ParameterFile, type ParameterLine } from './parameter-file.js';
export { ParameterReader, type ParameterReading } from './parameter-reader.js';
export { readNumber, readText, readVector } from './reading.js';
export type { Received } from './received.js';
export { Housekeeping, type HousekeepingOptions } from './requests.js';
export {
  Telemetry,
  type CommandAck,
  type TelemetryBatch,
  type TelemetryOptions,
} from './telemetry.js';
export { customFromMode, modeFromCustom, type ModeName } from './modes.js';
export * from './frames.js';
