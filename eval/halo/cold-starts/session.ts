/**
 * One cold start: vehicle, listener, bridge and agent as fresh processes on real ROS 2 and UDP.
 * Enters: what changes between basis and route. Leaves: what the listener saw.
 * Never: a process that outlives it.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot, randomHex } from '../../../src/platform/index.js';
import { freePort, Started } from '../../../test/px4/sim-process.js';

const ROOT = packageRoot(import.meta.url);
const HERE = join(ROOT, 'eval/halo/cold-starts');
const MAIN = join(ROOT, 'dist/src/cli/main.js');
const SIM = join(ROOT, 'dist/sim/main.js');
const AGENT = new URL('./agent.js', import.meta.url).pathname;

export interface Change {
  readonly name: string;
  /** A line of the simulator's control channel. */
  readonly fault: object;
}

export interface Session {
  readonly change: string;
  /** Setpoints and commands to move, seen from the change on until the fresh route was sent. */
  readonly staleSetpoints: number;
  /** Reports of the stale response that were delivered all the same, of three. */
  readonly reportsKept: number;
  /** Parts of the route that the bridge withheld. */
  readonly withheld: readonly string[];
  /** The fresh route was flown to its end, and its frames were seen. */
  readonly recovered: boolean;
  readonly trouble: string | undefined;
}

/** Simulated seconds a second: the vehicle lives faster than bridge and agent do. */
export const SPEED = 2;
/** Of the agent's longest step: two flights and a contingency between them. */
const STEP_MS = 240_000;
const REPORTS = ['look', 'fuel', 'where'];
/** In each stale response. */
export const REPORTS_SENT = REPORTS.length;
const ROUTE = ['arm', 'up', 'leg', 'down'];

export async function coldStart(change: Change): Promise<Session> {
  const dir = mkdtempSync(join(tmpdir(), 'halo-eval-'));
  const started: Started[] = [];
  // Below 100, as DDS wants it; LOCALHOST keeps what another domain of this machine says out.
  const domain = 1 + (parseInt(randomHex(4), 16) % 99);
  const env = {
    ...process.env,
    ROS_DOMAIN_ID: String(domain),
    ROS_AUTOMATIC_DISCOVERY_RANGE: 'LOCALHOST',
  };
  const start = (program: string, args: readonly string[]): Started => {
    const child = spawn(program, [...args], { cwd: ROOT, stdio: 'pipe', env });
    const process = new Started(child);
    started.push(process);
    return process;
  };
  const letGo = endTogether(() => {
    for (const { child } of started) child.kill('SIGKILL');
    rmSync(dir, { recursive: true, force: true });
  });
  try {
    return await played(change, dir, start);
  } catch (error) {
    const trouble = error instanceof Error ? error.message : String(error);
    const nothing = { staleSetpoints: 0, reportsKept: 0, withheld: [] };
    return { change: change.name, ...nothing, recovered: false, trouble };
  } finally {
    for (const process of started.reverse()) await process.end();
    rmSync(dir, { recursive: true, force: true });
    letGo();
  }
}

/** What a signal to this process ends: the children too, at once. Call what is returned to undo. */
function endTogether(end: () => void): () => void {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const heard = (signal: NodeJS.Signals): void => {
    end();
    process.exit(128 + constants.signals[signal]);
  };
  for (const signal of signals) process.once(signal, heard);
  return () => {
    for (const signal of signals) process.removeListener(signal, heard);
  };
}

/** The Python that has pymavlink: the one of the ROS 2 environment, else the one set up here. */
function peersPython(): string {
  const named = process.env['HALO_PYTHON'];
  if (named !== undefined) return named;
  const wanted = ['.halo/peers/bin/python', '.halo/ros/bin/python'];
  const found = wanted.map((file) => join(ROOT, file)).find(existsSync);
  if (found === undefined) throw new Error('no Python with pymavlink; run `npm run setup` first');
  return found;
}

type Start = (program: string, args: readonly string[]) => Started;

async function played(change: Change, dir: string, start: Start): Promise<Session> {
  const [local, remote, port] = [await freePort(), await freePort(), await freePort()];
  const tap = start(peersPython(), [join(HERE, 'tap.py'), ...[remote, local, port].map(String)]);
  await tap.line((line) => line['ready'] === true, 15_000);
  const vehicle = start(process.execPath, vehicleArguments(local, remote));
  await vehicle.line((line) => line['event'] === 'listening', 15_000);
  start(process.execPath, bridgeArguments(`udpin://127.0.0.1:${port}`, dir));
  const agent = start(process.execPath, [AGENT]);
  const told = (type: string) =>
    agent.line((line) => line['type'] === type || line['type'] === 'error', STEP_MS);

  const basis = await told('basis');
  if (basis['type'] === 'error') throw new Error(String(basis['message']));
  const changedUs = Number(process.hrtime.bigint() / 1000n);
  vehicle.child.stdin?.write(`${JSON.stringify(change.fault)}\n`);
  agent.child.stdin?.write('changed\n');
  await told('fresh');
  const of = (type: string) => agent.lines.find((line) => line['type'] === type) ?? {};
  const said = agent.lines.find((line) => line['type'] === 'error')?.['message'];
  const outcome = of('fresh')['outcome'];
  const trouble = said ?? (outcome === 'completed' ? undefined : `ended ${String(outcome)}`);
  const freshUs = Number(of('fresh-sent')['atUs'] ?? Infinity);
  const moves = tap.lines.filter((line) => 'moves' in line).map((line) => Number(line['atUs']));
  return {
    change: change.name,
    staleSetpoints: moves.filter((atUs) => atUs >= changedUs && atUs < freshUs).length,
    reportsKept: reportsKept(of('delivered')['components']),
    withheld: withheldOf(of('stale')['components']),
    recovered: outcome === 'completed' && moves.some((atUs) => atUs >= freshUs),
    trouble: typeof trouble === 'string' ? trouble : undefined,
  };
}

const vehicleArguments = (local: number, remote: number): string[] => [
  SIM,
  ...['--port-base', String(local), '--remote-base', String(remote)],
  ...[
    '--tower',
    '0,6,2,2,12',
    '--uptime',
    '10',
    '--param',
    'RTL_RETURN_ALT=10',
    '--speed',
    String(SPEED),
  ],
  ...['--range-ros', '--json', '--with-parent'],
];

function bridgeArguments(url: string, dir: string): string[] {
  const parameters = {
    connection_url: url,
    system_id: 1,
    contract_path: join(HERE, 'contract.yaml'),
    evidence_map_path: join(ROOT, 'launch/params/evidence.yaml'),
    ledger_dir: join(dir, 'ledger'),
    foxglove_port: 0,
  };
  const ros = Object.entries(parameters).flatMap(([name, value]) => ['-p', `${name}:=${value}`]);
  return [MAIN, 'bridge', '--ros-args', ...ros];
}

interface Told {
  readonly id: string;
  readonly response_id: string;
  readonly state: string;
  readonly admitted: boolean;
}

/** Our own agent printed them, from messages of the bridge's own interface. */
const told = (components: unknown): readonly Told[] =>
  Array.isArray(components) ? (components as Told[]) : [];

const reportsKept = (components: unknown): number =>
  told(components).filter(
    ({ id, response_id, state }) =>
      response_id === 'r-stale' && REPORTS.includes(id) && state === 'delivered',
  ).length;

const withheldOf = (components: unknown): readonly string[] =>
  told(components)
    .filter(({ id, admitted }) => ROUTE.includes(id) && !admitted)
    .map(({ id }) => id);
