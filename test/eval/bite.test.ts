/** The evaluation's own judges: each sees what it is there to see. */
import { describe, expect, it } from 'vitest';
import { conform } from '../../eval/halo/conformance/index.js';
import { Oracle } from '../../eval/halo/conformance/oracle.js';
import { bytesOf, randomPlan } from '../../eval/halo/conformance/random-graphs.js';
import { replay } from '../../eval/halo/replay/index.js';
import { violations } from '../../eval/halo/schedules/checks.js';
import { Schedule } from '../../eval/halo/schedules/run.js';
import type { Sent } from '../../eval/halo/schedules/tap.js';
import { witnesses } from '../../eval/halo/witnesses/index.js';
import { seededRandom } from '../../src/platform/index.js';

describe('the judges of the schedules', () => {
  /** Flights without faults; each test changes what was seen of one, and puts that back. */
  const schedule = new Schedule(0);
  const result = schedule.run([]);

  const changed = (
    change: (schedule: Schedule) => void,
    of: Schedule = schedule,
  ): readonly string[] => {
    const { tap, ledger } = of.rig;
    const lists = [tap.sent, tap.told, tap.jumps, tap.arrivedHex, ledger.records];
    const seen = lists.map((list: unknown[]) => ({
      list,
      before: [...list],
    }));
    change(of);
    const found = new Set(violations(of).map((sentence) => sentence.split(':')[0] ?? ''));
    for (const { list, before } of seen) list.splice(0, Infinity, ...before);
    return [...found];
  };

  it('see nothing wrong in a flight without faults', () => {
    expect(result).toMatchObject({ violations: [], completed: true });
    expect(changed(() => undefined)).toEqual([]);
  });

  const leg = ({ rig }: Schedule): number => rig.tap.sent.findIndex(({ nedM }) => nedM) + 40;
  const put = (schedule: Schedule, at: number, more: Partial<Sent>): void => {
    const frame = schedule.rig.tap.sent[at];
    if (frame === undefined) throw new Error(`there is no frame ${at}`);
    schedule.rig.tap.sent[at] = { ...frame, ...more };
  };

  it('see a frame that is on the wire twice', () => {
    const found = changed((s) => {
      const at = leg(s);
      const frame = s.rig.tap.sent[at];
      if (frame !== undefined) s.rig.tap.sent.splice(at, 0, frame);
    });
    expect(found).toContain('each frame once, in order');
  });

  it('see a setpoint on a position that is too old, and one on an old heartbeat', () => {
    const position = changed((s) => put(s, leg(s), { positionBornUs: s.rig.nowUs - 60e6 }));
    expect(position).toContain('no setpoint on stale evidence');
    const heard = { heartbeat: -Infinity, gps: Infinity, landed: Infinity, estimator: Infinity };
    const heartbeat = changed((s) => put(s, leg(s), { heardUs: heard }));
    expect(heartbeat).toContain('no setpoint on stale evidence');
  });

  it('see a point that runs ahead, and a frame outside of its lease', () => {
    expect(changed((s) => put(s, leg(s), { nedM: [0, 5, -2] }))).toContain(
      'no faster than admitted',
    );
    expect(changed((s) => put(s, leg(s), { atUs: s.rig.nowUs }))).toContain(
      'frames within their lease',
    );
  });

  it('see a frame against a pilot, and one that nobody sent', () => {
    const pilot = changed((s) => {
      const atUs = s.rig.tap.sent[leg(s)]?.atUs ?? 0;
      s.rig.tap.told.splice(0, Infinity, { atUs: 0, armed: false, customMode: 4 << 16 });
      s.rig.tap.told.push({ atUs, armed: true, customMode: 3 << 16 });
    });
    expect(pilot).toContain('nothing against a pilot');
    const forged = changed((s) => s.rig.tap.arrivedHex.push({ atUs: 1, hex: 'fd' }));
    expect(forged).toContain('what arrives has left before');
  });

  it('see an epoch that moved under a lease, and a lease without a verdict', () => {
    const moved = changed(({ rig }) => {
      const granted = rig.ledger
        .of('lease-granted')
        .find(({ body }) => kindOf(body) === 'flight.goto');
      if (granted === undefined) throw new Error('there was no leg');
      const body = { moved: ['estimator'], reason: 'the estimator was reset', epochs: {} };
      rig.ledger.records.push({ ...granted, seq: granted.seq + 0.5, kind: 'vehicle-epoch', body });
    });
    expect(moved).toContain('no frame after a bound epoch moved');
    const unjudged = changed(({ rig }) => {
      const at = rig.ledger.records.findIndex(({ kind }) => kind === 'verdict');
      const verdict = rig.ledger.records[at];
      if (verdict !== undefined) rig.ledger.records[at] = { ...verdict, body: { admitted: [] } };
    });
    expect(unjudged).toContain('leases rest on a verdict');
  });

  const kindOf = (body: unknown): unknown => (body as { kind?: unknown }).kind;

  it('see a frame before its intent is on disk, and one before what it rests on is so', () => {
    const early = changed((s) => put(s, leg(s), { durableSeq: 0 }));
    expect(early).toEqual(['intent on disk before the first frame']);
    const truth = { airborne: -Infinity, armed: 0, there: 0, down: 0 };
    const grounded = changed((s) => put(s, leg(s), { truth }));
    expect(grounded).toEqual(['nothing before its prerequisite']);
  });

  it('see a setpoint after a jump or a mode of others that the bridge was told of', () => {
    const atOf = (s: Schedule): number => s.rig.tap.sent[leg(s)]?.atUs ?? 0;
    const jumped = changed((s) => {
      s.rig.tap.jumps.push({ atUs: atOf(s), what: 'the estimator was reset' });
    });
    expect(jumped).toEqual(['nothing decided before the world jumped']);
    const taken = changed((s) => {
      const { told } = s.rig.tap;
      const next = told.findIndex(({ atUs }) => atUs > atOf(s));
      told.splice(next, 0, { atUs: atOf(s), armed: true, customMode: 4 << 16 });
    });
    expect(taken).toEqual(['no setpoint once the mode is another']);
  });

  it('see two setpoints in one tick', () => {
    const found = changed((s) => {
      put(s, leg(s), { atUs: s.rig.tap.sent[leg(s) + 1]?.atUs ?? 0 });
    });
    expect(found).toContain('no burst of setpoints');
  });

  it('see a vehicle in the air that nobody has', () => {
    const stuck = new Schedule(2);
    stuck.rig.engine.onEvent(() => undefined);
    for (let k = 0; k < 1000 && stuck.rig.truth.onGround; k += 1) {
      if (k === 0) stuck.rig.foreignCommand(400, [1]);
      if (k === 50) stuck.rig.foreignCommand(176, [1, 4, 2]);
      stuck.rig.step();
    }
    const found = violations(stuck).map((sentence) => sentence.split(':')[0]);
    expect(found).toContain('down in the end, or in hands of people');
  });

  it('see a second drop, and a drop that nobody approved', () => {
    const aboard = new Schedule(5);
    expect(aboard.run([])).toMatchObject({ violations: [], completed: true });
    const twice = changed(({ rig: { tap } }) => {
      const drop = tap.sent.find(({ command }) => command === 211);
      if (drop !== undefined) tap.sent.push(drop);
    }, aboard);
    expect(twice).toContain('what cannot be taken back is done once');
    aboard.approvedUs.clear();
    expect(changed(() => undefined, aboard)).toEqual(['no release without a person']);
  });

  it('find the same in the same seed', () => {
    const fly = (): string => JSON.stringify(new Schedule(11).run([]));
    expect(fly()).toBe(fly());
  });
});

describe('the oracle of the closure', () => {
  it('gives by its walks what it gives by trying all sets', () => {
    const oracle = new Oracle();
    try {
      const n = 3;
      const rows = (graph: number): number[][] =>
        [0, 1, 2].map((i) => [0, 1, 2].filter((j) => ((graph >>> (i * n + j)) & 1) === 1));
      const plans = Array.from({ length: 2 ** (n * n) * 2 ** n }, (_, k) => {
        const [graph, support] = [k >>> n, k & 7];
        const supported = Uint8Array.from([0, 1, 2], (i) => (support >>> i) & 1);
        const prereqs = rows(graph);
        const ends = [0, 1, 2].map((i) => prereqs.slice(0, i + 1).flat().length);
        return {
          size: n,
          prereqStart: Int32Array.from([0, ...ends]),
          prereqs: Int32Array.from(prereqs.flat()),
          dangling: new Uint8Array(n),
          supported,
        };
      });
      const walked = oracle.lists(Buffer.concat(plans.map(bytesOf)));
      const tried = oracle.enumerate('digraphs', n);
      expect(walked).toHaveLength(n * tried.length);
      tried.forEach((bits, k) => {
        expect([...walked.subarray(k * n, k * n + n)]).toEqual(
          [0, 1, 2].map((i) => (bits >>> i) & 1),
        );
      });
    } finally {
      oracle.close();
    }
  });

  it('does not agree with what forgets the prerequisites', () => {
    const oracle = new Oracle();
    try {
      const random = seededRandom(5);
      const plans = Array.from({ length: 200 }, () => randomPlan(random, 32));
      const answers = oracle.lists(Buffer.concat(plans.map(bytesOf)));
      const supported = Buffer.concat(plans.map((plan) => plan.supported));
      expect(Buffer.compare(answers, supported)).not.toBe(0);
      // Two components, the second requires the first: kept only with it.
      expect([...oracle.enumerate('dags', 2)]).toEqual([0, 1, 2, 3, 0, 1, 0, 3]);
    } finally {
      oracle.close();
    }
  });

  it('is asked about every digraph on two components, cycles and self references too', () => {
    const size = { digraphs: 2, dags: 3, random32: 10, random10k: 0, randomMillion: 0 };
    expect(conform(size, 1)).toMatchObject({ graphs: 2 + 16 + 8 + 10, mismatches: 0 });
  });
});

describe('the replay and the witnesses', () => {
  it('name the component of an expectation that is not met', () => {
    const { unmet, expectations } = replay();
    expect(unmet).toEqual([]);
    expect(expectations.total).toBeGreaterThanOrEqual(96);
  });

  it('see nothing with every check on, and each class with its check left out', () => {
    const { list, control } = witnesses(9, 500);
    expect(control).toEqual({ runs: 500, bad: 0 });
    expect(list.filter(({ shownAfter }) => shownAfter === undefined)).toEqual([]);
    expect(new Set(list.map(({ expected }) => expected)).size).toBeGreaterThan(20);
  });
});
