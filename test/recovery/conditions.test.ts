/**
 * The conditions of an advance. Each has a receipt that only it stops: with that one condition
 * removed the invalid progression gets in, with all of them on none does.
 */
import { describe, expect, it } from 'vitest';
import type { Code, Receipt, TaskContract, TaskObligation } from '../../src/contract/index.js';
import {
  CONDITION_NAMES,
  createTaskTracker,
  type ConditionName,
  type TaskTracker,
} from '../../src/recovery/index.js';
import { createTaskTrackerWithout } from '../../src/recovery/testing.js';
import { CONTRACT_TEXT, contractOf, EAST, NORTH, Story, UP, verifySignature } from './support.js';

const contract = contractOf(CONTRACT_TEXT);
/** Two obligations that one receipt fulfils, which a loaded contract cannot have. */
const ambiguous: TaskContract = {
  ...contract,
  obligations: contract.obligations.map<TaskObligation>((o) =>
    o.id === 'east' ? { ...o, target: { ...o.target, positionM: [10, 0.5, 6] } } : o,
  ),
};

interface Witness {
  readonly condition: ConditionName;
  /** The class of invalid progression that the condition stops. */
  readonly stops: string;
  readonly code: Code;
  readonly contract?: TaskContract;
  /** Takes off properly first, then makes the receipt that must not count. */
  readonly forge: (story: Story, tracker: TaskTracker) => Receipt;
  readonly advances: string;
}

const leased = (story: Story): number => {
  const generation = story.admit(NORTH);
  story.lease(NORTH, generation);
  return generation;
};

const WITNESSES: readonly Witness[] = [
  {
    condition: 'admission',
    stops: 'an unauthorized effect counted',
    code: 'HALO-617',
    advances: 'north',
    forge: (story, { frontier }) => {
      story.lease(NORTH, 7);
      return story.receipt(frontier, NORTH, 7);
    },
  },
  {
    condition: 'admission',
    stops: 'an effect counted that was admitted with other parameters',
    code: 'HALO-617',
    advances: 'north',
    forge: (story, { frontier }) => {
      const generation = story.admit({ ...NORTH, params: { ...NORTH.params, speedMS: 1 } });
      story.lease(NORTH, generation);
      return story.receipt(frontier, NORTH, generation);
    },
  },
  {
    condition: 'execution',
    stops: 'a claimed effect counted',
    code: 'HALO-618',
    advances: 'north',
    forge: (story, { frontier }) => story.receipt(frontier, NORTH, story.admit(NORTH)),
  },
  {
    condition: 'execution',
    stops: 'an acknowledged effect counted as delivered',
    code: 'HALO-618',
    advances: 'north',
    forge: (story, { frontier }) =>
      story.receipt(frontier, NORTH, leased(story), { outcome: 'delivered' }),
  },
  {
    condition: 'validity',
    stops: 'a forged receipt counted',
    code: 'HALO-611',
    advances: 'north',
    forge: (story, { frontier }) => ({
      ...story.receipt(frontier, NORTH, leased(story), { observed: {}, obligation: 'north' }),
      observed: { position: [10, 0, 6], dwellS: 2 },
    }),
  },
  {
    condition: 'validity',
    stops: 'a receipt of another run counted',
    code: 'HALO-611',
    advances: 'north',
    forge: (story, { frontier }) =>
      story.receipt(frontier, NORTH, leased(story), { runId: 'run-0' }),
  },
  {
    condition: 'freshness',
    stops: 'one receipt counted twice',
    code: 'HALO-612',
    advances: 'north',
    forge: (story, { frontier }) => {
      const receipt = story.receipt(frontier, NORTH, leased(story));
      story.append('receipt', receipt);
      return receipt;
    },
  },
  {
    condition: 'freshness',
    stops: 'evidence from before the admission counted',
    code: 'HALO-612',
    advances: 'north',
    forge: (story, { frontier }) => {
      const observedUs = story.tUs;
      story.wait(1);
      return story.receipt(frontier, NORTH, leased(story), { observedUs });
    },
  },
  {
    condition: 'freshness',
    stops: 'evidence from the future counted',
    code: 'HALO-612',
    advances: 'north',
    forge: (story, { frontier }) =>
      story.receipt(frontier, NORTH, leased(story), { observedUs: story.tUs + 1 }),
  },
  {
    condition: 'freshness',
    stops: 'an observation of an earlier life counted',
    code: 'HALO-612',
    advances: 'north',
    forge: (story, { frontier }) => {
      const generation = leased(story);
      const receipt = story.receipt(frontier, NORTH, generation, { ensured: true });
      story.epoch = 2;
      story.append('epoch-opened', {});
      return receipt;
    },
  },
  {
    condition: 'frontier',
    stops: 'evidence of another prefix counted',
    code: 'HALO-613',
    advances: 'north',
    forge: (story, tracker) => {
      const generation = leased(story);
      const receipt = story.receipt(tracker.frontier, NORTH, generation);
      const other = story.admit(EAST);
      story.lease(EAST, other);
      tracker.settle(story.receipt(tracker.frontier, EAST, other), story.write);
      return receipt;
    },
  },
  {
    condition: 'singleton',
    stops: 'a receipt for another obligation counted',
    code: 'HALO-619',
    advances: 'north',
    forge: (story, { frontier }) =>
      story.receipt(frontier, NORTH, leased(story), { obligation: 'east' }),
  },
  {
    condition: 'singleton',
    stops: 'an ambiguous closure',
    code: 'HALO-615',
    contract: ambiguous,
    advances: 'north',
    forge: (story, { frontier }) => story.receipt(frontier, NORTH, leased(story)),
  },
  {
    condition: 'predecessors',
    stops: 'progress out of order',
    code: 'HALO-616',
    contract: {
      ...contract,
      obligations: contract.obligations.map((o) =>
        o.id === 'north' ? { ...o, after: ['east'] } : o,
      ),
    },
    advances: 'north',
    forge: (story, { frontier }) => story.receipt(frontier, NORTH, leased(story)),
  },
];

/** A task in the air, and the receipt of the witness put to a tracker without `removed`. */
function put(witness: Witness, removed: readonly ConditionName[]) {
  const of = witness.contract ?? contract;
  const options = { contract: of, verifySignature };
  const tracker =
    removed.length === 0 ? createTaskTracker(options) : createTaskTrackerWithout(options, removed);
  const story = new Story(tracker).begin(of);
  const generation = story.admit(UP);
  story.lease(UP, generation);
  tracker.settle(story.receipt(tracker.frontier, UP, generation), story.write);
  expect(tracker.stateOf('up')).toBe('satisfied');
  return tracker.judgeReceipt(witness.forge(story, tracker), story.tUs);
}

describe('an advance of the task', () => {
  for (const witness of WITNESSES) {
    const { condition, stops, code, advances } = witness;
    it(`needs ${condition}: without it, ${stops}`, () => {
      expect(put(witness, [])).toMatchObject({
        advance: false,
        benign: false,
        condition,
        error: { code },
      });
      expect(put(witness, [condition])).toEqual({ advance: true, obligationId: advances });
      // And no other condition stands in for it.
      for (const other of CONDITION_NAMES.filter((name) => name !== condition)) {
        expect(put(witness, [other])).toMatchObject({ advance: false });
      }
    });
  }

  it('has a witness for each condition', () => {
    expect(new Set(WITNESSES.map(({ condition }) => condition))).toEqual(new Set(CONDITION_NAMES));
  });
});

describe('one receipt that fits several obligations', () => {
  const judge = (of: TaskContract, fulfils: string | undefined) => {
    const tracker = createTaskTracker({ contract: of, verifySignature });
    const story = new Story(tracker).begin(of);
    const up = story.admit(UP);
    story.lease(UP, up);
    tracker.settle(story.receipt(tracker.frontier, UP, up), story.write);
    const north = fulfils === undefined ? NORTH : { ...NORTH, fulfils };
    const generation = story.admit(north);
    story.lease(north, generation);
    return tracker.judgeReceipt(story.receipt(tracker.frontier, north, generation), story.tUs);
  };

  it('closes the one that its hint names, if that is one of them', () => {
    expect(judge(ambiguous, 'east')).toEqual({ advance: true, obligationId: 'east' });
    expect(judge(ambiguous, 'north')).toEqual({ advance: true, obligationId: 'north' });
    expect(judge(ambiguous, 'down')).toMatchObject({ error: { code: 'HALO-615' } });
    expect(judge(contract, 'down')).toEqual({ advance: true, obligationId: 'north' });
  });

  it('closes the earlier of two visits to one place, since the later cannot come first', () => {
    const patrol = contractOf(
      CONTRACT_TEXT.replace(
        '- id: told',
        `- id: back
    after: [north, east]
    target: {kind: flight.goto, frame: local_enu, positionM: [10, 0, 6]}
    evidence: {within: {of: target, horizontalM: 0.8, verticalM: 0.6, dwellS: 1.0}}
  - id: told`,
      ),
    );
    expect(judge(patrol, undefined)).toEqual({ advance: true, obligationId: 'north' });
  });
});

describe('what was observed', () => {
  const near = (over: object): boolean => {
    const tracker = createTaskTracker({ contract, verifySignature });
    const story = new Story(tracker).begin(contract);
    const up = story.admit(UP);
    story.lease(UP, up);
    tracker.settle(story.receipt(tracker.frontier, UP, up), story.write);
    const generation = story.admit(NORTH);
    story.lease(NORTH, generation);
    const observed = { position: [10, 0, 6], dwellS: 1, ...over };
    const receipt = story.receipt(tracker.frontier, NORTH, generation, { observed });
    return tracker.judgeReceipt(receipt, story.tUs).advance;
  };

  it('must be within the tolerance, sideways and in height, for the whole dwell', () => {
    expect(near({})).toBe(true);
    expect(near({ position: [10.79, 0, 5.41] })).toBe(true);
    expect(near({ position: [10.57, 0.57, 6] })).toBe(false);
    expect(near({ position: [10, 0, 6.61] })).toBe(false);
    expect(near({ dwellS: 0.99 })).toBe(false);
  });

  it('must be there and be numbers', () => {
    for (const wrong of [
      { position: [10, 0] },
      { position: 'there' },
      { dwellS: true },
      { position: [] },
    ]) {
      expect(near(wrong)).toBe(false);
    }
  });
});
