/**
 * The bridge as it is shipped, on the embedded vehicle, with an rclpy client as the only way in.
 * One process serves all tests, in their order: on the ground, a whole flight, a flight that ends
 * otherwise, the end.
 */
import { createPublicKey, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verifyLedger } from '../../src/ledger/index.js';
import { SERVICES, TOPICS } from '../../src/ros/index.js';
import { AgentHost, listOf, plainOf, topic } from './support/agent-host.js';
import { ABORTED, SUCCEEDED, until, type Plain } from './support/peer.js';

/** Apart from the domains 1 to 99 of the other test files: all bridges have the same name. */
process.env['ROS_DOMAIN_ID'] = String(102 + (process.pid % 79));
process.env['ROS_AUTOMATIC_DISCOVERY_RANGE'] = 'LOCALHOST';

const FOLDER = path.join(import.meta.dirname, 'hop');
const TOWER = path.resolve(import.meta.dirname, '../../examples/01-inspect-tower/response.json');
const RANGE = { topic: '/halo_sim/range/front', type: 'sensor_msgs/msg/Range' };
/** Publishers are counted once a second, and for 0.5 s after their last message. */
const CALM_MS = 5_000;
/** Twice what the longest takes on two busy cores. */
const FLIGHT_MS = 40_000;

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const textOf = (...file: string[]): string => readFileSync(path.join(...file), 'utf8');
const parsed = (text: unknown): Plain => plainOf(JSON.parse(String(text)));

/** A response of these components for the task of the hop. */
const answer = (id: string, ...components: Plain[]): string =>
  JSON.stringify({ protocol: 'halo/1', id, task: 'short-hop', components });
const leg = (id: string, positionM: readonly number[], ...requires: string[]): Plain => {
  const params = { frame: 'local_enu', positionM, yawDeg: 0, speedMS: 2.5 };
  return { id, kind: 'flight.goto', params, requires };
};
const look = { id: 'look', kind: 'report.range', params: { sensor: 'front' } };
const circle = [leg('a', [1, 0, 3], 'b'), leg('b', [2, 0, 3], 'a')];

let host: AgentHost;

beforeAll(async () => {
  host = await AgentHost.start({
    folder: FOLDER,
    simArgs: ['--speed', '2', '--uptime', '10', '--tower', '4,6,2,2,12'],
    parameters: { state_hz: '10.0' },
  });
});

afterAll(() => host.stop());

describe('the real bridge on the ground, driven by rclpy', () => {
  it('tells the state with a snapshot id, the vehicle and where every value comes from', async () => {
    const state = await host.state();
    expect(state['snapshot_id']).toMatch(/^s-[0-9]+$/);
    const still = { connected: true, system_id: 1, armed: false, landed: 'on_ground' };
    expect(state['vehicle']).toMatchObject({ ...still, prearm_ok: true });
    const sources = listOf(state['evidence']).map((e) => [e['field'], e['source']]);
    expect(Object.fromEntries(sources)).toMatchObject({
      'vehicle.position': matching(/^mavlink:/),
      'range.front.max': `ros:${RANGE.topic}`,
    });
    const duties = listOf((await host.task())['obligations']);
    expect(duties.map((o) => `${String(o['id'])} ${String(o['state'])}`)).toEqual([
      'airborne open',
      'reached-east open',
      'wall-told open',
      'safe-down open',
    ]);
  });

  it('a dry run of the tower admits all 13 components and changes nothing', async () => {
    const tower = parsed(textOf(TOWER));
    const components = listOf(tower['components']).map(({ fulfils: _, ...rest }) => rest);
    const before = await host.task();
    const judged = await host.check(JSON.stringify({ ...tower, task: 'short-hop', components }));
    expect(judged).toMatchObject({ accepted: true, findings: [] });
    const verdict = plainOf(judged['verdict']);
    expect(verdict).toMatchObject({ outcome: 'admitted', response_id: 'r-tower-1' });
    expect(listOf(verdict['components']).filter((c) => c['admitted'] === true)).toHaveLength(13);
    const running = { stamp: 0, budget_time_left_s: 0 };
    expect({ ...(await host.task()), ...running }).toEqual({ ...before, ...running });
    expect(await host.state()).toMatchObject({ phase: 'idle', components: [], obligations: [] });
  });

  it('the recovery context names the open duties and a snapshot, and says them in words', async () => {
    const context = await host.peer.call(SERVICES.recoveryContext, {});
    expect(context).toMatchObject({
      available: true,
      frontier: matching(/^[0-9a-f]{64}$/),
      text: matching(/reached-east/),
      open_obligations: ['airborne', 'reached-east', 'wall-told', 'safe-down'],
      unknown_obligations: [],
      findings: [],
    });
    const snapshotId = context['snapshot_id'];
    expect(parsed(context['context_json'])).toMatchObject({ task: 'short-hop', snapshotId });
  });

  it.each([
    ['not JSON', 'fly north!', 'HALO-101', '$'],
    ['a key twice', '{"protocol":"halo/1","id":"x","id":"y"}', 'HALO-104', 'id'],
    ['no component', answer('none'), 'HALO-108', 'components'],
    ['a stranger', answer('bad-1', { id: 'a', kind: 'x.loop' }), 'HALO-201', 'components[0].kind'],
    ['a circle', answer('bad-2', ...circle), 'HALO-205', 'components[0].requires'],
  ])('refuses %s with code, path and remedy', async (_what, text, code, where) => {
    const judged = await host.submit(text);
    const components = listOf(plainOf(judged['verdict'])['components']);
    const found = [judged, ...components].flatMap(({ findings }) => listOf(findings));
    expect(judged['accepted']).toBe(false);
    expect(found[0]).toMatchObject({ code, path: where, remedy: matching(/\w{3}/) });
    expect(await host.state()).toMatchObject({ dispatch: { leases: [], frames_dispatched: 0 } });
  });

  it('an approval of a component that nobody asked about is kept and starts nothing', async () => {
    const approve = (component_digest: string): Promise<Plain> => {
      const word = { component_digest, approver: 'ada', approved: true, valid_s: 30 };
      return host.peer.call(SERVICES.approve, word);
    };
    expect(await approve('ab'.repeat(32))).toMatchObject({ recorded: true, findings: [] });
    expect(await approve('nonsense')).toMatchObject({
      recorded: false,
      findings: [{ code: 'HALO-202', path: 'component_digest' }],
    });
    expect(await host.state()).toMatchObject({ phase: 'idle', dispatch: { leases: [] } });
  });

  it('a parameter that is set from outside is refused while the node is active', async () => {
    const rate = { name: 'tick_hz', value: { type: 2, integer_value: 20 } };
    const answered = await host.peer.call(
      { type: 'rcl_interfaces/srv/SetParameters', name: '~/set_parameters' },
      { parameters: { of: 'rcl_interfaces/msg/Parameter', items: [rate] } },
    );
    expect(answered['results']).toMatchObject([
      { successful: false, reason: matching(/the node is active/) },
    ]);
  });

  it('the diagnostics name every part, and find all of them well', async () => {
    const parts = ['Lifecycle', 'Vehicle link', 'Ledger', 'Gate', 'Queues'];
    const levels = (): unknown[] => parts.map((name) => host.diagnosis(name)['level']);
    await until(() => levels().every((level) => level === 0), 3000, 'a report of each');
    expect(host.diagnosis('Vehicle link')).toMatchObject({ message: 'connected' });
    expect(host.diagnosis('Ledger')['values']).toContainEqual({ key: 'task', value: 'short-hop' });
    expect(host.diagnosis('Evidence /peer/battery')).toMatchObject({
      level: 2,
      message: 'nobody publishes',
    });
  });

  it('battery, satellite fix and odometry of others become evidence by the map', async () => {
    await host.stream('/peer/battery', 'sensor_msgs/msg/BatteryState', { percentage: 0.5 });
    const fix = { status: { status: 0 }, latitude: 47.25, longitude: 8.5, altitude: 488 };
    await host.stream('/peer/fix', 'sensor_msgs/msg/NavSatFix', fix);
    const pose = { position: { x: 1, y: -2, z: 3.5 }, orientation: { z: 1, w: 0 } };
    await host.stream('/peer/odometry', 'nav_msgs/msg/Odometry', { pose: { pose } });
    const expected = {
      'payload.battery': '0.5',
      'gnss.position': '[47.25,8.5,488]',
      'vio.position': '[1,-2,3.5]',
      'vio.yaw': String(Math.PI),
    };
    let values: Record<string, string> = {};
    const read = async (): Promise<void> => {
      const told = listOf((await host.state())['evidence']);
      values = Object.fromEntries(told.map((e) => [String(e['field']), String(e['value_json'])]));
    };
    const all = (): boolean => Object.keys(expected).every((field) => field in values);
    await until(all, 5000, 'all of them', read);
    expect(values).toMatchObject(expected);
    const odometry = (): Plain => host.diagnosis('Evidence /peer/odometry');
    await until(() => odometry()['level'] === 0, 3000, 'diagnostics call it healthy');
    expect(odometry()['message']).toBe('fresh');
  });

  it('a second publisher of the range withholds its report; when it is gone, no more', async () => {
    const report = answer('look', look);
    expect(await host.check(report)).toMatchObject({ accepted: true });
    await host.stream(RANGE.topic, RANGE.type, { min_range: 0.1, max_range: 20, range: 19 });
    let judged: Plain = {};
    const again = async (): Promise<void> => {
      judged = await host.check(report);
    };
    await until(() => judged['accepted'] === false, CALM_MS, 'the rogue is noticed', again);
    const [component] = listOf(plainOf(judged['verdict'])['components']);
    expect(component?.['findings']).toMatchObject([
      { code: 'HALO-218', field: 'range.front.max', message: matching(/\/agent_host/) },
    ]);
    const health = (): Plain => host.diagnosis(`Evidence ${RANGE.topic}`);
    await until(() => health()['level'] === 2, 3000, 'it is in the diagnostics');
    expect(health()['message']).toBe(
      `2 publishers on ${RANGE.topic} where 1 is expected: /agent_host, /halo_sim`,
    );
    await host.peer.ask('unpublish', RANGE);
    await until(() => judged['accepted'] === true, CALM_MS, 'the conflict ends', again);
  });
});

describe('the real bridge in flight, driven by rclpy', { timeout: FLIGHT_MS }, () => {
  it('flies the hop through the action and tells of each component', async () => {
    host.peer.heard.length = 0;
    expect(await host.execute(textOf(FOLDER, 'response.json'))).toEqual({ accepted: true });
    const { status, result } = await host.ended(30_000);
    expect({ status, outcome: result?.['outcome'] }).toEqual({
      status: SUCCEEDED,
      outcome: 'completed',
    });
    expect(parsed(result?.['summary_json'])).toMatchObject({
      components: { admitted: 6, withheld: 0 },
      obligations: { satisfied: 4, open: 0, unknown: 0 },
    });
    const told = host.peer.heard.map(({ feedback }) => plainOf(feedback?.['component']));
    const changes = told.map(({ id, state }) => `${String(id)} ${String(state)}`);
    // The last change comes with the result, and may come after it.
    const expected = ['arm done', 'up done', 'leg active', 'leg done', 'wall delivered'];
    expect(changes).toEqual(expect.arrayContaining([...expected, 'tell delivered', 'down active']));
  });

  it('who joins late hears state and task at once, with every duty satisfied', async () => {
    const hears = async ({ name, type }: { name: string; type: string }): Promise<Plain> => {
      const heard = (): Plain[] => host.peer.messages(topic({ name }));
      const qos = { transient_local: true, depth: 1 };
      await host.peer.ask('listen', { topic: topic({ name }), type, qos });
      await until(() => heard().length > 0, 2000, name);
      return heard()[0] ?? {};
    };
    const duties = listOf((await hears(TOPICS.task))['obligations']);
    expect(duties.map((o) => o['state'])).toEqual(Array.from({ length: 4 }, () => 'satisfied'));
    expect(await hears(TOPICS.state)).toMatchObject({ vehicle: { landed: 'on_ground' } });
  });

  it('every receipt is signed by the key of the ledger, over exactly what it says', () => {
    const receipts = host.peer.messages(topic(TOPICS.receipt));
    expect(receipts.map((r) => [r['component_id'], r['obligation_id'], r['outcome']])).toEqual([
      ['arm', '', 'observed'],
      ['up', 'airborne', 'observed'],
      ['leg', 'reached-east', 'observed'],
      ['wall', 'wall-told', 'delivered'],
      ['tell', '', 'delivered'],
      ['down', 'safe-down', 'observed'],
    ]);
    const key = createPublicKey(publicKeyOf(host.real.ledgerDir));
    for (const receipt of receipts) {
      const signature = Buffer.from(String(receipt['signature']), 'base64');
      const body = String(receipt['body_json']);
      expect(verify(null, Buffer.from(body), key, signature)).toBe(true);
      const forged = body.replace('"ensured":false', '"ensured":true');
      expect(verify(null, Buffer.from(forged), key, signature)).toBe(false);
      expect(parsed(body)).toMatchObject({
        id: receipt['id'],
        runId: receipt['run_id'],
        componentDigest: receipt['component_digest'],
        frontier: receipt['frontier'],
      });
    }
  });

  it('words reach the operator whole, and a report carries its evidence', () => {
    const [wall, tell] = host.peer.messages(topic(TOPICS.utterance));
    expect(tell).toMatchObject({ component_id: 'tell', evidence_json: '[]' });
    expect(tell?.['text']).toContain('At the wall – ünïcode ✓.');
    expect(wall).toMatchObject({ component_id: 'wall', kind: 'report.range' });
    const [seen] = listOf(JSON.parse(String(wall?.['evidence_json'])));
    expect(seen).toMatchObject({ field: 'range.front', source: `ros:${RANGE.topic}` });
    // From [4, 0] to the face at 5 m north; the hover strays by some decimetres.
    expect(Math.abs(Number(seen?.['value_json']) - 5)).toBeLessThan(1.5);
  });

  it('an abort ends the leg and its goal; the vehicle holds', async () => {
    host.peer.heard.length = 0;
    // Four metres from the first take-off: PX4 makes it its home when it arms, in the same plan.
    const up = { id: 'up', kind: 'flight.takeoff', params: { altitudeM: 3 }, requires: ['arm'] };
    const far = leg('far', [0, 25, 3], 'up');
    await host.execute(answer('hop-2', { id: 'arm', kind: 'flight.arm' }, up, far));
    await host.until('hop-2', 'far active');
    const counted = (): Plain | undefined =>
      listOf(host.diagnosis('Gate')['values']).find((v) => v['key'] === 'active leases');
    await until(() => counted()?.['value'] === '1', 3000, 'diagnostics count the lease');
    const aborted = await host.peer.call(SERVICES.abort, { reason: 'people on site' });
    expect(aborted).toMatchObject({ accepted: true, action: 'hold' });
    const { status, result } = await host.ended(5000);
    expect({ status, outcome: result?.['outcome'] }).toEqual({
      status: ABORTED,
      outcome: 'aborted',
    });
    await host.until('hop-2', 'far interrupted');
    const leases = host.peer.messages(topic(TOPICS.lease));
    expect(leases.filter((l) => l['component_id'] === 'far').at(-1)).toMatchObject({
      state: 'ended',
      end_code: 'HALO-310',
    });
    await until(() => host.guardian().includes('hold seen'), 5000, 'the vehicle shows the hold');
  });

  it('a node that is deactivated in flight holds the vehicle, and takes nothing', async () => {
    const on = answer('hop-3', leg('on', [0, 25, 3]));
    expect(await host.submit(on)).toMatchObject({ accepted: true });
    await host.until('hop-3', 'on active');
    const before = host.guardian().length;
    expect(await host.change('deactivate')).toEqual({ success: true });
    const holds = (): boolean => host.guardian().slice(before).includes('hold seen');
    await until(holds, 5000, 'the vehicle shows the hold');
    const refused = { accepted: false, findings: [{ code: 'HALO-307' }] };
    expect(await host.submit(answer('hop-4', look))).toMatchObject(refused);
    const lifecycle = (): Plain => host.diagnosis('Lifecycle');
    await until(() => lifecycle()['message'] === 'inactive', 3000, 'diagnostics say so');
    expect(lifecycle()).toMatchObject({ level: 1 });
    expect(await host.change('activate')).toEqual({ success: true });
  });

  it('nobody acts: the contingency lands; a signal then ends the bridge in order', async () => {
    let vehicle: Plain = {};
    const read = async (): Promise<void> => {
      vehicle = plainOf((await host.state())['vehicle']);
    };
    await until(() => vehicle['armed'] === false, FLIGHT_MS, 'it is down', read);
    expect(vehicle).toMatchObject({ landed: 'on_ground' });
    expect(host.guardian()).toContain('land seen');
    expect(await host.real.endBridge()).toBe(0);
    const verified = await verifyLedger(host.real.ledgerDir);
    expect(verified).toMatchObject({ ok: true, value: { receipts: 8 } });
  });
});

/** As the ledger tells it in its first record. */
function publicKeyOf(ledgerDir: string): string {
  const [first = ''] = textOf(ledgerDir, 'segment-000001.jsonl').split('\n', 1);
  return (JSON.parse(first) as { body: { publicKey: string } }).body.publicKey;
}
