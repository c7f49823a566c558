/**
 * The life of a localized obligation in flight: open, answered, failed, open again with one try
 * less, and in the end discharged, expired or abandoned, with a record of every step.
 */
import { describe, expect, it } from 'vitest';
import type { Component, LocalizedObligation } from '../../src/contract/index.js';
import type { Flight } from './flight.js';
import { DOWN, goTo, hopContract, newHop, onTheWay, responseOf, sendHop } from './hop.js';
import { expectNoViolations } from './invariants.js';

const JUMP = { name: 'estimator-reset', jumpNedM: { n: 1, e: -1, d: 0 } } as const;
const ASIDE = goTo('aside', [3, 3, 2]);
const LAND: Component = { ...DOWN, requires: [] };

/** Loses the first leg and holds, with `o-1` open. */
function denied(flight: Flight): Flight {
  onTheWay(sendHop(flight));
  flight.inject(JUMP);
  flight.until('a denial', () => flight.open !== undefined, 5);
  flight.until('holding', () => flight.mode === 'AUTO.LOITER', 5);
  return flight;
}

const states = (flight: Flight): readonly string[] =>
  flight.ledger
    .of('obligation-localized')
    .map((record) => (record.body as { obligation: LocalizedObligation }).obligation)
    .map(({ id, state, triesLeft }) => `${id} ${state} ${triesLeft}`);

const answer = (flight: Flight, components: readonly Component[]) =>
  flight.submit(responseOf(components, { discharges: 'o-1' }));

/** After the estimator was reset home's numbers are said anew within two seconds. */
function untilHome(flight: Flight): Flight {
  const knowsHome = (): boolean =>
    flight.engine.state().evidence.some(({ field }) => field === 'vehicle.home');
  flight.until('home', knowsHome, 4);
  return flight;
}

/** A candidate that is taken up and then loses its leg, too. */
function fail(flight: Flight): void {
  flight.until('holding', () => flight.mode === 'AUTO.LOITER', 5);
  untilHome(flight);
  expect(answer(flight, [ASIDE]).accepted).toBe(true);
  expect(flight.open).toBeUndefined();
  onTheWay(flight, 'aside');
  flight.inject(JUMP);
  flight.until('the end of it', () => flight.stateOf('aside') === 'interrupted', 5);
}

describe('an obligation whose candidate fails', () => {
  it('is open again with one try less, says so, and is discharged by the next', () => {
    const flight = denied(newHop());
    flight.seconds(5);
    fail(flight);
    const { open } = flight;
    expect(open).toMatchObject({ id: 'o-1', triesLeft: 2, componentId: 'there' });
    expect(open?.scope.componentIds).toEqual(['there', 'tell', 'back', 'down']);
    // Its time begins anew: it was in the air with a plan meanwhile.
    expect(((open?.expiresUs ?? 0) - flight.nowUs) / 1e6).toBeCloseTo(8, 0);
    expect(open?.reason).toMatch(/A candidate failed: aside: .*estimator/);
    expect(flight.context().text).toContain('candidates left: 2');
    expect(flight.engine.state().guidance.join()).toContain('candidates left: 2');
    expect(answer(flight, [LAND]).accepted).toBe(true);
    flight.until('landing', () => flight.stateOf('down') === 'done', 40);
    expect(states(flight)).toEqual([
      ...['o-1 open 3', 'o-1 candidate 3', 'o-1 open 2', 'o-1 candidate 2', 'o-1 discharged 2'],
    ]);
    expectNoViolations(flight);
  });

  it('gives each candidate a generation, lease, tokens and sequences of its own', () => {
    const flight = denied(newHop());
    fail(flight);
    fail(flight);
    const leases = flight.ledger
      .of('lease-granted')
      .map(({ body }) => body as { componentId: string; generation: number; leaseId: string })
      .filter(({ componentId }) => componentId === 'aside');
    expect(new Set(leases.map(({ leaseId }) => leaseId)).size).toBe(2);
    expect(leases.map(({ generation }) => generation)).toEqual([2, 3]);
    const sequences = flight.ledger
      .of('frames')
      .map(({ body }) => body as { leaseId: string; first: number; last: number })
      .filter(({ leaseId }) => leases.some((lease) => lease.leaseId === leaseId));
    sequences.forEach(({ first }, i) => {
      expect(first).toBeGreaterThan(sequences[i - 1]?.last ?? 0);
    });
    expectNoViolations(flight);
  });

  it('is abandoned after the last, and the contingency follows without further waiting', () => {
    const flight = denied(newHop({ contract: hopContract(['attempts: 4', 'attempts: 9']) }));
    for (let n = 0; n < 3; n += 1) fail(flight);
    const sinceUs = flight.nowUs;
    expect(flight.engine.state().obligations[0]).toMatchObject({
      ...{ id: 'o-1', state: 'abandoned', triesLeft: 0 },
      reason: expect.stringMatching(/All 3 candidates failed, the last because: aside: /) as string,
    });
    expect(flight.engine.state().obligations).toHaveLength(1);
    expect(answer(flight, [LAND]).findings.map(({ code }) => code)).toEqual(['HALO-303']);
    flight.until('landing', () => flight.guardian.includes('land seen'), 6);
    // Not after the eight seconds that an open one waits.
    expect((flight.nowUs - sinceUs) / 1e6).toBeLessThan(5);
    expect(flight.ledger.of('guardian-action').map(({ body }) => body)).toContainEqual(
      expect.objectContaining({
        action: 'land',
        reason: 'contingency land: no candidate is left for o-1',
      }),
    );
    flight.until('rest', () => flight.atRest, 40);
    expectNoViolations(flight);
  });

  it('has as many tries as the contract gives it', () => {
    const one = ['timeS: 300', 'timeS: 300, candidatesPerObligation: 1'] as const;
    const flight = denied(newHop({ contract: hopContract(one) }));
    fail(flight);
    expect(states(flight)).toEqual(['o-1 open 1', 'o-1 candidate 1', 'o-1 abandoned 0']);
    flight.until('rest', () => flight.atRest, 40);
    expectNoViolations(flight);
  });

  it('keeps its tries over candidates that were refused, and its time goes on', () => {
    const flight = denied(newHop());
    const expiresUs = flight.open?.expiresUs;
    for (let n = 0; n < 5; n += 1) {
      const outside = answer(flight, [{ id: 'again', kind: 'flight.arm' }]);
      expect(outside.accepted).toBe(false);
      expect(outside.verdict?.components[0]?.findings[0]?.code).toBe('HALO-302');
    }
    expect(flight.open).toMatchObject({ id: 'o-1', triesLeft: 3, expiresUs });
    flight.until('expiry', () => flight.open === undefined, 10);
    expect(states(flight)).toEqual(['o-1 open 3', 'o-1 expired 3']);
    expect(answer(flight, [LAND]).accepted).toBe(false);
    flight.until('rest', () => flight.atRest, 40);
    expectNoViolations(flight);
  });

  it('is not discharged by a report that came through beside a leg that did not', () => {
    const flight = untilHome(denied(newHop()));
    const look: Component = { id: 'look', kind: 'operator.message', params: { text: 'Again.' } };
    expect(answer(flight, [look, ASIDE]).verdict?.outcome).toBe('admitted');
    flight.until('the message', () => flight.stateOf('look') === 'delivered', 2);
    onTheWay(flight, 'aside');
    flight.inject(JUMP);
    flight.until('the end of it', () => flight.stateOf('aside') === 'interrupted', 5);
    expect(states(flight).at(-1)).toBe('o-1 open 2');
    flight.until('rest', () => flight.atRest, 60);
    expectNoViolations(flight);
  });

  it('is abandoned with the flight when an operator aborts the candidate', () => {
    const flight = untilHome(denied(newHop()));
    answer(flight, [ASIDE]);
    onTheWay(flight, 'aside');
    flight.abort();
    flight.seconds(0.1);
    expect(states(flight).at(-1)).toBe('o-1 abandoned 3');
    flight.until('rest', () => flight.atRest, 60);
    expectNoViolations(flight);
  });
});
