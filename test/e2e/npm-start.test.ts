/** The package's own script as a child process: what a newcomer runs, and what it says. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { digestsOf, entriesOf, ofKind } from './support/ledger.js';
import { allowedS, exitOf, holdsWithin, lastWords, Stage } from './support/stage.js';
import { statesOf, summaryOf, told } from './support/summary.js';

/** A flight of the example takes 45 s; with an obligation that has to expire, 15 s more. */
const FLIGHT_MS = 90_000;

let stage: Stage;
beforeEach(async () => {
  stage = await Stage.open();
});
afterEach(() => stage.close());

const ALL_SATISFIED = { satisfied: 6, open: 0, unknown: 0 };

describe('npm start', () => {
  it('flies the example, and each claim of its summary is in the ledger', async () => {
    const flight = stage.npmStart([]);
    expect(await exitOf(flight, FLIGHT_MS), lastWords(flight)).toBe(0);
    // npm tells by itself what it runs, before anything else: two lines between empty ones.
    const said = flight.lines.slice(flight.lines.findIndex((line) => !('text' in line)));
    const banner = flight.lines.slice(0, flight.lines.length - said.length);
    expect(banner.map((line) => String(line['text'])).filter((t) => !/^(> .*)?$/.test(t))).toEqual(
      [],
    );
    expect(said.filter((line) => 'text' in line)).toEqual([]);

    // A real PX4 sends to 14540 unasked, and must not be taken for the embedded vehicle.
    const [listening] = said.filter((line) => line['event'] === 'listening');
    expect(listening?.['remotePort']).toBeGreaterThan(0);
    expect(listening?.['remotePort']).not.toBe(14_540);

    const summary = summaryOf(flight);
    expect(summary).toMatchObject({
      outcome: 'completed',
      obligations: ALL_SATISFIED,
      components: { admitted: 13, withheld: 0 },
      localizedObligations: [],
      generations: 1,
      ledgerVerified: true,
      residual: [],
      refusals: [],
      ledger: stage.ledger,
    });
    expect(summary.wallSeconds).toBeLessThan(allowedS(60));
    const entries = entriesOf(stage.ledger);
    expect(summary.framesDispatched).toBeGreaterThan(50);
    expect(digestsOf(entries)).toHaveLength(summary.framesDispatched);
    expect(ofKind(entries, 'receipt')).toHaveLength(summary.receipts);
    expect(ofKind(entries, 'state-advanced')).toHaveLength(6);
    expect(entries.at(-1)?.kind).toBe('run-closed');
    expect(stage.alive()).toEqual([]);
  }, 100_000);

  it('keeps the reports and flies home when the battery drops before the second leg', async () => {
    const flight = stage.npmStart(['--drift', 'battery-drop', '--speed', '2']);
    expect(await exitOf(flight, FLIGHT_MS), lastWords(flight)).toBe(1);
    const summary = summaryOf(flight);
    expect(summary).toMatchObject({ outcome: 'partial', generations: 2, ledgerVerified: true });
    expect(summary.localizedObligations).toHaveLength(1);
    const [denial] = summary.localizedObligations;
    expect(denial?.state).toBe('discharged');
    expect(denial?.reason).toContain('vehicle.battery');
    expect(denial?.scope).toEqual(expect.arrayContaining(['leg-west', 'leg-north', 'down']));
    expect(summary.residual).toEqual(['inspect-west', 'inspect-north']);
    const states = statesOf(flight);
    for (const id of ['range-south', 'say-south', 'where', 'fuel']) {
      expect(states.get(`r-tower-1/${id}`), id).toBe('delivered');
    }
    for (const id of ['leg-west', 'range-west', 'leg-north', 'range-north', 'say-done', 'down']) {
      expect(states.get(`r-tower-1/${id}`), id).toBe('withheld');
    }
    for (const [id, state] of [
      ['home', 'done'],
      ['down', 'done'],
      ['say-home', 'delivered'],
    ]) {
      expect(states.get(`r-tower-2/${id ?? ''}`), id).toBe(state);
    }
    // The candidate flies by an authority of its own: none of its leases is of generation 1.
    const leases = ofKind(entriesOf(stage.ledger), 'lease-granted').map((entry) => entry.body);
    const generations = leases
      .filter((l) => l['kind'] === 'flight.return')
      .map((l) => l['generation']);
    expect(generations).toEqual([2]);
  }, 100_000);

  it('holds, lets the obligation expire and lands when no candidate comes', async () => {
    const flight = stage.fly(['--drift', 'battery-drop', '--no-candidate', '--speed', '3']);
    expect(await exitOf(flight, FLIGHT_MS), lastWords(flight)).toBe(1);
    const summary = summaryOf(flight);
    expect(summary).toMatchObject({ outcome: 'partial', generations: 1, ledgerVerified: true });
    expect(summary.localizedObligations.map((o) => o.state)).toEqual(['expired']);
    // The leg was over and none may follow: held by the vehicle's own mode first, then landed.
    const guardian = told(flight, 'guardian').map((line) => line['action']);
    expect(guardian.slice(0, 4)).toEqual(['handover', 'handover seen', 'land', 'land seen']);
    const landing = told(flight, 'guardian').find((line) => line['action'] === 'land');
    expect(landing?.['reason']).toContain('no fresh candidate came in time');
    // By the vehicle's own account: it held, it landed, and it is at rest.
    const own = flight.lines.filter((line) => line['from'] === 'vehicle');
    const modes = own.filter((line) => line['event'] === 'mode').map((line) => line['mode']);
    // What it shows once it is down and disarmed is its own affair.
    const flown = modes.slice(0, modes.lastIndexOf('AUTO.LAND') + 1);
    expect(flown.slice(-3)).toEqual(['OFFBOARD', 'AUTO.LOITER', 'AUTO.LAND']);
    expect(own.findLast((line) => line['event'] === 'armed')?.['armed']).toBe(false);
  }, 100_000);

  it('ends in order, with its summary, when it is interrupted in flight', async () => {
    const flight = stage.npmStart(['--speed', '2']);
    const flying = (): boolean => statesOf(flight).get('r-tower-1/leg-south') === 'active';
    expect(await holdsWithin(60_000, flying), lastWords(flight)).toBe(true);
    flight.child.kill('SIGINT');
    expect(await exitOf(flight, 20_000), lastWords(flight)).toBe(1);
    expect(stage.alive()).toEqual([]);
    expect(summaryOf(flight)).toMatchObject({ outcome: 'aborted', ledgerVerified: true });
    const entries = entriesOf(stage.ledger);
    expect(entries.at(-1)?.kind).toBe('run-closed');
    expect(digestsOf(entries)).toHaveLength(summaryOf(flight).framesDispatched);
    const own = flight.lines.filter((line) => line['from'] === 'vehicle');
    const modes = own.filter((line) => line['event'] === 'mode').map((line) => line['mode']);
    expect(modes.at(-1)).toBe('AUTO.LOITER');
  }, 120_000);
});
