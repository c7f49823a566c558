import './support/graph.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  createHaloClient,
  createSensorNode,
  loadRcl,
  type HaloClient,
} from '../../src/ros/index.js';
import { parseTopicMap } from '../../src/evidence/index.js';
import { rcl, startOn, type Started } from './support/bridge.js';
import { TestEngine, localized, progress, report, state, verdict } from './support/engine.js';
import { until } from './support/peer.js';

const MAP = JSON.stringify({
  evidence: [
    {
      topic: '/sim/range',
      type: 'sensor_msgs/msg/Range',
      field: 'range',
      evidence: 'range.front',
      maxAgeMs: 500,
    },
  ],
});

describe('the client for hosts in TypeScript', () => {
  let bridge: Started;
  let client: HaloClient;

  beforeAll(async () => {
    const map = parseTopicMap(MAP, 'evidence.json');
    if (!map.ok) throw new Error(map.error.message);
    bridge = await startOn(new TestEngine(), [], map.value);
    const made = await createHaloClient({ rcl: await rcl(), nodeName: 'agent_host' });
    if (!made.ok) throw new Error(made.error.message);
    client = made.value;
  });

  afterAll(async () => {
    client.close();
    await bridge.node.close();
  });

  beforeEach(() => {
    bridge.engine.requests.length = 0;
    bridge.engine.submitReply = { accepted: true, verdict: verdict(), findings: [] };
    bridge.engine.afterReply = () => undefined;
  });

  it('reads the state with counters as numbers', async () => {
    expect(await client.getState()).toMatchObject({
      ok: true,
      value: {
        available: true,
        state: {
          snapshot_id: 's-1042',
          task: { ledger_seq: 4_294_967_299 },
          vehicle: { position_enu_m: [1.5, -2.5, 3.5], battery_v: NaN },
        },
      },
    });
  });

  it('asks for every service', async () => {
    const approval = {
      componentDigest: 'c'.repeat(64),
      approver: 'ada',
      approved: true,
      validS: 5,
    };
    expect(await client.check('{}')).toMatchObject({ value: { accepted: true } });
    expect(await client.submit('{}')).toMatchObject({ value: { accepted: true } });
    expect(await client.recoveryContext()).toMatchObject({ value: { snapshot_id: 's-1042' } });
    expect(await client.approve(approval)).toMatchObject({ value: { recorded: true } });
    expect(await client.abort('enough')).toMatchObject({ value: { action: 'hold' } });
    expect(bridge.engine.requests.map(({ type }) => type)).toEqual([
      'check',
      'submit',
      'recovery-context',
      'approve',
      'abort',
    ]);
  });

  it('executes a response with feedback, and brings its result', async () => {
    const { engine } = bridge;
    engine.afterReply = ({ type }) => {
      if (type !== 'submit') return;
      engine.emit({ type: 'progress', progress: progress({ state: 'done' }) });
      engine.emit({ type: 'response-ended', report: report({ outcome: 'completed' }) });
    };
    const told: string[] = [];
    const result = await client.execute('{}', {
      onFeedback: ({ component }) => told.push(`${component.id} ${component.state}`),
    });
    expect(result).toMatchObject({ ok: true, value: { outcome: 'completed' } });
    // Feedback and result come by two ways.
    await until(() => told.length > 1, 3000, 'the last feedback');
    expect(told).toEqual(['leg1 done', 'leg2 withheld']);
  });

  it('cancels through its signal', async () => {
    const { engine } = bridge;
    engine.afterReply = ({ type }) => {
      if (type !== 'abort') return;
      engine.emit({ type: 'response-ended', report: report({ outcome: 'aborted' }) });
    };
    const controller = new AbortController();
    const running = client.execute('{}', { signal: controller.signal });
    await until(() => engine.requests.length > 0, 3000, 'the submit');
    controller.abort();
    expect(await running).toMatchObject({ ok: true, value: { outcome: 'aborted' } });
  });

  it('hears obligations, and the state although it came late', async () => {
    const heard: string[] = [];
    client.on('obligation', ({ id, scope_kinds }) => heard.push(`${id} ${scope_kinds.join()}`));
    client.on('task', ({ task }) => heard.push(task));
    await until(() => heard.includes('inspect-tower-7'), 3000, 'the latest task');
    for (let attempt = 0; attempt < 30 && heard.length < 2; attempt += 1) {
      bridge.engine.emit({ type: 'obligation', obligation: localized() });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(heard).toContain('o-1 flight.land');
  });

  it('a sensor node of its own process reaches the evidence', async () => {
    const sensor = await createSensorNode(await rcl(), 'range_sensor');
    if (!sensor.ok) throw new Error(sensor.error.message);
    const { value } = sensor;
    const type = 'sensor_msgs/msg/Range';
    const { observed } = bridge.engine;
    for (let attempt = 0; attempt < 30 && observed.length === 0; attempt += 1) {
      const header = { stamp: value.stamp(), frame_id: 'front' };
      value.publish('/sim/range', type, { header, range: 2.5, min_range: 0.1, max_range: 10 });
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(observed[0]).toMatchObject({ field: 'range.front', value: 2.5 });
    expect(value.publish('/x', 'no_msgs/msg/None', {})).toMatchObject({
      error: { code: 'HALO-802' },
    });
    value.close();
  });

  it('a state of 1000 components does not hold up the tick', async () => {
    const components = Array.from({ length: 1000 }, (_, i) => progress({ id: `c${i}` }));
    bridge.engine.current = state({ components });
    let worstMs = 0;
    let last = performance.now();
    const beat = setInterval(() => {
      worstMs = Math.max(worstMs, performance.now() - last - 5);
      last = performance.now();
    }, 5);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    clearInterval(beat);
    bridge.engine.current = state();
    // Other processes share the two cores: alone it takes about 10 ms.
    expect(worstMs).toBeLessThan(150);
  });

  it('says so when no bridge is there', async () => {
    const made = await createHaloClient({
      rcl: await rcl(),
      nodeName: 'lonely_host',
      bridgeNode: '/nobody',
      timeoutMs: 500,
    });
    expect(made).toMatchObject({ ok: false, error: { code: 'HALO-804' } });
  });
});

describe('loading ROS', () => {
  it('leaves the signals of the process alone', async () => {
    const before = process.listenerCount('SIGINT');
    await rcl();
    expect(process.listenerCount('SIGINT')).toBe(before);
  });

  it('names the messages that have not been generated, as HALO-802', async () => {
    const loaded = await loadRcl(process.env, ['no_msgs/msg/None']);
    expect(loaded).toMatchObject({ ok: false, error: { code: 'HALO-802' } });
    expect(loaded.ok ? '' : loaded.error.message).toContain('no_msgs/msg/None');
  });

  it.each([
    ['no environment', {}],
    ['half an environment', { ROS_DISTRO: 'jazzy' }],
  ])('%s is HALO-801 at once', async (_name, environment) => {
    const startMs = performance.now();
    expect(await loadRcl(environment)).toMatchObject({ ok: false, error: { code: 'HALO-801' } });
    expect(performance.now() - startMs).toBeLessThan(1000);
  });
});
