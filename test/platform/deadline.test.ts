import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { endsWithin, within } from '../../src/platform/index.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const after = <T>(ms: number, value: T): Promise<T> =>
  new Promise((resolve) => setTimeout(() => resolve(value), ms));
const never = new Promise<never>(() => undefined);

describe('a wait with a limit', () => {
  it('brings the value that comes in time, and leaves no timer behind', async () => {
    const waited = within(after(40, 'here'), 50);
    await vi.advanceTimersByTimeAsync(40);
    expect(await waited).toBe('here');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends at the limit although the work never does', async () => {
    let ended: unknown = 'waiting';
    void within(never, 50).then((value) => (ended = value));
    await vi.advanceTimersByTimeAsync(49);
    expect(ended).toBe('waiting');
    await vi.advanceTimersByTimeAsync(1);
    expect(ended).toBeUndefined();
  });

  it('passes on the error of work that fails in time, and leaves no timer behind', async () => {
    await expect(within(Promise.reject(new Error('broken')), 50)).rejects.toThrow('broken');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('tells of work without a value whether it ended in time', async () => {
    const both = Promise.all([endsWithin(after(10, undefined), 50), endsWithin(never, 50)]);
    await vi.advanceTimersByTimeAsync(50);
    expect(await both).toEqual([true, false]);
  });

  it.each([0, NaN, Infinity, 2 ** 31])('with a limit of %s ms is a mistake', async (limitMs) => {
    await expect(within(never, limitMs)).rejects.toThrow('a wait has a limit');
  });
});
