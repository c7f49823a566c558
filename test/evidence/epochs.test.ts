import { describe, expect, it } from 'vitest';
import type { VehicleSign } from '../../src/contract/index.js';
import { EpochTracker } from '../../src/evidence/index.js';

const SECOND = 1_000_000;

/** A vehicle that says things, one second apart unless told otherwise. */
class World {
  readonly tracker = new EpochTracker();
  nowUs = 10 * SECOND;

  hear(...signs: readonly VehicleSign[]) {
    return this.tracker.take(signs, this.nowUs);
  }

  beat(mode: string, more: { armed?: boolean; failsafe?: boolean } = {}) {
    this.nowUs += SECOND;
    const { armed = true, failsafe = false } = more;
    return this.hear({ type: 'heartbeat', atUs: this.nowUs, armed, mode, failsafe });
  }

  landed(landed: 'on_ground' | 'in_air') {
    return this.hear({ type: 'landed', atUs: this.nowUs, landed });
  }

  at(bootMs: number, e: number, speedMS = 0) {
    const positionEnuM = [e, 0, 6] as const;
    const velocityEnuMS = [speedMS, 0, 0] as const;
    const sign = { type: 'position', atUs: this.nowUs, bootMs, positionEnuM, velocityEnuMS };
    return this.hear({ ...sign, type: 'position' });
  }

  expectMode(...names: string[]): void {
    this.tracker.expectMode(names, this.nowUs + 3 * SECOND);
  }
}

const kinds = (moves: readonly { kind: string }[]) => moves.map((m) => m.kind);

describe('mode', () => {
  it('of ours moves nothing', () => {
    const world = new World();
    world.beat('AUTO.LOITER');
    world.expectMode('OFFBOARD');
    expect(world.beat('OFFBOARD')).toEqual([]);
    expect(world.tracker.lastModeChange).toMatchObject({ by: 'ours', to: 'OFFBOARD' });
  });

  it('of a pilot moves, with the mode in the sentence', () => {
    const world = new World();
    world.beat('OFFBOARD');
    expect(world.beat('POSCTL')).toEqual([
      { kind: 'mode', reason: 'pilot or ground station took over: POSCTL' },
    ]);
  });

  it('that we asked for is ours once: the second time it is a pilot', () => {
    const world = new World();
    world.beat('AUTO.LOITER');
    world.expectMode('OFFBOARD');
    world.beat('OFFBOARD');
    expect(kinds(world.beat('AUTO.LOITER'))).toEqual(['mode']);
    expect(kinds(world.beat('OFFBOARD'))).toEqual(['mode']);
  });

  it('that we asked for too long ago is a pilot', () => {
    const world = new World();
    world.beat('AUTO.LOITER');
    world.expectMode('OFFBOARD');
    for (let k = 0; k < 3; k += 1) world.beat('AUTO.LOITER');
    expect(kinds(world.beat('OFFBOARD'))).toContain('mode');
  });

  it('that we asked for before the link was lost is ours when it is heard again', () => {
    const world = new World();
    world.beat('OFFBOARD');
    world.expectMode('AUTO.LOITER');
    world.nowUs += 2 * SECOND;
    expect(world.hear()).toEqual([]);
    world.nowUs += 4 * SECOND;
    expect(kinds(world.hear())).toEqual(['link']);
    expect(world.hear({ type: 'mode', atUs: world.nowUs, mode: 'AUTO.LOITER' })).toEqual([]);
    expect(world.beat('AUTO.LOITER')).toEqual([]);
    // Any other is not.
    expect(kinds(world.beat('POSCTL'))).toEqual(['mode']);
  });

  it('of the take-off, told again by a heartbeat that was overtaken, is no change', () => {
    const world = new World();
    world.beat('AUTO.TAKEOFF');
    world.nowUs += 0.1 * SECOND;
    expect(world.hear({ type: 'mode', atUs: world.nowUs, mode: 'AUTO.LOITER' })).toEqual([]);
    world.nowUs -= 0.9 * SECOND;
    expect(world.beat('AUTO.TAKEOFF')).toEqual([]);
    expect(world.beat('AUTO.LOITER')).toEqual([]);
    expect(kinds(world.beat('AUTO.TAKEOFF'))).toEqual(['mode']);
  });

  it('of sticks is a pilot, in a failsafe too', () => {
    const world = new World();
    world.beat('OFFBOARD');
    world.beat('AUTO.RTL', { failsafe: true });
    expect(world.beat('POSCTL', { failsafe: true })).toEqual([
      { kind: 'mode', reason: 'pilot or ground station took over: POSCTL' },
    ]);
    expect(world.tracker.lastModeChange).toMatchObject({ by: 'foreign' });
  });

  it('of a failsafe says so, from the heartbeat or from the event before it', () => {
    const one = new World();
    one.beat('OFFBOARD');
    expect(one.beat('AUTO.RTL', { failsafe: true })).toEqual([
      { kind: 'mode', reason: 'failsafe: AUTO.RTL' },
    ]);
    const two = new World();
    two.beat('OFFBOARD');
    const event = { type: 'failsafe', atUs: two.nowUs, reason: 'failsafe: return' } as const;
    expect(two.hear(event)).toEqual([{ kind: 'mode', reason: 'failsafe: return' }]);
    expect(two.hear(event)).toEqual([]);
    two.hear({ type: 'mode', atUs: two.nowUs + 100_000, mode: 'AUTO.RTL' });
    expect(two.tracker.lastModeChange).toMatchObject({ by: 'failsafe', to: 'AUTO.RTL' });
  });

  it('of ours counts as ours also while a failsafe is on', () => {
    const world = new World();
    world.beat('OFFBOARD');
    world.beat('AUTO.RTL', { failsafe: true });
    world.expectMode('AUTO.LAND');
    expect(world.beat('AUTO.LAND', { failsafe: true })).toEqual([]);
  });

  it('that PX4 enters by itself after our take-off or landing is no pilot', () => {
    const world = new World();
    world.beat('AUTO.LOITER');
    world.expectMode('AUTO.TAKEOFF');
    world.beat('AUTO.TAKEOFF');
    expect(world.beat('AUTO.LOITER')).toEqual([]);
    world.expectMode('AUTO.LAND');
    world.beat('AUTO.LAND');
    world.landed('on_ground');
    expect(world.hear({ type: 'mode', atUs: world.nowUs, mode: 'OFFBOARD' })).toEqual([]);
    expect(world.beat('OFFBOARD', { armed: false })).toEqual([]);
  });

  it('that ends our landing in the air is a pilot, and so is hold after a pilot’s take-off', () => {
    const world = new World();
    world.beat('AUTO.LOITER');
    world.landed('in_air');
    world.expectMode('AUTO.LAND');
    world.beat('AUTO.LAND');
    expect(kinds(world.beat('POSCTL'))).toEqual(['mode']);
    expect(kinds(world.beat('AUTO.TAKEOFF'))).toEqual(['mode']);
    expect(kinds(world.beat('AUTO.LOITER'))).toEqual(['mode']);
  });
});

describe('arming', () => {
  it('of ours moves nothing, somebody else’s does', () => {
    const world = new World();
    world.beat('AUTO.LOITER', { armed: false });
    world.tracker.expectArming(true, world.nowUs + 3 * SECOND);
    expect(world.beat('AUTO.LOITER')).toEqual([]);
    expect(world.beat('AUTO.LOITER', { armed: false })).toEqual([
      { kind: 'arming', reason: 'disarmed, not by us' },
    ]);
    expect(kinds(world.beat('AUTO.LOITER'))).toEqual(['arming']);
  });

  it('by a failsafe landing says so', () => {
    const world = new World();
    world.beat('OFFBOARD');
    world.beat('AUTO.LAND', { failsafe: true });
    expect(world.beat('AUTO.LAND', { armed: false, failsafe: true })).toEqual([
      { kind: 'arming', reason: 'disarmed, not by us (failsafe)' },
    ]);
  });
});

describe('vehicle', () => {
  it('moves when the boot time falls, with all that a new life takes along', () => {
    const world = new World();
    world.beat('OFFBOARD');
    const boot = (bootMs: number) => world.hear({ type: 'boot-time', atUs: world.nowUs, bootMs });
    expect(boot(90_000)).toEqual([]);
    expect(boot(89_500)).toEqual([]);
    expect(kinds(boot(2_000))).toEqual(['vehicle', 'estimator', 'home', 'arming']);
    expect(boot(2_500)).toEqual([]);
    expect(world.beat('AUTO.LOITER', { armed: false })).toEqual([]);
  });

  it('moves when another autopilot answers', () => {
    const world = new World();
    const who = (uid: string) => world.hear({ type: 'identity', atUs: world.nowUs, uid });
    expect(who('a')).toEqual([]);
    expect(who('a')).toEqual([]);
    expect(kinds(who('b'))).toContain('vehicle');
  });
});

describe('estimator', () => {
  it('moves with the reset counter', () => {
    const world = new World();
    const count = (n: number) =>
      world.hear({ type: 'estimator-resets', atUs: world.nowUs, count: n });
    expect(count(3)).toEqual([]);
    expect(count(3)).toEqual([]);
    expect(kinds(count(4))).toEqual(['estimator']);
  });

  it('moves with a jump that no speed explains', () => {
    const world = new World();
    expect(world.at(1000, 0, 5)).toEqual([]);
    expect(world.at(1100, 0.5, 5)).toEqual([]);
    expect(world.at(3100, 10.5, 5)).toEqual([]);
    expect(world.at(3133, 13.5, 5)).toEqual([
      { kind: 'estimator', reason: 'the position jumped 3.0 m in 0.03 s' },
    ]);
  });
});

describe('home', () => {
  it('moves by more than a metre, not by the noise of a new arming', () => {
    const world = new World();
    const home = (e: number) =>
      world.hear({ type: 'home', atUs: world.nowUs, positionEnuM: [e, 0, 0] });
    expect(home(0)).toEqual([]);
    expect(home(0.8)).toEqual([]);
    expect(kinds(home(1.2))).toEqual(['home']);
    expect(home(1.3)).toEqual([]);
  });

  it('does not creep: many small moves add up to one', () => {
    const world = new World();
    const moved = [0, 0.4, 0.8, 1.2, 1.6].flatMap((e) =>
      world.hear({ type: 'home', atUs: world.nowUs, positionEnuM: [e, 0, 0] }),
    );
    expect(moved).toHaveLength(1);
  });
});

describe('the height of home', () => {
  it('may be corrected in flight against the drift of GPS; a rise beyond that is a move', () => {
    const world = new World();
    const home = (up: number) =>
      world.hear({ type: 'home', atUs: world.nowUs, positionEnuM: [0, 0, up] });
    expect(home(0)).toEqual([]);
    expect(home(1.2)).toEqual([]);
    expect(home(-1.7)).toEqual([]);
    expect(kinds(home(3.5))).toEqual(['home']);
  });
});

describe('home that follows', () => {
  const home = (world: World, e: number) =>
    world.hear({ type: 'home', atUs: world.nowUs, positionEnuM: [e, 0, 0] });
  const standingAt = (e: number) => {
    const world = new World();
    home(world, 0);
    world.landed('on_ground');
    const at = { type: 'position', bootMs: 5000, velocityEnuMS: [0, 0, 0] } as const;
    world.hear({ ...at, atUs: world.nowUs, positionEnuM: [e, 0, 0] });
    return world;
  };

  it('our arming to where the vehicle stands is no move, and is the new baseline', () => {
    const world = standingAt(1.5);
    world.beat('AUTO.LOITER', { armed: false });
    world.tracker.expectArming(true, world.nowUs + 3 * SECOND);
    world.beat('AUTO.LOITER');
    expect(home(world, 1.5)).toEqual([]);
    for (let i = 0; i < 5; i += 1) world.beat('AUTO.LOITER');
    expect(home(world, 1.6)).toEqual([]);
    expect(kinds(home(world, 0))).toEqual(['home']);
  });

  it('our arming is none either when home is heard first', () => {
    const world = standingAt(1.5);
    world.beat('AUTO.LOITER', { armed: false });
    world.tracker.expectArming(true, world.nowUs + 3 * SECOND);
    expect(home(world, 1.5)).toEqual([]);
    expect(world.beat('AUTO.LOITER')).toEqual([]);
  });

  it('our take-off, and our landing far away, are no moves either', () => {
    const world = standingAt(13);
    world.beat('AUTO.LOITER');
    world.expectMode('AUTO.TAKEOFF');
    world.beat('AUTO.TAKEOFF');
    world.landed('in_air');
    expect(home(world, 13)).toEqual([]);
    const landing = standingAt(13);
    landing.beat('AUTO.LOITER');
    landing.expectMode('AUTO.LAND');
    landing.beat('AUTO.LAND');
    landing.landed('on_ground');
    landing.beat('AUTO.LOITER', { armed: false });
    expect(home(landing, 13)).toEqual([]);
  });

  it('somebody else’s arming, or ours to another place, or ours long ago, is a move', () => {
    const foreign = standingAt(13);
    foreign.beat('AUTO.LOITER', { armed: false });
    foreign.beat('AUTO.LOITER');
    expect(kinds(home(foreign, 13))).toEqual(['home']);
    const ours = (waitS: number, e: number) => {
      const world = standingAt(13);
      world.beat('AUTO.LOITER', { armed: false });
      world.tracker.expectArming(true, world.nowUs + 3 * SECOND);
      for (let s = 0; s <= waitS; s += 1) world.beat('AUTO.LOITER');
      return kinds(home(world, e));
    };
    expect(ours(1, 30)).toEqual(['home']);
    expect(ours(5, 13)).toEqual(['home']);
  });
});

describe('link', () => {
  it('moves once when heartbeats stay away, and comes back with the next', () => {
    const world = new World();
    expect(world.tracker.connected).toBe(false);
    expect(world.hear()).toEqual([]);
    world.beat('OFFBOARD');
    expect(world.tracker.connected).toBe(true);
    world.nowUs += 3 * SECOND;
    expect(world.hear()).toEqual([]);
    world.nowUs += 1;
    expect(kinds(world.hear())).toEqual(['link']);
    expect(world.tracker.connected).toBe(false);
    world.nowUs += SECOND;
    expect(world.hear()).toEqual([]);
    expect(world.beat('OFFBOARD')).toEqual([]);
    expect(world.tracker.connected).toBe(true);
  });
});
