/**
 * Semantic rollback on traces: which instance failed, whether its boundary holds, which checkpoint
 * may be gone back to, and what is done when none may.
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ADMISSIBILITY_NAMES,
  admissible,
  certify,
  checkpoints,
  decide,
  localize,
  TraceLog,
  type Decision,
  type EffectClass,
  type Trace,
} from '../../src/recovery/dart/index.js';
import { decideWithout } from '../../src/recovery/dart/testing.js';

interface Act {
  readonly id: string;
  readonly effect?: EffectClass;
  readonly uses?: readonly string[];
  readonly ends?: 'committed' | 'failed' | 'unknown' | 'never';
}

/** Steps of instances one after another; every instance has an entry and a commit a step. */
class Story {
  readonly log = new TraceLog();
  at = 0;

  instance(component: string, entity: string, acts: readonly Act[]): this {
    const plan = acts.map(({ id, effect = 'reversible' }) => ({ id, effect }));
    this.log.enter({ component, entity }, plan);
    const [first] = acts;
    if (first) this.log.mark(first.id, 'entry', (this.at += 1));
    return this.does(acts);
  }

  does(acts: readonly Act[]): this {
    for (const { id, uses = [], ends = 'committed' } of acts) {
      if (ends === 'never') continue;
      this.log.begin(id, uses, (this.at += 1));
      this.log.end(id, ends, (this.at += 1));
      if (ends === 'committed') this.log.mark(id, 'commit', (this.at += 1));
    }
    return this;
  }

  get trace(): Trace {
    return this.log.trace;
  }
}

/** North: flown, pictured, told of; then the second picture fails. */
const north = (second: Act = { id: 'b', uses: ['leg'], ends: 'failed' }): Story => {
  const story = new Story();
  const plan = [
    { id: 'leg', effect: 'reversible' as const },
    { id: 'a', effect: 'compensable' as const },
    { id: second.id, effect: second.effect ?? ('compensable' as const) },
  ];
  story.log.enter({ component: 'goto', entity: 'north' }, plan);
  story.log.mark('leg', 'entry', (story.at += 1));
  story.does([{ id: 'leg' }, { id: 'a', uses: ['leg'] }]);
  story.instance('report', 'a', [{ id: 'told', effect: 'none', uses: ['a'] }]);
  return story.does([second]);
};

const rollbackOf = (decision: Decision) => {
  if (decision.kind !== 'rollback') throw new Error(`${decision.kind}: ${decision.reasons[0]}`);
  return decision;
};

describe('localization', () => {
  const twice = new Story()
    .instance('goto', 'north', [{ id: 'one', ends: 'failed' }])
    .instance('goto', 'north', [{ id: 'two', ends: 'failed' }])
    .instance('goto', 'east', [{ id: 'east' }]).trace;

  it('finds the one instance that fits, by step, by entity, by occurrence', () => {
    const located = localize(twice, { component: 'goto', entity: 'north', occurrence: 2 });
    expect(located).toMatchObject({ unique: true, instance: { occurrence: 2 } });
    expect(localize(twice, { step: 'one' })).toMatchObject({ instance: { occurrence: 1 } });
  });

  it('does not choose between two occurrences, and the whole task is done again', () => {
    expect(localize(twice, { component: 'goto', entity: 'north' })).toMatchObject({
      unique: false,
      among: [{ occurrence: 1 }, { occurrence: 2 }],
    });
    expect(decide(twice, { component: 'goto', entity: 'north' }, 'dart')).toMatchObject({
      kind: 'whole-task',
      abstained: true,
      reexecute: ['one', 'two', 'east'],
      reasons: ['it could be any of goto north, goto north #2'],
    });
  });

  it('takes what has exited only for a failure that was found out later', () => {
    expect(localize(twice, { entity: 'east' }).unique).toBe(false);
    expect(localize(twice, { entity: 'east', onset: 'east' }).unique).toBe(true);
  });
});

describe('the choice of a checkpoint', () => {
  it('is the commit after what was used: one step again, and the report stays true', () => {
    const decision = rollbackOf(decide(north().trace, { step: 'b' }, 'dart'));
    expect(decision.reexecute).toEqual(['b']);
    expect(decision.checkpoint.kind).toBe('commit');
    expect(decision.refused).toEqual([]);
  });

  it('is where entry-only takes back the picture that was told of', () => {
    const { trace } = north();
    const entry = rollbackOf(decide(trace, { step: 'b' }, 'entry-only'));
    expect(entry.reexecute).toEqual(['leg', 'a', 'b']);
    const failed = trace.instances[0]!;
    const { noCommittedConflict } = admissible(trace, failed, entry.checkpoint);
    expect(noCommittedConflict).toEqual({
      holds: false,
      reason: 'told used what would be taken back, and is committed',
    });
    const coarse = rollbackOf(decide(trace, { step: 'b' }, 'coarse-state'));
    expect(coarse.reexecute).toEqual(['leg', 'a', 'told', 'b']);
    expect(decide(trace, { step: 'b' }, 'retry-only')).toMatchObject({
      kind: 'retry',
      reexecute: ['b'],
    });
  });

  it('never keeps what is in doubt: a picture found bad after it was told of needs everything', () => {
    const decision = decide(north().trace, { step: 'b', onset: 'a' }, 'dart');
    expect(decision).toMatchObject({ kind: 'whole-task', abstained: false });
    expect(decision.refused.map(({ reasons }) => reasons)).toEqual([
      ['told used what would be taken back, and is committed'],
      ['told used what would be taken back, and is committed'],
    ]);
  });

  it('never goes back over what is irreversible, even when nobody knows whether it happened', () => {
    const drop = { id: 'drop', effect: 'irreversible' as const, uses: ['leg'] };
    const { trace } = north({ ...drop, ends: 'unknown' });
    const decision = decide(trace, { step: 'drop' }, 'dart');
    expect(decision).toMatchObject({
      kind: 'residual',
      unresolved: ['drop'],
      kept: [],
      certificate: { controllable: { holds: false, reason: 'drop cannot be taken back' } },
    });
    // Known not to have happened, it may be tried again.
    expect(
      decide(north({ ...drop, ends: 'failed' }).trace, { step: 'drop' }, 'dart'),
    ).toMatchObject({ kind: 'rollback', reexecute: ['drop'] });
  });

  it('does not do the whole task again when that would drop a second load', () => {
    const story = new Story()
      .instance('goto', 'drop', [{ id: 'leg' }, { id: 'drop', effect: 'irreversible' }])
      .instance('goto', 'north', [{ id: 'x', ends: 'failed' }])
      .instance('goto', 'north', [{ id: 'y', ends: 'failed' }]);
    const decision = decide(story.trace, { entity: 'north' }, 'dart');
    expect(decision).toMatchObject({ kind: 'residual', abstained: true, kept: ['drop'] });
    expect(decision.reasons).toContain('drop must not happen twice');
  });
});

describe('a place to go back to', () => {
  const at = (positionEnuM: [number, number, number]) => ({ positionEnuM, yawEnuRad: 0 });
  const flown = (middle: null | 'known', moves: boolean): Trace => {
    const log = new TraceLog();
    const steps = ['leg', 'a', 'b'].map((id) => ({ id, effect: 'compensable' as const }));
    log.enter({ component: 'goto', entity: 'north' }, steps);
    log.mark('leg', 'entry', 1, at([0, 0, 5]));
    log.begin('leg', [], 2);
    log.end('leg', 'committed', 3);
    log.mark('leg', 'commit', 4, middle === null ? null : at([9, 0, 5]));
    if (moves) log.moveFrame();
    log.begin('a', ['leg'], 5);
    log.end('a', 'failed', 6);
    return log.trace;
  };

  it('is the last committed one', () => {
    const { checkpoint } = rollbackOf(decide(flown('known', false), { step: 'a' }, 'dart'));
    expect(checkpoint.place?.positionEnuM).toEqual([9, 0, 5]);
  });

  it('is an older one where nobody knew the newest', () => {
    const decision = rollbackOf(decide(flown(null, false), { step: 'a' }, 'dart'));
    expect(decision.checkpoint.place?.positionEnuM).toEqual([0, 0, 5]);
    expect(decision.refused).toMatchObject([{ reasons: ['nobody knew where the vehicle stood'] }]);
    expect(decision.reexecute).toEqual(['leg', 'a']);
  });

  it('is none once the frame of reference has moved', () => {
    expect(decide(flown('known', true), { step: 'a' }, 'dart').kind).toBe('whole-task');
  });
});

describe('the boundary', () => {
  const certificateOf = (trace: Trace, step: string) => {
    const located = localize(trace, { step });
    if (!located.unique) throw new Error('ambiguous');
    const answers = certify(trace, located.instance, { step });
    return Object.entries(answers)
      .filter(([, { holds }]) => !holds)
      .map(([name]) => name);
  };

  it('holds for the plain case', () => {
    expect(certificateOf(north().trace, 'b')).toEqual([]);
  });

  it('is not decidable while another instance is at work', () => {
    const story = north();
    story.log.enter({ component: 'winch', entity: '' }, [{ id: 'w', effect: 'reversible' }]);
    story.log.begin('w', [], 100);
    expect(certificateOf(story.trace, 'b')).toEqual(['decidable']);
  });

  it('is not closed on something that is not committed', () => {
    const story = new Story()
      .instance('winch', '', [{ id: 'w', ends: 'unknown' }])
      .instance('goto', 'drop', [{ id: 'leg' }, { id: 'd', uses: ['w', 'leg'], ends: 'failed' }]);
    expect(certificateOf(story.trace, 'd')).toEqual(['closed']);
  });

  it('is not separable from somebody who is at work on what would be done again', () => {
    const story = new Story()
      .instance('stage', 'orders', [{ id: 's', ends: 'unknown' }])
      .instance('load', 'orders', [{ id: 'l', uses: ['s'], ends: 'unknown' }]);
    expect(certificateOf(story.trace, 's')).toEqual(['separable']);
    expect(decide(story.trace, { step: 's' }, 'dart').kind).toBe('whole-task');
  });
});

describe('for any trace', () => {
  const step = fc.record({
    instance: fc.nat(2),
    effect: fc.constantFrom<EffectClass>('none', 'reversible', 'compensable', 'irreversible'),
    ends: fc.constantFrom<'committed' | 'failed' | 'unknown'>('committed', 'failed', 'unknown'),
    uses: fc.array(fc.nat(9), { maxLength: 3 }),
  });
  const traces = fc.array(step, { minLength: 1, maxLength: 10 }).map((steps) => {
    const log = new TraceLog();
    let at = 0;
    [0, 1, 2].forEach((k) => {
      const own = steps.flatMap((s, i) =>
        s.instance === k ? [{ id: `s${i}`, effect: s.effect }] : [],
      );
      log.enter({ component: 'c', entity: `e${k}` }, own);
      const [first] = own;
      if (first) log.mark(first.id, 'entry', (at += 1));
    });
    steps.forEach(({ uses, ends }, i) => {
      const id = `s${i}`;
      log.begin(
        id,
        uses.filter((u) => u < i).map((u) => `s${u}`),
        (at += 1),
      );
      log.end(id, ends, (at += 1));
      if (ends === 'committed') log.mark(id, 'commit', (at += 1));
    });
    return { trace: log.trace, last: `s${steps.length - 1}` };
  });

  it('an older checkpoint is never admissible where a newer one is not', () => {
    fc.assert(
      fc.property(traces, ({ trace }) => {
        for (const instance of trace.instances) {
          const open = checkpoints(trace, instance).map((c) =>
            ADMISSIBILITY_NAMES.every((name) => admissible(trace, instance, c)[name].holds),
          );
          expect(open).toEqual(open.toSorted((a, b) => Number(b) - Number(a)));
        }
      }),
      { seed: 7 },
    );
  });

  it('nothing irreversible that happened or may have is done again', () => {
    fc.assert(
      fc.property(traces, ({ trace, last }) => {
        const decision = decide(trace, { step: last }, 'dart');
        const again = 'reexecute' in decision ? decision.reexecute : [];
        const lasting = trace.instances
          .flatMap(({ steps }) => steps)
          .filter((s) => s.effect === 'irreversible' && s.state !== 'failed')
          .map(({ id }) => id);
        expect(again.filter((id) => lasting.includes(id))).toEqual([]);
      }),
      { seed: 7 },
    );
  });
});

describe('each condition, left out', () => {
  it('lets a rollback through that it stops', () => {
    const { trace } = north();
    const doubt = { step: 'b', onset: 'a' };
    expect(decideWithout(trace, doubt, 'dart', new Set(['noCommittedConflict']))).toMatchObject({
      kind: 'rollback',
      reexecute: ['a', 'b'],
    });
    const drop = { id: 'drop', effect: 'irreversible' as const, ends: 'unknown' as const };
    expect(
      decideWithout(north(drop).trace, { step: 'drop' }, 'dart', new Set(['effectAllowed'])),
    ).toMatchObject({ kind: 'rollback', reexecute: ['drop'] });
  });
});
