/**
 * Continuation after what is no crash of the bridge: a reboot of the vehicle, a lost link, another
 * agent, the same response once more. And what the contract expects beside the effects themselves:
 * evidence with a dwell, deadlines, energy.
 */
import { describe, expect, it } from 'vitest';
import { Agent, flownAgain, Repeats } from './continuing.js';
import type { Flight } from './flight.js';
import {
  ARM,
  BACK,
  DOWN,
  FUEL,
  HOP,
  hopContract,
  newHop,
  onTheWay,
  responseOf,
  sendHop,
  THERE,
  UP,
} from './hop.js';
import { expectNoViolations } from './invariants.js';

const PLAN = [ARM, UP, THERE, BACK, DOWN, FUEL];
const MORE = ['attempts: 4, timeS: 300', 'attempts: 20, timeS: 900'] as const;
const OPTIONS = { contract: hopContract(MORE), parameters: { RTL_RETURN_ALT: 4 } };

const stateOf = (flight: Flight, id: string): string | undefined => flight.obligation(id);
const voided = (flight: Flight) =>
  flight.ledger
    .of('obligation-voided')
    .map(({ body }) => body as Readonly<Record<string, unknown>>);

function finished(flight: Flight, agent: Agent, repeats: Repeats): void {
  agent.finish();
  flight.until('the rest', () => flight.atRest, 10);
  expect(repeats.found).toEqual([]);
  expect(flownAgain(flight, PLAN)).toEqual([]);
  expectNoViolations(flight);
}

describe('the residual work is finished', () => {
  it.each([
    ['the vehicle has rebooted in a leg', { name: 'vehicle-reboot' }],
    ['the link was lost for 6 s', { name: 'link-loss', seconds: 6 }],
    ['the estimator was reset', { name: 'estimator-reset', jumpNedM: { n: 1, e: 1, d: 0 } }],
  ] as const)('after %s', (_what, fault) => {
    const flight = newHop(OPTIONS);
    const repeats = new Repeats(flight);
    onTheWay(sendHop(flight, PLAN), 'back');
    flight.inject(fault);
    flight.until('the end of the leg', () => flight.stateOf('back') !== 'active', 10);
    expect(stateOf(flight, 'there')).toBe('satisfied');
    finished(flight, new Agent(flight, PLAN), repeats);
  });

  it('by another agent, which knows nothing but the recovery context', () => {
    const flight = newHop(OPTIONS);
    const repeats = new Repeats(flight);
    onTheWay(sendHop(flight, PLAN), 'back');
    flight.abort('the first agent was taken away');
    // Other ids, other words, no hints but the ids of the obligations.
    const other = PLAN.map((component) => ({
      ...component,
      id: `x-${component.id}`,
      requires: (component.requires ?? []).map((id) => `x-${id}`),
    }));
    finished(flight, new Agent(flight, other), repeats);
    expect(flight.ledger.of('response-received')).toHaveLength(2);
  });
});

describe('a whole response that comes again', () => {
  it('letter by letter is refused for its id, by this life and by the next', () => {
    const flight = newHop(OPTIONS);
    const text = JSON.stringify(responseOf(PLAN));
    expect(flight.submitText(text).accepted).toBe(true);
    onTheWay(flight, 'back');
    flight.restart();
    flight.seconds(1.5);
    const frames = flight.wire.sent.length;
    const reply = flight.submitText(text);
    expect(reply.findings.map(({ code }) => code)).toEqual(['HALO-111']);
    flight.seconds(0.5);
    expect(flight.wire.sent).toHaveLength(frames);
  });

  it('under a fresh id takes off no second time: what holds closes by evidence', () => {
    const flight = newHop(OPTIONS);
    const repeats = new Repeats(flight);
    onTheWay(sendHop(flight, PLAN), 'back');
    flight.abort();
    flight.until('holding', () => flight.mode === 'AUTO.LOITER', 5);
    flight.restart();
    flight.seconds(2.5);
    expect(flight.submit(responseOf(PLAN)).verdict?.outcome).toBe('admitted');
    flight.until('landing', () => flight.stateOf('down') === 'done', 60);
    expect([repeats.takeoffs, repeats.found]).toEqual([1, []]);
    const ensured = flight.ledger
      .of('receipt')
      .map(({ body }) => body as { componentId: string; ensured: boolean; bootEpoch: number })
      .filter(({ bootEpoch, ensured: is }) => bootEpoch === 2 && is);
    expect(ensured.map(({ componentId }) => componentId)).toEqual(['arm', 'up']);
    expectNoViolations(flight);
  });

  it('as its own recovery context is no response, and authorizes nothing', () => {
    const flight = onTheWay(sendHop(newHop(OPTIONS)), 'there');
    flight.restart();
    flight.seconds(1.5);
    const context = flight.context();
    const frames = flight.wire.sent.length;
    for (const text of [JSON.stringify(context), context.text]) {
      const reply = flight.submitText(text);
      expect([reply.accepted, reply.verdict]).toEqual([false, undefined]);
      expect(reply.findings[0]?.code).toMatch(/^HALO-10[18]$/);
    }
    // As members of a response that is otherwise right, it is refused as well.
    const smuggled = { ...responseOf(PLAN), recovery: context, authority: context.frontier };
    expect(flight.submit(smuggled).findings[0]?.code).toBe('HALO-108');
    flight.seconds(0.5);
    expect(flight.wire.sent).toHaveLength(frames);
    expect(flight.engine.state().task.generation).toBe(1);
  });
});

const SHOWN = (dwellS: number, more = ''): string =>
  hopContract(MORE, [
    'dwellS: 1.0 } }\n  - id: back',
    `dwellS: 1.0 }, shown: [{ field: range.front, max: 4.5, maxAgeMs: 500, dwellS: ${dwellS} }]${more} }\n  - id: back`,
  ]);

describe('evidence that the contract expects beside the effect', () => {
  it('keeps the receipt back until it has held for its dwell, and what rests on it', () => {
    const flight = newHop({ contract: SHOWN(2) });
    flight.rangeM = 9;
    sendHop(flight, HOP);
    onTheWay(flight);
    flight.until(
      'the place',
      () => stateOf(flight, 'there') !== 'open' || isConfirming(flight),
      20,
    );
    expect([stateOf(flight, 'there'), flight.stateOf('back')]).toEqual(['open', 'pending']);
    const atUs = flight.nowUs;
    flight.rangeM = 4;
    flight.until('it', () => stateOf(flight, 'there') === 'satisfied', 5);
    expect((flight.nowUs - atUs) / 1e6).toBeGreaterThanOrEqual(2);
    // The leg was over: PX4 held by its own mode meanwhile, and no failsafe came.
    expect(flight.vehicle.autopilot.status().failsafe).toBe(false);
    const receipt = flight.ledger.of('receipt').map(({ body }) => body as { observed: object });
    const observed = receipt.map((r) => r.observed).find((o) => 'shown.there' in o);
    expect(observed).toMatchObject({ 'shown.there.range.front': 4 });
    flight.until('landing', () => flight.stateOf('down') === 'done', 60);
    expectNoViolations(flight);
  });

  it('that does not come leaves the obligation open, and the receipt says what is', () => {
    const flight = newHop({ contract: SHOWN(0) });
    flight.rangeM = 9;
    sendHop(flight, HOP);
    flight.until('landing', () => flight.stateOf('down') === 'done', 90);
    expect([stateOf(flight, 'there'), stateOf(flight, 'back')]).toEqual(['open', 'open']);
    const refused = flight.ledger.of('receipt-refused').map(({ body }) => body as { code: string });
    expect(refused.map(({ code }) => code)).toEqual(
      expect.arrayContaining(['HALO-614', 'HALO-616']),
    );
    expectNoViolations(flight);
  });

  it('that must hold opens its obligation again when it no longer does, and silence does not', () => {
    const flight = newHop({ contract: SHOWN(0, ', holds: true') });
    onTheWay(sendHop(flight), 'back');
    flight.rangeM = undefined;
    flight.seconds(1);
    expect([stateOf(flight, 'there'), voided(flight)]).toEqual(['satisfied', []]);
    flight.rangeM = 8;
    flight.seconds(0.5);
    expect(stateOf(flight, 'there')).toBe('open');
    expect(voided(flight)).toMatchObject([
      { obligationId: 'there', cause: 'undone', neededBy: ['back'] },
    ]);
  });
});

describe('a deadline of the contract', () => {
  it('that passes in a leg ends it, is recorded, and brings the contingency', () => {
    const begunS = onTheWay(sendHop(newHop(OPTIONS)), 'back').nowUs / 1e6;
    const deadline = `    deadlineS: ${begunS + 1}\n  - id: fuel-told`;
    const flight = newHop({
      ...OPTIONS,
      contract: hopContract(MORE, ['  - id: fuel-told', deadline]),
    });
    onTheWay(sendHop(flight), 'back');
    flight.until('the deadline', () => stateOf(flight, 'back') === 'missed', 2);
    expect(flight.stateOf('back')).toBe('interrupted');
    expect(voided(flight)).toMatchObject([{ obligationId: 'back', cause: 'deadline' }]);
    flight.until('landing', () => flight.atRest, 60);
    expect(flight.guardian).toContain('land');
    expect(flight.context()).toMatchObject({ missed: ['back'] });
    expectNoViolations(flight);
  });
});

describe('the energy of the contract', () => {
  it('that is used up in a leg ends it, lands, and nothing is taken after it', () => {
    const spare = hopContract(['attempts: 4,', 'attempts: 4, energyFraction: 0.3,']);
    const flight = onTheWay(sendHop(newHop({ contract: spare })));
    expect(flight.engine.state().task.budgetEnergyLeft).toBeGreaterThan(0.2);
    flight.inject({ name: 'battery-drop', fraction: 0.65 });
    flight.until('the end of the leg', () => flight.stateOf('there') === 'interrupted', 3);
    expect(flight.engine.state().task.budgetEnergyLeft).toBe(0);
    flight.until('landing', () => flight.atRest, 60);
    expect(flight.guardian).toContain('land');
    const reply = flight.submit(responseOf(PLAN));
    expect(reply.findings.map(({ code }) => code)).toContain('HALO-312');
    // The next life counts on from where the last record left the battery.
    flight.restart();
    flight.seconds(2);
    expect(flight.engine.state().task.budgetEnergyLeft).toBe(0);
    expectNoViolations(flight);
  });
});

const isConfirming = (flight: Flight): boolean =>
  flight.engine.state().components.some(({ detail }) => detail.includes('the contract expects'));
