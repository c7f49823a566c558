/**
 * Residual obligations and boundaries of every contract of up to five obligations, against an
 * oracle of another language that tries all sets. Enters: how many obligations at most.
 * Leaves: contracts, states, questions, mismatches. Never: a sample where all can be tried.
 */
import type { TaskContract, TaskStateView } from '../../../src/contract/index.js';
import { decide, TraceLog, type StepState, type Trace } from '../../../src/recovery/dart/index.js';
import { residualObligations } from '../../../src/recovery/index.js';
import { askOracle } from './oracle.js';

export interface Conformance {
  readonly contracts: number;
  readonly states: number;
  readonly questions: number;
  readonly mismatches: number;
}

/** Numbers of base 3, as in oracle.c. */
const STATES = ['open', 'satisfied', 'unknown'] as const;
const STEP_STATES = [undefined, 'committed', 'unknown'] as const;
const LARGEST = 5;
const ANSWERS = { rollback: 1, 'whole-task': 2, residual: 3, retry: 0 } as const;

export function conform(obligationsMax: number): Conformance {
  const sum = { contracts: 0, states: 0, questions: 0, mismatches: 0 };
  for (let n = 1; n <= obligationsMax; n += 1) {
    const answers = new Reader(askOracle(n));
    for (let graph = 0; graph < 2 ** ((n * (n - 1)) / 2); graph += 1) {
      const after = rowsOf(graph, n);
      sum.contracts += 1;
      for (let number = 0; number < 3 ** n; number += 1) {
        const states = Array.from({ length: n }, (_, i) => Math.floor(number / 3 ** i) % 3);
        sum.states += 1;
        sum.mismatches += residualDiffers(after, states, answers);
        for (const question of questionsOf(n, states)) {
          sum.questions += 1;
          sum.mismatches += boundaryDiffers(after, states, question, answers);
        }
      }
    }
    sum.mismatches += answers.left === 0 ? 0 : 1;
  }
  return sum;
}

class Reader {
  #at = 0;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  pair(): readonly [number, number] {
    this.#at += 2;
    return [this.#bytes[this.#at - 2] ?? -1, this.#bytes[this.#at - 1] ?? -1];
  }
}

/** The bits of the graph's number fill the rows 1, 2, ... below the diagonal. */
function rowsOf(graph: number, n: number): readonly (readonly number[])[] {
  let bit = 0;
  return Array.from({ length: n }, (_, i) => {
    const row = Array.from({ length: i }, (__, j) => j).filter((j) => (graph >>> (bit + j)) & 1);
    bit += i;
    return row;
  });
}

interface Question {
  readonly irreversible: number;
  readonly from: number;
  readonly to: number;
  readonly doubt: number;
}

function* questionsOf(n: number, states: readonly number[]): Generator<Question> {
  const all = 2 ** n - 1;
  const singles = n === LARGEST ? [] : Array.from({ length: n }, (_, i) => 2 ** i);
  const masks = [0, all, ...singles];
  const longest = n === LARGEST ? 1 : n;
  for (const irreversible of masks) {
    for (let from = 0; from < n; from += 1) {
      for (let to = from; to < Math.min(n, from + longest); to += 1) {
        for (let doubt = from; doubt <= to; doubt += 1) {
          if (states[doubt] !== 0) yield { irreversible, from, to, doubt };
        }
      }
    }
  }
}

const maskOf = (ids: readonly string[]): number =>
  ids.reduce((mask, id) => mask | (1 << Number(id.slice(1))), 0);

function residualDiffers(
  after: readonly (readonly number[])[],
  states: readonly number[],
  answers: Reader,
): number {
  const obligations = after.map((row, i) => ({ id: `o${i}`, after: row.map((j) => `o${j}`) }));
  // Only what the fold of the residual set reads: ids, order, states.
  const contract = { obligations } as unknown as TaskContract;
  const view = {
    obligations: obligations.map(({ id }, i) => ({ id, state: STATES[states[i] ?? 0] })),
  } as unknown as TaskStateView;
  const residual = residualObligations(view, contract);
  const left = new Set(residual.map(({ id }) => id));
  const ready = residual.filter((o) => !o.after.some((id) => left.has(id)));
  const [expected, expectedReady] = answers.pair();
  const same =
    maskOf([...left]) === expected && maskOf(ready.map(({ id }) => id)) === expectedReady;
  return same ? 0 : 1;
}

function boundaryDiffers(
  after: readonly (readonly number[])[],
  states: readonly number[],
  question: Question,
  answers: Reader,
): number {
  const trace = traceOf(after, states, question);
  const failure = { onset: `o${question.doubt}` };
  const decision = decide(trace, failure, 'dart');
  const set =
    decision.kind === 'residual' ? [...decision.kept, ...decision.unresolved] : decision.reexecute;
  const [expected, expectedSet] = answers.pair();
  return ANSWERS[decision.kind] === expected && maskOf(set) === expectedSet ? 0 : 1;
}

/** Obligations of the interval are steps of one instance, each other one is one of its own. */
function traceOf(
  after: readonly (readonly number[])[],
  states: readonly number[],
  { irreversible, from, to }: Question,
): Trace {
  const log = new TraceLog();
  let at = 0;
  const planOf = (i: number) => ({
    id: `o${i}`,
    effect: ((irreversible >>> i) & 1) === 1 ? ('irreversible' as const) : ('reversible' as const),
  });
  after.forEach((_, i) => {
    if (i > from && i <= to) return;
    const members = i === from ? after.map((__, j) => j).filter((j) => j >= from && j <= to) : [i];
    log.enter({ component: `c${i}`, entity: '' }, members.map(planOf));
    log.mark(`o${i}`, 'entry', (at += 1));
  });
  after.forEach((row, i) => {
    const end: Exclude<StepState, 'waiting' | 'under-way'> | undefined =
      STEP_STATES[states[i] ?? 0];
    if (end === undefined) return;
    log.begin(
      `o${i}`,
      row.map((j) => `o${j}`),
      (at += 1),
    );
    log.end(`o${i}`, end, (at += 1));
    if (end === 'committed') log.mark(`o${i}`, 'commit', (at += 1));
  });
  return log.trace;
}
