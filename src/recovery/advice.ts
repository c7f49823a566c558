/**
 * A rollback decision as guidance for an agent. Enters: the decision as the ledger has it.
 * Leaves: advice, typed and in words. Never: authority, or a promise that it will be admitted.
 */
import type { RollbackAdvice } from '../contract/index.js';
import type { RollbackDecisionBody } from './record-bodies.js';

export function adviceOf(body: RollbackDecisionBody): RollbackAdvice {
  const { kind, componentId, place, reexecute, kept, unresolved, reasons } = body;
  return {
    kind,
    componentId,
    ...(place === undefined ? {} : { positionEnuM: place.positionEnuM }),
    reexecute,
    kept,
    unresolved,
    reasons,
    text: `After ${componentId} failed: ${wordsOf(body)}`,
  };
}

function wordsOf({ kind, place, reexecute, unresolved, reasons }: RollbackDecisionBody): string {
  const again = reexecute.join(', ');
  const because = reasons.join('; ');
  if (kind === 'whole-task') return `the whole task again (${because}): ${again}.`;
  if (kind === 'residual') {
    const look = unresolved.length === 0 ? '' : `look whether ${unresolved.join(', ')} happened; `;
    return `${look}nothing that is done again, only what is left to do (${because}).`;
  }
  if (place === undefined) return `do again: ${again}.`;
  const where = place.positionEnuM.map((m) => m.toFixed(1)).join(', ');
  return (
    `fly back to the last committed place, [${where}] m ENU, by a fresh flight.goto ` +
    `(take off first if it has landed), then do again: ${again}.`
  );
}
