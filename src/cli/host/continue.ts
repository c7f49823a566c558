/**
 * A scripted agent that goes on where another one, or the bridge, was interrupted: it asks for the
 * recovery context and answers with what is left of its response, until nothing is.
 * Enters: the whole response, a client. Leaves: what it submitted, as lines; an exit code.
 * Never: a response under an id that was used, or one while the vehicle is on its way down.
 */
import { ok, type RecoveryContext, type Response, type Result } from '../../contract/index.js';
import { pause } from '../../platform/index.js';
import type { HaloClient } from '../../ros/index.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { residualComponents } from './residual.js';

export interface Continuing {
  readonly client: HaloClient;
  readonly say: (line: object) => void;
  /** Submits a text and waits for its end. */
  readonly send: (text: string) => Promise<Result<unknown>>;
}

/** One that meets a vehicle on its way down, one that flies, one for what that left. */
const ANSWERS_MAX = 4;
/** A return from 100 m and 30 m up, and its landing, take PX4 a minute and a half. */
const SETTLED_WITHIN_MS = 120_000;
const ASK_EVERY_MS = 250;

/** 0 once the context asks for nothing more. */
export async function continueTask(
  response: Response,
  { client, say, send }: Continuing,
): Promise<Result<ExitCode>> {
  for (let answer = 0; answer < ANSWERS_MAX; answer += 1) {
    const at = await settled(client);
    if (!at.ok) return at;
    const reply = await client.recoveryContext();
    if (!reply.ok) return reply;
    // Written by the bridge, of the same version as this host.
    const context = JSON.parse(reply.value.context_json) as RecoveryContext;
    if (context.open.length === 0) return ok(EXIT.ok);
    const components = residualComponents(response.components, context, at.value.airborne);
    if (components.length === 0) break;
    const { satisfied, unknown, invalidated } = context;
    const ids = components.map(({ id }) => id);
    say({ type: 'continuation', satisfied, unknown, invalidated, components: ids });
    const id = `${response.id}-${at.value.generation + 1}`;
    const sent = await send(JSON.stringify({ ...response, id, components }));
    if (!sent.ok) return sent;
  }
  return ok(EXIT.refused);
}

interface AtHand {
  readonly airborne: boolean;
  readonly generation: number;
}

/** Waits until it flies or stands, and no denial waits for its own candidate. */
async function settled(client: HaloClient): Promise<Result<AtHand>> {
  for (let waitedMs = 0; ; waitedMs += ASK_EVERY_MS) {
    const reply = await client.getState();
    if (!reply.ok) return reply;
    const { vehicle, obligations, task } = reply.value.state;
    const airborne = vehicle.landed === 'in_air';
    const stands = vehicle.landed === 'on_ground' && !vehicle.armed;
    const free = vehicle.connected && !obligations.some(({ state }) => state === 'open');
    if ((free && (airborne || stands)) || waitedMs >= SETTLED_WITHIN_MS) {
      return ok({ airborne, generation: task.generation });
    }
    await pause(ASK_EVERY_MS);
  }
}
