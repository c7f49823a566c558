/**
 * A goal and how near it is. Enters: measured ratios. Leaves: lines of a table, one JSON line.
 * Never: a goal that is met by rounding.
 */
import type { Comparison, Times } from './measure.js';

export interface Ratio {
  readonly name: string;
  readonly value: number;
  /** `<= 3.7` or `>= 15`. */
  readonly goal: string;
  readonly ok: boolean;
  /** What was timed against what, for the table. */
  readonly rows: readonly (readonly [string, Times])[];
  /** Ratios of the repeats, where there are repeats. */
  readonly range?: readonly [number, number];
}

export type Goal = readonly ['<=' | '>=', number];

export function ratioOf(
  name: string,
  value: number,
  goal: Goal,
  rows: Ratio['rows'],
  range?: readonly [number, number],
): Ratio {
  const [sign, limit] = goal;
  const ok = sign === '<=' ? value <= limit : value >= limit;
  const base = { name, value, goal: `${sign} ${limit}`, ok, rows };
  return range === undefined ? base : { ...base, range };
}

export const compared = (name: string, goal: Goal, names: [string, string], c: Comparison): Ratio =>
  ratioOf(
    name,
    c.ratio,
    goal,
    [
      [names[0], c.a],
      [names[1], c.b],
    ],
    [c.lowest, c.highest],
  );

const us = (value: number): string => value.toFixed(value < 10 ? 2 : 1).padStart(9);

export function tableOf(ratios: readonly Ratio[]): string {
  const lines: string[] = [];
  for (const { name, value, goal, ok, rows, range } of ratios) {
    const between = range === undefined ? '' : ` (${range.map((r) => r.toFixed(2)).join(' to ')})`;
    lines.push(`${ok ? 'met   ' : 'missed'} ${name}: ${value.toFixed(3)}${between}, goal ${goal}`);
    for (const [label, t] of rows) {
      const times = `p50 ${us(t.p50Us)}  p95 ${us(t.p95Us)}  p99 ${us(t.p99Us)}  min ${us(t.minUs)}`;
      lines.push(`         ${label.padEnd(44)} ${times} us  n ${t.n}`);
    }
  }
  return lines.join('\n');
}

/** Three significant decimals: more would be noise. */
export function jsonOf(ratios: readonly Ratio[]): string {
  return JSON.stringify({
    ratios: ratios.map(({ name, value, goal, ok }) => ({
      name,
      value: Number(value.toPrecision(4)),
      goal,
      ok,
    })),
  });
}
