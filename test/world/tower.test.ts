/** The tower example flown by the real engine against the embedded autopilot, in virtual time. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { EXAMPLE, Flight, type FlightOptions } from './flight.js';
import { expectNoViolations } from './invariants.js';

const example = (file: string): object =>
  JSON.parse(readFileSync(join(EXAMPLE, file), 'utf8')) as object;

/** Up to the moment in which the vehicle is on its way to the west face. */
function onTheWayWest(options: FlightOptions = {}): Flight {
  const flight = new Flight(options).ready();
  flight.submit(example('response.json'));
  flight.until('the second leg', () => flight.stateOf('leg-west') === 'active', 90);
  flight.seconds(1);
  return flight;
}

const openObligation = (flight: Flight) =>
  flight.engine.state().obligations.find((o) => o.state === 'open');

function answerWithCandidate(flight: Flight) {
  const open = openObligation(flight);
  return flight.submit({ ...example('candidate.json'), discharges: open?.id });
}

const atRest = (flight: Flight) => () => {
  const { vehicle } = flight.engine.state();
  return vehicle.landed === 'on_ground' && !vehicle.armed;
};

describe('the tower example', () => {
  it('is flown whole, and every obligation rests on a receipt', () => {
    const flight = new Flight().ready();
    const reply = flight.submit(example('response.json'));
    expect(reply.findings).toEqual([]);
    expect(reply.verdict?.components.flatMap((c) => c.findings)).toEqual([]);
    flight.until('landing', () => flight.stateOf('down') === 'done', 120);
    const { task, dispatch, components, obligations } = flight.engine.state();
    expect(task.obligations.map((o) => o.state)).toEqual(task.obligations.map(() => 'satisfied'));
    expect(components.filter((c) => c.state !== 'done' && c.state !== 'delivered')).toEqual([]);
    expect(obligations).toEqual([]);
    // Each component has its receipt, and each frame a digest in the ledger.
    expect(flight.ledger.of('receipt')).toHaveLength(components.length);
    const digests = flight.ledger
      .of('frames')
      .flatMap((r) => (r.body as { digests: string[] }).digests);
    expect(digests).toHaveLength(dispatch.framesDispatched);
    expect(new Set(flight.engine.state().dispatch.leases)).toEqual(new Set());
  });

  it.each([1, 2])('over a bad link comes down safely, its duty done or told, seed %d', (seed) => {
    const loss = { drop: 0.05, duplicate: 0.05, reorder: 0.05, corrupt: 0.01 };
    const trouble = { ...loss, delayUs: [5_000, 60_000] } as const;
    const flight = new Flight({ seed, trouble }).ready();
    flight.submit(example('response.json'));
    flight.until('landing', () => flight.nowUs > 30_000_000 && flight.atRest, 120);
    flight.seconds(1);
    const { task, obligations } = flight.engine.state();
    const open = task.obligations.filter(({ state }) => state !== 'satisfied');
    expect(open.length > 0, `seed ${seed}`).toBe(obligations.length > 0);
    expectNoViolations(flight, `seed ${seed}`);
  });

  it('reports the range at each face from where it was measured', () => {
    const flight = new Flight().ready();
    flight.submit(example('response.json'));
    flight.until('landing', () => flight.stateOf('down') === 'done', 120);
    const texts = flight.events.flatMap((e) => (e.type === 'utterance' ? [e.utterance.text] : []));
    const ranges = texts.filter((text) => text.startsWith('Range front 4.00 m at '));
    expect(ranges).toHaveLength(3);
    expect(texts).toContain('South face reached.');
  });

  it('withholds the legs when the battery drops, keeps what needs no leg, and flies the fresh candidate', () => {
    const flight = new Flight().ready();
    flight.submit(example('response.json'));
    flight.until('the first leg', () => flight.stateOf('leg-south') === 'active', 90);
    flight.seconds(2);
    flight.vehicle.autopilot.inject({ name: 'battery-drop', fraction: 0.25 });
    flight.until('a denial', () => openObligation(flight) !== undefined, 30);
    expect(flight.stateOf('leg-south')).toBe('done');
    for (const id of ['leg-west', 'leg-north', 'range-west', 'range-north', 'say-done', 'down']) {
      expect(flight.stateOf(id), id).toBe('withheld');
    }
    for (const id of ['range-south', 'say-south', 'fuel', 'where']) {
      expect(flight.stateOf(id), id).toBe('delivered');
    }
    const open = openObligation(flight);
    expect(open).toMatchObject({ componentId: 'leg-west', generation: 1 });
    expect(open?.reason).toContain('vehicle.battery');
    expect(open?.scope.componentIds).toContain('down');
    flight.until('holding', () => flight.engine.state().vehicle.mode === 'AUTO.LOITER', 5);
    const reply = answerWithCandidate(flight);
    expect(reply.verdict).toMatchObject({ outcome: 'admitted', generation: 2 });
    flight.until('landing', () => flight.stateOf('down') === 'done', 120);
    expect(flight.obligation('safe-down')).toBe('satisfied');
    expect(flight.obligation('inspect-west')).toBe('open');
    expect(flight.engine.state().obligations[0]?.state).toBe('discharged');
  });

  it('lands by the contract’s contingency when no candidate comes', () => {
    const flight = onTheWayWest();
    flight.vehicle.autopilot.inject({
      name: 'estimator-reset',
      jumpNedM: { n: 3, e: -2, d: 0 },
    });
    flight.until('a denial', () => openObligation(flight) !== undefined, 5);
    expect(flight.stateOf('leg-west')).toBe('interrupted');
    flight.until('landing', atRest(flight), 60);
    expect(flight.engine.state().obligations[0]?.state).toBe('expired');
    expect(flight.engine.state().phase).toBe('idle');
    const actions = flight.ledger
      .of('guardian-action')
      .map((r) => (r.body as { action: string }).action);
    expect(actions).toEqual(['hold', 'hold seen', 'released', 'land', 'land seen', 'released']);
  });

  it('sends nothing more once a pilot has taken over, not even its contingency', () => {
    const flight = onTheWayWest();
    flight.vehicle.autopilot.inject({ name: 'pilot-takeover' });
    flight.until('a denial', () => openObligation(flight) !== undefined, 5);
    const frames = flight.engine.state().dispatch.framesDispatched;
    expect(answerWithCandidate(flight).findings[0]?.code).toBe('HALO-306');
    flight.seconds(30);
    expect(flight.engine.state().dispatch.framesDispatched).toBe(frames);
    expect(flight.engine.state().vehicle.mode).toBe('POSCTL');
  });

  it('lands when positioning is lost', () => {
    const flight = onTheWayWest();
    flight.vehicle.autopilot.inject({ name: 'gps-loss', seconds: 1e6 });
    flight.until('a denial', () => openObligation(flight) !== undefined, 10);
    flight.until('landing', atRest(flight), 60);
    expect(flight.obligation('inspect-west')).not.toBe('satisfied');
  });

  it('takes nothing of before as still true after the vehicle has rebooted', () => {
    const flight = onTheWayWest();
    const before = flight.engine.state().vehicle.epochs.vehicle;
    flight.vehicle.autopilot.inject({ name: 'vehicle-reboot' });
    flight.until('a denial', () => openObligation(flight) !== undefined, 10);
    expect(flight.engine.state().vehicle.epochs.vehicle).toBe(before + 1);
    expect(flight.stateOf('leg-west')).toBe('interrupted');
    flight.until('a ready vehicle', () => flight.engine.state().vehicle.prearmOk, 30);
    const frames = flight.engine.state().dispatch.framesDispatched;
    flight.seconds(20);
    expect(flight.engine.state().dispatch.framesDispatched).toBe(frames);
  });

  it('withholds only the reports when the range sensor falls silent', () => {
    const flight = onTheWayWest();
    flight.rangeM = undefined;
    flight.until('landing', () => flight.stateOf('down') === 'done', 120);
    expect(flight.stateOf('range-south')).toBe('delivered');
    expect(flight.stateOf('range-west')).toBe('withheld');
    expect(flight.stateOf('range-north')).toBe('withheld');
    expect(flight.obligation('inspect-north')).toBe('satisfied');
  });
});
