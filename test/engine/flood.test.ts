import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { TICK_US, type Flight } from '../world/flight.js';
import { newHop, onTheWay, sendHop } from '../world/hop.js';

/** 2,000 a second: 120,000 in a minute of 50 Hz. */
const OFFERED_PER_TICK = 40;
const TICK_S = TICK_US / 1_000_000;

let sent = 0;

/** Broken text, another task, an unknown kind: whatever one agent can be denied for. */
function denied(): string {
  sent += 1;
  const component = { id: 'a', kind: 'flight.ram', params: { note: 'x'.repeat(200) } };
  const task = sent % 3 === 1 ? 'another-task' : 'hop-1';
  const text = JSON.stringify({
    protocol: 'halo/1',
    id: `f-${sent}`,
    task,
    components: [component],
  });
  return sent % 3 === 0 ? text.slice(0, -1) : text;
}

interface Flood {
  answered: number;
  turnedAway: number;
}

function flood(flight: Flight, seconds: number): Flood {
  const count: Flood = { answered: 0, turnedAway: 0 };
  for (let tick = 0; tick < seconds / TICK_S; tick += 1) {
    for (let k = 0; k < OFFERED_PER_TICK; k += 1) {
      const reply = ({ accepted }: { accepted: boolean }): void => {
        expect(accepted).toBe(false);
        count.answered += 1;
      };
      const taken = flight.engine.offer({ type: 'submit', text: denied(), reply });
      if (!taken) count.turnedAway += 1;
    }
    flight.seconds(TICK_S);
  }
  return count;
}

const frames = (flight: Flight): readonly string[] =>
  flight.wire.sent.map(({ atUs, bytes }) => `${atUs} ${bytes}`);

it('2,000 denials a second change no frame of a leg that is being flown', () => {
  const quiet = onTheWay(sendHop(newHop({ seed: 7 })));
  const flooded = onTheWay(sendHop(newHop({ seed: 7 })));
  const before = quiet.wire.sent.length;
  quiet.seconds(2);
  const { answered, turnedAway } = flood(flooded, 2);
  expect(answered + turnedAway).toBeGreaterThan(3900);
  expect(answered).toBeGreaterThan(300);
  expect(flooded.wire.sent.length - before).toBeGreaterThan(30);
  // The same frames at the same times: ids of responses do not travel.
  expect(frames(flooded)).toEqual(frames(quiet));
});

it('50,000 denials in 25 s take no memory, and a fraction of the time of the ticks', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void; // what the flag has just put there
  const flight = newHop({ seed: 8 });
  /** The ledger is on disk, and listeners keep nothing: here both are in memory, so let go. */
  const forget = (): void => {
    flight.events.length = 0;
    const { records } = flight.ledger;
    const last = records.at(-1);
    if (last !== undefined) records.fill(last);
  };
  const heapAfter = (seconds: number): number => {
    for (let second = 0; second < seconds; second += 1) {
      flood(flight, 1);
      forget();
    }
    collect();
    return process.memoryUsage().heapUsed;
  };
  const start = heapAfter(10);
  const cpu = process.cpuUsage();
  const end = heapAfter(25);
  const cpuS = process.cpuUsage(cpu).user / 1_000_000;
  // 50,000 denials of 300 bytes are 15 MB; the references that stand for records are 60 KB.
  expect(end - start).toBeLessThan(2_000_000);
  expect(cpuS).toBeLessThan(25 / 4);
});
