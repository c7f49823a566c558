/** The door of semantic rollback (DART), inside the recovery room. */
export { certify } from './certify.js';
export {
  ADMISSIBILITY_NAMES,
  admissible,
  checkpoints,
  undone,
  type Admissibility,
  type AdmissibilityName,
} from './checkpoints.js';
export { decide } from './decide.js';
export { foldStateSchema, type FoldState } from './fold-state.js';
export { componentIdOf, stepIdOf, TraceFold } from './fold.js';
export { isOpen, localize, nameOf, type Located } from './localize.js';
export { skeletonOf, type Placed, type Planned } from './skeleton.js';
export { TraceLog, type StepPlan } from './trace-log.js';
export {
  CERTIFICATES,
  STRATEGIES,
  type Certificate,
  type Checkpoint,
  type CheckpointKind,
  type Consumption,
  type Decision,
  type EffectClass,
  type Failure,
  type Instance,
  type InstanceName,
  type InstanceState,
  type Place,
  type Step,
  type StepState,
  type Strategy,
  type Trace,
} from './types.js';
