/** The door of the engine room: one vehicle, stepped. */
export { Engine } from './engine.js';
export type { EngineOptions } from './assemble.js';
export type { EngineLedger, EngineLink } from './ports.js';
