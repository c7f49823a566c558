/**
 * Which one of several obligations is meant. Enters: obligations that fit, a hint, the contract's
 * order. Leaves: those that remain. Never: a choice where contract and hint leave two.
 */
import type { TaskContract, TaskObligation } from '../contract/index.js';
import { predecessors } from './contract-checks.js';

/**
 * An obligation that comes after another one in the list cannot be meant yet, since it cannot be
 * satisfied before that one: a patrol may visit one place twice. Among what is left, the hint
 * decides if it names one of them; a hint that names none of them decides nothing.
 */
export function narrow(
  fitting: readonly TaskObligation[],
  hint: string | undefined,
  contract: TaskContract['obligations'],
): readonly TaskObligation[] {
  if (fitting.length < 2) return fitting;
  const before = predecessors(contract);
  const first = fitting.filter(
    ({ id }) => !fitting.some((other) => before.get(id)?.has(other.id) === true),
  );
  if (first.length < 2) return first;
  const meant = first.filter(({ id }) => id === hint);
  return meant.length === 1 ? meant : first;
}
