/** The Foxglove server as viewers meet it: over real sockets, with nothing in between. */
import { once } from 'node:events';
import protocol from '@foxglove/ws-protocol';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { z } from 'zod';
import { startFoxgloveServer, type FoxgloveHandle } from '../../src/foxglove/index.js';
import { systemClock } from '../../src/platform/index.js';
import { component, HandEngine, obligation, quietState, receipt, verdict } from './hand-engine.js';
import { asBrowserSocket, until, Viewer } from './viewer.js';

const HOST = '127.0.0.1';
let engine: HandEngine;
let server: FoxgloveHandle;
const viewers: Viewer[] = [];

async function start(port = 0): Promise<FoxgloveHandle> {
  const started = await startFoxgloveServer({ engine, host: HOST, port, clock: systemClock });
  if (!started.ok) throw new Error(started.error.message);
  return started.value;
}

async function connect(protocols?: string[]): Promise<Viewer> {
  const viewer = await Viewer.connect(server.url, protocols);
  viewers.push(viewer);
  return viewer;
}

beforeEach(async () => {
  engine = new HandEngine();
  server = await start();
});

afterEach(async () => {
  await Promise.all(viewers.splice(0).map((viewer) => viewer.close()));
  await server.close();
});

describe('the door', () => {
  it.each([
    [['foxglove.websocket.v1'], 'foxglove.websocket.v1'],
    [['foxglove.sdk.v1'], 'foxglove.sdk.v1'],
    [['foxglove.websocket.v1', 'foxglove.sdk.v1'], 'foxglove.websocket.v1'],
    [['something.else', 'foxglove.sdk.v1'], 'foxglove.sdk.v1'],
  ])('lets in a viewer that offers %j and speaks %s', async (offered, chosen) => {
    const viewer = await connect(offered);
    expect(viewer.socket.protocol).toBe(chosen);
    expect(viewer.control[0]).toMatchObject({ op: 'serverInfo', name: 'HALO Bridge' });
  });

  it.each([[[]], [['mqtt']]])(
    'refuses a client that offers %j and says what to offer',
    async (offered) => {
      const socket = new WebSocket(server.url, offered);
      const [, response] = z
        .tuple([z.unknown(), z.custom<AsyncIterable<Buffer> & { statusCode: number }>()])
        .parse(await once(socket, 'unexpected-response'));
      let body = '';
      for await (const chunk of response) body += chunk.toString();
      expect(response.statusCode).toBe(400);
      expect(body).toContain('foxglove.websocket.v1 and foxglove.sdk.v1');
    },
  );

  it('tells a browser which address to open in Foxglove', async () => {
    const response = await fetch(`http://${HOST}:${server.port}/`);
    expect(response.status).toBe(426);
    expect(await response.text()).toContain('open Foxglove');
  });

  it('says HALO-803 when the port is in use', async () => {
    const second = await startFoxgloveServer({
      engine,
      host: HOST,
      port: server.port,
      clock: systemClock,
    });
    expect(second).toMatchObject({ ok: false, error: { code: 'HALO-803' } });
    expect(engine.listeners).toBe(1);
  });

  it('takes sixteen viewers and refuses the next with a reason', async () => {
    for (let n = 0; n < 16; n += 1) await connect();
    const socket = new WebSocket(server.url, ['foxglove.sdk.v1']);
    expect(String(await once(socket, 'error'))).toContain('503');
  });

  it('closes its viewers and frees the port', async () => {
    const viewer = await connect();
    const { port } = server;
    await server.close();
    await until(() => viewer.closeCode !== 0, 'the viewer is closed');
    expect(viewer.closeCode).toBe(1001);
    server = await start(port);
    expect(server.port).toBe(port);
  });
});

describe('what viewers see', () => {
  it('advertises each topic once, as JSON with a JSON Schema', async () => {
    const viewer = await connect();
    expect([...viewer.channels.keys()].sort()).toEqual([
      '/halo/components',
      '/halo/dispatch',
      '/halo/log',
      '/halo/obligation',
      '/halo/pose',
      '/halo/receipt',
      '/halo/scene',
      '/halo/state',
      '/halo/task',
      '/halo/verdict',
    ]);
    for (const channel of viewer.channels.values()) {
      expect(channel).toMatchObject({ encoding: 'json', schemaEncoding: 'jsonschema' });
      expect(JSON.parse(channel.schema)).toMatchObject({ type: 'object' });
    }
    expect(viewer.channels.get('/halo/log')?.schemaName).toBe('foxglove.Log');
    expect(viewer.channels.get('/halo/scene')?.schemaName).toBe('foxglove.SceneUpdate');
    expect(viewer.channels.get('/halo/pose')?.schemaName).toBe('foxglove.PoseInFrame');
  });

  it('shows state, evidence with its age, task, dispatch and pose', async () => {
    const viewer = await connect();
    viewer.subscribe('/halo/state', '/halo/task', '/halo/dispatch', '/halo/pose');
    expect(await viewer.next('/halo/state', z.looseObject({}))).toMatchObject({
      phase: 'idle',
      vehicle: { mode: 'AUTO.LOITER', batteryFraction: 0.82 },
      evidence: [
        { field: 'vehicle.battery', text: '0.82', number: 0.82, ageMs: 100 },
        { field: 'range.front', text: '[1,2,3]', ageMs: 1000 },
      ],
      viewers: { connected: 1, telemetryDropped: 0 },
    });
    expect(await viewer.next('/halo/task', z.looseObject({}))).toMatchObject({ task: 'inspect' });
    expect(await viewer.next('/halo/dispatch', z.looseObject({}))).toMatchObject({ bootEpoch: 1 });
    expect(await viewer.next('/halo/pose', z.looseObject({}))).toMatchObject({
      frame_id: 'local_enu',
      pose: { position: { x: 1, y: 2, z: 3 }, orientation: { z: 0, w: 1 } },
    });
  });

  it('shows no vehicle while its position is unknown', async () => {
    const { vehicle } = quietState();
    engine.set({ vehicle: { ...vehicle, positionEnuM: [Number.NaN, Number.NaN, Number.NaN] } });
    const viewer = await connect();
    viewer.subscribe('/halo/pose', '/halo/scene');
    expect(await viewer.next('/halo/scene', z.looseObject({}))).toMatchObject({ entities: [] });
    expect(viewer.messages('/halo/pose')).toEqual([]);
  });

  it('draws the vehicle, its trail, and each leg in the colour of what became of it', async () => {
    const viewer = await connect();
    viewer.subscribe('/halo/scene');
    await viewer.next('/halo/scene', z.looseObject({}));
    engine.set({
      vehicle: { ...quietState().vehicle, positionEnuM: [5, 2, 3] },
      components: [
        component('leg1', 'done', [10, 0, 6]),
        component('leg2', 'withheld', [10, 10, 6]),
        component('fuel', 'delivered'),
      ],
    });
    const entitySchema = z.looseObject({
      id: z.string(),
      lines: z.array(z.looseObject({ color: z.unknown(), points: z.array(z.unknown()) })),
    });
    const scene = await viewer.next(
      '/halo/scene',
      z.object({ entities: z.array(entitySchema).min(4) }),
    );
    const byId = new Map(scene.entities.map((entity) => [entity.id, entity]));
    expect([...byId.keys()].sort()).toEqual(['leg leg1', 'leg leg2', 'trail', 'vehicle']);
    expect(byId.get('leg leg1')?.lines[0]?.color).toMatchObject({ g: 0.8 });
    expect(byId.get('leg leg2')?.lines[0]).toMatchObject({
      color: { r: 0.9 },
      points: [
        { x: 10, y: 0, z: 6 },
        { x: 10, y: 10, z: 6 },
      ],
    });
    expect(byId.get('trail')?.lines[0]?.points).toEqual([
      { x: 1, y: 2, z: 3 },
      { x: 5, y: 2, z: 3 },
    ]);
  });

  it('passes on verdict, denial and receipt, and says them in the log', async () => {
    const viewer = await connect();
    viewer.subscribe('/halo/verdict', '/halo/obligation', '/halo/receipt', '/halo/log');
    engine.emit({ type: 'verdict', verdict: verdict() });
    engine.emit({ type: 'obligation', obligation: obligation() });
    engine.emit({
      type: 'receipt',
      receipt: receipt('rc-1'),
      ledgerSeq: 9,
      obligationId: 'inspect-north',
    });
    await until(() => viewer.messages('/halo/log').length === 3, 'three lines of log');
    expect(viewer.messages('/halo/verdict')).toEqual([verdict()]);
    expect(viewer.messages('/halo/obligation')).toMatchObject([{ id: 'o-1', expiresInS: 15 }]);
    expect(viewer.messages('/halo/receipt')).toEqual([
      { ...receipt('rc-1'), ledgerSeq: 9, obligationId: 'inspect-north' },
    ]);
    const said = z
      .array(z.looseObject({ message: z.string() }))
      .parse(viewer.messages('/halo/log'));
    expect(said.map(({ message }) => message)).toEqual([
      'r-1: partial, 1 of 2 components admitted; HALO-211 Battery 0.1 is below 0.3',
      'o-1 open: battery too low for leg1',
      'arm: observed, closes inspect-north',
    ]);
  });

  it('shows what happened before it connected to a viewer that comes late, once', async () => {
    engine.emit({ type: 'verdict', verdict: verdict('r-early') });
    engine.emit({ type: 'receipt', receipt: receipt('rc-early'), ledgerSeq: 9 });
    const early = await connect();
    early.subscribe('/halo/receipt');
    await until(() => early.messages('/halo/receipt').length > 0, 'the early viewer sees it');
    const late = await connect(['foxglove.websocket.v1']);
    late.subscribe('/halo/verdict', '/halo/receipt');
    late.subscribe('/halo/receipt');
    await until(() => late.messages('/halo/receipt').length > 0, 'the late viewer sees it');
    engine.emit({ type: 'receipt', receipt: receipt('rc-now'), ledgerSeq: 10 });
    await until(() => late.messages('/halo/receipt').length > 1, 'the next one comes as well');
    const ids = z.array(z.looseObject({ id: z.string() })).parse(late.messages('/halo/receipt'));
    expect(ids.map(({ id }) => id)).toEqual(['rc-early', 'rc-now']);
    expect(late.messages('/halo/verdict')).toMatchObject([{ responseId: 'r-early' }]);
  });

  it('loses no receipt to a flood of remarks, and counts those left out', async () => {
    const viewer = await connect();
    viewer.subscribe('/halo/receipt');
    for (let n = 0; n < 5000; n += 1) {
      engine.emit({ type: 'notice', level: 'info', message: `remark ${n}` });
    }
    engine.emit({ type: 'receipt', receipt: receipt('rc-1'), ledgerSeq: 9 });
    await until(() => viewer.messages('/halo/receipt').length === 1, 'the receipt arrives');
    expect(server.stats().eventsLost).toBeGreaterThanOrEqual(3900);
  });

  it('serves a client that others wrote', async () => {
    const client = new protocol.FoxgloveClient({
      ws: asBrowserSocket(
        new WebSocket(server.url, [protocol.FoxgloveClient.SUPPORTED_SUBPROTOCOL]),
      ),
    });
    const seen = new Promise<unknown>((resolve) => {
      client.on('advertise', (channels) => {
        const state = channels.find((channel) => channel.topic === '/halo/state');
        if (state !== undefined) client.subscribe(state.id);
      });
      client.on('message', ({ data }) => {
        resolve(JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString()));
      });
    });
    expect(await seen).toMatchObject({ snapshotId: 's-7' });
    client.close();
  });
});

describe('what viewers cannot do', () => {
  it('answers parameter questions and refuses to set one', async () => {
    const viewer = await connect();
    viewer.send({ op: 'getParameters', parameterNames: [], id: 'q1' });
    viewer.send({
      op: 'setParameters',
      parameters: [{ name: 'halo.task', value: 'mine' }],
      id: 'q2',
    });
    await until(() => viewer.control.some(({ id }) => id === 'q2'), 'the answer to q2');
    const answers = viewer.control.filter(({ op }) => op === 'parameterValues');
    expect(answers[0]?.parameters).toContainEqual({ name: 'halo.task', value: 'inspect' });
    expect(answers[1]?.parameters).toEqual([{ name: 'halo.task', value: 'inspect' }]);
    const warning = viewer.control.find(({ op }) => op === 'status');
    expect(warning).toMatchObject({ level: 1 });
    expect(String(warning?.message)).toContain('read-only');
  });

  it('offers no services and no way to publish', async () => {
    const viewer = await connect();
    expect(viewer.control[0]?.capabilities).toEqual(['parameters']);
    expect(viewer.control.map(({ op }) => op)).not.toContain('advertiseServices');
  });

  it('takes no notice of publications, nonsense and broken frames, and goes on', async () => {
    const viewer = await connect();
    viewer.send({
      op: 'advertise',
      channels: [{ id: 1, topic: '/move_base_simple/goal', encoding: 'json', schemaName: 'x' }],
    });
    const publication = Buffer.concat([Buffer.from([1, 1, 0, 0, 0]), Buffer.from('{"x":1}')]);
    viewer.socket.send(publication);
    viewer.socket.send(Buffer.from([2, 0, 0]));
    viewer.socket.send('not json');
    viewer.socket.send('null');
    viewer.send({ op: 'subscribe', subscriptions: 7 });
    viewer.send({ op: 'subscribeConnectionGraph' });
    viewer.subscribe('/halo/state');
    await viewer.next('/halo/state', z.looseObject({}));
    expect(engine.requests).toEqual([]);
    expect(engine.observations).toEqual([]);
    expect(viewer.closeCode).toBe(0);
  });

  it('sends a viewer away that says too much at once, and keeps the others', async () => {
    const [loud, quiet] = [await connect(), await connect()];
    loud.socket.send('x'.repeat(65 * 1024));
    await until(() => loud.closeCode !== 0, 'the loud one is out');
    quiet.subscribe('/halo/state');
    await quiet.next('/halo/state', z.looseObject({}));
  });
});
