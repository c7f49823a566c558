/** Where motions lead, and fences: the geometry that admission and flight share. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  insidePolygon,
  isSimplePolygon,
  orbitPoints,
  pointsOf,
  staysInside,
} from '../../src/contract/index.js';

const SQUARE = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
] as const;
/** Two arms with a notch between them. */
const NOTCHED = [
  [0, 0],
  [10, 0],
  [10, 10],
  [6, 10],
  [6, 4],
  [4, 4],
  [4, 10],
  [0, 10],
] as const;

describe('a fence', () => {
  it('holds its corners and edges, and nothing beyond them', () => {
    for (const inside of [
      [5, 5],
      [0, 0],
      [10, 5],
      [5, 10],
    ] as const) {
      expect(insidePolygon(inside, SQUARE), String(inside)).toBe(true);
    }
    for (const outside of [
      [-1, 5],
      [11, 5],
      [5, 11],
      [NaN, 5],
      [5, Infinity],
    ] as const) {
      expect(insidePolygon(outside, SQUARE), String(outside)).toBe(false);
    }
  });

  it('lets no way cross a notch, not even one through its corners', () => {
    expect(staysInside([2, 8], [8, 8], NOTCHED)).toBe(false);
    expect(staysInside([2, 8], [8, 2], NOTCHED)).toBe(false);
    expect(staysInside([2, 2], [8, 2], NOTCHED)).toBe(true);
    expect(staysInside([2, 4], [8, 4], NOTCHED)).toBe(true);
    // From arm to arm over both upper corners of the notch.
    expect(staysInside([3, 10], [7, 10], NOTCHED)).toBe(false);
  });

  it('agrees with a walk along the way in small steps', () => {
    const place = fc.tuple(fc.integer({ min: 1, max: 39 }), fc.integer({ min: 1, max: 39 }));
    fc.assert(
      fc.property(place, place, ([ax, ay], [bx, by]) => {
        // Off the grid of the corners, so that no step falls on an edge.
        const [from, to] = [
          [ax / 4 + 0.061, ay / 4 + 0.037],
          [bx / 4 + 0.017, by / 4 + 0.083],
        ] as const;
        const walked = Array.from({ length: 2001 }, (_, i) => i / 2000).every((t) =>
          insidePolygon(
            [from[0] + t * (to[0] - from[0]), from[1] + t * (to[1] - from[1])],
            NOTCHED,
          ),
        );
        // A step may miss the tip of a corner: only "inside" of the exact answer is a promise.
        return staysInside(from, to, NOTCHED) ? walked : true;
      }),
      { seed: 11, numRuns: 300 },
    );
  });

  it('is refused when its edges cross', () => {
    expect(isSimplePolygon(NOTCHED)).toBe(true);
    expect(
      isSimplePolygon([
        [0, 0],
        [9, 9],
        [9, 0],
        [0, 9],
      ]),
    ).toBe(false);
  });
});

describe('an orbit', () => {
  const params = {
    frame: 'local_enu',
    centerM: [3, 4, 5],
    radiusM: 20,
    startDeg: 90,
    turns: 1.5,
    direction: 'clockwise',
    speedMS: 2,
  } as const;

  it('begins at its bearing, goes clockwise, and never leaves its circle by more than 0.1 m', () => {
    const points = orbitPoints({ ...params, centerM: [3, 4, 5] });
    expect(points[0]?.map((x) => Math.round(x * 1e6) / 1e6)).toEqual([23, 4, 5]);
    // East, then south: clockwise as seen from above.
    expect(points[1]?.[1]).toBeLessThan(4);
    const last = points.at(-1) ?? [0, 0, 0];
    expect(last[0]).toBeCloseTo(-17, 6);
    points.forEach((b, i) => {
      const a = points[i - 1] ?? b;
      const middle = Math.hypot((a[0] + b[0]) / 2 - 3, (a[1] + b[1]) / 2 - 4);
      expect(20 - middle).toBeLessThan(0.1 + 1e-9);
    });
  });
});

it('reckons the end of a velocity from where it begins', () => {
  const velocity = { frame: 'local_enu', velocityMS: [1, 0, -0.5], durationS: 4 } as const;
  const typed = { does: 'velocity', params: { ...velocity, velocityMS: [1, 0, -0.5] } } as const;
  expect(
    pointsOf({ ...typed, params: { ...typed.params, velocityMS: [1, 0, -0.5] } }, [1, 2, 6]),
  ).toEqual([[5, 2, 4]]);
  expect(pointsOf({ does: 'land', params: {} }, [1, 2, 6])).toEqual([]);
});
