import { describe, expect, it } from 'vitest';
import { VirtualClock } from '../../sim/virtual-clock.js';

describe('the virtual clock', () => {
  it('calls in order of time, and in order of asking at one time', () => {
    const clock = new VirtualClock();
    const calls: string[] = [];
    clock.at(200, () => calls.push('late'));
    clock.at(100, () => calls.push('first'));
    clock.at(100, () => calls.push('second'));
    clock.advance(150);
    expect(calls).toEqual(['first', 'second']);
    clock.advance(50);
    expect(calls).toEqual(['first', 'second', 'late']);
    expect(clock.nowUs()).toBe(200);
  });

  it('repeats without drift and stops when told, even in its own call', () => {
    const clock = new VirtualClock();
    const times: number[] = [];
    const stop = clock.every(30, (nowUs) => {
      times.push(nowUs);
      if (times.length === 3) stop();
    });
    clock.advance(1000);
    expect(times).toEqual([30, 60, 90]);
  });

  it('says when what was waited for did not come', () => {
    const clock = new VirtualClock();
    expect(clock.advanceUntil(() => false, 5_000)).toBe(false);
    expect(clock.nowUs()).toBe(5_000);
    expect(clock.advanceUntil(() => clock.nowUs() >= 7_000, 5_000)).toBe(true);
    expect(clock.nowUs()).toBe(7_000);
  });
});
