/**
 * A gate with named checks removed: only tests import this file, to show what each check stops.
 * Enters: the names to leave out. Leaves: a gate that is not safe. Never: imported by src.
 */
import type { CheckName } from './checks.js';
import { Gate, type GateIdentity, type GatePorts } from './gate.js';

export const createGateWithout = (
  ports: GatePorts,
  identity: GateIdentity,
  removed: readonly CheckName[],
): Gate => new Gate(ports, identity, new Set(removed));
