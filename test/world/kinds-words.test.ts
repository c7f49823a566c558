/** Kinds that only say something: questions to an operator, and reports that a catalog defines. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Component } from '../../src/contract/index.js';
import type { Flight } from './flight.js';
import { ARM, newHop, responseOf, sendHop, TELL } from './hop.js';
import { expectNoViolations } from './invariants.js';

const SHIPPED = readFileSync('catalog/multicopter.yaml', 'utf8');

const ASK: Component = {
  id: 'may-i',
  kind: 'operator.ask',
  params: { text: 'May I start the motors?' },
};
const ARM_IF: Component = { ...ARM, requires: ['may-i'] };

const spoken = (flight: Flight): readonly string[] =>
  flight.events.flatMap((e) => (e.type === 'utterance' ? [e.utterance.text] : []));

const digestIn = (text: string | undefined): string => /[0-9a-f]{64}/.exec(text ?? '')?.[0] ?? '';

const receiptOf = (flight: Flight, id: string) =>
  flight.events.flatMap((e) =>
    e.type === 'receipt' && e.receipt.componentId === id ? [e.receipt] : [],
  );

describe('operator.ask', () => {
  it('asks once, and lets what rests on it happen when an operator approves its digest', () => {
    const flight = newHop();
    sendHop(flight, [ASK, ARM_IF]);
    flight.seconds(2);
    expect(spoken(flight)).toHaveLength(1);
    expect(spoken(flight)[0]).toContain('May I start the motors?');
    expect([flight.stateOf('may-i'), flight.stateOf('arm')]).toEqual([
      'awaiting-approval',
      'pending',
    ]);
    expect(flight.wire.sent).toEqual([]);
    flight.approve('0'.repeat(64));
    flight.seconds(0.5);
    expect(flight.stateOf('may-i')).toBe('awaiting-approval');
    const digest = digestIn(spoken(flight)[0]);
    flight.approve(digest);
    flight.until('arming', () => flight.stateOf('arm') === 'done', 5);
    const [receipt, ...more] = receiptOf(flight, 'may-i');
    expect(more).toEqual([]);
    expect(receipt).toMatchObject({
      outcome: 'delivered',
      componentDigest: digest,
      observed: { answer: 'approved', approver: 'ada' },
    });
    expectNoViolations(flight);
  });

  it('withholds what rests on it after a no, with an obligation that says so', () => {
    const flight = newHop();
    sendHop(flight, [ASK, ARM_IF]);
    flight.seconds(0.2);
    flight.approve(digestIn(spoken(flight)[0]), { approved: false });
    flight.seconds(0.2);
    expect([flight.stateOf('may-i'), flight.stateOf('arm')]).toEqual(['withheld', 'withheld']);
    expect(flight.open?.reason).toContain('An operator said no.');
    expect(flight.wire.sent).toEqual([]);
  });

  it('withholds what rests on it when nobody answers in time', () => {
    const flight = newHop({
      catalog: SHIPPED.replace(
        /(operator\.ask:[^]*?validS: )60/,
        (_all, head: string) => `${head}3`,
      ),
    });
    sendHop(flight, [ASK, ARM_IF]);
    flight.seconds(2.9);
    expect(flight.stateOf('may-i')).toBe('awaiting-approval');
    flight.seconds(0.2);
    expect([flight.stateOf('may-i'), flight.stateOf('arm')]).toEqual(['withheld', 'withheld']);
    expect(flight.wire.sent).toEqual([]);
  });

  it('takes no answer that was given before it asked, and none a second time', () => {
    const flight = newHop();
    sendHop(flight, [ASK]);
    flight.seconds(0.2);
    const digest = digestIn(spoken(flight)[0]);
    flight.approve(digest);
    flight.until('the answer', () => flight.stateOf('may-i') === 'delivered', 1);
    // The same words again have the same digest: the answer of before is spent.
    flight.approve(digest);
    sendHop(flight, [ASK]);
    flight.seconds(1);
    expect(flight.stateOf('may-i')).toBe('awaiting-approval');
  });
});

/** A catalog of somebody's own: kinds that the shipped one does not have, from the same parts. */
const OWN = `
catalog: weather-station
version: 7
kinds:
  report.weather:
    does: report_custom
    effectClass: none
    reports: [weather.wind, vehicle.position]
    footprint:
      - { field: weather.wind, maxAgeMs: 2000, max: 12 }
      - { field: vehicle.position, maxAgeMs: 1000 }
    replaceableBy: [report.weather]
  operator.message: { does: operator_message, effectClass: none }
  flight.arm:
    does: arm
    effectClass: reversible
    resources: [motion]
    prerequisiteKinds: [report.weather]
`;

const WEATHER: Component = { id: 'wind', kind: 'report.weather' };

/** The fuel report of the usual contract is not a kind of this catalog. */
const ownFlight = (): Flight => newHop({ catalog: OWN });

describe('report.custom', () => {
  it('tells the fields that the shipped catalog names', () => {
    const flight = newHop();
    sendHop(flight, [{ id: 'status', kind: 'report.custom' }]);
    flight.seconds(0.1);
    expect(spoken(flight)[0]).toMatch(
      /^vehicle\.mode AUTO\.LOITER, vehicle\.landed on_ground, vehicle\.velocity \[/,
    );
    expect(receiptOf(flight, 'status')[0]?.observed).toMatchObject({
      delivered: true,
      'vehicle.mode': 'AUTO.LOITER',
    });
  });

  it('is made into kinds of their own by users, with limits and order of their own', () => {
    const flight = ownFlight();
    const feel = (value: unknown): void =>
      void flight.engine.observe({
        field: 'weather.wind',
        value,
        source: 'ros:/wind',
        receivedUs: flight.nowUs,
      });
    feel(4.25);
    const words = { ...TELL, requires: [] };
    flight.submit(responseOf([WEATHER, words, { ...ARM, requires: ['wind'] }]));
    flight.until('arming', () => flight.stateOf('arm') === 'done', 5);
    expect(spoken(flight)[0]).toMatch(/^weather\.wind 4\.25, vehicle\.position \[/);
    // Evidence decides, whatever the agent says of the weather.
    flight.until('disarming', () => flight.atRest, 20);
    feel(15);
    const stormy = flight.submit(responseOf([WEATHER, { ...ARM, requires: ['wind'] }]));
    expect(stormy.verdict?.components.map((c) => c.findings.map(({ code }) => code))).toEqual([
      ['HALO-211'],
      ['HALO-206'],
    ]);
    const unordered = flight.submit(responseOf([words, { ...ARM, requires: ['tell'] }]));
    expect(unordered.verdict?.components[1]?.findings[0]?.code).toBe('HALO-219');
    expectNoViolations(flight);
  });
});
