/** Legs are flown in their order: on along the way, never back, and none left out. */
import { describe, expect, it } from 'vitest';
import type { Envelope, WireMessage } from '../../src/contract/index.js';
import { createGate } from '../../src/gate/index.js';
import { grantOf, HAIRPIN, pathOf, setpoint, World } from './fixture.js';

const PERIOD_US = 50_000;

/** Codes of what became of each setpoint, one every 50 ms. */
function fly(envelope: Envelope, messages: readonly WireMessage[]): readonly string[] {
  const gate = createGate(new World().ports, { runId: 'run-1', bootEpoch: 3 });
  const lease = gate.grant(grantOf({ envelope, framesAllowed: 100_000, deadlineUs: 1e10 }), 0);
  gate.recordIntent(lease, 1);
  return messages.map((message, i) => {
    const nowUs = (i + 1) * PERIOD_US;
    const minted = gate.mint(lease, message, nowUs);
    if (!minted.ok) return minted.error.code;
    const sent = gate.dispatch(lease, minted.value, nowUs);
    return sent.ok ? 'sent' : `${sent.error.check} ${sent.error.code}`;
  });
}

/** Points every `stepM` along the corners, as a carrot walks them. */
function walk(corners: readonly (readonly [number, number])[], stepM: number): WireMessage[] {
  const points: WireMessage[] = [];
  let left = 0;
  corners.slice(1).forEach(([bx, by], i) => {
    const [ax, ay] = corners[i] ?? [bx, by];
    const length = Math.hypot(bx - ax, by - ay);
    let along = left;
    for (; along <= length; along += stepM) {
      const t = length === 0 ? 0 : along / length;
      points.push(setpoint(ax + t * (bx - ax), { y: ay + t * (by - ay) }));
    }
    left = along - length;
  });
  return points;
}

const HAIRPIN_CORNERS = [
  [0, 0],
  [10, 0],
  [10, 1],
  [0, 1],
] as const;

describe('a path at the gate', () => {
  it.each([0.013, 0.03, 0.1])('is flown from end to end in steps of %d m', (stepM) => {
    const sent = fly(HAIRPIN, walk(HAIRPIN_CORNERS, stepM));
    expect(new Set(sent)).toEqual(new Set(['sent']));
  });

  it.each([0.004, 0.03, 0.1])('that turns back on itself is flown in steps of %d m', (stepM) => {
    const there = pathOf([0, 0, -6], [3, 0, -6], [0, 0, -6], [3, 0, -6]);
    const steps = walk(
      [
        [0, 0],
        [3, 0],
        [0, 0],
        [3, 0],
      ],
      stepM,
    );
    expect(new Set(fly(there, steps))).toEqual(new Set(['sent']));
  });

  it('may have legs that are shorter than a step, and of no length', () => {
    const corners = [
      [0, 0],
      [1, 0],
      [1, 0.02],
      [1, 0.02],
      [1, 1],
    ] as const;
    const envelope = pathOf(...corners.map(([x, y]) => [x, y, -6] as const));
    expect(new Set(fly(envelope, walk(corners, 0.1)))).toEqual(new Set(['sent']));
  });

  it('is not flown back, neither at a step nor by creeping', () => {
    const out = walk(
      [
        [0, 0],
        [5, 0],
      ],
      0.1,
    );
    expect(fly(HAIRPIN, [...out, setpoint(4.9)]).at(-1)).toBe('path-order HALO-412');
    const creeping = Array.from({ length: 10 }, (_, i) => setpoint(5 - 0.01 * (i + 1)));
    const codes = fly(HAIRPIN, [...out, ...creeping]);
    expect(codes.slice(out.length)).toContain('path-order HALO-412');
  });

  it('does not let a leg be flown a second time', () => {
    const steps = walk(HAIRPIN_CORNERS.slice(0, 3), 0.1);
    const [aside] = steps.slice(-1);
    expect(fly(HAIRPIN, [...steps, setpoint(10, { y: 0.9 })]).at(-1)).toBe('path-order HALO-412');
    expect(fly(HAIRPIN, [...steps, aside ?? setpoint(0)]).at(-1)).toBe('sent');
  });

  it('does not leave a leg out, where a step across would be short enough', () => {
    const narrow = pathOf([0, 0, -6], [10, 0, -6], [10, 0.14, -6], [0, 0.14, -6]);
    const out = walk(
      [
        [0, 0],
        [5, 0],
      ],
      0.1,
    );
    expect(fly(narrow, [...out, setpoint(5, { y: 0.14 })]).at(-1)).toBe('path-order HALO-412');
  });

  it('does not leave a leg out where the path crosses itself', () => {
    const eight = pathOf([0, 0, -6], [4, 0, -6], [4, 2, -6], [2, 2, -6], [2, -2, -6]);
    const out = walk(
      [
        [0, 0],
        [2, 0],
      ],
      0.1,
    );
    expect(fly(eight, [...out, setpoint(2, { y: -0.1 })]).at(-1)).toBe('path-order HALO-412');
  });
});
