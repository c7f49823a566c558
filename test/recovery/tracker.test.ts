/**
 * The trusted state of a task: how it advances, and how it is rebuilt from records alone.
 */
import { describe, expect, it } from 'vitest';
import type { Component, LedgerRecord } from '../../src/contract/index.js';
import { createTaskTracker, recoveryContext, type TaskTracker } from '../../src/recovery/index.js';
import {
  ARM,
  CONTRACT_TEXT,
  contractOf,
  EAST,
  LAND,
  NORTH,
  RANGE,
  Story,
  UP,
  verifySignature,
} from './support.js';

const contract = contractOf(CONTRACT_TEXT);
const track = (of = contract): TaskTracker => createTaskTracker({ contract: of, verifySignature });

function begun(): { story: Story; tracker: TaskTracker } {
  const tracker = track();
  return { story: new Story(tracker).begin(contract), tracker };
}

/** Leased (an effect), observed, settled. */
function carryOut(story: Story, tracker: TaskTracker, component: Component, generation: number) {
  if (component.kind.startsWith('flight.')) {
    const lease = story.lease(component, generation);
    story.wait(2);
    story.append('lease-ended', { leaseId: lease, code: 'done', message: '' });
  }
  const receipt = story.receipt(tracker.frontier, component, generation);
  return tracker.settle(receipt, story.write).judgement;
}

const states = (tracker: TaskTracker): string =>
  contract.obligations.map(({ id }) => `${id}:${tracker.stateOf(id)}`).join(' ');

const replayed = (records: readonly LedgerRecord[]): TaskTracker => {
  const tracker = track();
  for (const record of records) {
    const applied = tracker.apply(record);
    if (!applied.ok) throw new Error(applied.error.message);
  }
  return tracker;
};

describe('the state of a task', () => {
  it('advances receipt by receipt to its end, and its frontier with it', () => {
    const { story, tracker } = begun();
    const generation = story.admit(ARM, UP, NORTH, EAST, RANGE, LAND);
    const frontiers = new Set([tracker.frontier]);
    expect(tracker.frontier).toBe(story.records[1]?.hash);
    for (const [component, obligationId] of [
      [UP, 'up'],
      [EAST, 'east'],
      [NORTH, 'north'],
      [RANGE, 'told'],
      [LAND, 'down'],
    ] as const) {
      expect(tracker.completed).toBe(false);
      expect(carryOut(story, tracker, component, generation)).toEqual({
        advance: true,
        obligationId,
      });
      expect(story.records.at(-1)?.kind).toBe('state-advanced');
      expect(tracker.frontier).toBe(story.records.at(-1)?.hash);
      frontiers.add(tracker.frontier);
    }
    expect(tracker.completed).toBe(true);
    expect(frontiers.size).toBe(6);
  });

  it('leaves aside what is not of the contract, and says so', () => {
    const { story, tracker } = begun();
    const before = tracker.frontier;
    expect(carryOut(story, tracker, ARM, story.admit(ARM))).toMatchObject({
      advance: false,
      benign: true,
      error: { code: 'HALO-614', path: 'receipt rc-1' },
    });
    expect(story.records.at(-1)).toMatchObject({
      kind: 'receipt-refused',
      body: { code: 'HALO-614', condition: 'singleton', path: 'receipt rc-1' },
    });
    expect(tracker.frontier).toBe(before);
  });

  it('records why it refuses a receipt, and stays as it was', () => {
    const { story, tracker } = begun();
    const generation = story.admit(UP, NORTH);
    expect(carryOut(story, tracker, NORTH, generation)).toMatchObject({
      advance: false,
      benign: false,
      condition: 'predecessors',
      error: { code: 'HALO-616' },
    });
    expect(story.records.at(-1)).toMatchObject({
      kind: 'receipt-refused',
      body: { code: 'HALO-616', condition: 'predecessors' },
    });
    expect(states(tracker)).toBe('up:open north:open east:open told:open down:open');
  });

  it('is the same when it is rebuilt from any prefix of the ledger', () => {
    const { story, tracker } = begun();
    const generation = story.admit(ARM, UP, NORTH, EAST, RANGE, LAND);
    const views = new Map([[story.records.length, tracker.view(story.tUs)]]);
    for (const component of [ARM, EAST, UP, EAST, NORTH, RANGE, UP, LAND]) {
      carryOut(story, tracker, component, generation);
      views.set(story.records.length, tracker.view(story.tUs));
    }
    for (const [length, view] of views) {
      const records = story.records.slice(0, length);
      expect(replayed(records).view(records.at(-1)?.tUs ?? 0)).toEqual(view);
    }
  });

  it('does not believe an advance that no receipt before it earns', () => {
    for (const forged of [
      { receiptId: 'rc-9', obligationId: 'up' },
      { receiptId: 'rc-1', obligationId: 'down' },
      { obligationId: 'up' },
    ]) {
      const { story, tracker } = begun();
      const generation = story.admit(UP, LAND);
      story.lease(UP, generation);
      story.append('receipt', story.receipt(tracker.frontier, UP, generation));
      const applied = tracker.apply(story.write('state-advanced', forged));
      expect(applied).toMatchObject({ ok: false, error: { code: 'HALO-602' } });
      expect(states(tracker)).toBe('up:open north:open east:open told:open down:open');
    }
  });

  it('keeps an advance that was earned when the bridge died before it was written', () => {
    const { story, tracker } = begun();
    const generation = story.admit(UP);
    story.lease(UP, generation);
    story.append('receipt', story.receipt(tracker.frontier, UP, generation));
    story.epoch = 2;
    story.append('epoch-opened', {});
    const next = replayed(story.records);
    expect(next.earned).toEqual({ receiptId: 'rc-1', obligationId: 'up' });
    expect(next.apply(story.write('state-advanced', next.earned)).ok).toBe(true);
    expect([next.stateOf('up'), next.earned]).toEqual(['satisfied', undefined]);
  });

  it('says unknown of an effect that was not seen in time, until a later receipt', () => {
    const { story, tracker } = begun();
    const generation = story.admit(UP, NORTH, EAST);
    carryOut(story, tracker, UP, generation);
    const lease = story.lease(NORTH, generation);
    story.append('lease-ended', { leaseId: lease, code: 'HALO-510', message: '' });
    expect(states(tracker)).toBe('up:satisfied north:unknown east:open told:open down:open');
    const again = story.admit(NORTH);
    expect(carryOut(story, tracker, NORTH, again)).toEqual({
      advance: true,
      obligationId: 'north',
    });
  });

  it('keeps an interrupted effect open: what support ended was watched to its end', () => {
    const { story, tracker } = begun();
    const generation = story.admit(UP, NORTH);
    const lease = story.lease(NORTH, generation);
    story.append('lease-ended', { leaseId: lease, code: 'HALO-408', message: '' });
    expect(tracker.stateOf('north')).toBe('open');
  });

  it('says unknown of what was in flight when the bridge died, and of nothing else', () => {
    const { story, tracker } = begun();
    const generation = story.admit(UP, NORTH, EAST);
    carryOut(story, tracker, UP, generation);
    story.lease(EAST, generation);
    story.epoch = 2;
    story.append('epoch-opened', {});
    expect(states(tracker)).toBe('up:satisfied north:open east:unknown told:open down:open');
    // Authority of the earlier life is over, however true the observation.
    const late = story.receipt(tracker.frontier, EAST, generation, { ensured: true });
    expect(tracker.judgeReceipt(late, story.tUs)).toMatchObject({ condition: 'freshness' });
    // Fresh admission finds the vehicle there already: closed by evidence, with no lease.
    const again = story.admit(EAST);
    const ensured = story.receipt(tracker.frontier, EAST, again, { ensured: true });
    expect(tracker.settle(ensured, story.write).judgement).toMatchObject({ advance: true });
  });

  it('goes on with its run after a restart, and with no other contract’s or closed one', () => {
    const { story, tracker } = begun();
    carryOut(story, tracker, UP, story.admit(UP));
    expect([tracker.bound, tracker.runId]).toEqual([true, 'run-1']);
    const other = contractOf(CONTRACT_TEXT.replace('attempts: 3', 'attempts: 4'));
    const stranger = track(other);
    for (const record of story.records) expect(stranger.apply(record).ok).toBe(true);
    expect([stranger.bound, stranger.stateOf('up')]).toEqual([false, 'open']);
    story.append('run-closed', {});
    expect(tracker.bound).toBe(false);
    story.append('run-opened', { runId: 'run-2' });
    story.append('contract-bound', { task: 'tower', digest: contract.digest });
    expect([tracker.bound, tracker.runId]).toEqual([true, 'run-2']);
    expect(states(tracker)).toBe('up:open north:open east:open told:open down:open');
  });
});

describe('an obligation that the world has undone', () => {
  const undone = { obligationId: 'up', cause: 'undone', reason: 'It is down.' } as const;

  it('is open again for those that need it, and closes by what is flown afresh', () => {
    const { story, tracker } = begun();
    const generation = story.admit(UP, NORTH, LAND);
    carryOut(story, tracker, UP, generation);
    const { frontier } = tracker;
    story.append('obligation-voided', { ...undone, neededBy: ['north', 'east'] });
    expect(states(tracker)).toBe('up:open north:open east:open told:open down:open');
    // What was committed stays committed: the frontier is still that prefix.
    expect(tracker.frontier).toBe(frontier);
    expect(carryOut(story, tracker, NORTH, generation)).toMatchObject({
      error: { code: 'HALO-616', path: 'obligations north' },
    });
    expect(carryOut(story, tracker, LAND, generation)).toMatchObject({ obligationId: 'down' });
    const again = story.admit(UP, NORTH);
    expect(carryOut(story, tracker, UP, again)).toMatchObject({ obligationId: 'up' });
    expect(carryOut(story, tracker, NORTH, again)).toMatchObject({ obligationId: 'north' });
    expect(replayed(story.records).view(story.tUs)).toEqual(tracker.view(story.tUs));
  });

  it('is told with its reason, until it stands again', () => {
    const { story, tracker } = begun();
    carryOut(story, tracker, UP, story.admit(UP));
    story.append('obligation-voided', { ...undone, neededBy: ['north'] });
    const context = () => recoveryContext(tracker.view(story.tUs), contract, [], 's-9');
    expect(context().invalidated).toEqual([
      { id: 'up', reason: 'It is down.', neededBy: ['north'] },
    ]);
    expect(context().text).toContain('- up: It is down. Needed by north.');
    carryOut(story, tracker, UP, story.admit(UP));
    expect(context().invalidated).toEqual([]);
  });
});

describe('a deadline of an obligation', () => {
  const dated = contractOf(
    CONTRACT_TEXT.replace('  - id: told', '    deadlineS: 60\n  - id: told'),
  );

  it('that has passed is told, and then no receipt closes it any more', () => {
    const tracker = track(dated);
    const story = new Story(tracker).begin(dated);
    const generation = story.admit(UP, EAST);
    carryOut(story, tracker, UP, generation);
    expect(tracker.overdue(story.tUs)).toEqual([]);
    story.wait(60);
    expect(tracker.overdue(story.tUs)).toEqual(['east']);
    const late = { obligationId: 'east', cause: 'deadline', reason: 'late', neededBy: [] };
    story.append('obligation-voided', late);
    expect([tracker.overdue(story.tUs), tracker.stateOf('east')]).toEqual([[], 'missed']);
    expect(carryOut(story, tracker, EAST, generation)).toMatchObject({
      error: { code: 'HALO-614' },
    });
    const context = recoveryContext(tracker.view(story.tUs), dated, [], 's-9');
    expect(context.missed).toEqual(['east']);
    expect(context.open.map(({ id }) => id)).toEqual(['north', 'told', 'down']);
    expect(context.text).toContain('Too late for: east.');
  });
});

describe('the budget of a task', () => {
  it('counts energy from the first response on, and gives nothing back for a changed battery', () => {
    const spare = contractOf(
      CONTRACT_TEXT.replace('attempts: 3,', 'attempts: 3, energyFraction: 0.5,'),
    );
    const tracker = track(spare);
    const story = new Story(tracker).begin(spare);
    const left = (now?: number) => tracker.view(story.tUs, now).budgetEnergyLeft;
    expect(left(0.9)).toBeUndefined();
    const charge = (batteryFraction: number) =>
      story.append('verdict', {
        responseId: `r-${batteryFraction}`,
        outcome: 'refused',
        generation: 1,
        admitted: [],
        batteryFraction,
      });
    charge(0.9);
    expect(left(0.7)).toBeCloseTo(0.3);
    charge(0.6);
    expect(left()).toBeCloseTo(0.2);
    charge(1);
    expect(left(0.9)).toBeCloseTo(0.1);
    expect(left(0.5)).toBe(0);
  });

  it('counts responses that were taken up, not those refused whole', () => {
    const { story, tracker } = begun();
    story.admit(UP);
    story.append('verdict', {
      responseId: 'r-2',
      outcome: 'refused',
      generation: 2,
      admitted: [],
    });
    expect(tracker.view(story.tUs).budgetAttemptsLeft).toBe(2);
    expect(tracker.generation).toBe(2);
  });

  it('counts time by the monotonic clock within a life, whatever the wall clock does', () => {
    const { story, tracker } = begun();
    story.wait(100);
    story.wallMs -= 3_600_000;
    story.append('frames', {});
    expect(tracker.view(story.tUs).budgetTimeLeftS).toBe(500);
    expect(tracker.view(story.tUs + 10_000_000_000).budgetTimeLeftS).toBe(0);
  });

  it('counts the time between two lives by the wall clock, on the cautious side', () => {
    const cases = [
      // Died at 100 s; 50 s later by the wall clock a new life begins on another time base.
      { wallS: 50, left: 450 },
      // The wall clock was set back an hour: what was lived still counts.
      { wallS: -3600, left: 500 },
      // Or forward: that much may have passed.
      { wallS: 3600, left: 0 },
    ];
    for (const { wallS, left } of cases) {
      const { story, tracker } = begun();
      story.wait(100);
      story.append('frames', {});
      story.epoch = 2;
      story.tUs = 17;
      story.wallMs += wallS * 1000;
      story.append('epoch-opened', {});
      expect(tracker.view(story.tUs).budgetTimeLeftS).toBe(left);
    }
  });
});

describe('the recovery context', () => {
  it('tells what is done, open, blocked, unknown and denied, in a few plain lines', () => {
    const { story, tracker } = begun();
    const generation = story.admit(UP, EAST);
    carryOut(story, tracker, UP, generation);
    const lease = story.lease(EAST, generation);
    story.append('lease-ended', { leaseId: lease, code: 'HALO-510', message: '' });
    const denial = {
      id: 'o-1',
      state: 'open' as const,
      responseId: 'r-1',
      generation: 1,
      componentId: 'leg1',
      reason: 'Battery is 0.2; 0.3 is needed.',
      findings: [],
      scope: { componentIds: ['leg1', 'rng'], kinds: ['flight.land'] },
      triesLeft: 3,
      openedUs: 0,
      expiresUs: 1,
    };
    const closed = { ...denial, id: 'o-0', state: 'expired' as const };
    const context = recoveryContext(tracker.view(story.tUs), contract, [closed, denial], 's-9');
    expect(context).toMatchObject({
      satisfied: ['up'],
      unknown: ['east'],
      open: [
        { id: 'north', blockedBy: [] },
        { id: 'east', blockedBy: [] },
        { id: 'told', blockedBy: ['north'] },
        { id: 'down', blockedBy: [] },
      ],
      denied: [{ id: 'o-1' }],
    });
    expect(context.text).toBe(
      [
        'Task tower, seen at snapshot s-9.',
        'Done: up.',
        'Left to do:',
        '- north: flight.goto at [10, 0, 6] m ENU',
        '- east: flight.goto at [0, 10, 6] m ENU; unknown: it may have happened, look before repeating it',
        '- told: report.range with front; after north',
        '- down: flight.land',
        'Denied:',
        '- o-1: leg1, Battery is 0.2; 0.3 is needed. May be replaced: leg1, rng by flight.land; candidates left: 3.',
        'Left of the budget: 2 attempts, 598 s.',
        'This is guidance and permits nothing: answer with a fresh response.',
      ].join('\n'),
    );
  });
});
