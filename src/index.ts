/**
 * The package for whoever builds on it without ROS 2: the pure rooms, the ledger, and a bridge that
 * an EnginePort of their own can drive. Enters: nothing. Leaves: the rooms' doors, by name.
 * Never: an import of rclnodejs; the node is started by `halo bridge`.
 */
export * as contract from './contract/index.js';
export * as intake from './intake/index.js';
export * as evidence from './evidence/index.js';
export * as admission from './admission/index.js';
export * as gate from './gate/index.js';
export * as vehicle from './vehicle/index.js';
export * as link from './link/index.js';
export * as ledger from './ledger/index.js';
export * as recovery from './recovery/index.js';
export * as engine from './engine/index.js';
export { createBridge, type Bridge, type BridgeConfig } from './bridge.js';
