/**
 * `halo host`: what an agent's host does, over ROS 2 alone: asks for the state, sends a response on
 * that basis, and answers a localized obligation with a fresh candidate.
 * Enters: files that an agent wrote. Leaves: one JSON object a line on standard output.
 * Never: a frame, a contract, or a candidate sent twice.
 */
import { readFileSync } from 'node:fs';
import { fail, ok, type Result } from '../contract/index.js';
import { parseResponse, utf8Text } from '../intake/index.js';
import { haloError, pause, systemClock } from '../platform/index.js';
import { createHaloClient, loadRcl, type HaloClient } from '../ros/index.js';
import { complain, EXIT, type ExitCode } from './exit-codes.js';
import { continueTask } from './host/continue.js';

export interface HostOptions {
  readonly response: string;
  /** Undefined: an agent that does not answer obligations. */
  readonly candidate: string | undefined;
  /** Go on with what is left of the task, as the recovery context tells it. */
  readonly continues: boolean;
  /** How long to wait for a vehicle that is ready to arm. */
  readonly readyWithinS: number;
}

type Say = (line: object) => void;

/** A bridge that starts beside us is there within three seconds, on a busy machine within ten. */
const BRIDGE_WITHIN_MS = 10_000;

export async function runHost(options: HostOptions): Promise<ExitCode> {
  const say: Say = (line) => void process.stdout.write(`${JSON.stringify(line)}\n`);
  const done = await hostSession(options, say);
  if (done.ok) return done.value;
  say({ type: 'error', error: done.error });
  return complain(done.error);
}

async function hostSession(options: HostOptions, say: Say): Promise<Result<ExitCode>> {
  const response = readText(options.response);
  if (!response.ok) return response;
  const candidate = options.candidate === undefined ? undefined : readText(options.candidate);
  if (candidate?.ok === false) return candidate;
  const rcl = await loadRcl();
  if (!rcl.ok) return rcl;
  const client = await createHaloClient({
    rcl: rcl.value,
    nodeName: 'halo_agent_host',
    timeoutMs: BRIDGE_WITHIN_MS,
  });
  if (!client.ok) return client;
  try {
    if (options.continues) return await goOn(client.value, response.value, say);
    const armable = await waitUntilArmable(client.value, options.readyWithinS);
    if (!armable.ok) return armable;
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

/** Only an agent that wrote a whole response can tell what is left of it. */
async function goOn(client: HaloClient, text: string, say: Say): Promise<Result<ExitCode>> {
  const parsed = parseResponse(text);
  if (!parsed.ok) {
    const [first] = parsed.error;
    return fail(haloError(first?.code ?? 'HALO-108', first?.message ?? 'It does not fit.'));
  }
  return continueTask(parsed.value.response, {
    client,
    say,
    send: (residual) => send(client, residual, {}, say),
  });
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
  const evidence = await waitForEvidence(client, withBasis(text, answer));
  if (!evidence.ok) return evidence;
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

/** Evidence that is not there yet may come with time; anything else does not. */
const MAY_COME: ReadonlySet<string> = new Set(['HALO-208', 'HALO-209', 'HALO-211']);

/** How often a host asks while it waits. */
const ASK_EVERY_MS = 250;
/** Once the vehicle can arm, its slowest evidence comes every two seconds. */
const EVIDENCE_WITHIN_S = 4;

/**
 * PX4 passes its pre-arm checks 4 to 7 s after boot (measured). A vehicle that still does not is
 * no reason to be silent: the bridge says what of the response is withheld, and why.
 */
async function waitUntilArmable(client: HaloClient, withinS: number): Promise<Result<boolean>> {
  return waitFor(withinS, async () => {
    const state = await client.getState();
    return state.ok ? ok(state.value.state.vehicle.prearm_ok) : state;
  });
}

/**
 * Dry runs, for evidence that is still on its way. What the last one says against the response is
 * said again, for good, by the bridge.
 */
function waitForEvidence(client: HaloClient, response: string): Promise<Result<boolean>> {
  return waitFor(EVIDENCE_WITHIN_S, async () => {
    const dry = await client.check(response);
    if (!dry.ok) return dry;
    const findings = dry.value.verdict.components.flatMap((c) => c.findings);
    return ok(!findings.some((f) => f.rule === 'evidence' && MAY_COME.has(f.code)));
  });
}

/** True once it holds; false when it has not by then. */
async function waitFor(
  withinS: number,
  holds: () => Promise<Result<boolean>>,
): Promise<Result<boolean>> {
  // By the clock: an answer about a large response takes longer than the pause between two.
  const endUs = systemClock.nowUs() + withinS * 1e6;
  while (systemClock.nowUs() < endUs) {
    const held = await holds();
    if (!held.ok || held.value) return held;
    await pause(ASK_EVERY_MS);
  }
  return ok(false);
}

/**
 * The agent's own letters. Bytes that are none cannot cross ROS as text, and are refused as intake
 * refuses them (HALO-107); what else is wrong with a text, the bridge says. HALO-701: no such file.
 */
function readText(path: string): Result<string> {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail(haloError('HALO-701', reason, path));
  }
  const text = utf8Text(bytes);
  return text.ok ? text : fail({ ...text.error, path });
}
