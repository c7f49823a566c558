/** The door of the gate room: leases, single-use tokens, and the checks of the last moment. */
export { wireDigest } from './binding.js';
export { CHECK_NAMES, type CheckName, type Refusal } from './checks.js';
export { createGate, type Dispatch, type Gate, type GateIdentity, type GatePorts } from './gate.js';
export { leaseView, type Grant, type Lease, type MintedFrame } from './lease.js';
