/**
 * Sends setpoints through the gate and the real link, one each 4 ms when told to, in the engine's
 * order of a tick. The clock of a setpoint starts when the tick calls for it, as the peers' clocks
 * start at their call; waking up from the pause before belongs to nobody.
 * Enters: the UDP port to listen at; on standard input lines `first count`.
 * Leaves: `ready` once the vehicle is there; for each line one line of JSON: monotonic nanoseconds
 * of each call. Never: a frame that did not pass every check of the gate.
 */
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { MavlinkLink, openConnection } from '../../src/link/index.js';
import { assert, startTicking, systemClock } from '../../src/platform/index.js';
import { openFlight, warmUp } from './flight.js';

const RATE_HZ = 250;

const transport = await openConnection(`udpin://127.0.0.1:${process.argv[2] ?? ''}`);
assert(transport.ok, 'the port is free');
const link = new MavlinkLink({ transport: transport.value, nowUs: () => systemClock.nowUs() });
const port = link.claimActuationPort();
const flight = await openFlight({
  write: (id, payload) => port.write(id, payload),
  drain: (nowUs) => void link.drain(nowUs),
});
while (link.vehicleSystemId === undefined) await sleep(20);

const send = (first: number, count: number): Promise<readonly number[]> =>
  new Promise((done) => {
    const called: number[] = [];
    const stop = startTicking(systemClock, RATE_HZ, (nowUs) => {
      const { calledNs } = flight.tick((first + called.length) / 16, nowUs);
      called.push(Number(calledNs));
      if (called.length < count) return;
      stop();
      done(called);
    });
  });

// Index 0 to the autopilot, which counts from 1.
await warmUp(flight);
console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const [first = 0, count = 0] = line.split(' ').map(Number);
  console.log(JSON.stringify(await send(first, count)));
}
await link.close();
await flight.close();
