/**
 * A pilot, the autopilot's own failsafes, and the bridge's guardian: who has the vehicle.
 * Timelines on the running engine.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { PILOT_MODES, type SubmitReply } from '../../src/contract/index.js';
import type { Flight } from './flight.js';
import { DOWN, goTo, hopContract, newHop, onTheWay, responseOf, sendHop } from './hop.js';
import { expectNoViolations } from './invariants.js';

/** As a ground station or a switch of a transmitter does it: past the bridge. */
const pilotSelects = (flight: Flight, main: number, sub: number): void =>
  pilotCommands(flight, 176, [1, main, sub, 0, 0, 0, 0]);

function pilotCommands(flight: Flight, command: number, params: readonly number[]): void {
  const numbered = Object.fromEntries(params.map((value, n) => [`param${n + 1}`, value]));
  const target = { target_system: 1, target_component: 1, command, confirmation: 0 };
  const fields = { ...target, ...numbered };
  const message = { name: 'COMMAND_LONG', fields, systemId: 255, componentId: 190 };
  flight.vehicle.autopilot.receive(message, flight.nowUs);
}

const down = (flight: Flight) =>
  responseOf([{ ...DOWN, requires: [] }], flight.open ? { discharges: flight.open.id } : {});

describe('a pilot', () => {
  it('who takes over while the guardian acts is left alone, and gives the vehicle back by a mode', () => {
    const flight = onTheWay(sendHop(newHop()));
    flight.inject({ name: 'estimator-reset', jumpNedM: { n: 3, e: -2, d: 0 } });
    flight.until('the guardian', () => flight.guardian.length > 0, 2);
    flight.inject({ name: 'pilot-takeover' });
    flight.until('position mode', () => flight.mode === 'POSCTL', 3);
    const frames = flight.wire.sent.length;
    expect(flight.submit(down(flight)).findings[0]?.code).toBe('HALO-306');
    // Longer than any patience of the contract: its contingency does not run against a pilot.
    flight.seconds(12);
    expect(flight.mode).toBe('POSCTL');
    expect(flight.wire.sent).toHaveLength(frames);
    expect(flight.engine.state().phase).not.toBe('contingency');
    pilotSelects(flight, 4, 3);
    flight.until('hold', () => flight.mode === 'AUTO.LOITER', 3);
    flight.seconds(1);
    expect(flight.wire.sent).toHaveLength(frames);
    const reply = flight.submit(down(flight));
    expect(reply.findings).toEqual([]);
    expect(reply.verdict?.outcome).toBe('admitted');
    flight.until('landing', () => flight.stateOf('down') === 'done', 30);
    expect(flight.obligation('down')).toBe('satisfied');
    expectNoViolations(flight);
  });

  it.each([
    ['ALTCTL', 2],
    ['POSCTL', 3],
    ['ACRO', 5],
    ['STABILIZED', 7],
  ])('who flies in %s is not answered for', (mode, main) => {
    expect(PILOT_MODES).toContain(mode);
    const flight = onTheWay(sendHop(newHop()));
    flight.inject({ name: 'pilot-takeover' });
    flight.until('a pilot', () => flight.mode === 'POSCTL', 3);
    pilotSelects(flight, main, 0);
    flight.until(mode, () => flight.mode === mode, 3);
    const frames = flight.wire.sent.length;
    expect(flight.submit(down(flight)).findings[0]?.code).toBe('HALO-306');
    flight.seconds(1);
    expect(flight.wire.sent).toHaveLength(frames);
  });

  it('who selects hold while an answer waits at the door is not passed over by it', () => {
    const flight = onTheWay(sendHop(newHop()));
    const replies: SubmitReply[] = [];
    flight.abort();
    flight.until('hold', () => flight.guardian.includes('hold seen'), 3);
    const { length } = flight.wire.sent;
    // Heard together: the change, and what was sent before anybody could know of it.
    flight.ticking = false;
    flight.inject({ name: 'pilot-takeover' });
    flight.seconds(1.5);
    const text = JSON.stringify(responseOf([{ ...DOWN, requires: [] }]));
    const offered = flight.engine.offer({
      type: 'submit',
      text,
      reply: (reply) => replies.push(reply),
    });
    expect(offered).toBe(true);
    pilotSelects(flight, 4, 3);
    flight.seconds(1.5);
    flight.ticking = true;
    flight.seconds(1);
    expect(replies.map((reply) => reply.findings[0]?.code)).toEqual(['HALO-306']);
    expect(flight.stateOf('down')).not.toBe('done');
    expect(flight.engine.state().guidance[0]).toMatch(/^Somebody else chose AUTO.LOITER/);
    expect(flight.wire.sent).toHaveLength(length);
    // Said again now, it is fresh.
    expect(flight.submit(down(flight)).findings).toEqual([]);
    flight.until('landing', () => flight.stateOf('down') === 'done', 30);
    expectNoViolations(flight);
  });

  it('who switches before OFFBOARD is entered is not fought, whatever the catalog binds', () => {
    // A catalog of one's own may bind its legs to no epoch at all.
    const catalog = readFileSync('catalog/multicopter.yaml', 'utf8').replaceAll(
      'epochs: [vehicle, link, mode, arming, estimator, home]',
      'epochs: []',
    );
    const flight = sendHop(newHop({ catalog }));
    flight.until('the leg', () => flight.stateOf('there') === 'active', 30);
    flight.seconds(0.3);
    flight.inject({ name: 'pilot-takeover' });
    flight.until('position mode', () => flight.mode === 'POSCTL', 3);
    flight.seconds(0.1);
    const frames = flight.wire.sent.length;
    flight.seconds(5);
    expect(flight.mode).toBe('POSCTL');
    expect(flight.stateOf('there')).toBe('interrupted');
    expect(flight.wire.sent).toHaveLength(frames);
    expectNoViolations(flight);
  });

  it('who lands the vehicle is not called the bridge’s landing', () => {
    const flight = onTheWay(sendHop(newHop()));
    pilotSelects(flight, 4, 6);
    flight.until('a denial', () => flight.open !== undefined, 3);
    const frames = flight.wire.sent.length;
    flight.until('landing', () => flight.atRest, 30);
    flight.seconds(10);
    expect(flight.wire.sent).toHaveLength(frames);
    expect(flight.obligation('down')).toBe('open');
    expectNoViolations(flight);
  });
});

describe('a bridge that died in flight and came back', () => {
  it('lands what nobody else has taken: the take-off had gone on without it', () => {
    const flight = sendHop(newHop());
    flight.until('the climb', () => flight.mode === 'AUTO.TAKEOFF', 10);
    flight.restart();
    flight.seconds(2);
    flight.until('the hold after it', () => flight.mode === 'AUTO.LOITER', 10);
    flight.until('landing', () => flight.atRest, 40);
    expect(flight.guardian).toEqual(['land', 'land seen', 'released']);
    expectNoViolations(flight);
  });

  it('leaves the vehicle to the pilot who had taken it before, whatever mode it is in', () => {
    const flight = onTheWay(sendHop(newHop()));
    flight.inject({ name: 'pilot-takeover' });
    flight.until('position mode', () => flight.mode === 'POSCTL', 3);
    const frames = flight.wire.sent.length;
    flight.restart();
    flight.seconds(11);
    expect(flight.mode).toBe('POSCTL');
    pilotSelects(flight, 4, 3);
    flight.seconds(1);
    flight.restart();
    flight.seconds(11);
    expect(flight.mode).toBe('AUTO.LOITER');
    expect(flight.wire.sent).toHaveLength(frames);
    expectNoViolations(flight);
  });

  it('does not touch a vehicle that another one flies', () => {
    const flight = newHop();
    pilotCommands(flight, 400, [1, 0, 0, 0, 0, 0, 0]);
    pilotCommands(flight, 22, [0, 0, 0, NaN, NaN, NaN, 492]);
    flight.until('the air', () => flight.engine.state().vehicle.landed === 'in_air', 20);
    flight.restart();
    flight.until('hold', () => flight.mode === 'AUTO.LOITER', 20);
    flight.seconds(12);
    expect(flight.wire.sent).toEqual([]);
    expect(flight.engine.state().vehicle.landed).toBe('in_air');
  });
});

describe('the contingency', () => {
  it('waits for the link, and acts once the vehicle is heard again', () => {
    const flight = onTheWay(sendHop(newHop()));
    flight.abort();
    flight.until('holding', () => flight.mode === 'AUTO.LOITER', 3);
    flight.inject({ name: 'link-loss', seconds: 14 });
    flight.seconds(13);
    expect(flight.engine.state().phase).toBe('waiting-vehicle');
    flight.until('landing', () => flight.atRest, 40);
    expect(flight.wire.modes().at(-1)).toBe('AUTO.LAND');
    expectNoViolations(flight);
  });

  it('is tried again while the vehicle hears nothing of it', () => {
    const flight = onTheWay(sendHop(newHop()));
    flight.abort();
    flight.until('holding', () => flight.mode === 'AUTO.LOITER', 3);
    flight.vehicle.link.toVehicle.cut(flight.nowUs + 30_000_000);
    flight.seconds(30);
    expect(flight.mode).toBe('AUTO.LOITER');
    flight.until('landing', () => flight.atRest, 40);
    expectNoViolations(flight);
  });

  it('comes for a vehicle that was left in the air when its response was done', () => {
    const flight = sendHop(newHop(), [
      { id: 'arm', kind: 'flight.arm' },
      { id: 'up', kind: 'flight.takeoff', params: { altitudeM: 2 }, requires: ['arm'] },
    ]);
    flight.until('the air', () => flight.stateOf('up') === 'done', 30);
    expect(flight.open).toBeUndefined();
    flight.until('landing', () => flight.atRest, 40);
    expect(flight.guardian).toEqual(['land', 'land seen', 'released']);
    expectNoViolations(flight);
  });

  it('gives way to a fresh response as long as the vehicle still flies', () => {
    const contract = hopContract(['contingency: land', 'contingency: return']);
    const flight = onTheWay(sendHop(newHop({ contract })));
    flight.abort();
    flight.until('the contingency', () => flight.mode === 'AUTO.RTL', 15);
    const reply = flight.submit(responseOf([goTo('back', [0, 0, 2]), DOWN]));
    expect(reply.verdict?.outcome).toBe('admitted');
    flight.until('landing', () => flight.stateOf('down') === 'done', 40);
    expectNoViolations(flight);
  });
});

describe('a response that comes while the vehicle is handed over to hold', () => {
  it('is flown, after the hold is seen or instead of it', () => {
    const flight = sendHop(newHop(), [
      { id: 'arm', kind: 'flight.arm' },
      { id: 'up', kind: 'flight.takeoff', params: { altitudeM: 2 }, requires: ['arm'] },
      goTo('there', [5, 0, 2], { requires: ['up'] }),
    ]);
    flight.until('the end of the leg', () => flight.stateOf('there') === 'done', 40);
    expect(flight.submit(responseOf([goTo('back', [0, 0, 2]), DOWN])).findings).toEqual([]);
    flight.until('landing', () => flight.stateOf('down') === 'done', 60);
    expect(flight.stateOf('back')).toBe('done');
    // Once after each leg: PX4 holds by itself before anything that is not a leg begins.
    expect(flight.guardian).toEqual(['handover', 'handover seen', 'handover', 'handover seen']);
    expectNoViolations(flight);
  });

  it('does not keep a stream into a frame that has moved', () => {
    const flight = sendHop(newHop(), [
      { id: 'arm', kind: 'flight.arm' },
      { id: 'up', kind: 'flight.takeoff', params: { altitudeM: 2 }, requires: ['arm'] },
      goTo('there', [5, 0, 2], { requires: ['up'] }),
    ]);
    // The first command to hold does not arrive: the hand-over goes on for a while.
    const lost: string[] = [];
    flight.wire.loses = ({ mode }) => mode === 'AUTO.LOITER' && lost.push(mode) === 1;
    flight.until('the end of the leg', () => flight.stateOf('there') === 'done', 40);
    flight.inject({ name: 'estimator-reset', jumpNedM: { n: 3, e: -2, d: 0 } });
    const before = flight.engine.state().vehicle.epochs.estimator;
    const moved = (): boolean => flight.engine.state().vehicle.epochs.estimator > before;
    flight.until('the reset', moved, 2);
    const atUs = flight.nowUs;
    expect(flight.mode).toBe('OFFBOARD');
    flight.until('hold', () => flight.mode === 'AUTO.LOITER', 5);
    expect(flight.wire.setpoints(atUs)).toEqual([]);
    expect(flight.guardian).toEqual(['handover', 'hold', 'hold seen']);
    expectNoViolations(flight);
  });
});
