import './support/graph.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ExternalEvidence } from '../../src/contract/index.js';
import { parseTopicMap } from '../../src/evidence/index.js';
import { systemClock } from '../../src/platform/index.js';
import { TOPICS } from '../../src/ros/index.js';
import { startOn, type Started } from './support/bridge.js';
import { TestEngine } from './support/engine.js';
import { Peer, until, type Plain } from './support/peer.js';

const entry = (topic: string, type: string, field: string, evidence: string, more = {}) => ({
  topic,
  type,
  field,
  evidence,
  maxAgeMs: 2000,
  ...more,
});

const MAP = JSON.stringify({
  evidence: [
    entry('/front/range', 'sensor_msgs/msg/Range', 'range', 'range.front'),
    entry('/clear', 'std_msgs/msg/Bool', 'data', 'area.clear', { qos: 'reliable' }),
    entry('/pack', 'sensor_msgs/msg/BatteryState', 'percentage', 'pack.fraction'),
    entry('/pack', 'sensor_msgs/msg/BatteryState', 'voltage', 'pack.voltage'),
    entry('/fix', 'sensor_msgs/msg/NavSatFix', '.', 'gnss.global'),
    entry('/odom', 'nav_msgs/msg/Odometry', 'pose.pose.position', 'vio.position'),
    entry('/lossy', 'std_msgs/msg/Bool', 'data', 'lossy.flag', { qos: 'reliable' }),
    entry('/silent', 'std_msgs/msg/Bool', 'data', 'silent.flag'),
    entry('/nowhere', 'std_msgs/msg/Bool', 'data', 'nowhere.flag'),
  ],
});

const CLEAR = { topic: '/clear', type: 'std_msgs/msg/Bool', message: { data: true } };
const LOSSY = { topic: '/lossy', type: 'std_msgs/msg/Bool', message: { data: true } };

describe('ROS topics as evidence, published by rclpy', () => {
  let bridge: Started;
  let peer: Peer;

  beforeAll(async () => {
    const map = parseTopicMap(MAP, 'evidence.json');
    if (!map.ok) throw new Error(map.error.message);
    bridge = await startOn(new TestEngine(), [], map.value);
    peer = await Peer.start('evidence_peer');
  });

  afterAll(async () => {
    await peer.stop();
    await bridge.node.close();
  });

  beforeEach(() => {
    bridge.engine.observed.length = 0;
  });

  /** Publishes until the observation is there: discovery takes a moment. */
  async function observe(field: string, command: Plain): Promise<ExternalEvidence> {
    const found = (): ExternalEvidence | undefined =>
      bridge.engine.observed.find((evidence) => evidence.field === field);
    for (let attempt = 0; attempt < 50 && found() === undefined; attempt += 1) {
      await peer.ask('publish', command);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const evidence = found();
    if (evidence === undefined) throw new Error(`${field} was not observed`);
    return evidence;
  }

  const rangeMessage = {
    topic: '/front/range',
    type: 'sensor_msgs/msg/Range',
    message: { min_range: 0.1, max_range: 20, range: 4.5 },
    qos: { best_effort: true },
    stamp_offset_s: 0,
  };

  it('a range arrives with source, time of arrival and its own stamp on our clock', async () => {
    const evidence = await observe('range.front', rangeMessage);
    expect(evidence).toMatchObject({ value: 4.5, source: 'ros:/front/range' });
    const nowUs = systemClock.nowUs();
    expect(nowUs - evidence.receivedUs).toBeLessThan(5_000_000);
    const delayUs = evidence.receivedUs - (evidence.stampUs ?? NaN);
    expect(delayUs).toBeGreaterThan(0);
    expect(delayUs).toBeLessThan(1_000_000);
  });

  it('a stamp from the future stays in the future, and an old one stays old', async () => {
    const ahead = await observe('range.front', { ...rangeMessage, stamp_offset_s: 3 });
    expect((ahead.stampUs ?? 0) - ahead.receivedUs).toBeGreaterThan(2_000_000);
    bridge.engine.observed.length = 0;
    const behind = await observe('range.front', { ...rangeMessage, stamp_offset_s: -4 });
    expect(behind.receivedUs - (behind.stampUs ?? 0)).toBeGreaterThan(3_900_000);
  });

  it('Bool, BatteryState, NavSatFix and Odometry give their fields', async () => {
    expect(await observe('area.clear', CLEAR)).toMatchObject({ value: true });
    expect(bridge.engine.observed[0]).not.toHaveProperty('stampUs');
    const pack = {
      topic: '/pack',
      type: 'sensor_msgs/msg/BatteryState',
      message: { percentage: 0.5, voltage: 15.25 },
      stamp_offset_s: 0,
    };
    expect((await observe('pack.fraction', pack)).value).toBeCloseTo(0.5);
    expect((await observe('pack.voltage', pack)).value).toBeCloseTo(15.25);
    const fix = {
      topic: '/fix',
      type: 'sensor_msgs/msg/NavSatFix',
      message: { latitude: 47.3977, longitude: 8.5456, altitude: 488.25, status: { status: 0 } },
      stamp_offset_s: 0,
    };
    expect((await observe('gnss.global', fix)).value).toEqual([47.3977, 8.5456, 488.25]);
    const odom = {
      topic: '/odom',
      type: 'nav_msgs/msg/Odometry',
      message: { pose: { pose: { position: { x: 1, y: -2, z: 3.5 } } } },
      stamp_offset_s: 0,
    };
    expect((await observe('vio.position', odom)).value).toEqual([1, -2, 3.5]);
  });

  it('a second publisher is a conflict from its first message on, until it is gone', async () => {
    expect((await observe('range.front', rangeMessage)).conflict).toBeUndefined();
    const rogue = {
      ...rangeMessage,
      publisher: 1,
      message: { min_range: 0.1, max_range: 20, range: 9.5 },
    };
    const both = async (): Promise<void> => {
      await peer.ask('publish', rangeMessage);
      await peer.ask('publish', rogue);
    };
    const said = (value: number) => bridge.engine.observed.filter((o) => o.value === value);
    await until(() => said(9.5).length > 2, 5000, 'the second publisher is heard', both);
    const sentence = '2 publishers on /front/range where 1 is expected: /evidence_peer';
    expect(said(9.5).map(({ conflict }) => conflict)).toEqual(said(9.5).map(() => sentence));
    const [first] = said(9.5);
    const after = said(4.5).filter((o) => o.receivedUs > (first?.receivedUs ?? Infinity));
    expect(after.map(({ conflict }) => conflict)).toEqual(after.map(() => sentence));

    await peer.ask('unpublish', rogue);
    const last = (): ExternalEvidence | undefined => bridge.engine.observed.at(-1);
    await until(
      () => last()?.conflict === undefined,
      6000,
      'the conflict ends',
      () => peer.ask('publish', rangeMessage),
    );
    // Its last word may stand for maxAgeMs; so long it counts.
    expect((last()?.receivedUs ?? 0) - (said(9.5).at(-1)?.receivedUs ?? 0)).toBeGreaterThan(2e6);
  });

  it('a publisher that is restarted is a conflict only for as long as both count', async () => {
    await peer.ask('unpublish', rangeMessage);
    const restarted = { ...rangeMessage, publisher: 2 };
    const calm = (): boolean => bridge.engine.observed.at(-1)?.conflict === undefined;
    await observe('range.front', restarted);
    await until(calm, 6000, 'the new one is believed', () => peer.ask('publish', restarted));
  });

  it('diagnostics name for each topic conflict, silence, wrong type or QoS', async () => {
    const wrong = { topic: '/silent', type: 'std_msgs/msg/String', message: { data: 'yes' } };
    const { name, type } = TOPICS.diagnostics;
    await peer.ask('listen', { topic: name, type });
    const message = (topic: string): string => {
      const status = (peer.messages(name).at(-1)?.['status'] ?? []) as Plain[];
      const found = status.find((s) => s['name'] === `halo_bridge: Evidence ${topic}`);
      return JSON.stringify(found?.['message'] ?? '');
    };
    await until(() => message('/silent').includes('nobody publishes'), 4000, 'silence');
    await peer.ask('publish', { ...LOSSY, qos: { best_effort: true } });
    await peer.ask('publish', rangeMessage);
    await until(() => message('/front/range').includes('2 publishers'), 4000, 'a conflict');
    await peer.ask('publish', wrong);
    await until(
      () => message('/silent').includes('/evidence_peer publishes std_msgs/msg/String'),
      5000,
      'a wrong type',
    );
    expect(message('/clear')).toMatch(/fresh|too old/);
    expect(message('/lossy')).toContain('best effort, and the map asks for reliable');
  });

  it('a topic that is missing, lossy, of another type or silent is named to whoever misses it', async () => {
    const why = (field: string): string => bridge.engine.silences.get(field) ?? '';
    await until(
      () => why('lossy.flag').includes('best effort'),
      5000,
      'a QoS that cannot match',
      () => peer.ask('publish', { ...LOSSY, qos: { best_effort: true } }),
    );
    expect(why('lossy.flag')).toBe(
      '/lossy: /evidence_peer publishes best effort, and the map asks for reliable',
    );
    expect(why('silent.flag')).toBe(
      '/silent: /evidence_peer publishes std_msgs/msg/String, not std_msgs/msg/Bool',
    );
    expect(why('nowhere.flag')).toBe('/nowhere: nobody publishes');

    await observe('area.clear', CLEAR);
    await until(() => why('area.clear') === '', 4000, 'it is heard');
    const fallen = '/clear: too old: its publisher has fallen silent';
    await until(() => why('area.clear') === fallen, 6000, 'it falls silent');
    await peer.ask('unpublish', CLEAR);
    await until(() => why('area.clear') === '/clear: nobody publishes', 4000, 'it is gone');
  });

  it('a second publisher that has not said a word is a conflict within a second', async () => {
    const odom = { topic: '/odom', type: 'nav_msgs/msg/Odometry', message: {}, stamp_offset_s: 0 };
    expect((await observe('vio.position', odom)).conflict).toBeUndefined();
    await peer.ask('advertise', { ...odom, publisher: 1 });
    const last = (): ExternalEvidence | undefined =>
      bridge.engine.observed.findLast(({ field }) => field === 'vio.position');
    const conflict = '2 publishers on /odom where 1 is expected: /evidence_peer';
    await until(() => last()?.conflict === conflict, 4000, 'the conflict');
  });
});
