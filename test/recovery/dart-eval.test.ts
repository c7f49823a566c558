/** The judges of the evaluation of rollback: each sees what it is there to see. */
import { describe, expect, it } from 'vitest';
import { auditCases, comparedCases, witnesses } from '../../eval/dart/audit.js';
import { conform } from '../../eval/dart/conformance/index.js';
import { askOracle } from '../../eval/dart/conformance/oracle.js';
import { fly, type FlightCase } from '../../eval/dart/flight/fly.js';
import { auditOf, strategiesOf } from '../../eval/dart/outcome.js';
import { rowOf } from '../../eval/dart/simulated.js';
import { seededRandom } from '../../src/platform/index.js';
import { decide } from '../../src/recovery/dart/index.js';

const SEED = 5;

describe('the audit', () => {
  const cases = auditCases(seededRandom(SEED));

  it('finds nothing unsafe and nothing held back without need', () => {
    const { rows, recoveries, unsafe, falseBlocks } = auditOf(cases.map((of) => rowOf(of)));
    expect({ unsafe, falseBlocks }).toEqual({ unsafe: 0, falseBlocks: 0 });
    expect(rows).toBeGreaterThanOrEqual(54);
    expect(recoveries).toBeGreaterThanOrEqual(47);
  });

  it('sees unsafe rollbacks as soon as a condition is left out', () => {
    const { noCommittedConflict, effectAllowed } = witnesses(cases);
    expect(noCommittedConflict).toBeGreaterThan(0);
    expect(effectAllowed).toBeGreaterThan(0);
  });

  it('sees somebody who never dares to go back', () => {
    const timid = cases.map((of) =>
      rowOf(of, ({ trace }) => ({
        strategy: 'dart',
        kind: 'whole-task',
        abstained: true,
        refused: [],
        reasons: [],
        reexecute: trace.instances.flatMap(({ steps }) =>
          steps.filter((s) => s.begunAt !== undefined).map(({ id }) => id),
        ),
      })),
    );
    expect(auditOf(timid).falseBlocks).toBeGreaterThan(40);
  });

  it('sees somebody who goes back to the entry whoever has used what came of it', () => {
    const bold = cases.map((of) =>
      rowOf(of, ({ trace }, failure) => decide(trace, failure, 'entry-only')),
    );
    expect(auditOf(bold).unsafe).toBeGreaterThan(20);
  });
});

describe('the strategies', () => {
  it('differ where a committed consumer has used the failed instance, and only DART is right', () => {
    const rows = comparedCases(seededRandom(SEED), 20).map((of) => rowOf(of));
    const { dart, 'entry-only': entry, 'whole-task': whole } = strategiesOf(rows);
    expect(dart).toMatchObject({
      cases: 80,
      correct: 80,
      correctSensitive: 40,
      stepsReexecuted: 1,
    });
    expect(entry).toMatchObject({ correct: 40, correctSensitive: 0, unsafeRollbacks: 40 });
    expect(whole.stepsReexecuted).toBeGreaterThan(20);
  });

  it('differ in flight too: the picture that was told of stands, or is taken again', () => {
    const of: FlightCase = {
      id: 'one',
      seed: SEED,
      kind: '',
      sensitive: true,
      trouble: 'unheard',
      at: 'b-0',
      drop: false,
      stations: 1,
    };
    const standing = { atStation: true, timesTold: 1, toldOfStanding: true };
    const [dart, entry] = [fly(of, 'dart'), fly(of, 'entry-only')];
    expect(dart.view).toMatchObject({ down: true, pictures: [standing, standing] });
    expect(dart.reexecuted).toBe(1);
    expect(entry.view).toMatchObject({
      pictures: [
        { id: 'a-0', toldOfStanding: false },
        { id: 'b-0', toldOfStanding: true },
      ],
    });
  });
});

describe('the oracle', () => {
  it('agrees on every contract of up to two obligations', () => {
    expect(conform(2)).toMatchObject({ contracts: 3, states: 21, mismatches: 0 });
  });

  it('knows that one obligation is gone back over unless it is irreversible', () => {
    // Open: all is left and ready. Satisfied: nothing is left; again {0}, or nothing again. Unknown
    // likewise, and it is left.
    const pairs = [...askOracle(1)].join(' ');
    expect(pairs).toBe('1 1 0 0 1 1 3 1 3 1 1 1 1 1 3 1 3 1');
  });
});
