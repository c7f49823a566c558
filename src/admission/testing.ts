/**
 * Admission with named checks removed: only tests import this file, to show what each one stops.
 * Enters: the names to leave out. Leaves: an admission that is not safe. Never: imported by src.
 */
export { admitWithout, type Removable } from './admit.js';
export { CHECKS, type CheckName } from './checks/index.js';
export { greatestFixedPoint, rootCauses } from './closure.js';
export { buildGraph, graphFromRows } from './graph.js';
