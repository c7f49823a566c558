/** What becomes of a flight when the bridge is asked to end, or dies. */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventId } from '../../sim/autopilot/index.js';
import type { Started } from '../px4/sim-process.js';
import { digestsOf, entriesOf, ofKind } from './support/ledger.js';
import { exitOf, freePort, holdsWithin, lastWords, Stage } from './support/stage.js';
import { errorsOf, summaryOf } from './support/summary.js';
import { isActuation, tapped, type Wire } from './support/tap.js';

let stage: Stage;
beforeEach(async () => {
  stage = await Stage.open();
});
afterEach(() => stage.close());

interface Flight {
  readonly wire: Wire;
  readonly bridge: Started;
  readonly host: Started;
}

/** Up to a second into the second leg: well away from both of its ends. */
async function inTheSecondLeg(): Promise<Flight> {
  const wire = await tapped(stage, ['--speed', '2']);
  const bridge = stage.bridge({ url: wire.url });
  const host = stage.host();
  await bridge.line((line) => isActive(line['progress'], 'leg-west'), 60_000);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  return { wire, bridge, host };
}

const isActive = (progress: unknown, id: string): boolean =>
  JSON.stringify(progress ?? {}).includes(`"id":"${id}","kind":"flight.goto","state":"active"`);

const nowUs = (): number => Number(process.hrtime.bigint() / 1000n);

async function verified(): Promise<Readonly<Record<string, unknown>>> {
  const verify = stage.verify();
  expect(await exitOf(verify, 15_000), lastWords(verify)).toBe(0);
  return verify.lines[0] ?? {};
}

describe('a bridge in flight', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)(
    'ends its lease, lets the vehicle hold and closes the ledger on %s',
    async (signal) => {
      const { wire, bridge, host } = await inTheSecondLeg();
      const fromUs = nowUs();
      const holds = (): boolean => modes(wire.vehicle).at(-1) === 'AUTO.LOITER';
      expect(modes(wire.vehicle).at(-1)).toBe('OFFBOARD');
      bridge.child.kill(signal);
      expect(await holdsWithin(3_000, holds), lastWords(wire.vehicle)).toBe(true);
      expect(await exitOf(bridge, 10_000), lastWords(bridge)).toBe(0);
      // The host is told at once, and does not wait for an answer that never comes.
      expect(await exitOf(host, 10_000), lastWords(host)).toBe(1);

      expect(await verified()).toMatchObject({ ok: true, tornBytes: 0 });
      const entries = entriesOf(stage.ledger);
      expect(entries.at(-1)?.kind).toBe('run-closed');
      const ends = ofKind(entries, 'lease-ended').slice(-2);
      expect(ends.map((e) => [e.body['componentId'], e.body['code']])).toEqual([
        ['leg-west', 'shutdown'],
        ['guardian-hold', 'done'],
      ]);
      // The last setpoint left within the tick that saw the signal; then only the hold.
      const [legEnd, holdEnd] = ends.map((e) => e.tUs);
      const after = wire.frames().filter((f) => isActuation(f) && f.atUs > fromUs);
      const setpoints = after.filter((f) => f.name === 'SET_POSITION_TARGET_LOCAL_NED');
      expect(setpoints.filter((f) => f.atUs > (legEnd ?? 0) + 50_000)).toEqual([]);
      const hold = [1, 4, 3, 0, 0, 0, 0]; // AUTO and LOITER of PX4
      const commands = after.filter((f) => f.name === 'COMMAND_LONG');
      expect(commands.map((f) => [f.command, f.params])).toEqual(commands.map(() => [176, hold]));
      expect(commands.length).toBeGreaterThan(0);
      expect(after.filter((f) => f.atUs > (holdEnd ?? 0) + 50_000)).toEqual([]);
    },
    80_000,
  );

  it('does so too when whoever started it is killed', async () => {
    const wire = await tapped(stage, ['--speed', '2']);
    const flight = stage.fly(['--connect', wire.url]);
    await flight.line((line) => isActive(line['progress'], 'leg-west'), 60_000);
    flight.child.kill('SIGKILL');
    const holds = (): boolean => modes(wire.vehicle).at(-1) === 'AUTO.LOITER';
    expect(await holdsWithin(3_000, holds), lastWords(wire.vehicle)).toBe(true);
    // Bridge and host end by themselves; the vehicle and the tap are ours.
    const ours = [wire.vehicle.child.pid, wire.tap.child.pid];
    const others = () => stage.alive().filter((pid) => !ours.includes(pid));
    expect(await holdsWithin(10_000, () => others().length === 0), String(others())).toBe(true);
    expect(await verified()).toMatchObject({ ok: true, tornBytes: 0 });
    expect(entriesOf(stage.ledger).at(-1)?.kind).toBe('run-closed');
  }, 80_000);

  it('ends in order although the reader of its events has stalled', async () => {
    const bridge = stage.bridge({ url: `udpin://127.0.0.1:${await freePort()}` });
    await bridge.line((line) => line['type'] === 'active', 20_000);
    bridge.child.stdout?.pause();
    // What is told of this refusal alone is more than a pipe holds.
    const file = join(stage.dir, 'large.json');
    const components = Array.from({ length: 200 }, (_, i) => ({
      id: `c${i}`,
      kind: 'flight.land',
    }));
    writeFileSync(
      file,
      JSON.stringify({ protocol: 'halo/1', id: 'r-large', task: 'inspect-tower-7', components }),
    );
    const host = stage.host(file, ['--ready-within', '1']);
    const judged = (): boolean => ofKind(entriesOf(stage.ledger), 'response-refused').length > 0;
    expect(await holdsWithin(30_000, judged), lastWords(host)).toBe(true);
    bridge.child.kill('SIGTERM');
    await once(bridge.child, 'exit', { signal: AbortSignal.timeout(10_000) });
    expect(bridge.child.exitCode).toBe(0);
    bridge.child.stdout?.resume();
    expect(await verified()).toMatchObject({ ok: true, tornBytes: 0 });
    expect(entriesOf(stage.ledger).at(-1)?.kind).toBe('run-closed');
  }, 80_000);

  it('that is killed is summed up from its ledger, which knows more than was told', async () => {
    const wire = await tapped(stage, ['--speed', '2']);
    const flight = stage.fly(['--connect', wire.url]);
    await flight.line((line) => isActive(line['progress'], 'leg-west'), 60_000);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    process.kill(stage.idOf('bridge'), 'SIGKILL');
    expect(await exitOf(flight, 20_000), lastWords(flight)).toBe(3);
    expect(errorsOf(flight)).toMatchObject([{ code: 'HALO-805' }]);
    const entries = entriesOf(stage.ledger);
    expect(summaryOf(flight)).toMatchObject({
      ledgerVerified: true,
      receipts: ofKind(entries, 'receipt').length,
      obligations: { satisfied: ofKind(entries, 'state-advanced').length },
    });
    expect(summaryOf(flight).framesDispatched).toBeGreaterThanOrEqual(digestsOf(entries).length);
  }, 80_000);

  it('leaves the vehicle to its failsafe when it is killed, and sends nothing when it is back', async () => {
    const { wire, bridge, host } = await inTheSecondLeg();
    bridge.child.kill('SIGKILL');
    await exitOf(bridge, 2_000);
    const entered = eventId('commander_failsafe_enter_generic');
    const failsafe = () => wire.events().find((event) => event.event === entered);
    expect(await holdsWithin(4_000, () => failsafe() !== undefined)).toBe(true);
    const lastUs = wire.frames().at(-1)?.atUs ?? NaN;
    const setpointUs = wire.frames().findLast(isActuation)?.atUs ?? NaN;
    // COM_OF_LOSS_T is one second; the rest is the time until the vehicle looks.
    expect(((failsafe()?.atUs ?? NaN) - setpointUs) / 1e6).toBeGreaterThan(0.9);
    expect(((failsafe()?.atUs ?? NaN) - setpointUs) / 1e6).toBeLessThan(1.2);
    const returns = (): boolean => modes(wire.vehicle).at(-1) === 'AUTO.RTL';
    expect(await holdsWithin(2_000, returns), lastWords(wire.vehicle)).toBe(true);
    expect(await verified()).toMatchObject({ ok: true });
    const before = entriesOf(stage.ledger);
    // The host does not wait for a result that never comes.
    expect(await exitOf(host, 3_000), lastWords(host)).toBe(3);
    const told = { type: 'error', error: { code: 'HALO-804' } };
    expect(host.lines.at(-1), lastWords(host)).toMatchObject(told);

    const next = stage.bridge({ url: wire.url });
    await next.line((line) => line['type'] === 'active', 10_000);
    const state = await next.line(
      (line) => JSON.stringify(line).includes('"connected":true'),
      8_000,
    );
    expect(state['state']).toMatchObject({ dispatch: { bootEpoch: 2, framesDispatched: 0 } });
    await new Promise((resolve) => setTimeout(resolve, 5_000));
    next.child.kill('SIGTERM');
    expect(await exitOf(next, 10_000), lastWords(next)).toBe(0);
    const since = wire.frames().filter((frame) => frame.atUs > lastUs);
    expect(since.length).toBeGreaterThan(0);
    expect(since.filter(isActuation)).toEqual([]);
    expect(await verified()).toMatchObject({ ok: true, epochs: 2, tornBytes: 0 });
    // It went on with the same run, and what had been earned still counts.
    expect(entriesOf(stage.ledger).slice(0, before.length)).toEqual(before);
    expect(state['state']).toMatchObject({
      task: { obligations: expect.arrayContaining([SOUTH_SATISFIED]) as unknown },
    });
  }, 90_000);
});

const SOUTH_SATISFIED: unknown = expect.objectContaining({
  id: 'inspect-south',
  state: 'satisfied',
});

const modes = (vehicle: Started): readonly unknown[] =>
  vehicle.lines.filter((line) => line['event'] === 'mode').map((line) => line['mode']);
