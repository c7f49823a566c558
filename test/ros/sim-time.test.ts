import './support/graph.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FUTURE_TOLERANCE_MS, type ExternalEvidence } from '../../src/contract/index.js';
import { parseTopicMap } from '../../src/evidence/index.js';
import { TOPICS } from '../../src/ros/index.js';
import { startOn, type Started } from './support/bridge.js';
import { TestEngine } from './support/engine.js';
import { Peer, until, type Plain } from './support/peer.js';

const MAP = JSON.stringify({
  evidence: [
    {
      topic: '/front/range',
      type: 'sensor_msgs/msg/Range',
      field: 'range',
      evidence: 'range.front',
      maxAgeMs: 500,
    },
  ],
});
const DISPATCH = TOPICS.dispatch.name.replace('~', '/halo_bridge');
const CLOCK = { topic: '/clock', type: 'rosgraph_msgs/msg/Clock' };

const time = (seconds: number): Plain => ({
  sec: Math.floor(seconds),
  nanosec: Math.round((seconds % 1) * 1e9),
});
const secondsOf = (stamp: unknown): number => {
  const { sec, nanosec } = stamp as { sec: number; nanosec: number };
  return sec + nanosec / 1e9;
};

describe('with use_sim_time, the clock topic is the time of stamps and not of decisions', () => {
  let bridge: Started;
  let peer: Peer;

  beforeAll(async () => {
    const map = parseTopicMap(MAP, 'evidence.json');
    if (!map.ok) throw new Error(map.error.message);
    const args = ['--ros-args', '-p', 'use_sim_time:=true', '-p', 'state_hz:=20.0'];
    bridge = await startOn(new TestEngine(), args, map.value);
    peer = await Peer.start('sim_time_peer');
    await peer.ask('listen', { topic: DISPATCH, type: TOPICS.dispatch.type });
  });

  afterAll(async () => {
    await peer.stop();
    await bridge.node.close();
  });

  beforeEach(() => {
    bridge.engine.observed.length = 0;
  });

  const setClock = (seconds: number) =>
    peer.ask('publish', { ...CLOCK, message: { clock: time(seconds) } });

  /** Publishes a range of this stamp until it has been heard. */
  async function rangeOf(seconds: number): Promise<ExternalEvidence> {
    const { observed } = bridge.engine;
    observed.length = 0;
    const message = { min_range: 0.1, max_range: 20, range: 4.5, header: { stamp: time(seconds) } };
    const range = { topic: '/front/range', type: 'sensor_msgs/msg/Range', message };
    await until(
      () => observed.length > 0,
      4000,
      'a range',
      () => peer.ask('publish', range),
    );
    return observed[0]!;
  }

  const aheadMs = ({ stampUs, receivedUs }: ExternalEvidence): number =>
    ((stampUs ?? NaN) - receivedUs) / 1000;
  const saidAtS = (): number => secondsOf(peer.messages(DISPATCH).at(-1)?.['stamp']);

  it('before the first clock every stamp lies in the future, and so is refused', async () => {
    expect(aheadMs(await rangeOf(100))).toBeGreaterThan(99_000);
    await until(() => peer.messages(DISPATCH).length > 0, 3000, 'a message of the node');
    expect(saidAtS()).toBe(0);
  });

  it('the clock drives the stamps of what the node says, and ages of what it hears', async () => {
    await until(
      () => saidAtS() > 0,
      4000,
      'the clock is heard',
      () => setClock(100),
    );
    expect(saidAtS()).toBe(100);
    expect(aheadMs(await rangeOf(99.9))).toBeCloseTo(-100, 1);
    expect(aheadMs(await rangeOf(99))).toBeCloseTo(-1000, 1);
    expect(aheadMs(await rangeOf(100.4))).toBeGreaterThan(FUTURE_TOLERANCE_MS);
  });

  it('while the clock stands still, ages still count from arrival on our own clock', async () => {
    const first = await rangeOf(99.9);
    await new Promise((resolve) => setTimeout(resolve, 300));
    const second = await rangeOf(99.9);
    // The same simulated age, at moments that really lie apart: silence grows old all the same.
    expect(aheadMs(second)).toBeCloseTo(aheadMs(first), 1);
    expect(second.receivedUs - first.receivedUs).toBeGreaterThan(300_000);
  });

  const conflicts = (): (string | undefined)[] =>
    bridge.engine.observed.map(({ conflict }) => conflict);

  it('after the clock jumps back, what was stamped before is from the future', async () => {
    await rangeOf(99.9);
    bridge.engine.observed.length = 0;
    await until(
      () => saidAtS() === 10,
      4000,
      'the jump is heard',
      () => setClock(10),
    );
    // What had been heard before it supports nothing any more, and says why.
    expect(conflicts()).toContain('/clock jumped back 90.0 s');
    expect(aheadMs(await rangeOf(99.9))).toBeGreaterThan(89_000);
    expect(aheadMs(await rangeOf(9.9))).toBeCloseTo(-100, 1);
  });

  it('a clock that falls silent takes the support of what was stamped by it', async () => {
    await setClock(11);
    await until(
      () => bridge.engine.observed.some(({ conflict }) => conflict === undefined),
      4000,
      'a range that is believed',
      async () => {
        await setClock(11);
        await rangeOf(10.9);
      },
    );
    await until(() => conflicts().at(-1) === '/clock has fallen silent', 3000, 'the silence');
    expect((await rangeOf(10.9)).conflict).toBe('/clock has fallen silent');
  });

  it('a clock that outruns our own takes it too: ages would come out too young', async () => {
    let seconds = 20;
    await until(
      () => conflicts().some((c) => /^\/clock runs \d+\.\d times as fast/.test(c ?? '')),
      8000,
      'the rate',
      async () => {
        seconds += 1;
        await setClock(seconds);
        await rangeOf(seconds);
        await new Promise((resolve) => setTimeout(resolve, 100));
      },
    );
  });

  it('two clocks are none', async () => {
    await peer.ask('advertise', { ...CLOCK, publisher: 1 });
    await until(
      () => conflicts().includes('2 publishers on /clock'),
      4000,
      'the second clock',
      async () => {
        await setClock(500);
        await rangeOf(500);
      },
    );
  });

  it('is not switched under way', async () => {
    const answer = await peer.call(
      { type: 'rcl_interfaces/srv/SetParameters', name: '~/set_parameters' },
      {
        parameters: {
          of: 'rcl_interfaces/msg/Parameter',
          items: [{ name: 'use_sim_time', value: { type: 1, bool_value: false } }],
        },
      },
    );
    expect((answer['results'] as Plain[])[0]).toMatchObject({ successful: false });
  });
});
