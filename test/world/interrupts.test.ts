/** What may come while a mission flies: a pause, a hold; and how one goes on after it. */
import { describe, expect, it } from 'vitest';
import { ARM, newHop, responseOf, sendHop, UP } from './hop.js';
import { expectNoViolations } from './invariants.js';
import {
  DOWN,
  findings,
  fly,
  flying,
  itemNow,
  MESSAGE,
  observedOf,
  PAUSE,
  receiptsOf,
  sentOf,
  SQUARE,
  store,
} from './mission.js';

describe('mission.pause', () => {
  it('needs no frame when the vehicle holds already', () => {
    const flight = sendHop(newHop(), [ARM, UP]);
    flight.until('the climb', () => flight.stateOf('up') === 'done', 60);
    const before = flight.wire.sent.length;
    sendHop(flight, [PAUSE]);
    flight.until('the pause', () => flight.stateOf('pause') === 'done', 10);
    expect(receiptsOf(flight, 'pause')[0]).toMatchObject({
      ensured: true,
      observed: { airborne: true, mode: 'AUTO.LOITER' },
    });
    expect(flight.wire.sent.length).toBe(before);
  });

  it('ends a mission that flies, by a response of its own, and what was still to come with it', () => {
    const flight = flying();
    flight.seconds(3);
    // Anything else has to wait.
    expect(findings(flight.submit(responseOf([{ id: 'go', kind: 'flight.land' }])))).toEqual([
      'HALO-301',
    ]);
    const mixed = responseOf([PAUSE, { id: 'down2', kind: 'flight.land', requires: ['pause'] }]);
    expect(findings(flight.submit(mixed))).toEqual(['HALO-301']);
    const reply = flight.submit(responseOf([PAUSE, { id: 'fuel', kind: 'report.battery' }]));
    expect(reply.accepted).toBe(true);
    flight.until('the pause', () => flight.stateOf('pause') === 'done', 10);
    expect(flight.mode).toBe('AUTO.LOITER');
    expect(Math.hypot(...flight.engine.state().vehicle.velocityEnuMS)).toBeLessThan(0.8);
    expect([flight.stateOf('fly'), flight.stateOf('down')]).toEqual(['interrupted', 'withheld']);
    expect(flight.open).toMatchObject({
      componentId: 'fly',
      findings: [{ code: 'HALO-311' }],
      scope: { componentIds: ['fly', 'down'] },
    });
    // The guardian had nothing to do: the pause itself commanded the hold.
    expect(flight.guardian).toEqual([]);
    expectNoViolations(flight);
  });

  it('is not needed by the operator, whose abort holds at once', () => {
    const flight = flying();
    flight.seconds(3);
    expect(flight.abort()).toBe('hold');
    flight.until('hold', () => flight.mode === 'AUTO.LOITER', 5);
    expect([flight.stateOf('fly'), flight.stateOf('down')]).toEqual(['interrupted', 'withheld']);
    expectNoViolations(flight);
  });

  it('is what a hold can do as well', () => {
    const flight = flying();
    flight.seconds(3);
    const hold = { id: 'hold', kind: 'flight.hold', params: { durationS: 2 } };
    expect(flight.submit(responseOf([hold])).accepted).toBe(true);
    flight.until('the hold', () => flight.stateOf('hold') === 'done', 15);
    expect(flight.stateOf('fly')).toBe('interrupted');
    expectNoViolations(flight);
  });

  it('waits for a mode that was commanded and is not seen yet: else it would come after the end', () => {
    const flight = sendHop(newHop(), [ARM, UP, store(), fly()]);
    // HEARTBEAT and CURRENT_MODE are not heard from the moment that the mission is commanded.
    flight.until('the command', () => flight.wire.modes().includes('AUTO.MISSION'), 90);
    for (const id of [0, 436]) flight.wire.deafTo.add(id);
    flight.submit(responseOf([PAUSE]));
    flight.seconds(1.5);
    expect(flight.stateOf('fly')).toBe('active');
    flight.wire.deafTo.clear();
    flight.until('the pause', () => flight.stateOf('pause') === 'done', 10);
    expect(flight.mode).toBe('AUTO.LOITER');
    flight.seconds(3);
    expect(flight.mode).toBe('AUTO.LOITER');
  });

  it('is gone on from: the same mission is stored already, and begins at the item that is named', () => {
    const flight = flying();
    flight.until('the second item', () => itemNow(flight) >= 3, 30);
    flight.submit(responseOf([PAUSE]));
    flight.until('the pause', () => flight.stateOf('pause') === 'done', 10);
    const written = sentOf(flight, MESSAGE.item).length;
    const again = responseOf(
      [store(SQUARE, []), fly({ fromItem: 2 }), DOWN],
      flight.open ? { discharges: flight.open.id } : {},
    );
    const reply = flight.submit(again);
    expect(findings(reply)).toEqual([]);
    flight.until('the end of the mission', () => flight.stateOf('fly') === 'done', 60);
    expect(receiptsOf(flight, 'store').at(-1)?.ensured).toBe(true);
    expect(sentOf(flight, MESSAGE.item).length).toBe(written);
    expect(observedOf(flight, 'fly')).toMatchObject({ target: [0, 0, 3], itemsFlown: 2 });
    flight.until('the landing', () => flight.stateOf('down') === 'done', 60);
    expectNoViolations(flight);
  });
});
