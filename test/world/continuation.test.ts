/**
 * Continuation: the bridge dies at any moment of a flight, and its next life finishes the contract
 * with what is left of it.
 * Repeat one with: npx vitest run test/world/continuation.test.ts -t "seed 17:"
 */
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/platform/index.js';
import { Agent, flownAgain, Repeats } from './continuing.js';
import { TICK_US, type Flight } from './flight.js';
import { ARM, BACK, DOWN, FUEL, hopContract, newHop, THERE, UP } from './hop.js';
import { expectNoViolations } from './invariants.js';

const DROP = { id: 'drop', kind: 'payload.release', requires: ['there'], fulfils: 'dropped' };
const PLAN = [ARM, UP, THERE, DROP, { ...BACK, requires: ['drop'] }, DOWN, FUEL];
const CONTRACT = hopContract(
  [
    '  - id: back\n    after: [there]',
    '  - id: dropped\n    after: [there]\n    target: { kind: payload.release }\n' +
      '    evidence: { completed: true }\n    irreversible: true\n  - id: back\n    after: [dropped]',
  ],
  ['attempts: 4, timeS: 300', 'attempts: 100, timeS: 3000'],
);

const FLIGHTS = 24;
const KILLS = 10;

interface Continued {
  readonly flight: Flight;
  readonly repeats: Repeats;
}

/** What was under way at each kill, over all flights. */
const killed: string[] = [];

const activeIn = (flight: Flight): string =>
  flight.engine.state().components.find(({ state }) => state === 'active')?.id ?? 'nothing';

/** Killed ten times, at any tick: often again while the next life is still finding its feet. */
function fly(seed: number): Continued {
  const random = seededRandom(seed);
  const parameters = { RTL_RETURN_ALT: 4 };
  const flight = newHop({ seed, contract: CONTRACT, devices: true, parameters });
  flight.seconds(1);
  const repeats = new Repeats(flight);
  const agent = new Agent(flight, PLAN);
  for (let kill = 0; kill < KILLS && !agent.done; kill += 1) {
    // Two in three within the second after the one before; the others where the plan has got to.
    const ticks = Math.floor(random() * (random() < 0.6 ? 50 : 400));
    agent.goOn((ticks * TICK_US) / 1e6);
    killed.push(activeIn(flight));
    flight.ticking = false;
    // Dead for no time at all, for less than PX4 waits, or until its failsafe has the vehicle.
    flight.seconds([0, 0.3, 0.8, 1.6, 4][Math.floor(random() * 5)] ?? 0);
    flight.ticking = true;
    flight.restart();
  }
  agent.finish();
  flight.until('the news of the rest', () => flight.atRest, 5);
  return { flight, repeats };
}

describe('a bridge that is killed again and again', () => {
  it.each(Array.from({ length: FLIGHTS }, (_, n) => n + 1))(
    'finishes with what is left, and repeats nothing that holds, seed %d:',
    (seed) => {
      const again = `npx vitest run test/world/continuation.test.ts -t "seed ${seed}:"`;
      const { flight, repeats } = fly(seed);
      expect(repeats.found, again).toEqual([]);
      expect(repeats.releases, again).toBe(1);
      expect(flownAgain(flight, PLAN), again).toEqual([]);
      expectNoViolations(flight, again);
    },
  );

  it('was killed two hundred times and more, and in the middle of everything that it does', () => {
    expect(killed.length).toBeGreaterThanOrEqual(200);
    expect([...new Set(killed)].sort()).toEqual(
      ['arm', 'back', 'down', 'drop', 'nothing', 'there', 'up'].sort(),
    );
  });
});

const equipped = (): { flight: Flight; agent: Agent; repeats: Repeats } => {
  const flight = newHop({ contract: CONTRACT, devices: true, parameters: { RTL_RETURN_ALT: 4 } });
  flight.seconds(1);
  return { flight, agent: new Agent(flight, PLAN), repeats: new Repeats(flight) };
};

/** Lets the agent work until something of it is active, and a little longer. */
function within(agent: Agent, flight: Flight, id: string, seconds = 0.5): void {
  for (let s = 0; s < 60 && activeIn(flight) !== id; s += 0.1) agent.goOn(0.1);
  expect(activeIn(flight)).toBe(id);
  flight.seconds(seconds);
}

const statesOf = (flight: Flight): Readonly<Record<string, string>> =>
  Object.fromEntries(flight.engine.state().task.obligations.map(({ id, state }) => [id, state]));

const receiptsOf = (flight: Flight, componentId: string) =>
  flight.ledger
    .of('receipt')
    .map(({ body }) => body as { componentId: string; ensured: boolean; bootEpoch: number })
    .filter((body) => body.componentId === componentId);

describe('what an earlier life has begun', () => {
  it('and the world has done since closes by evidence, with no frame: a take-off', () => {
    const { flight, agent, repeats } = equipped();
    within(agent, flight, 'up', 3);
    flight.ticking = false;
    flight.until('the top', () => flight.vehicle.autopilot.status().mode === 'AUTO.LOITER', 20);
    flight.ticking = true;
    flight.restart();
    flight.seconds(1);
    expect(statesOf(flight)['airborne']).toBe('unknown');
    expect(flight.context()).toMatchObject({ unknown: ['airborne'], invalidated: [] });
    agent.finish();
    expect(repeats.takeoffs).toBe(1);
    expect(receiptsOf(flight, 'up')).toMatchObject([{ ensured: true, bootEpoch: 2 }]);
    expectNoViolations(flight);
  });

  it('that cannot be undone is not begun again while it may still come: one release', () => {
    const { flight, agent, repeats } = equipped();
    within(agent, flight, 'drop', 0);
    // The command has just left; the load is still seen to hang.
    expect(repeats.releases).toBe(1);
    flight.restart();
    flight.seconds(0.1);
    expect(flight.context().text).toContain(
      'dropped: payload.release; unknown: it may have happened, it cannot be undone',
    );
    agent.finish();
    expect([repeats.releases, repeats.found]).toEqual([1, []]);
    expect(receiptsOf(flight, 'drop')).toMatchObject([{ ensured: true, bootEpoch: 2 }]);
    expectNoViolations(flight);
  });

  it('that cannot be undone, and that is not seen to come, waits for its deadline and a person', () => {
    const { flight, agent, repeats } = equipped();
    flight.vehicle.autopilot.jamGripper();
    within(agent, flight, 'drop', 0);
    flight.restart();
    const bornUs = flight.nowUs;
    for (let s = 0; s < 9.5; s += 0.5) agent.goOn(0.5);
    expect(repeats.releases).toBe(1);
    const waiting = flight.engine.state().components.find(({ id }) => id === 'drop');
    expect(waiting).toMatchObject({ state: 'waiting-evidence' });
    expect(waiting?.reason).toContain('dropped may still come by itself');
    // After its deadline of 10 s, with the load seen to hang, and approved anew: another release.
    for (let s = 0; s < 5 && repeats.releases < 2; s += 0.5) agent.goOn(0.5);
    expect(repeats.releases).toBe(2);
    expect((flight.nowUs - bornUs) / 1e6).toBeGreaterThan(10);
  });

  it('and the failsafe has undone is an event that is invalidated, and is flown afresh', () => {
    const { flight, agent, repeats } = equipped();
    within(agent, flight, 'there', 1.5);
    flight.ticking = false;
    flight.until('the landing', () => flight.vehicle.autopilot.status().landed, 60);
    flight.seconds(3);
    flight.ticking = true;
    flight.restart();
    flight.until('the news', () => flight.context().invalidated.length > 0, 3);
    expect(flight.context()).toMatchObject({
      unknown: ['there'],
      satisfied: ['fuel-told'],
      invalidated: [
        {
          id: 'airborne',
          reason: 'The vehicle is on the ground with its motors off.',
          neededBy: ['there', 'back'],
        },
      ],
    });
    const voided = flight.ledger.of('obligation-voided').map(({ body }) => body);
    expect(voided).toMatchObject([{ obligationId: 'airborne', cause: 'undone' }]);
    agent.finish();
    expect([repeats.takeoffs, repeats.found]).toEqual([2, []]);
    expectNoViolations(flight);
  });
});
