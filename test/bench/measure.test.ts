import { describe, expect, it } from 'vitest';
import { compare, timesOf } from '../../bench/measure.js';
import { jsonOf, ratioOf, tableOf } from '../../bench/ratio.js';

describe('A bench', () => {
  it('finds the ratio of two pieces of work, whatever the machine does meanwhile', () => {
    const spin = (rounds: number) => (): number => {
      let sum = 0;
      for (let i = 0; i < rounds; i += 1) sum += Math.sqrt(i + sum);
      return sum;
    };
    const twice = compare({ name: 'a', run: spin(20_000) }, { name: 'b', run: spin(10_000) });
    expect(twice.ratio).toBeGreaterThan(1.6);
    expect(twice.ratio).toBeLessThan(2.5);
    expect(twice.lowest).toBeLessThanOrEqual(twice.highest);
    expect(twice.a.n).toBe(250);
  });

  it('tells medians and the slowest hundredth apart', () => {
    const times = timesOf(Array.from({ length: 200 }, (_, i) => (i < 197 ? 10 : 500)));
    expect(times).toEqual({ p50Us: 10, p95Us: 10, p99Us: 500, minUs: 10, n: 200 });
  });

  it('meets a goal by the number itself, not by its rounding', () => {
    const rows = [] as const;
    expect(ratioOf('x', 3.7, ['<=', 3.7], rows).ok).toBe(true);
    expect(ratioOf('x', 3.70001, ['<=', 3.7], rows).ok).toBe(false);
    expect(ratioOf('x', 14.99, ['>=', 15], rows).ok).toBe(false);
    expect(ratioOf('x', Number.NaN, ['<=', 1], rows).ok).toBe(false);
  });

  it('prints a table, and one JSON object with name, value, goal and ok of each', () => {
    const times = timesOf([1, 2, 3]);
    const ratio = ratioOf('gate / casbin', 0.84321, ['<=', 1], [['gate', times]], [0.8, 0.9]);
    expect(tableOf([ratio])).toContain('met    gate / casbin: 0.843 (0.80 to 0.90), goal <= 1');
    expect(JSON.parse(jsonOf([ratio]))).toEqual({
      ratios: [{ name: 'gate / casbin', value: 0.8432, goal: '<= 1', ok: true }],
    });
  });
});
