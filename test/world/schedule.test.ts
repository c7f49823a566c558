/**
 * Seeded schedules: a short flight, something that goes wrong at some moment of it, often a bad
 * link as well; then the invariants of every flight, and a vehicle that somebody has.
 * Repeat one with: npx vitest run test/world/schedule.test.ts -t "seed 17:"
 */
import { describe, expect, it } from 'vitest';
import type { Trouble } from '../../sim/lossy-link.js';
import { seededRandom } from '../../src/platform/index.js';
import type { Flight } from './flight.js';
import { ARM, DOWN, FUEL, HOP, hopContract, newHop, responseOf, THERE, UP } from './hop.js';
import { expectNoViolations, violations } from './invariants.js';
import { MESSAGE } from './wire.js';

const TAKEOFF = 22;

/** As bad as a radio at the edge of its range that still is one. */
const BAD_LINK: Trouble = {
  drop: 0.05,
  duplicate: 0.05,
  reorder: 0.05,
  corrupt: 0.01,
  delayUs: [5_000, 60_000],
};

type Draw = (from: number, to: number) => number;

interface Fault {
  readonly strike: (flight: Flight, draw: Draw) => void;
  /** Nobody brings the vehicle down after it: somebody else has it, or nobody can. */
  readonly endsInTheAir?: true;
}

const later = (flight: Flight, seconds: number, run: () => void): void => {
  flight.clock.at(flight.nowUs + seconds * 1_000_000, run);
};

const pilot = (flight: Flight, main: number, sub: number): void => {
  const params = {
    param1: 1,
    param2: main,
    param3: sub,
    param4: 0,
    param5: 0,
    param6: 0,
    param7: 0,
  };
  const fields = {
    target_system: 1,
    target_component: 1,
    command: 176,
    confirmation: 0,
    ...params,
  };
  const message = { name: 'COMMAND_LONG', fields, systemId: 255, componentId: 190 };
  flight.vehicle.autopilot.receive(message, flight.nowUs);
};

const deafTo =
  (id: number) =>
  (flight: Flight, draw: Draw): void => {
    flight.wire.deafTo.add(id);
    later(flight, draw(0.5, 4), () => flight.wire.deafTo.delete(id));
  };

const FAULTS: Readonly<Record<string, Fault>> = {
  'no fault': { strike: () => undefined },
  'battery drop': {
    strike: (flight, draw) => flight.inject({ name: 'battery-drop', fraction: draw(0.03, 0.29) }),
  },
  'estimator reset': {
    strike: (flight, draw) => {
      const jumpNedM = { n: draw(-5, 5), e: draw(-5, 5), d: draw(-1, 1) };
      flight.inject({ name: 'estimator-reset', jumpNedM });
    },
  },
  'pilot in position mode': {
    strike: (flight) => flight.inject({ name: 'pilot-takeover' }),
    endsInTheAir: true,
  },
  'pilot selects hold': { strike: (flight) => pilot(flight, 4, 3), endsInTheAir: true },
  'pilot selects land': { strike: (flight) => pilot(flight, 4, 6) },
  'pilot selects return': { strike: (flight) => pilot(flight, 4, 5) },
  'GPS gone for a while': {
    strike: (flight, draw) => flight.inject({ name: 'gps-loss', seconds: draw(1, 8) }),
  },
  'GPS gone for good': { strike: (flight) => flight.inject({ name: 'gps-loss', seconds: 1e6 }) },
  reboot: { strike: (flight) => flight.inject({ name: 'vehicle-reboot' }) },
  'link lost': {
    strike: (flight, draw) => flight.inject({ name: 'link-loss', seconds: draw(0.5, 9) }),
  },
  'uplink lost': {
    strike: (flight, draw) =>
      flight.vehicle.link.toVehicle.cut(flight.nowUs + draw(0.3, 6) * 1_000_000),
  },
  gust: {
    strike: (flight, draw) => {
      const windNedMS = { n: draw(-9, 9), e: draw(-9, 9), d: 0 };
      flight.inject({ name: 'wind-gust', windNedMS, seconds: draw(2, 6) });
    },
  },
  'arming refused': {
    strike: (flight, draw) => flight.inject({ name: 'arming-refused', seconds: draw(1, 6) }),
  },
  'motor failure': {
    strike: (flight) => flight.inject({ name: 'motor-failure' }),
    endsInTheAir: true,
  },
  'silent position': { strike: deafTo(MESSAGE.position) },
  'silent landed state': { strike: deafTo(MESSAGE.landed) },
  'silent heartbeat': { strike: deafTo(MESSAGE.heartbeat) },
  'silent GPS': { strike: deafTo(MESSAGE.gps) },
  'process stands still': {
    strike: (flight, draw) => {
      flight.ticking = false;
      later(flight, draw(0.1, 3), () => (flight.ticking = true));
    },
  },
  'process dies and comes back': { strike: (flight) => flight.restart() },
  'second process': { strike: (flight) => (flight.ledger.folderEpoch = 9), endsInTheAir: true },
  'slow disk': {
    strike: (flight, draw) => {
      flight.ledger.durableLimit = flight.ledger.records.length;
      later(flight, draw(0.1, 4), () => (flight.ledger.durableLimit = Infinity));
    },
  },
  'broken disk': { strike: (flight) => flight.ledger.poison(), endsInTheAir: true },
  abort: {
    strike: ({ engine }) =>
      void engine.offer({ type: 'abort', reason: 'someone walks in', reply: () => undefined }),
  },
  shutdown: { strike: ({ engine }) => engine.beginShutdown('asked to end'), endsInTheAir: true },
  'agent talks without end': {
    strike: (flight) => {
      const junk = ['', '{', JSON.stringify(responseOf([ARM, UP])), flight.lastText];
      for (let n = 0; n < 60; n += 1) {
        const text = junk[n % junk.length] ?? '';
        flight.engine.offer({ type: 'submit', text, reply: () => undefined });
      }
    },
  },
};

const NAMES = Object.keys(FAULTS);
const SEEDS = Array.from({ length: 2 * NAMES.length + 6 }, (_, index) => index + 1);
const faultOf = (seed: number): string => NAMES[seed % NAMES.length] ?? '';

const atRest = (flight: Flight): boolean => {
  const { landed, armed } = flight.vehicle.autopilot.status();
  return landed && !armed;
};

/** Answers what was denied, now and then, with a landing: sometimes in time, sometimes not. */
function agent(flight: Flight, draw: Draw): void {
  const discharges = flight.open?.id;
  if (discharges === undefined || draw(0, 1) < 0.8) return;
  const response = responseOf([{ ...DOWN, requires: [] }, FUEL], { discharges });
  const text = JSON.stringify(response);
  flight.engine.offer({ type: 'submit', text, reply: () => undefined });
}

function fly(seed: number): Flight {
  const random = seededRandom(seed * 7919);
  const draw: Draw = (from, to) => from + (to - from) * random();
  const trouble = random() < 0.5 ? { trouble: BAD_LINK } : {};
  const contract = hopContract(['contingencyAfterS: 8', 'contingencyAfterS: 4']);
  const flight = newHop({ seed, contract, ...trouble });
  flight.submit(responseOf([ARM, UP, THERE, { ...DOWN, requires: ['there'] }, FUEL]));
  const fault = FAULTS[faultOf(seed)];
  flight.clock.at(flight.nowUs + draw(0, 16) * 1_000_000, () => fault?.strike(flight, draw));
  flight.clock.every(500_000, () => agent(flight, draw));
  flight.seconds(16.5);
  const limitS = fault?.endsInTheAir ? 6 : 60;
  flight.clock.advanceUntil(() => atRest(flight), limitS * 1_000_000, 100_000);
  // Down is down: nothing takes off again by itself.
  flight.seconds(1.5);
  return flight;
}

describe('a flight in which something goes wrong', () => {
  it.each(SEEDS.map((seed) => [seed, faultOf(seed)] as const))('seed %d: %s', (seed, name) => {
    const flight = fly(seed);
    const again = `npx vitest run test/world/schedule.test.ts -t "seed ${seed}:"`;
    expect(violations(flight), again).toEqual([]);
    if (FAULTS[name]?.endsInTheAir !== true) expect(atRest(flight), again).toBe(true);
    const takeoffs = flight.wire.arrived.filter(({ command }) => command === TAKEOFF).length;
    if (takeoffs === 0) expect(flight.vehicle.autopilot.truth().onGround, again).toBe(true);
  });
});

describe('a bad link', () => {
  it.each([1, 2, 3, 4])('ends with the duty done, or with what is left told, seed %d', (seed) => {
    const flight = newHop({ seed, trouble: BAD_LINK });
    flight.submit(responseOf(HOP));
    flight.until('landing', () => flight.nowUs > 20_000_000 && atRest(flight), 90);
    // Heartbeats come once a second and some are lost: the bridge hears of it a little later.
    flight.until('the news of it', () => flight.engine.state().phase === 'idle', 6);
    const again = `npx vitest run test/world/schedule.test.ts -t "left told, seed ${seed}"`;
    expectNoViolations(flight, again);
    const { dropped, duplicated, corrupted, reordered } = flight.vehicle.link.fromVehicle.counts;
    expect(Math.min(dropped, duplicated, corrupted, reordered), again).toBeGreaterThan(50);
    const { task, obligations } = flight.engine.state();
    const left = task.obligations.filter(({ state }) => state !== 'satisfied');
    expect(left.length > 0, again).toBe(obligations.length > 0);
  });
});
