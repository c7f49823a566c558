/** The door of the contract room: every word that crosses a border, and its schema. */
export * from './binding.js';
export * from './catalog.js';
export * from './codes.js';
export * from './engine-port.js';
export * from './envelope.js';
export * from './evidence.js';
export * from './ids.js';
export * from './json-schema.js';
export * from './ledger-record.js';
export * from './params.js';
export * from './receipt.js';
export * from './response.js';
export * from './result.js';
export * from './task-contract.js';
export * from './task-state.js';
export * from './vehicle-signs.js';
export * from './verdict.js';
