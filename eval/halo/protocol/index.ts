/** All protocol tests. Enters: nothing. Leaves: each by name with its outcome. */
import { ADMISSION_TESTS } from './admission-tests.js';
import { runAll, type ProtocolResult } from './cases.js';
import { FLIGHT_TESTS } from './flight-tests.js';
import { GATE_TESTS } from './gate-tests.js';

export type { ProtocolResult } from './cases.js';

export const runProtocolTests = (): readonly ProtocolResult[] =>
  runAll([...GATE_TESTS, ...ADMISSION_TESTS, ...FLIGHT_TESTS]);
