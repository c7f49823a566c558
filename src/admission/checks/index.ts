/**
 * The checks by name, in the order in which their findings stand in a verdict: form first, then
 * the plan, then the world. All run; tests remove them by name, through ../testing.
 */
import { checkBasis } from './basis.js';
import type { Check } from './context.js';
import { checkEpochs } from './epochs.js';
import { checkEvidence } from './evidence.js';
import { checkFreshness } from './freshness.js';
import { checkGeneration } from './generation.js';
import { checkHint } from './hint.js';
import { checkKind } from './kind.js';
import { checkLimits } from './limits.js';
import { checkParams } from './params.js';
import { checkPrerequisites } from './prerequisites.js';
import { checkResources } from './resources.js';
import { checkRoles } from './roles.js';
import { checkScope } from './scope.js';

export const CHECKS = {
  kind: checkKind,
  params: checkParams,
  scope: checkScope,
  generation: checkGeneration,
  hint: checkHint,
  prerequisites: checkPrerequisites,
  roles: checkRoles,
  resources: checkResources,
  limits: checkLimits,
  basis: checkBasis,
  epochs: checkEpochs,
  freshness: checkFreshness,
  evidence: checkEvidence,
} as const satisfies Record<string, Check>;
export type CheckName = keyof typeof CHECKS;

export type { Basis, Candidate, Check, CheckContext } from './context.js';
export { typeParams } from './params.js';
