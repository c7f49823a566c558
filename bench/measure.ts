/**
 * Times two pieces of work against one another: alternately, in one process, in many small
 * batches, after warming both. Enters: functions. Leaves: times and their ratio.
 * Never: a verdict on an absolute time: machines differ, and share their cores.
 */

export interface Subject {
  readonly name: string;
  run(): unknown;
}

/** Times of one call in microseconds, over `n` batches. */
export interface Times {
  readonly p50Us: number;
  readonly p95Us: number;
  readonly p99Us: number;
  readonly minUs: number;
  readonly n: number;
}

export interface Comparison {
  readonly a: Times;
  readonly b: Times;
  /** Ratio of the medians, a to b. */
  readonly ratio: number;
  /** The same for each of the repeats alone: how far the machine blurs it. */
  readonly lowest: number;
  readonly highest: number;
}

const REPEATS = 5;
/** Long enough that reading the clock does not count, and short beside a turn of the scheduler. */
const BATCH_US = 500;
const WARM_UP_CPU_US = 400_000;
const PROBES = 9;

/** The compiler must not drop work whose result nobody looks at. */
let sink: unknown;

export const nowUs = (): number => Number(process.hrtime.bigint()) / 1000;

export interface CompareOptions {
  /** Of each; 250 by default, in five repeats. */
  readonly batches?: number;
  /** Calls in a batch of each; by default as many as last 100 us. */
  readonly calls?: readonly [number, number];
}

export function compare(a: Subject, b: Subject, options: CompareOptions = {}): Comparison {
  const batches = options.batches ?? 250;
  const warmed = warm([a, b]).map((us) => Math.max(1, Math.round(BATCH_US / us)));
  const [callsA, callsB] = options.calls ?? warmed;
  const times: { a: number[]; b: number[] }[] = [];
  for (let repeat = 0; repeat < REPEATS; repeat += 1) {
    const ofRepeat = { a: [] as number[], b: [] as number[] };
    for (let k = 0; k < batches / REPEATS; k += 1) {
      ofRepeat.a.push(batchUs(a, callsA ?? 1));
      ofRepeat.b.push(batchUs(b, callsB ?? 1));
    }
    times.push(ofRepeat);
  }
  const ratios = times.map((one) => timesOf(one.a).p50Us / timesOf(one.b).p50Us);
  const [allA, allB] = [timesOf(times.flatMap((one) => one.a)), timesOf(times.flatMap((t) => t.b))];
  return {
    a: allA,
    b: allB,
    ratio: allA.p50Us / allB.p50Us,
    lowest: Math.min(...ratios),
    highest: Math.max(...ratios),
  };
}

/** Runs each until it is as fast as it gets; returns what one call takes by then. */
function warm(subjects: readonly Subject[]): number[] {
  return subjects.map((subject) => {
    const startUs = process.cpuUsage().user;
    let calls = 0;
    // Time of our own, not of the wall: on a busy machine the compiler needs its share too.
    for (; process.cpuUsage().user - startUs < WARM_UP_CPU_US || calls < 3; calls += 1) {
      sink = subject.run();
    }
    // The least of a few: another program's turn on this core is none of its time.
    return Math.min(...Array.from({ length: PROBES }, () => batchUs(subject, 1)));
  });
}

/** Microseconds of one call, over a batch of `calls`. */
function batchUs(subject: Subject, calls: number): number {
  const start = process.hrtime.bigint();
  for (let k = 0; k < calls; k += 1) sink = subject.run();
  return Number(process.hrtime.bigint() - start) / 1000 / calls;
}

export function timesOf(samplesUs: readonly number[]): Times {
  const sorted = [...samplesUs].sort((x, y) => x - y);
  const at = (share: number): number =>
    sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
  return { p50Us: at(0.5), p95Us: at(0.95), p99Us: at(0.99), minUs: at(0), n: sorted.length };
}

/** What was made last, so that it counts as used. */
export const lastResult = (): unknown => sink;
