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
  TaskStateView,
} from '../contract/index.js';

/** What the contract still asks for, in its order: obligations that are open or unknown. */
export function residualObligations(
  state: TaskStateView,
  contract: TaskContract,
): readonly TaskObligation[] {
  const satisfied = satisfiedIds(state);
  return contract.obligations.filter(({ id }) => !satisfied.has(id));
}

/** `localized` may hold obligations in any state: those still open are told. */
export function recoveryContext(
  state: TaskStateView,
  contract: TaskContract,
  localized: readonly LocalizedObligation[],
  snapshotId: string,
): RecoveryContext {
  const satisfied = satisfiedIds(state);
  const unknown = state.obligations.filter((o) => o.state === 'unknown').map(({ id }) => id);
  const context = {
    task: state.task,
    snapshotId,
    frontier: state.frontier,
    open: residualObligations(state, contract).map(({ id, target, after }) => ({
      id,
      target,
      blockedBy: after.filter((name) => !satisfied.has(name)),
    })),
    unknown,
    satisfied: [...satisfied],
    denied: localized.filter((o) => o.state === 'open' || o.state === 'candidate'),
    budgetTimeLeftS: state.budgetTimeLeftS,
    budgetAttemptsLeft: state.budgetAttemptsLeft,
  };
  return { ...context, text: textOf(context) };
}

const satisfiedIds = (state: TaskStateView): ReadonlySet<string> =>
  new Set(state.obligations.filter((o) => o.state === 'satisfied').map(({ id }) => id));

function textOf(context: Omit<RecoveryContext, 'text'>): string {
  const lines = [`Task ${context.task}, seen at snapshot ${context.snapshotId}.`];
  if (context.satisfied.length > 0) lines.push(`Done: ${context.satisfied.join(', ')}.`);
  lines.push(context.open.length === 0 ? 'Nothing is left to do.' : 'Left to do:');
  for (const item of context.open) lines.push(`- ${openLine(item, context.unknown)}`);
  if (context.denied.length > 0) lines.push('Denied:');
  for (const denial of context.denied) lines.push(`- ${deniedLine(denial)}`);
  lines.push(
    `Left of the budget: ${context.budgetAttemptsLeft} attempts, ` +
      `${Math.floor(context.budgetTimeLeftS)} s.`,
    'This is guidance and permits nothing: answer with a fresh response.',
  );
  return lines.join('\n');
}

function openLine(item: RecoveryContext['open'][number], unknown: readonly string[]): string {
  const { kind, positionM, sensor } = item.target;
  const where = positionM === undefined ? '' : ` at [${positionM.join(', ')}] m ENU`;
  const what = sensor === undefined ? '' : ` with ${sensor}`;
  const after = item.blockedBy.length === 0 ? '' : `; after ${item.blockedBy.join(', ')}`;
  const doubt = unknown.includes(item.id)
    ? '; unknown: it may have happened, look before repeating it'
    : '';
  return `${item.id}: ${kind}${where}${what}${after}${doubt}`;
}

function deniedLine({ id, componentId, reason, scope }: LocalizedObligation): string {
  const kinds = scope.kinds.length === 0 ? '' : ` by ${scope.kinds.join(' or ')}`;
  const ids = scope.componentIds.join(', ');
  return `${id}: ${componentId}, ${reason} May be replaced: ${ids}${kinds}.`;
}
