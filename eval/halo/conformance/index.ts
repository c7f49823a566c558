/**
 * The bridge's closure against an oracle of another language and another algorithm.
 * Enters: how much. Leaves: graphs, cases, mismatches. Never: a sample where all can be tried.
 */
import { buildGraph, graphFromRows, greatestFixedPoint } from '../../../src/admission/testing.js';
import { seededRandom } from '../../../src/platform/index.js';
import { responseFor, retained, snapshotFor } from './admitted.js';
import { Oracle } from './oracle.js';
import { bytesOf, randomPlan, type Plan } from './random-graphs.js';

export interface Part {
  readonly what: string;
  readonly through: 'admission' | 'closure';
  readonly graphs: number;
  readonly cases: number;
  readonly mismatches: number;
  /** Drawn by chance; otherwise all there are. */
  readonly drawn: boolean;
  /** Share of all components of all cases that the oracle retains: neither nothing nor all. */
  readonly retained: number;
}

export interface Conformance {
  readonly graphs: number;
  readonly cases: number;
  readonly mismatches: number;
  readonly parts: readonly Part[];
}

/** Every digraph up to this many components, and every ordered DAG of that many. */
export interface Size {
  readonly digraphs: number;
  readonly dags: number;
  readonly random32: number;
  readonly random10k: number;
  readonly randomMillion: number;
}

export const FULL: Size = {
  digraphs: 4,
  dags: 6,
  random32: 100_000,
  random10k: 20,
  randomMillion: 1,
};
export const QUICK: Size = {
  digraphs: 3,
  dags: 5,
  random32: 2_000,
  random10k: 2,
  randomMillion: 0,
};

export function conform(size: Size, seed: number): Conformance {
  const oracle = new Oracle();
  try {
    const parts: Part[] = [];
    for (let n = 1; n <= size.digraphs; n += 1) parts.push(everyDigraph(oracle, n));
    parts.push(everyDag(oracle, size.dags));
    const random = seededRandom(seed);
    parts.push(randomPlans(oracle, random, 32, size.random32));
    parts.push(randomPlans(oracle, random, 10_000, size.random10k));
    parts.push(randomPlans(oracle, random, 1_000_000, size.randomMillion));
    const sum = (key: 'graphs' | 'cases' | 'mismatches'): number =>
      parts.reduce((total, part) => total + part[key], 0);
    return { graphs: sum('graphs'), cases: sum('cases'), mismatches: sum('mismatches'), parts };
  } finally {
    oracle.close();
  }
}

const bitsOf = (mask: number, size: number): number[] =>
  Array.from({ length: size }, (_, j) => j).filter((j) => ((mask >>> j) & 1) === 1);

function bitsSet(bytes: Uint8Array): number {
  let set = 0;
  for (const byte of bytes) for (let rest = byte; rest > 0; rest &= rest - 1) set += 1;
  return set;
}

/** Through the whole of admission, self references and cycles included. */
function everyDigraph(oracle: Oracle, n: number): Part {
  const answers = oracle.enumerate('digraphs', n);
  const sets = 1 << n;
  const snapshots = Array.from({ length: sets }, (_, support) => snapshotFor(support, n));
  let mismatches = 0;
  for (let graph = 0; graph < 2 ** (n * n); graph += 1) {
    const rows = Array.from({ length: n }, (_, i) => bitsOf((graph >>> (i * n)) & (sets - 1), n));
    const parsed = responseFor(rows);
    snapshots.forEach((snapshot, support) => {
      if (retained(parsed, snapshot) !== answers[graph * sets + support]) mismatches += 1;
    });
  }
  const graphs = 2 ** (n * n);
  const what = `every digraph on ${n}`;
  const retainedShare = bitsSet(answers) / (n * answers.length);
  return {
    ...{ what, through: 'admission', graphs, cases: graphs * sets, mismatches },
    ...{ drawn: false, retained: retainedShare },
  };
}

function everyDag(oracle: Oracle, n: number): Part {
  const answers = oracle.enumerate('dags', n);
  const sets = 1 << n;
  const graphs = 2 ** ((n * (n - 1)) / 2);
  const supports = Array.from({ length: sets }, (_, support) =>
    Uint8Array.from({ length: n }, (__, i) => (support >>> i) & 1),
  );
  let mismatches = 0;
  for (let number = 0; number < graphs; number += 1) {
    let bit = 0;
    const nodes = Array.from({ length: n }, (_, i) => {
      const requires = bitsOf((number >>> bit) & ((1 << i) - 1), i).map(String);
      bit += i;
      return { id: String(i), requires };
    });
    const graph = buildGraph(nodes);
    supports.forEach((supported, support) => {
      const kept = greatestFixedPoint(graph, supported);
      let bits = 0;
      for (let i = 0; i < n; i += 1) bits |= (kept[i] ?? 0) << i;
      if (bits !== answers[number * sets + support]) mismatches += 1;
    });
  }
  const what = `every ordered DAG on ${n}`;
  const retainedShare = bitsSet(answers) / (n * answers.length);
  return {
    ...{ what, through: 'closure', graphs, cases: graphs * sets, mismatches },
    ...{ drawn: false, retained: retainedShare },
  };
}

/** In batches, so that a hundred thousand graphs are a few runs of the oracle. */
const BATCH_COMPONENTS = 1_000_000;

function randomPlans(oracle: Oracle, random: () => number, size: number, count: number): Part {
  let mismatches = 0;
  let stay = 0;
  const perBatch = Math.max(1, Math.floor(BATCH_COMPONENTS / size));
  for (let done = 0; done < count; done += perBatch) {
    const length = Math.min(perBatch, count - done);
    const plans = Array.from({ length }, () => randomPlan(random, size));
    const answers = oracle.lists(Buffer.concat(plans.map(bytesOf)));
    stay += bitsSet(answers);
    plans.forEach((plan, k) => {
      const kept = keptOf(plan);
      const expected = answers.subarray(k * size, (k + 1) * size);
      if (Buffer.compare(kept, expected) !== 0) mismatches += 1;
    });
  }
  const what = `random plans of ${size.toLocaleString('en')}`;
  return {
    ...{ what, through: 'closure', graphs: count, cases: count, mismatches },
    ...{ drawn: true, retained: count === 0 ? 0 : stay / (size * count) },
  };
}

const keptOf = ({ prereqStart, prereqs, dangling, supported }: Plan): Uint8Array =>
  greatestFixedPoint(graphFromRows(prereqStart, prereqs, dangling), supported);
