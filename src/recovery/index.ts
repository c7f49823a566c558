/** The door of the recovery room: task contracts, the trusted state of a task, and guidance. */
export { CONDITION_NAMES, type ConditionName, type Judgement } from './conditions.js';
export { recoveryContext, residualObligations } from './context.js';
export {
  fulfilsButShown,
  OBSERVED_BY,
  OBSERVED_FLAGS,
  shownWord,
  type ObservedFlag,
} from './observed.js';
export {
  componentIdOf,
  decide,
  nameOf,
  stepIdOf,
  type Decision,
  type Place,
} from './dart/index.js';
export {
  contractFromPlan,
  planFromObligations,
  qgcPlanSchema,
  type PlannedHome,
  type PlanTerms,
} from './qgc-plan.js';
export {
  contractBody,
  receiptSchema,
  verdictBody,
  type AdmittedEntry,
  type CheckpointBody,
  type RollbackDecisionBody,
  type ObligationVoidedBody,
  type RunOpenedBody,
  type StateAdvancedBody,
} from './record-bodies.js';
export { predecessors } from './contract-checks.js';
export { loadTaskContract, parseTaskContract } from './task-contract.js';
export { createTaskTracker, type TaskTracker, type TrackerOptions } from './tracker.js';
