import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { sha256Hex } from '../../src/platform/index.js';
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

it('100,000 denials in 50 s fill neither memory nor ledger, and take little of the ticks', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void; // what the flag has just put there
  const flight = newHop({ seed: 8 });
  const quiet = flight.ledger.records.length;
  let written = 0;
  let told = quiet;
  /** The ledger is on disk, and listeners keep nothing: here both are in memory, so let go. */
  const forget = (): void => {
    flight.events.length = 0;
    const { records } = flight.ledger;
    for (const { body } of records.slice(told)) written += JSON.stringify(body).length;
    told = records.length;
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
  const end = heapAfter(40);
  const cpuS = process.cpuUsage(cpu).user / 1_000_000;
  // 80,000 denials of 300 bytes are 24 MB.
  expect(end - start).toBeLessThan(2_000_000);
  expect(cpuS).toBeLessThan(40 / 4);
  expect(told - quiet).toBe(10);
  // Ten findings of a kilobyte; of the texts nothing.
  expect(written).toBeLessThan(20_000);
  // After the minute the others are one number, and the next ten are told whole.
  flight.seconds(12);
  flood(flight, 0.1);
  const counted = flight.ledger.of('response-refused').slice(-11);
  const body = counted[0]?.body as { count: number; characters: number; codes: object };
  expect(body.count).toBeGreaterThan(9_000);
  expect(body.characters).toBeGreaterThan(body.count * 250);
  expect(Object.keys(body.codes)).toEqual(['HALO-101', 'HALO-110', 'HALO-201']);
  expect(counted.slice(1).map((one) => (one.body as { count: number }).count)).toEqual(
    Array.from({ length: 10 }, () => 1),
  );
});

it('a refused response leaves its digest, its size and its reasons, and not itself', () => {
  const flight = newHop({ seed: 9 });
  const texts = ['Sure! Here is the plan:', JSON.stringify({ protocol: 'halo/1' }), denied()];
  for (const text of texts) expect(flight.submitText(text).accepted).toBe(false);
  const bodies = flight.ledger.of('response-refused').map(({ body }) => body);
  expect(bodies).toMatchObject(
    texts.map((text) => ({ count: 1, characters: text.length, digest: sha256Hex(text) })),
  );
  expect(JSON.stringify(bodies[0])).toContain('HALO-101');
  expect(JSON.stringify(bodies)).not.toContain('Here is the plan');
  expect(flight.ledger.of('response-received')).toEqual([]);
  // Too large to be read is too large to be digested.
  flight.submitText('x'.repeat(300_000));
  const large = flight.ledger.of('response-refused').at(-1)?.body;
  expect(large).toMatchObject({ characters: 300_000, findings: [{ code: 'HALO-102' }] });
  expect(large).not.toHaveProperty('digest');
});

it('a bridge that closes tells how many it had only counted', () => {
  const flight = newHop({ seed: 10 });
  flood(flight, 0.5);
  flight.engine.beginShutdown('asked to');
  flight.until('the end', () => flight.engine.closed, 5);
  const kinds = flight.ledger.records.slice(-2).map(({ kind }) => kind);
  expect(kinds).toEqual(['response-refused', 'run-closed']);
});
