/**
 * The state of a task as a snapshot of the ledger keeps it: whoever takes it over goes on exactly
 * like whoever has read every record, from any record on.
 */
import { describe, expect, it } from 'vitest';
import { createTaskTracker, type TaskTracker } from '../../src/recovery/index.js';
import {
  ARM,
  CONTRACT_TEXT,
  contractOf,
  EAST,
  LAND,
  NORTH,
  Story,
  UP,
  verifySignature,
} from './support.js';

const contract = contractOf(CONTRACT_TEXT);
const fresh = (of = contract): TaskTracker => createTaskTracker({ contract: of, verifySignature });
const asFiled = (state: unknown): unknown => JSON.parse(JSON.stringify(state));

/** Two lives with everything that a state can hold: open, unknown, satisfied and undone duties. */
function twoLives(): Story {
  const tracker = fresh();
  const story = new Story(tracker);
  const settle = (...of: Parameters<Story['receipt']>) =>
    tracker.settle(story.receipt(...of), story.write);
  story.begin(contract);
  const first = story.wait(2).admit(ARM, UP, NORTH);
  story.append('verdict', {
    responseId: 'refused',
    outcome: 'refused',
    generation: first,
    admitted: [],
    batteryFraction: 0.9,
  });
  story.lease(ARM, first);
  story.append('lease-ended', { leaseId: story.lease(UP, first), code: 'done' });
  settle(tracker.frontier, UP, first);
  story.lease(NORTH, first, 'guardian');
  story.append('lease-ended', { leaseId: story.lease(NORTH, first), code: 'HALO-510' });
  settle(tracker.frontier, LAND, first);
  story.append('vehicle-epoch', { moved: ['mode'], modeBy: 'foreign' });
  const voided = { cause: 'undone', reason: 'it is down again', neededBy: ['east'] };
  story.append('obligation-voided', { obligationId: 'up', ...voided });
  const second = story.wait(3).admit(EAST, UP);
  story.lease(EAST, second);
  story.epoch = 2;
  story.tUs = 500;
  story.wait(7).append('epoch-opened', {});
  const third = story.admit(UP, EAST);
  story.lease(UP, third);
  // The last receipt's advance is missing: the process ended between the two.
  story.append('receipt', story.receipt(tracker.frontier, UP, third));
  return story;
}

describe('the exported state of a task', () => {
  it('goes on like the whole reading, taken over at any record', () => {
    const { records, tUs } = twoLives();
    let taken = 0;
    const whole = fresh();
    for (const [at, record] of records.entries()) {
      expect(whole.apply(record).ok).toBe(true);
      if (!whole.bound) continue;
      const restored = fresh();
      expect(restored.restore(asFiled(whole.exported())), `record ${at + 1}`).toBe(true);
      const rest = records.slice(at + 1);
      const straight = fresh();
      for (const one of records) straight.apply(one);
      for (const one of rest) expect(restored.apply(one).ok).toBe(true);
      expect(asFiled(restored.exported()), `record ${at + 1}`).toEqual(
        asFiled(straight.exported()),
      );
      expect(restored.view(tUs)).toEqual(straight.view(tUs));
      expect(restored.earned).toEqual(straight.earned);
      taken += 1;
    }
    expect(taken).toBe(records.length - 1);
    expect(whole.earned).toMatchObject({ obligationId: 'up' });
    expect(whole.view(tUs).obligations.map(({ state }) => state)).toContain('unknown');
  });

  it('is taken over for its own contract only, and whole or not at all', () => {
    const tracker = fresh();
    for (const record of twoLives().records) tracker.apply(record);
    const state = tracker.exported();
    const other = fresh(contractOf(CONTRACT_TEXT.replace('timeS: 600', 'timeS: 601')));
    expect(other.restore(asFiled(state))).toBe(false);
    expect(other.bound).toBe(false);
    const optional = new Set(['heldBy', 'earned']);
    for (const key of Object.keys(state).filter((name) => !optional.has(name))) {
      const whole = Object.entries(asFiled(state) as Record<string, unknown>);
      const less = Object.fromEntries(whole.filter(([name]) => name !== key));
      expect(fresh().restore(less), key).toBe(false);
    }
    for (const wrong of [null, [], { ...state, v: 2 }, { ...state, more: 1 }]) {
      expect(fresh().restore(wrong)).toBe(false);
    }
  });
});
