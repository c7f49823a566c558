import './support/graph.js';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { fail, ok, type Result } from '../../src/contract/index.js';
import { haloError, systemClock } from '../../src/platform/index.js';
import {
  SERVICES,
  TOPICS,
  startBridgeNode,
  type BridgeHandle,
  type RunningNode,
} from '../../src/ros/index.js';
import { rcl, startOn } from './support/bridge.js';
import { parseTopicMap } from '../../src/evidence/index.js';
import { TestEngine, state } from './support/engine.js';
import { Peer, until, type Plain } from './support/peer.js';

const CHANGE = { type: 'lifecycle_msgs/srv/ChangeState', name: '~/change_state' };
const STATE = { type: 'lifecycle_msgs/srv/GetState', name: '~/get_state' };
const IDS = { configure: 1, cleanup: 2, activate: 3, deactivate: 4, shutdown: 7 };

describe('the life of the node', () => {
  let peer: Peer;
  let node: RunningNode | undefined;

  beforeAll(async () => {
    peer = await Peer.start('lifecycle_peer');
  });

  afterEach(async () => {
    await node?.close();
    node = undefined;
  });

  afterAll(() => peer.stop());

  const change = (transition: keyof typeof IDS): Promise<Plain> =>
    peer.call(CHANGE, { transition: { id: IDS[transition] } });
  const label = async (): Promise<unknown> =>
    ((await peer.call(STATE, {}))['current_state'] as Plain)['label'];

  it('a lifecycle manager drives it, and only an active node listens', async () => {
    const engine = new TestEngine();
    const started = await startOn(engine, ['--ros-args', '-p', 'autostart:=false']);
    node = started.node;
    const submit = (): Promise<Plain> => peer.call(SERVICES.submit, { response_json: '{}' });
    const refused = { accepted: false, findings: [{ code: 'HALO-307' }] };

    expect(await label()).toBe('unconfigured');
    expect(await submit()).toMatchObject(refused);
    await change('configure');
    expect(await label()).toBe('inactive');
    expect(await submit()).toMatchObject(refused);
    expect(await peer.call(SERVICES.getState, {})).toMatchObject({
      available: false,
      findings: [{ code: 'HALO-307' }],
    });
    await change('activate');
    expect(await label()).toBe('active');
    expect(await submit()).toMatchObject({ accepted: true });
    // Not possible from here: refused, and the node goes on.
    expect(await change('activate')).toEqual({ success: false });
    const unknown = { transition: { id: 0, label: 'fly' } };
    expect(await peer.call(CHANGE, unknown)).toEqual({ success: false });
    expect(await submit()).toMatchObject({ accepted: true });

    engine.current = state({ phase: 'executing' });
    await change('deactivate');
    expect(await label()).toBe('inactive');
    expect(engine.requests.at(-1)).toMatchObject({ type: 'abort' });
    expect(await submit()).toMatchObject(refused);
    await change('cleanup');
    expect(await label()).toBe('unconfigured');
    await until(() => started.closed() === 1, 3000, 'the bridge is closed');

    await change('configure');
    await change('activate');
    expect(await submit()).toMatchObject({ accepted: true });
    await change('shutdown');
    await node.ended;
    expect(started.closed()).toBe(2);
  });

  it('a bridge that takes its time cannot be activated before it is there', async () => {
    let finish: (made: Result<BridgeHandle>) => void = () => undefined;
    const started = await startBridgeNode({
      rcl: await rcl(),
      argv: ['--ros-args', '-p', 'autostart:=false'],
      clock: systemClock,
      createBridge: () =>
        new Promise((resolve) => {
          finish = resolve;
        }),
    });
    if (!started.ok) throw new Error(started.error.message);
    node = started.value;
    await change('configure');
    await change('activate');
    expect(await label()).toBe('inactive');
    finish(fail(haloError('HALO-508', 'No heartbeat in 5 s.')));
    await until(() => started.value.lifecycle() === 'unconfigured', 3000, 'it falls back');
    await peer.ask('listen', { topic: TOPICS.diagnostics.name, type: TOPICS.diagnostics.type });
    await until(() => peer.messages(TOPICS.diagnostics.name).length > 0, 4000, 'diagnostics');
    expect(peer.messages(TOPICS.diagnostics.name).at(-1)?.['status']).toMatchObject([
      { name: 'halo_bridge: Lifecycle', level: 2, message: 'No heartbeat in 5 s.' },
    ]);
  });

  it('started by itself, the error of the bridge is the error of the node', async () => {
    const started = await startBridgeNode({
      rcl: await rcl(),
      argv: [],
      clock: systemClock,
      createBridge: () => Promise.resolve(fail(haloError('HALO-508', 'No heartbeat in 5 s.'))),
    });
    expect(started).toMatchObject({ ok: false, error: { code: 'HALO-508' } });
  });

  it('an evidence map with a wrong path or type is an error of the node at configure', async () => {
    const mapOf = (type: string, field: string) => {
      const entry = { topic: '/t', evidence: 'a.b', maxAgeMs: 500, type, field };
      const map = parseTopicMap(JSON.stringify({ evidence: [entry] }), 'evidence.json');
      if (!map.ok) throw new Error(map.error.message);
      return map.value;
    };
    for (const [type, field, says] of [
      ['nav_msgs/msg/Path', 'header.stamp.secs', 'has no header.stamp.secs'],
      ['nav_msgs/msg/Path', 'poses', 'no evidence'],
      ['px4_msgs/msg/NotInstalled', 'x', 'is not installed here'],
    ] as const) {
      await expect(startOn(new TestEngine(), [], mapOf(type, field))).rejects.toThrow(says);
    }
    const good = mapOf('geometry_msgs/msg/PoseStamped', 'pose.position.z');
    node = (await startOn(new TestEngine(), [], good)).node;
    await node.close();
  });

  it('closing ends the bridge once, and a second close waits for the same end', async () => {
    const started = await startOn(new TestEngine());
    await Promise.all([started.node.close(), started.node.close()]);
    await started.node.ended;
    expect(started.closed()).toBe(1);
  });

  it('namespace and node name from the command line hold for services and parameters', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'halo-ns-'));
    const path = join(folder, 'params.yaml');
    writeFileSync(path, '/uav1/pilot_bridge:\n  ros__parameters:\n    system_id: 5\n');
    const shipped = fileURLToPath(new URL('../../launch/params/bridge.yaml', import.meta.url));
    const files = ['--params-file', shipped, '--params-file', path];
    const args = [...files, '-r', '__ns:=/uav1', '-r', '__node:=pilot_bridge'];
    const started = await startOn(new TestEngine(), ['--ros-args', ...args]);
    node = started.node;
    rmSync(folder, { recursive: true });
    expect(node.fullName).toBe('/uav1/pilot_bridge');
    expect(started.params).toMatchObject({ systemId: 5, tickHz: 50 });
    const answer = await peer.call(SERVICES.getState, {}, { node: '/uav1/pilot_bridge' });
    expect(answer).toMatchObject({ available: true });
  });

  it('a parameter outside its range keeps the node from starting', async () => {
    const args = ['--ros-args', '-p', 'tick_hz:=5'];
    await expect(startOn(new TestEngine(), args)).rejects.toThrow(/HALO-708.*10 to 200/);
  });

  it('parameters are described with their ranges, and set only while unconfigured', async () => {
    const started = await startOn(new TestEngine(), ['--ros-args', '-p', 'autostart:=false']);
    node = started.node;
    const described = await peer.call(
      { type: 'rcl_interfaces/srv/DescribeParameters', name: '~/describe_parameters' },
      { names: ['tick_hz', 'state_hz'] },
    );
    expect(described['descriptors']).toMatchObject([
      { name: 'tick_hz', integer_range: [{ from_value: 10, to_value: 200 }] },
      { name: 'state_hz', floating_point_range: [{ from_value: 0.5, to_value: 20 }] },
    ]);
    const set = async (value: number, type = 2): Promise<unknown> => {
      const tick = { name: 'tick_hz', value: { type, integer_value: value } };
      const answer = await peer.call(
        { type: 'rcl_interfaces/srv/SetParameters', name: '~/set_parameters' },
        { parameters: { of: 'rcl_interfaces/msg/Parameter', items: [tick] } },
        { timeoutS: type === 2 ? 6 : 1 },
      );
      return (answer['results'] as Plain[])[0];
    };
    expect(await set(100)).toMatchObject({ successful: true });
    expect(await set(500)).toMatchObject({
      successful: false,
      reason: 'Parameter tick_hz is 500; permitted is 10 to 200.',
    });
    // Of a type that does not exist: no answer, and the node lives on.
    await expect(set(1, 99)).rejects.toThrow(/no answer/);
    await change('configure');
    expect(await set(60)).toMatchObject({ successful: false });
  });

  it('a bridge that is made after its node was closed is closed too', async () => {
    let made = 0;
    let closed = 0;
    const started = await startBridgeNode({
      rcl: await rcl(),
      argv: ['--ros-args', '-p', 'autostart:=false'],
      clock: systemClock,
      createBridge: async () => {
        await new Promise((resolve) => setTimeout(resolve, 300));
        made += 1;
        const close = (): Promise<void> => {
          closed += 1;
          return Promise.resolve();
        };
        return ok({ engine: new TestEngine(), topicMap: { entries: [], agreements: [] }, close });
      },
    });
    if (!started.ok) throw new Error(started.error.message);
    await change('configure');
    await started.value.close();
    expect({ made, closed }).toEqual({ made: 1, closed: 1 });
  });
});
