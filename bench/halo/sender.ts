/**
 * Sends setpoints through the gate and the real link, one each 4 ms when told to.
 * Enters: the UDP port to listen at; on standard input lines `first count`.
 * Leaves: `ready` once the vehicle is there; for each line one line of JSON: monotonic nanoseconds
 * of each call. Never: a frame that did not pass every check of the gate.
 */
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { MavlinkLink, openUdp, parseConnectionUrl } from '../../src/link/index.js';
import { assert } from '../../src/platform/index.js';
import { nowUs } from '../measure.js';
import { benchGate, setpoint } from './gate.js';
import { NOW_US } from './world.js';

const PERIOD_MS = 4;

const url = parseConnectionUrl(`udpin://127.0.0.1:${process.argv[2] ?? ''}`);
assert(url.ok, 'the port is one');
const transport = await openUdp(url.value);
assert(transport.ok, 'the port is free');
const link = new MavlinkLink({ transport: transport.value, nowUs });
const port = link.claimActuationPort();
const { gate, lease } = benchGate((id, payload) => port.write(id, payload));
while (link.vehicleSystemId === undefined) await sleep(20);

async function send(first: number, count: number): Promise<readonly number[]> {
  const called: number[] = [];
  const startMs = performance.now();
  for (let k = 0; k < count; k += 1) {
    await sleep(Math.max(0, startMs + (k + 1) * PERIOD_MS - performance.now()));
    const at = process.hrtime.bigint();
    // Time on the bench's own clock: evidence stays fresh, and the way of 4 ms can be flown.
    const minted = gate.mint(lease, setpoint((first + k) / 16), NOW_US + (first + k) * 4000);
    assert(minted.ok, minted.ok ? '' : minted.error.message);
    const sent = gate.dispatch(lease, minted.value, NOW_US);
    assert(sent.ok, sent.ok ? '' : sent.error.message);
    called.push(Number(at));
  }
  return called;
}

/** As warm as the bridge is a minute into its first flight: the peers come compiled. */
function warmUp(): void {
  const idle = benchGate(() => ({ ok: true, value: { sequence: 0 } }));
  for (let k = 1; k <= 14_000; k += 1) {
    const minted = idle.gate.mint(idle.lease, setpoint(k / 16), NOW_US + k * 4000);
    assert(minted.ok, minted.ok ? '' : minted.error.message);
    const sent = idle.gate.dispatch(idle.lease, minted.value, NOW_US);
    assert(sent.ok, sent.ok ? '' : sent.error.message);
  }
}

warmUp();
console.log('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const [first = 0, count = 0] = line.split(' ').map(Number);
  console.log(JSON.stringify(await send(first, count)));
}
await link.close();
