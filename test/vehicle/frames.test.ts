import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compassDegFromYawNed,
  customFromMode,
  enuFromNed,
  float32,
  fluFromFrd,
  frdFromFlu,
  modeFromCustom,
  nedFromEnu,
  wrapRad,
  yawEnuFromNed,
  yawNedFromCompassDeg,
  yawNedFromEnu,
  type Vec3,
} from '../../src/vehicle/index.js';

const SEED = 20_261_130;
const metre = fc.double({ min: -1e5, max: 1e5, noNaN: true });
const vec = fc.tuple(metre, metre, metre);
const angle = fc.double({ min: -20, max: 20, noNaN: true });
/** The same direction, however it is written. */
const apart = (a: number, b: number): number => Math.abs(wrapRad(a - b));
const check = <T>(property: fc.IRawProperty<T, false>): void => {
  fc.assert(property, { seed: SEED, numRuns: 1000 });
};

describe('frames', () => {
  it('east, north and up land where they belong in NED', () => {
    expect(nedFromEnu([1, 0, 0])).toEqual([0, 1, 0]);
    expect(nedFromEnu([0, 1, 0])).toEqual([1, 0, 0]);
    expect(nedFromEnu([0, 0, 1])).toEqual([0, 0, -1]);
    expect(frdFromFlu([1, 1, 1])).toEqual([1, -1, -1]);
  });

  it('there and back is where it began, with no negative zero on the way', () => {
    check(
      fc.property(vec, (v: Vec3) => {
        expect(enuFromNed(nedFromEnu(v))).toEqual(v.map((x) => x + 0));
        expect(fluFromFrd(frdFromFlu(v))).toEqual(v.map((x) => x + 0));
      }),
    );
    expect(nedFromEnu([-0, -0, 0]).every((x) => Object.is(x, 0))).toBe(true);
  });

  it('the four quarters of the compass agree in ENU, NED and degrees', () => {
    const quarters = [
      { deg: 0, ned: 0, enu: Math.PI / 2 },
      { deg: 90, ned: Math.PI / 2, enu: 0 },
      { deg: 180, ned: Math.PI, enu: -Math.PI / 2 },
      { deg: 270, ned: -Math.PI / 2, enu: Math.PI },
    ];
    for (const { deg, ned, enu } of quarters) {
      expect(apart(yawNedFromCompassDeg(deg), ned)).toBeLessThan(1e-12);
      expect(apart(yawEnuFromNed(ned), enu)).toBeLessThan(1e-12);
      expect(compassDegFromYawNed(ned)).toBeCloseTo(deg, 9);
    }
  });

  it('yaw turns there and back, and its unit vector turns as positions do', () => {
    check(
      fc.property(angle, (yawNed) => {
        const yawEnu = yawEnuFromNed(yawNed);
        expect(apart(yawNedFromEnu(yawEnu), yawNed)).toBeLessThan(1e-9);
        const [e, n] = enuFromNed([Math.cos(yawNed), Math.sin(yawNed), 0]);
        expect(e).toBeCloseTo(Math.cos(yawEnu), 9);
        expect(n).toBeCloseTo(Math.sin(yawEnu), 9);
      }),
    );
  });

  it('wraps into (-π, π], and a heading into [0, 360)', () => {
    check(
      fc.property(angle, (a) => {
        const w = wrapRad(a);
        expect(w).toBeGreaterThan(-Math.PI - 1e-12);
        expect(w).toBeLessThanOrEqual(Math.PI + 1e-12);
        expect(Math.cos(w)).toBeCloseTo(Math.cos(a), 9);
        const deg = compassDegFromYawNed(a);
        expect(deg).toBeGreaterThanOrEqual(0);
        expect(deg).toBeLessThanOrEqual(360);
      }),
    );
  });

  it('float32 is the number that the wire will hold', () => {
    expect(float32(0.1)).toBe(0.10000000149011612);
    expect(Object.is(float32(-0), 0)).toBe(true);
  });
});

describe('flight modes', () => {
  it.each([
    ['MANUAL', 0x00010000],
    ['ALTCTL', 0x00020000],
    ['POSCTL', 0x00030000],
    ['AUTO.TAKEOFF', 0x02040000],
    ['AUTO.LOITER', 0x03040000],
    ['AUTO.RTL', 0x05040000],
    ['AUTO.LAND', 0x06040000],
    ['OFFBOARD', 0x00060000],
    ['STABILIZED', 0x00070000],
    ['TERMINATION', 0x000a0000],
  ] as const)('%s is %i, both ways', (name, custom) => {
    expect(modeFromCustom(custom)).toBe(name);
    expect(customFromMode(name)).toBe(custom);
  });

  it('shows the numbers of a mode that it does not know', () => {
    expect(modeFromCustom(0x04_09_0000)).toBe('MODE.9.4');
  });
});
