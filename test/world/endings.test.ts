/**
 * How it ends before its end: abort, shutdown, a disk that fails, a second process. Timelines on
 * the running engine.
 */
import { describe, expect, it } from 'vitest';
import type { SubmitReply } from '../../src/contract/index.js';
import { TICK_US, type Flight } from './flight.js';
import { ARM, DOWN, newHop, onTheWay, responseOf, sendHop } from './hop.js';
import { expectNoViolations } from './invariants.js';

const kinds = (flight: Flight, fromSeq: number): readonly string[] =>
  flight.ledger.records.filter(({ seq }) => seq > fromSeq).map(({ kind }) => kind);

const reasonOf = (flight: Flight, id: string): string | undefined =>
  flight.engine.state().components.findLast((component) => component.id === id)?.reason;

const endOf = (flight: Flight, componentId: string) =>
  flight.ledger
    .of('lease-ended')
    .map((record) => record.body as { componentId: string; code: string })
    .findLast((body) => body.componentId === componentId);

const notices = (flight: Flight): readonly string[] =>
  flight.events.flatMap((event) => (event.type === 'notice' ? [event.message] : []));

describe('an abort in flight', () => {
  it('ends everything in that tick, holds, and leaves the vehicle to a fresh response', () => {
    const flight = onTheWay(sendHop(newHop()));
    const atUs = flight.nowUs;
    expect(flight.abort()).toBe('hold');
    expect(flight.stateOf('there')).toBe('interrupted');
    expect(endOf(flight, 'there')?.code).toBe('HALO-310');
    for (const id of ['tell', 'back', 'down']) {
      expect(flight.stateOf(id), id).toBe('withheld');
      expect(reasonOf(flight, id), id).toContain('HALO-310');
    }
    expect(flight.open).toBeUndefined();
    flight.until('holding', () => flight.mode === 'AUTO.LOITER', 5);
    expect(flight.wire.setpoints(atUs + TICK_US)).toEqual([]);
    expect(flight.wire.modes(atUs)).toEqual(['AUTO.LOITER']);
    const ended = flight.events.findLast((event) => event.type === 'response-ended');
    expect(ended?.report.outcome).toBe('aborted');
    const reply = flight.submit(responseOf([{ ...DOWN, requires: [] }]));
    expect(reply.findings).toEqual([]);
    flight.until('landing', () => flight.stateOf('down') === 'done', 30);
    expect(flight.obligation('down')).toBe('satisfied');
    expectNoViolations(flight);
  });

  it('ends with the contingency when nobody answers', () => {
    const flight = onTheWay(sendHop(newHop({ seed: 3 })));
    flight.abort();
    flight.until('landing', () => flight.atRest, 40);
    const actions = ['hold', 'hold seen', 'released', 'land', 'land seen', 'released'];
    expect(flight.guardian).toEqual(actions);
    expectNoViolations(flight);
  });
});

describe('the end of the bridge', () => {
  it('in flight ends the lease, sees the vehicle hold, closes the ledger, and then is closed', () => {
    const flight = onTheWay(sendHop(newHop()));
    const { seq } = flight.ledger.records.at(-1) ?? { seq: 0 };
    const atUs = flight.nowUs;
    flight.engine.beginShutdown('asked to end');
    const late: SubmitReply[] = [];
    const text = JSON.stringify(responseOf([ARM]));
    flight.engine.offer({ type: 'submit', text, reply: (reply) => late.push(reply) });
    flight.until('the end', () => flight.engine.closed, 5);
    flight.engine.offer({ type: 'submit', text, reply: (reply) => late.push(reply) });
    expect(late.map(({ findings }) => findings[0]?.code)).toEqual(['HALO-307', 'HALO-307']);
    expect(flight.mode).toBe('AUTO.LOITER');
    expect(endOf(flight, 'there')?.code).toBe('shutdown');
    expect(flight.guardian).toEqual(['hold', 'hold seen']);
    const written = kinds(flight, seq);
    expect(written.at(-1)).toBe('run-closed');
    expect(written.filter((kind) => kind === 'lease-granted')).toHaveLength(1);
    const closed = flight.ledger.of('run-closed')[0]?.body;
    expect(closed).toEqual({ reason: 'asked to end', residual: ['there', 'back', 'down'] });
    expect(flight.wire.setpoints(atUs + 1)).toEqual([]);
    const frames = flight.wire.sent.length;
    flight.seconds(3);
    expect(flight.wire.sent).toHaveLength(frames);
    expect(flight.engine.state().phase).toBe('closed');
  });

  it('on the ground comes at once, with nothing sent', () => {
    const flight = newHop();
    flight.engine.beginShutdown('asked to end');
    flight.seconds(0.02);
    expect(flight.engine.closed).toBe(true);
    expect(flight.wire.sent).toEqual([]);
    expect(flight.ledger.records.at(-1)?.kind).toBe('run-closed');
  });

  it('is not held up by what waits in the inbox: every request is answered', () => {
    const flight = newHop();
    const answers: string[] = [];
    const { engine } = flight;
    engine.beginShutdown('asked to end');
    const approval = {
      componentDigest: 'a'.repeat(64),
      approver: 'ada',
      approved: true,
      validS: 5,
    };
    engine.offer({ type: 'check', text: '{}', reply: () => answers.push('check') });
    engine.offer({ type: 'approve', approval, reply: () => answers.push('approve') });
    engine.offer({ type: 'abort', reason: 'x', reply: () => answers.push('abort') });
    engine.offer({ type: 'recovery-context', reply: () => answers.push('context') });
    flight.seconds(0.04);
    expect(answers).toEqual(['check', 'approve', 'abort', 'context']);
  });
});

describe('a disk that is slow', () => {
  it('keeps every frame back until the intent is durable, and the flight goes on then', () => {
    const flight = newHop();
    flight.ledger.durableLimit = flight.ledger.records.length;
    sendHop(flight);
    flight.seconds(3);
    expect(flight.stateOf('arm')).toBe('active');
    expect(flight.wire.sent).toEqual([]);
    flight.ledger.durableLimit = Infinity;
    flight.seconds(0.02);
    expect(flight.wire.sent.map(({ command }) => command)).toEqual([400]);
    onTheWay(flight);
    // Half a second without the disk at the start of the next leg: shorter than PX4's patience.
    flight.ledger.durableLimit = flight.ledger.records.length;
    flight.until('the next leg', () => flight.stateOf('back') === 'active', 20);
    const intent = flight.ledger.of('lease-granted').at(-1);
    const atUs = flight.nowUs;
    flight.seconds(0.5);
    expect(intent?.body).toMatchObject({ componentId: 'back' });
    expect(flight.wire.setpoints(atUs + 1)).toEqual([]);
    flight.ledger.durableLimit = Infinity;
    flight.until('landing', () => flight.stateOf('down') === 'done', 60);
    expect(flight.engine.state().task.obligations.map((o) => o.state)).not.toContain('open');
    expectNoViolations(flight);
  });
});

describe('a receipt', () => {
  it('is told once a power cut would leave it in the ledger, and the state that it changed too', () => {
    const flight = onTheWay(sendHop(newHop()));
    const told = (type: string) => flight.events.filter((event) => event.type === type).length;
    const [receipts, states] = [told('receipt'), told('task')];
    flight.ledger.durableLimit = flight.ledger.records.length;
    flight.until('the leg', () => flight.stateOf('there') === 'done', 40);
    flight.seconds(0.3);
    expect(flight.obligation('there')).toBe('satisfied');
    expect([told('receipt'), told('task')]).toEqual([receipts, states]);
    flight.ledger.durableLimit = Infinity;
    flight.seconds(0.1);
    expect(told('receipt')).toBeGreaterThan(receipts ?? 0);
    expect(told('task')).toBeGreaterThan(states ?? 0);
  });
});

describe('a disk that fails in flight', () => {
  it('closes the gate; PX4’s own failsafe brings the vehicle down', () => {
    const flight = onTheWay(sendHop(newHop()));
    flight.ledger.poison();
    const { durableSeq } = flight.ledger;
    const atUs = flight.nowUs;
    const frames = flight.wire.sent.length;
    flight.until('the failsafe', () => flight.vehicle.autopilot.status().failsafe, 3);
    expect(flight.nowUs - atUs).toBeLessThan(1_300_000);
    expect(flight.vehicle.autopilot.status().mode).toBe('AUTO.RTL');
    expect(notices(flight).filter((text) => text.includes('HALO-604'))).toHaveLength(1);
    expect(flight.stateOf('there')).toBe('interrupted');
    expect(flight.submit(responseOf([ARM])).findings[0]?.code).toBe('HALO-413');
    flight.until('landing', () => flight.vehicle.autopilot.status().landed, 60);
    expect(flight.wire.sent).toHaveLength(frames);
    expect(flight.ledger.durableSeq).toBe(durableSeq);
  });

  it('does not keep the bridge from closing', () => {
    const flight = onTheWay(sendHop(newHop()));
    flight.ledger.poison();
    const frames = flight.wire.sent.length;
    flight.engine.beginShutdown('asked to end');
    flight.until('the end', () => flight.engine.closed, 1);
    expect(flight.ledger.of('run-closed')).toEqual([]);
    expect(flight.wire.sent).toHaveLength(frames);
  });
});

describe('a second process', () => {
  it('that opens the same ledger takes every right to send from the first', () => {
    const flight = onTheWay(sendHop(newHop()));
    flight.ledger.folderEpoch = 2;
    const frames = flight.wire.sent.length;
    flight.seconds(0.1);
    expect(endOf(flight, 'there')?.code).toBe('HALO-407');
    flight.until('landing by PX4 alone', () => flight.vehicle.autopilot.status().landed, 60);
    expect(flight.wire.sent).toHaveLength(frames);
    expectNoViolations(flight);
  });

  it('that comes after a crash in flight has no lease, and no receipt for what it did not see', () => {
    const flight = onTheWay(sendHop(newHop()));
    const frames = flight.wire.sent.length;
    flight.restart();
    flight.seconds(1.5);
    expect(flight.obligation('there')).toBe('unknown');
    expect(flight.obligation('airborne')).toBe('satisfied');
    expect(flight.engine.state().dispatch).toMatchObject({ leases: [], bootEpoch: 2 });
    expect(flight.wire.sent).toHaveLength(frames);
    expect(flight.context().unknown).toEqual(['there']);
  });
});
