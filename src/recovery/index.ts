/** The door of the recovery room: task contracts, the trusted state of a task, and guidance. */
export { CONDITION_NAMES, type ConditionName } from './conditions.js';
export { recoveryContext, residualObligations } from './context.js';
export { OBSERVED_BY, OBSERVED_FLAGS, type ObservedFlag } from './observed.js';
export {
  contractBody,
  receiptSchema,
  verdictBody,
  type AdmittedEntry,
  type RunOpenedBody,
  type StateAdvancedBody,
} from './record-bodies.js';
export { loadTaskContract, parseTaskContract } from './task-contract.js';
export {
  createTaskTracker,
  type Judgement,
  type TaskTracker,
  type TrackerOptions,
} from './tracker.js';
