/**
 * `halo host`: what an agent's host does, over ROS 2 alone: asks for the state, sends a response on
 * that basis, and answers a localized obligation with a fresh candidate.
 * Enters: files that an agent wrote. Leaves: one JSON object a line on standard output.
 * Never: a frame, a contract, or a candidate sent twice.
 */
import { readFileSync } from 'node:fs';
import { fail, ok, type Result } from '../contract/index.js';
import { haloError } from '../platform/index.js';
import { createHaloClient, loadRcl, type HaloClient } from '../ros/index.js';
import { EXIT, errorText, exitCodeOf, type ExitCode } from './exit-codes.js';

export interface HostOptions {
  readonly response: string;
  /** Undefined: an agent that does not answer obligations. */
  readonly candidate: string | undefined;
  /** How long to wait for a vehicle that is ready to arm. */
  readonly readyWithinS: number;
}

type Say = (line: object) => void;

export async function runHost(options: HostOptions): Promise<ExitCode> {
  const say: Say = (line) => void process.stdout.write(`${JSON.stringify(line)}\n`);
  const done = await hostSession(options, say);
  if (done.ok) return done.value;
  say({ type: 'error', error: done.error });
  process.stderr.write(`${errorText(done.error)}\n`);
  return exitCodeOf(done.error);
}

async function hostSession(options: HostOptions, say: Say): Promise<Result<ExitCode>> {
  const response = readText(options.response);
  if (!response.ok) return response;
  const candidate = options.candidate === undefined ? undefined : readText(options.candidate);
  if (candidate?.ok === false) return candidate;
  const rcl = await loadRcl();
  if (!rcl.ok) return rcl;
  const client = await createHaloClient({ rcl: rcl.value, nodeName: 'halo_agent_host' });
  if (!client.ok) return client;
  try {
    const ready = await waitUntilReady(client.value, options.readyWithinS);
    if (!ready.ok) return ready;
    const first = await send(client.value, response.value, {}, say);
    if (!first.ok) return first;
    const open = first.value.openObligation;
    if (open === undefined || candidate === undefined) return ok(first.value.exit);
    say({ type: 'candidate', discharges: open, file: options.candidate });
    const second = await send(client.value, candidate.value, { discharges: open }, say);
    return second.ok ? ok(second.value.exit) : second;
  } finally {
    client.value.close();
  }
}

interface Sent {
  readonly exit: ExitCode;
  readonly openObligation: string | undefined;
}

/** An agent answers on what it was shown: the basis is the snapshot of a moment ago. */
async function send(
  client: HaloClient,
  text: string,
  answer: { readonly discharges?: string },
  say: Say,
): Promise<Result<Sent>> {
  const state = await client.getState();
  if (!state.ok) return state;
  const basis = state.value.state.snapshot_id;
  const result = await client.execute(withBasis(text, { basis, ...answer }), {
    onFeedback: ({ component }) => say({ type: 'feedback', component }),
  });
  if (!result.ok) return result;
  const { outcome, verdict, obligations } = result.value;
  say({ type: 'result', outcome, verdict, obligations });
  return ok({
    exit: outcome === 'completed' ? EXIT.ok : EXIT.refused,
    openObligation: obligations.find((o) => o.state === 'open')?.id,
  });
}

/**
 * Puts the members in front of the agent's own text, which stays as it is to the letter: judging
 * it is the bridge's work. A text that is no object, or that names them itself, is not touched.
 */
function withBasis(text: string, more: Readonly<Record<string, string>>): string {
  const parsed = parsedObject(text);
  const missing = Object.entries(more).filter(([name]) => !Object.hasOwn(parsed ?? {}, name));
  if (parsed === undefined || missing.length === 0) return text;
  const members = missing.map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`,
  );
  return text.replace('{', `{${members.join('')}`);
}

function parsedObject(text: string): object | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? parsed
      : undefined;
  } catch {
    return undefined;
  }
}

/** ESTIMATOR_STATUS comes once a second, later than the pre-arm bit that rests on the same. */
const READY = ['vehicle.prearm_ok', 'vehicle.estimator_ok'];

/** PX4 passes its pre-arm checks 4 to 7 s after boot (measured); arming before that is refused. */
async function waitUntilReady(client: HaloClient, withinS: number): Promise<Result<void>> {
  for (let waitedS = 0; waitedS < withinS; waitedS += 0.25) {
    const state = await client.getState();
    if (!state.ok) return state;
    const { vehicle, evidence } = state.value.state;
    const holds = (field: string): boolean =>
      evidence.some((e) => e.field === field && e.fresh && e.value_json === 'true');
    if (vehicle.connected && READY.every(holds)) return ok(undefined);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  const message = `The vehicle was not ready to arm within ${withinS} s.`;
  return fail(haloError('HALO-509', message));
}

function readText(path: string): Result<string> {
  try {
    return ok(readFileSync(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail(haloError('HALO-701', reason, path));
  }
}
