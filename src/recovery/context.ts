/**
 * The recovery context C_F: what is left to do, told to the agent.
 * Enters: the state of the task and what was denied. Leaves: guidance, typed and as text.
 * Never: authority. No check reads it; sent back as a response it admits nothing.
 */
import type {
  LocalizedObligation,
  RecoveryContext,
  TaskContract,
  TaskObligation,
  TaskObligationState,
  TaskStateView,
} from '../contract/index.js';
import { adviceOf } from './advice.js';
import type { RollbackDecisionBody } from './record-bodies.js';

/** What the contract still asks for, in its order: obligations that are open or unknown. */
export function residualObligations(
  state: TaskStateView,
  contract: TaskContract,
): readonly TaskObligation[] {
  const over = new Set([...idsOf(state, 'satisfied'), ...idsOf(state, 'missed')]);
  return contract.obligations.filter(({ id }) => !over.has(id));
}

/**
 * `localized` may hold obligations in any state: those still open are told. `decided`: what came of
 * the last failure, until a fresh response is taken up.
 */
export function recoveryContext(
  state: TaskStateView,
  contract: TaskContract,
  localized: readonly LocalizedObligation[],
  snapshotId: string,
  decided?: RollbackDecisionBody,
): RecoveryContext {
  const satisfied = idsOf(state, 'satisfied');
  const { budgetEnergyLeft } = state;
  const context = {
    task: state.task,
    snapshotId,
    frontier: state.frontier,
    open: residualObligations(state, contract).map(({ id, target, after, irreversible }) => ({
      id,
      irreversible,
      target,
      blockedBy: after.filter((name) => !satisfied.includes(name)),
    })),
    unknown: idsOf(state, 'unknown'),
    satisfied,
    missed: idsOf(state, 'missed'),
    invalidated: state.obligations.flatMap(({ id, undone }) => (undone ? [{ id, ...undone }] : [])),
    denied: localized.filter((o) => o.state === 'open' || o.state === 'candidate'),
    budgetTimeLeftS: state.budgetTimeLeftS,
    budgetAttemptsLeft: state.budgetAttemptsLeft,
    ...(budgetEnergyLeft === undefined ? {} : { budgetEnergyLeft }),
    ...(decided === undefined ? {} : { rollback: adviceOf(decided) }),
  };
  return { ...context, text: textOf(context) };
}

const idsOf = (state: TaskStateView, wanted: TaskObligationState): readonly string[] =>
  state.obligations.filter((o) => o.state === wanted).map(({ id }) => id);

function textOf(context: Omit<RecoveryContext, 'text'>): string {
  const lines = [`Task ${context.task}, seen at snapshot ${context.snapshotId}.`];
  if (context.satisfied.length > 0) lines.push(`Done: ${context.satisfied.join(', ')}.`);
  lines.push(context.open.length === 0 ? 'Nothing is left to do.' : 'Left to do:');
  for (const item of context.open) lines.push(`- ${openLine(item, context.unknown)}`);
  if (context.missed.length > 0) lines.push(`Too late for: ${context.missed.join(', ')}.`);
  if (context.invalidated.length > 0)
    lines.push('Undone by the world, to be brought about afresh:');
  for (const { id, reason, neededBy } of context.invalidated) {
    lines.push(
      `- ${id}: ${reason}${neededBy.length === 0 ? '' : ` Needed by ${neededBy.join(', ')}.`}`,
    );
  }
  if (context.denied.length > 0) lines.push('Denied:');
  for (const denial of context.denied) lines.push(`- ${deniedLine(denial)}`);
  if (context.rollback !== undefined) lines.push(context.rollback.text);
  const { budgetAttemptsLeft, budgetTimeLeftS, budgetEnergyLeft } = context;
  const left = [`${budgetAttemptsLeft} attempts`, `${Math.floor(budgetTimeLeftS)} s`];
  if (budgetEnergyLeft !== undefined) {
    left.push(`${Math.floor(budgetEnergyLeft * 100)} % of a battery`);
  }
  lines.push(
    `Left of the budget: ${left.join(', ')}.`,
    'This is guidance and permits nothing: answer with a fresh response.',
  );
  return lines.join('\n');
}

function openLine(item: RecoveryContext['open'][number], unknown: readonly string[]): string {
  const { kind, positionM, sensor } = item.target;
  const where = positionM === undefined ? '' : ` at [${positionM.join(', ')}] m ENU`;
  const what = sensor === undefined ? '' : ` with ${sensor}`;
  const after = item.blockedBy.length === 0 ? '' : `; after ${item.blockedBy.join(', ')}`;
  const again = item.irreversible
    ? 'it cannot be undone, and is not to be repeated'
    : 'look before repeating it';
  const doubt = unknown.includes(item.id) ? `; unknown: it may have happened, ${again}` : '';
  return `${item.id}: ${kind}${where}${what}${after}${doubt}`;
}

function deniedLine({ id, componentId, reason, scope, triesLeft }: LocalizedObligation): string {
  const kinds = scope.kinds.length === 0 ? '' : ` by ${scope.kinds.join(' or ')}`;
  const ids = scope.componentIds.join(', ');
  const tries = `candidates left: ${triesLeft}`;
  return `${id}: ${componentId}, ${reason} May be replaced: ${ids}${kinds}; ${tries}.`;
}
