/**
 * The agent of a cold start, a process of its own that knows the bridge by ROS 2 alone.
 * Enters: nothing but the graph; one line on standard input once the world has changed.
 * Leaves: JSON lines. Never: a wait without a deadline.
 *
 *   basis ──(line: the world has changed)──► stale route ──► fresh route
 */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Component } from '../../../src/contract/index.js';
import { createHaloClient, loadRcl, type HaloClient } from '../../../src/ros/index.js';
import { must } from '../must.js';

const READY_S = 30;
/** Until the change has been seen; the slowest is a link that has to be silent for three seconds. */
const SEEN_S = 20;
const FLIGHT_S = 60;
/** The contract's 20 s, and what the bridge does after them. */
const CONTINGENCY_S = 60;
const ASK_MS = 100;
/** An armed vehicle disarms by itself while a slow machine asks: then the whole route is due anew. */
const TRIES = 2;

const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const nowUs = (): number => Number(process.hrtime.bigint() / 1000n);

const ROUTE: readonly Component[] = [
  { id: 'arm', kind: 'flight.arm' },
  { id: 'up', kind: 'flight.takeoff', params: { altitudeM: 2 }, requires: ['arm'] },
  {
    id: 'leg',
    kind: 'flight.goto',
    params: { frame: 'local_enu', positionM: [3, 0, 2], yawDeg: 0, speedMS: 2 },
    requires: ['up'],
  },
  { id: 'down', kind: 'flight.land', requires: ['leg'] },
];
const REPORTS: readonly Component[] = [
  { id: 'look', kind: 'report.range', params: { sensor: 'front' } },
  { id: 'fuel', kind: 'report.battery' },
  { id: 'where', kind: 'report.position' },
];

const textOf = (id: string, components: readonly Component[], more: object): string =>
  JSON.stringify({ protocol: 'halo/1', id, task: 'cold-start-1', components, ...more });

async function until(what: string, withinS: number, holds: () => Promise<boolean>): Promise<void> {
  for (let waitedMs = 0; waitedMs < withinS * 1000; waitedMs += ASK_MS) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, ASK_MS));
  }
  throw new Error(`${what} did not come within ${withinS} s`);
}

/** By dry runs, which change nothing. */
async function outcomeOf(client: HaloClient, text: string): Promise<string> {
  const dry = await client.check(text);
  return dry.ok ? dry.value.verdict.outcome : 'unanswered';
}

async function run(client: HaloClient): Promise<void> {
  const whole = [...ROUTE, ...REPORTS];
  await until('a supported route', READY_S, async () => {
    return (await outcomeOf(client, textOf('r-dry', whole, {}))) === 'admitted';
  });
  const basis = must(await client.getState()).state.snapshot_id;
  say({ type: 'basis', basis });
  const lines = createInterface({ input: process.stdin });
  await once(lines, 'line');
  const stale = textOf('r-stale', whole, { basis });
  // The reports are there again, and the route is not: the change has been seen.
  await until('the change', SEEN_S, async () => {
    const dry = await client.check(stale);
    if (!dry.ok) return false;
    const { components } = dry.value.verdict;
    const kept = components.filter(({ admitted }) => admitted).map(({ id }) => id);
    return REPORTS.every(({ id }) => kept.includes(id)) && !kept.includes('leg');
  });
  say({ type: 'stale-sent', atUs: nowUs() });
  const first = must(await client.execute(stale, { timeoutMs: FLIGHT_S * 1000 }));
  say({ type: 'stale', outcome: first.outcome, components: first.verdict.components });
  say({ type: 'delivered', components: must(await client.getState()).state.components });
  lines.close();
  for (let left = TRIES; left > 0; left -= 1) {
    const outcome = await sendFresh(client, TRIES - left + 1);
    if (outcome !== 'completed' && left > 1) continue;
    say({ type: 'fresh', outcome });
    return;
  }
}

/** The route anew, on today's basis, under the obligation that the denial opened. */
async function sendFresh(client: HaloClient, attempt: number): Promise<string> {
  const openNow = async () =>
    must(await client.getState()).state.obligations.find((o) => o.state === 'open');
  if (attempt > 1) {
    await until('the contingency', CONTINGENCY_S, async () => (await openNow()) === undefined);
  }
  const open = await openNow();
  const needsArming = open === undefined || open.scope_kinds.includes('flight.arm');
  const route = ROUTE.filter(({ id }) => needsArming || id !== 'arm').map((component) => ({
    ...component,
    requires: (component.requires ?? []).filter((id) => needsArming || id !== 'arm'),
  }));
  const named = open === undefined ? {} : { discharges: open.id };
  const fresh = async (id: string): Promise<string> =>
    textOf(id, route, { ...named, basis: must(await client.getState()).state.snapshot_id });
  let dry = 0;
  await until('support for a fresh route', READY_S, async () => {
    dry += 1;
    return (await outcomeOf(client, await fresh(`r-dry-${attempt}-${dry}`))) === 'admitted';
  });
  const text = await fresh(`r-fresh-${attempt}`);
  say({ type: 'fresh-sent', atUs: nowUs(), discharges: open?.id });
  const second = must(await client.execute(text, { timeoutMs: FLIGHT_S * 1000 }));
  return second.outcome;
}

const rcl = must(await loadRcl());
const client = must(
  await createHaloClient({ rcl, nodeName: 'halo_cold_start_agent', timeoutMs: 15_000 }),
);
try {
  await run(client);
} catch (error) {
  say({ type: 'error', message: error instanceof Error ? error.message : String(error) });
  process.exitCode = 1;
} finally {
  client.close();
}
