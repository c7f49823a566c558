import './support/graph.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { RESPONSE_TOPIC, SERVICES, TOPICS } from '../../src/ros/index.js';
import { startOn, type Started } from './support/bridge.js';
import {
  TestEngine,
  localized,
  progress,
  receipt,
  state,
  task,
  vehicle,
  verdict,
} from './support/engine.js';
import { Peer, until, type Plain } from './support/peer.js';

const topic = (entry: { name: string }): string => entry.name.replace('~', '/halo_bridge');

describe('services and topics, seen by rclpy', () => {
  let bridge: Started;
  let peer: Peer;

  beforeAll(async () => {
    bridge = await startOn(new TestEngine(), ['--ros-args', '-p', 'state_hz:=10.0']);
    peer = await Peer.start('services_peer');
  });

  afterAll(async () => {
    await peer.stop();
    await bridge.node.close();
  });

  beforeEach(() => {
    bridge.engine.requests.length = 0;
    bridge.engine.inboxFull = false;
    bridge.engine.submitReply = { accepted: true, verdict: verdict(), findings: [] };
  });

  it('a submitted text reaches the engine unchanged; its verdict comes back whole', async () => {
    const text = '{"id":"r-1","text":"ünïcode ✓ \\u0000"}';
    const answer = await peer.call(SERVICES.submit, { response_json: text });
    expect(bridge.engine.requests).toMatchObject([{ type: 'submit', text }]);
    expect(answer).toMatchObject({ accepted: true, findings: [] });
    expect(answer['verdict']).toMatchObject({
      response_id: 'r-1',
      generation: 2,
      outcome: 'partial',
      snapshot_id: 's-1042',
      components: [
        { id: 'leg1', state: 'admitted', admitted: true, findings: [] },
        {
          id: 'leg2',
          state: 'withheld',
          withheld_because: [],
          findings: [
            { code: 'HALO-211', field: 'vehicle.battery', observed: '0.20', age_ms: 42.5 },
          ],
        },
        { id: 'leg3', withheld_because: ['leg2'] },
      ],
    });
  });

  it('a dry run asks for a check and for nothing else', async () => {
    await peer.call(SERVICES.check, { response_json: '{}' });
    expect(bridge.engine.requests.map(({ type }) => type)).toEqual(['check']);
  });

  it('a text that cannot be judged is refused with its findings', async () => {
    const finding = {
      rule: 'json',
      code: 'HALO-104' as const,
      message: 'The key id comes twice.',
      remedy: 'Name each key of an object once.',
      path: 'components[2].id',
    };
    bridge.engine.submitReply = { accepted: false, findings: [finding] };
    const answer = await peer.call(SERVICES.submit, { response_json: '{' });
    expect(answer).toMatchObject({
      accepted: false,
      findings: [{ code: 'HALO-104', path: 'components[2].id', age_ms: 'nan' }],
      verdict: { outcome: 'refused', response_id: '', findings: [{ code: 'HALO-104' }] },
    });
  });

  it('a full inbox is answered with HALO-308', async () => {
    bridge.engine.inboxFull = true;
    const answer = await peer.call(SERVICES.submit, { response_json: '{}' });
    expect(answer).toMatchObject({ accepted: false, findings: [{ code: 'HALO-308' }] });
  });

  it('the state comes with its snapshot id, big counters and unknown numbers', async () => {
    bridge.engine.current = state({ vehicle: vehicle({ heartbeatAgeMs: -1 }) });
    const answer = await peer.call(SERVICES.getState, {});
    expect(answer).toMatchObject({
      available: true,
      state: {
        phase: 'executing',
        snapshot_id: 's-1042',
        vehicle: {
          system_id: 7,
          position_enu_m: [1.5, -2.5, 3.5],
          yaw_enu_deg: 90,
          battery_v: 'nan',
          last_heartbeat_age_ms: 'nan',
          epochs: { vehicle: 1, mode: 6 },
        },
        evidence: [
          { field: 'range.front', value_json: '4.5', age_ms: 100, conflict: '' },
          { field: 'range.rear', age_ms: -2000, conflict: '2 publishers' },
        ],
        task: { ledger_seq: 4_294_967_299, budget_attempts_left: 2 },
        components: [{ id: 'leg1', evidence_age_ms: 'nan', target_enu_m: [10, 0, 6] }],
        obligations: [{ id: 'o-1', scope_components: ['leg2', 'leg3'] }],
        dispatch: {
          frames_dispatched: 9_007_199_254_740_991,
          leases: [{ id: 'l-1', end_code: 'HALO-408', remaining_s: 0, frames_drawn: 57 }],
        },
      },
    });
  });

  it('the recovery context, an approval and an abort reach the engine and come back', async () => {
    const context = await peer.call(SERVICES.recoveryContext, {});
    expect(context).toMatchObject({ open_obligations: ['home'], unknown_obligations: ['north'] });
    expect(JSON.parse(String(context['context_json']))).toMatchObject({ text: 'Open: home.' });

    const component_digest = 'c'.repeat(64);
    const approval = { component_digest, approver: 'ada', approved: true, valid_s: 30 };
    expect(await peer.call(SERVICES.approve, approval)).toMatchObject({ recorded: true });
    expect(await peer.call(SERVICES.abort, { reason: 'test' })).toMatchObject({
      accepted: true,
      action: 'hold',
    });
    expect(bridge.engine.requests.slice(1)).toMatchObject([
      {
        type: 'approve',
        approval: { componentDigest: component_digest, approver: 'ada', validS: 30 },
      },
      { type: 'abort', reason: 'test' },
    ]);
  });

  it.each([
    ['component_digest', { component_digest: 'c'.repeat(63) }],
    ['approver', { approver: ' ' }],
    ['valid_s', { valid_s: 0 }],
    ['valid_s', { valid_s: 'nan' }],
    ['valid_s', { valid_s: 'inf' }],
  ])('an approval with an unfit %s is not recorded: %j', async (path, change) => {
    const fit = { component_digest: 'c'.repeat(64), approver: 'ada', approved: true, valid_s: 30 };
    const answer = await peer.call(SERVICES.approve, { ...fit, ...change });
    expect(answer).toMatchObject({ recorded: false, findings: [{ code: 'HALO-202', path }] });
    expect(bridge.engine.requests).toEqual([]);
  });

  it('who subscribes late still gets the latest state and task at once', async () => {
    const late = { reliability: 'reliable', transient_local: true, depth: 1 };
    for (const entry of [TOPICS.state, TOPICS.task]) {
      await peer.ask('listen', { topic: topic(entry), type: entry.type, qos: late });
      await until(() => peer.messages(topic(entry)).length > 0, 3000, entry.name);
    }
    expect(peer.messages(topic(TOPICS.task))[0]).toMatchObject({ task: 'inspect-tower-7' });
  });

  it('the state topic follows the engine at its rate', async () => {
    bridge.engine.current = state({ snapshotId: 's-2000' });
    const heard = (): Plain[] => peer.messages(topic(TOPICS.state));
    await until(() => heard().at(-1)?.['snapshot_id'] === 's-2000', 3000, 'the new state');
    const before = heard().length;
    await new Promise((resolve) => setTimeout(resolve, 1000));
    expect(heard().length - before).toBeGreaterThanOrEqual(7);
    expect(heard().length - before).toBeLessThanOrEqual(13);
  });

  it('every event goes out on its topic, in order and with its numbers', async () => {
    const entries = [
      TOPICS.verdict,
      TOPICS.obligation,
      TOPICS.progress,
      TOPICS.lease,
      TOPICS.receipt,
      TOPICS.utterance,
    ];
    for (const entry of entries) {
      await peer.ask('listen', { topic: topic(entry), type: entry.type, qos: { depth: 50 } });
    }
    // Volatile topics: what is said before the reader is discovered is not for it.
    await new Promise((resolve) => setTimeout(resolve, 700));
    const { engine } = bridge;
    engine.emit({ type: 'verdict', verdict: verdict() });
    engine.emit({ type: 'obligation', obligation: localized() });
    engine.emit({ type: 'lease', lease: state().dispatch.leases[0]! });
    engine.emit({ type: 'receipt', receipt, ledgerSeq: 77, obligationId: 'north' });
    engine.emit({ type: 'task', task: task() });
    engine.emit({
      type: 'utterance',
      utterance: {
        responseId: 'r-1',
        componentId: 'range',
        kind: 'report.range',
        text: 'Front range 4.5 m.',
        evidence: state().evidence.slice(0, 1),
      },
    });
    for (let i = 0; i < 40; i += 1) {
      engine.emit({ type: 'progress', progress: progress({ id: `c${i}` }) });
    }
    const count = (entry: { name: string }): number => peer.messages(topic(entry)).length;
    await until(() => count(TOPICS.progress) === 40, 5000, 'all forty');
    expect(peer.messages(topic(TOPICS.progress)).map((m) => m['id'])).toEqual(
      Array.from({ length: 40 }, (_, i) => `c${i}`),
    );
    expect(peer.messages(topic(TOPICS.verdict))).toMatchObject([{ response_id: 'r-1' }]);
    expect(peer.messages(topic(TOPICS.obligation))).toMatchObject([{ id: 'o-1' }]);
    expect(peer.messages(topic(TOPICS.lease))).toMatchObject([{ id: 'l-1', state: 'ended' }]);
    const [received] = peer.messages(topic(TOPICS.receipt));
    expect(received).toMatchObject({ id: 'rc-1', obligation_id: 'north', ledger_seq: 77 });
    const { keyId, signature, ...signed } = receipt;
    expect(JSON.parse(String(received?.['body_json']))).toEqual(signed);
    expect(received).toMatchObject({ key_id: keyId, signature });
    const [words] = peer.messages(topic(TOPICS.utterance));
    expect(words).toMatchObject({ component_id: 'range', text: 'Front range 4.5 m.' });
    expect(JSON.parse(String(words?.['evidence_json']))).toMatchObject([{ field: 'range.front' }]);
  });

  it('a response that is only published is judged, and what cannot be judged is told', async () => {
    const said = (): number => peer.messages(topic(TOPICS.verdict)).length;
    const before = said();
    bridge.engine.submitReply = {
      accepted: false,
      findings: [{ rule: 'json', code: 'HALO-101', message: 'Not JSON.', remedy: 'Send JSON.' }],
    };
    const { type } = RESPONSE_TOPIC;
    for (let attempt = 0; attempt < 20 && said() === before; attempt += 1) {
      await peer.ask('publish', { topic: topic(RESPONSE_TOPIC), type, message: { data: 'nope' } });
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    expect(bridge.engine.requests[0]).toMatchObject({ type: 'submit', text: 'nope' });
    expect(peer.messages(topic(TOPICS.verdict)).at(-1)).toMatchObject({
      outcome: 'refused',
      findings: [{ code: 'HALO-101' }],
    });
  });

  it('diagnostics name link, ledger, gate and queues once a second', async () => {
    await peer.ask('listen', { topic: TOPICS.diagnostics.name, type: TOPICS.diagnostics.type });
    await until(() => peer.messages(TOPICS.diagnostics.name).length > 1, 4000, 'two reports');
    const status = peer.messages(TOPICS.diagnostics.name).at(-1)?.['status'] as Plain[];
    const level = (name: string): unknown =>
      status.find((s) => s['name'] === `halo_bridge: ${name}`)?.['level'];
    expect(level('Lifecycle')).toBe(0);
    expect(level('Vehicle link')).toBe(0);
    expect(level('Ledger')).toBe(0);
    expect(level('Gate')).toBe(1);
    expect(level('Queues')).toBe(0);
  });
});
