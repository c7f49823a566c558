/**
 * Cold starts, one after another. Enters: how many. Leaves: what an independent listener saw.
 * Never: two at once: their clocks would disturb one another.
 */
import { coldStart, SPEED, type Change, type Session } from './session.js';

export { REPORTS_SENT, type Session } from './session.js';

export interface ColdStarts {
  readonly runs: number;
  readonly staleSetpoints: number;
  readonly recovered: number;
  readonly sessions: readonly Session[];
}

/** What happens to the world between the agent's look and its answer, in turn. */
const CHANGES: readonly Change[] = [
  { name: 'estimator reset', fault: { fault: 'estimator-reset', east: 3, north: -2, up: 0 } },
  { name: 'link lost for 4 s', fault: { fault: 'link-loss', seconds: 4 * SPEED } },
  { name: 'pilot takes over', fault: { fault: 'pilot-takeover' } },
  { name: 'vehicle reboots', fault: { fault: 'vehicle-reboot' } },
];

export async function coldStarts(
  count: number,
  progress: (session: Session) => void,
): Promise<ColdStarts> {
  const sessions: Session[] = [];
  for (let k = 0; k < count; k += 1) {
    const change = CHANGES[k % CHANGES.length];
    if (change === undefined) throw new Error('unreachable');
    const session = await coldStart(change);
    sessions.push(session);
    progress(session);
  }
  return {
    runs: count,
    staleSetpoints: sessions.reduce((sum, { staleSetpoints }) => sum + staleSetpoints, 0),
    recovered: sessions.filter(({ recovered }) => recovered).length,
    sessions,
  };
}
