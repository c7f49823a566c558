import { describe, expect, it } from 'vitest';
import { measureRange, rangeAhead, type Tower } from '../../sim/world.js';
import { parseOptions } from '../../sim/options.js';
import { seededRandom } from '../../src/platform/index.js';

const TOWER: Tower = { eastM: 10, northM: 0, widthM: 4, depthM: 4, heightM: 20 };
const pose = (e: number, n: number, up: number, yawRad: number) => ({
  positionNedM: { n, e, d: -up },
  velocityNedMS: { n: 0, e: 0, d: 0 },
  yawRad,
  onGround: false,
});
const EAST = Math.PI / 2;

describe('the forward range sensor', () => {
  it.each([
    ['straight at the wall', pose(0, 0, 6, EAST), 8],
    ['at its edge', pose(0, 1.9, 6, EAST), 8],
    ['from the other side', pose(20, 0, 6, -EAST), 8],
    ['from the south, looking north', pose(10, -12, 6, 0), 10],
    ['inside the wall', pose(10, 0, 6, 0), 0],
  ])('sees the tower %s', (_name, truth, distance) => {
    expect(rangeAhead(TOWER, truth)).toBeCloseTo(distance, 6);
  });

  it.each([
    ['past its side', pose(0, 2.1, 6, EAST)],
    ['away from it', pose(0, 0, 6, -EAST)],
    ['from above its top', pose(0, 0, 21, EAST)],
    ['from more than 30 m', pose(-23, 0, 6, EAST)],
  ])('sees nothing when it looks %s', (_name, truth) => {
    expect(rangeAhead(TOWER, truth)).toBeUndefined();
    expect(measureRange(TOWER, truth, seededRandom(1))).toBe(Infinity);
  });

  it('is off by centimetres', () => {
    const random = seededRandom(3);
    const readings = Array.from({ length: 200 }, () =>
      measureRange(TOWER, pose(0, 0, 6, EAST), random),
    );
    for (const reading of readings) expect(Math.abs(reading - 8)).toBeLessThan(0.12);
    expect(new Set(readings).size).toBeGreaterThan(100);
  });
});

describe('the options of the simulator', () => {
  it('stretch the setpoint time-out with the speed, as PX4 does, unless it is given', () => {
    const speedy = parseOptions(['--speed', '3']);
    expect(speedy).toMatchObject({ parameters: { COM_OF_LOSS_T: 3 } });
    const own = parseOptions(['--speed', '3', '--param', 'COM_OF_LOSS_T=1']);
    expect(own).toMatchObject({ parameters: { COM_OF_LOSS_T: 1 } });
  });

  it.each([
    [['--speed', '20'], '--speed'],
    [['--speed', ''], '--speed'],
    [['--home', '47,8'], '--home'],
    [['--param', 'RTL_RETURN_ALT'], '--param'],
    [['--wind', 'a,b'], '--wind'],
    [['--instances', '1.5'], '--instances'],
    [['--fault', 'link-loss'], '@WHEN'],
    [['--nonsense'], '--nonsense'],
  ])('%j are refused by name', (argv, part) => {
    expect(() => parseOptions(argv)).toThrow(part);
  });
});
