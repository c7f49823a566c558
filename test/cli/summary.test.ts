/** The end of a flight: whose numbers stand in its summary. */
import { describe, expect, it } from 'vitest';
import { FlightLog } from '../../src/cli/fly/log.js';
import { summarize, type Recorded } from '../../src/cli/fly/summary.js';
import { state, task } from '../ros/support/engine.js';

const RECORDED: Recorded = {
  frames: 7,
  receipts: 3,
  obligations: task().obligations.map((o) => ({ ...o, state: 'satisfied' as const })),
};

function summaryOf(log: FlightLog) {
  const ending = { ledgerVerified: true, wallSeconds: 1, ledger: '/l', continuation: undefined };
  return summarize(log, { ...ending, recorded: log.cut ? RECORDED : undefined });
}

const dispatch = { ...state().dispatch, framesDispatched: 5 };

describe('the summary of a flight', () => {
  it('rests on the ledger when the bridge died before its last word', () => {
    const log = new FlightLog();
    log.take({ type: 'state', state: state({ dispatch }) });
    expect(summaryOf(log)).toMatchObject({
      outcome: 'completed',
      obligations: { satisfied: 2, open: 0 },
      framesDispatched: 7,
      receipts: 3,
      residual: [],
    });
  });

  it('rests on what the bridge said when it ended in order', () => {
    const log = new FlightLog();
    log.take({ type: 'closed', state: state({ dispatch }) });
    expect(summaryOf(log)).toMatchObject({
      obligations: { satisfied: 1, open: 1 },
      framesDispatched: 5,
      receipts: 0,
      residual: ['home'],
    });
  });

  it('rests on the ledger too when a life before the last one was cut', () => {
    const log = new FlightLog();
    log.take({ type: 'state', state: state({ dispatch }) });
    log.lifeEnded();
    log.take({ type: 'closed', state: state({ dispatch }) });
    // Five and five were told of; the ledger may lag a batch behind a kill.
    expect(summaryOf(log)).toMatchObject({ framesDispatched: 10, receipts: 3 });
  });
});
