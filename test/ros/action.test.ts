import './support/graph.js';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ACTION } from '../../src/ros/index.js';
import { startOn, type Started } from './support/bridge.js';
import { TestEngine, progress, report, state, verdict } from './support/engine.js';
import { ABORTED, CANCELED, Peer, SUCCEEDED, until, type Plain } from './support/peer.js';

describe('the action execute_response, driven by rclpy', () => {
  let bridge: Started;
  let peer: Peer;

  beforeAll(async () => {
    bridge = await startOn(new TestEngine(), ['--ros-args', '-p', 'action_timeout_s:=3.0']);
    peer = await Peer.start('action_peer');
  });

  afterAll(async () => {
    await peer.stop();
    await bridge.node.close();
  });

  beforeEach(() => {
    const { engine } = bridge;
    engine.requests.length = 0;
    engine.current = state({ components: [] });
    engine.submitReply = { accepted: true, verdict: verdict(), findings: [] };
    engine.afterReply = () => undefined;
    peer.heard.length = 0;
  });

  const send = (text: string): Promise<Plain> =>
    peer.ask('goal', {
      type: ACTION.type,
      name: ACTION.name.replace('~', '/halo_bridge'),
      goal: { response_json: text },
    });
  const feedback = (): Plain[] => peer.heard.filter((h) => h.feedback).map((h) => h.feedback ?? {});
  const end = () => peer.heard.find((heard) => heard.status !== undefined);
  const ended = (): Promise<void> => until(() => end() !== undefined, 8000, 'the goal ends');
  const submitted = (): Promise<void> =>
    until(() => bridge.engine.requests.some(({ type }) => type === 'submit'), 3000, 'a submit');

  it('a goal is submitted as text, told in feedback, and ends with the whole result', async () => {
    const { engine } = bridge;
    await send('{"id":"r-1"}');
    await submitted();
    expect(engine.requests).toMatchObject([{ type: 'submit', text: '{"id":"r-1"}' }]);
    engine.emit({ type: 'progress', progress: progress({ state: 'active' }) });
    engine.emit({ type: 'progress', progress: progress({ state: 'done' }) });
    engine.emit({ type: 'progress', progress: progress({ responseId: 'r-other' }) });
    await until(() => feedback().length >= 2, 3000, 'two feedbacks');
    engine.emit({ type: 'response-ended', report: report({ outcome: 'completed' }) });
    await ended();
    expect(feedback()).toMatchObject([
      { component: { id: 'leg1', state: 'active' }, vehicle: { mode: 'OFFBOARD', armed: true } },
      { component: { id: 'leg1', state: 'done', detail: '3.2 m to go' } },
      // Told by nothing but the report itself.
      { component: { id: 'leg2', state: 'withheld' } },
    ]);
    expect(end()).toMatchObject({
      status: SUCCEEDED,
      result: {
        outcome: 'completed',
        verdict: { response_id: 'r-1' },
        components: [{ id: 'leg1' }, { id: 'leg2', state: 'withheld' }],
        obligations: [{ id: 'o-1', scope_kinds: ['flight.land'] }],
        task: { task: 'inspect-tower-7' },
      },
    });
    expect(JSON.parse(String(end()?.result?.['summary_json']))).toMatchObject({
      outcome: 'completed',
      components: { admitted: 1, withheld: 2 },
      obligations: { satisfied: 1, open: 1, unknown: 0 },
    });
  });

  it('a response kept only in part does not end as a success', async () => {
    await send('{}');
    await submitted();
    bridge.engine.emit({ type: 'response-ended', report: report({ outcome: 'partial' }) });
    await ended();
    expect(end()).toMatchObject({ status: ABORTED, result: { outcome: 'partial' } });
  });

  it('a refused response ends at once, with its verdict', async () => {
    const refused = verdict({ outcome: 'refused' });
    bridge.engine.submitReply = { accepted: false, verdict: refused, findings: [] };
    await send('{}');
    await ended();
    expect(end()).toMatchObject({
      status: ABORTED,
      result: { outcome: 'refused', verdict: { outcome: 'refused', response_id: 'r-1' } },
    });
  });

  it('a text that cannot be judged ends at once, with its findings', async () => {
    const finding = { rule: 'json', code: 'HALO-101' as const, message: 'No.', remedy: 'Mend.' };
    bridge.engine.submitReply = { accepted: false, findings: [finding] };
    await send('nonsense');
    await ended();
    expect(end()).toMatchObject({
      status: ABORTED,
      result: { outcome: 'refused', findings: [{ code: 'HALO-101', message: 'No.' }] },
    });
  });

  it('a response that ends in the turn in which it was judged still ends its goal', async () => {
    const { engine } = bridge;
    engine.afterReply = ({ type }) => {
      if (type !== 'submit') return;
      engine.emit({ type: 'progress', progress: progress({ state: 'done' }) });
      engine.emit({ type: 'response-ended', report: report({ outcome: 'completed' }) });
    };
    await send('{}');
    await ended();
    expect(end()).toMatchObject({ status: SUCCEEDED });
    expect(feedback()).toMatchObject([
      { component: { id: 'leg1', state: 'done' } },
      { component: { id: 'leg2', state: 'withheld' } },
    ]);
  });

  it('cancelling aborts in the engine, and the goal ends when the response has ended', async () => {
    const { engine } = bridge;
    engine.afterReply = ({ type }) => {
      if (type !== 'abort') return;
      engine.emit({ type: 'response-ended', report: report({ outcome: 'aborted' }) });
    };
    await send('{}');
    await submitted();
    expect(await peer.ask('cancel')).toEqual({ canceling: 1 });
    await ended();
    expect(engine.requests.at(-1)).toMatchObject({ type: 'abort', reason: 'cancelled by client' });
    expect(end()).toMatchObject({ status: CANCELED, result: { outcome: 'aborted' } });
  });

  it('a goal that outlives its time is aborted', async () => {
    const { engine } = bridge;
    engine.afterReply = ({ type }) => {
      if (type !== 'abort') return;
      engine.emit({ type: 'response-ended', report: report({ outcome: 'aborted' }) });
    };
    await send('{}');
    await ended();
    expect(engine.requests.at(-1)).toMatchObject({ type: 'abort' });
    expect(end()).toMatchObject({ status: ABORTED, result: { outcome: 'aborted' } });
  });

  it('feedback of one component stays at 10 Hz, and an active one is never silent', async () => {
    const { engine } = bridge;
    await send('{}');
    await submitted();
    const storm = setInterval(
      () => engine.emit({ type: 'progress', progress: progress({ state: 'active' }) }),
      5,
    );
    await new Promise((resolve) => setTimeout(resolve, 1000));
    clearInterval(storm);
    expect(feedback().length).toBeGreaterThanOrEqual(7);
    expect(feedback().length).toBeLessThanOrEqual(12);
    engine.current = state();
    const before = feedback().length;
    await new Promise((resolve) => setTimeout(resolve, 700));
    expect(feedback().length).toBeGreaterThan(before);
    engine.emit({ type: 'response-ended', report: report() });
    await ended();
  });
});
