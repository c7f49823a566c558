/**
 * The agent's side of the ROS interface, for hosts written in TypeScript. Enters: responses as
 * text. Leaves: what the bridge answered, as messages. Never: a wait without a deadline.
 */
import { fail, ok, type Result } from '../contract/index.js';
import { haloError, pause, within } from '../platform/index.js';
import type * as msg from './messages.js';
import { QOS } from './qos.js';
import type { Rcl, RosContext, RosNode } from './rcl-port.js';
import { ACTION, NODE_NAME, SERVICES, TOPICS } from './topics.js';

export interface HaloClientOptions {
  readonly rcl: Rcl;
  readonly nodeName: string;
  /** Absolute name of the bridge; default `/halo_bridge`. */
  readonly bridgeNode?: string;
  /** For finding the bridge and for each of its answers; default 5 s. */
  readonly timeoutMs?: number;
  readonly argv?: readonly string[];
}

/** What each topic carries. */
export interface TopicMessages {
  readonly state: msg.Read<msg.BridgeStateMsg>;
  readonly task: msg.Read<msg.TaskStateMsg>;
  readonly vehicle: msg.Read<msg.VehicleStateMsg>;
  readonly dispatch: msg.Read<msg.DispatchStatusMsg>;
  readonly verdict: msg.Read<msg.VerdictMsg>;
  readonly obligation: msg.Read<msg.LocalizedObligationMsg>;
  readonly progress: msg.Read<msg.ComponentProgressMsg>;
  readonly lease: msg.Read<msg.LeaseMsg>;
  readonly receipt: msg.Read<msg.ReceiptMsg>;
  readonly utterance: msg.Read<msg.UtteranceMsg>;
}

export interface ExecuteOptions {
  readonly onFeedback?: (feedback: msg.Read<msg.ExecuteFeedbackMsg>) => void;
  /** Cancels the goal: leases end, the guardian acts, and the result says so. */
  readonly signal?: AbortSignal;
  /** For the whole execution; default one hour. */
  readonly timeoutMs?: number;
}

/** Every method: HALO-804 when the bridge does not answer in time. */
export interface HaloClient {
  getState(): Promise<Result<msg.Read<msg.GetStateMsg>>>;
  /** Judges and changes nothing. */
  check(response: string): Promise<Result<msg.Read<msg.SubmitResponseMsg>>>;
  /** Returns once judged. */
  submit(response: string): Promise<Result<msg.Read<msg.SubmitResponseMsg>>>;
  /** Returns once the response has ended, or within 5 s once the bridge has died. */
  execute(
    response: string,
    options?: ExecuteOptions,
  ): Promise<Result<msg.Read<msg.ExecuteResultMsg>>>;
  recoveryContext(): Promise<Result<msg.Read<msg.RecoveryContextMsg>>>;
  approve(approval: {
    readonly componentDigest: string;
    readonly approver: string;
    readonly approved: boolean;
    readonly validS: number;
  }): Promise<Result<msg.Read<msg.ApproveMsg>>>;
  abort(reason: string): Promise<Result<msg.Read<msg.AbortMsg>>>;
  /** Listens to a topic of the bridge; returns the function that stops it. */
  on<K extends keyof TopicMessages>(
    topic: K,
    listener: (message: TopicMessages[K]) => void,
  ): () => void;
  close(): void;
}

/** Five ticks of the slowest bridge, a discovery of DDS, and some. */
const TIMEOUT_MS = 5000;
const EXECUTE_TIMEOUT_MS = 3_600_000;

/**
 * A bridge answers within milliseconds, and one that stalls for a second has lost its vehicle to
 * the failsafe. A killed one stays in the graph for the 20 s of its DDS lease, so it is asked.
 */
const ALIVE_EVERY_MS = 1000;
const ALIVE_WITHIN_MS = 4000;

/** HALO-804 when no active bridge shows up in time. */
export async function createHaloClient(options: HaloClientOptions): Promise<Result<HaloClient>> {
  const { rcl, nodeName, bridgeNode = `/${NODE_NAME}`, timeoutMs = TIMEOUT_MS } = options;
  const context = await rcl.open(options.argv ?? []);
  if (!context.ok) return context;
  const client = new Client(context.value, context.value.node(nodeName), bridgeNode, timeoutMs);
  const found = await client.find();
  if (found.ok) return ok(client);
  client.close();
  return found;
}

class Client implements HaloClient {
  readonly #context: RosContext;
  readonly #node: RosNode;
  readonly #bridge: string;
  readonly #timeoutMs: number;
  readonly #services: Readonly<Record<keyof typeof SERVICES, ReturnType<RosNode['client']>>>;
  readonly #action: ReturnType<RosNode['actionClient']>;

  constructor(context: RosContext, node: RosNode, bridge: string, timeoutMs: number) {
    const to = ({ type, name }: { type: string; name: string }) =>
      node.client(type, absolute(bridge, name));
    this.#context = context;
    this.#node = node;
    this.#bridge = bridge;
    this.#timeoutMs = timeoutMs;
    this.#services = {
      submit: to(SERVICES.submit),
      check: to(SERVICES.check),
      getState: to(SERVICES.getState),
      recoveryContext: to(SERVICES.recoveryContext),
      approve: to(SERVICES.approve),
      abort: to(SERVICES.abort),
    };
    this.#action = node.actionClient(ACTION.type, absolute(bridge, ACTION.name));
  }

  async find(): Promise<Result<void>> {
    const [state, action] = await Promise.all([
      this.#services.getState.wait(this.#timeoutMs),
      this.#action.wait(this.#timeoutMs),
    ]);
    return state && action ? ok(undefined) : fail(this.#silent('is not there'));
  }

  getState(): Promise<Result<msg.Read<msg.GetStateMsg>>> {
    return this.#call('getState', {});
  }

  check(response: string): Promise<Result<msg.Read<msg.SubmitResponseMsg>>> {
    return this.#call('check', { response_json: response });
  }

  submit(response: string): Promise<Result<msg.Read<msg.SubmitResponseMsg>>> {
    return this.#call('submit', { response_json: response });
  }

  recoveryContext(): Promise<Result<msg.Read<msg.RecoveryContextMsg>>> {
    return this.#call('recoveryContext', {});
  }

  approve(
    approval: Parameters<HaloClient['approve']>[0],
  ): Promise<Result<msg.Read<msg.ApproveMsg>>> {
    return this.#call('approve', {
      component_digest: approval.componentDigest,
      approver: approval.approver,
      approved: approval.approved,
      valid_s: approval.validS,
    });
  }

  abort(reason: string): Promise<Result<msg.Read<msg.AbortMsg>>> {
    return this.#call('abort', { reason });
  }

  async execute(
    response: string,
    options: ExecuteOptions = {},
  ): Promise<Result<msg.Read<msg.ExecuteResultMsg>>> {
    const { onFeedback, signal, timeoutMs = EXECUTE_TIMEOUT_MS } = options;
    const goal = await this.#action.send(
      { response_json: response },
      (feedback) => onFeedback?.(asMessage(feedback)),
      this.#timeoutMs,
    );
    if (goal === undefined) return fail(this.#silent('did not take the goal'));
    const cancel = (): void => void goal.cancel();
    signal?.addEventListener('abort', cancel);
    if (signal?.aborted === true) cancel();
    const over = new AbortController();
    const gone = this.#untilGone(over.signal).then(() => GONE);
    const result = await within(Promise.race([goal.result(), gone]), timeoutMs);
    over.abort();
    signal?.removeEventListener('abort', cancel);
    if (result === GONE) return fail(this.#silent('answers no more; the outcome is not known'));
    return result === undefined
      ? fail(this.#silent('did not bring the goal to an end'))
      : ok(asMessage(result));
  }

  /** Comes back once the bridge no longer answers, or when nobody asks any more. */
  async #untilGone(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      const answer = await this.#services.getState.call({}, ALIVE_WITHIN_MS);
      if (!answer.ok) return;
      await pause(ALIVE_EVERY_MS);
    }
  }

  on<K extends keyof TopicMessages>(
    topic: K,
    listener: (message: TopicMessages[K]) => void,
  ): () => void {
    const { type, name, qos } = TOPICS[topic];
    return this.#node.subscribe(type, absolute(this.#bridge, name), QOS[qos], (message) =>
      listener(asMessage(message)),
    );
  }

  close(): void {
    this.#context.close();
  }

  async #call<M>(service: keyof typeof SERVICES, request: object): Promise<Result<M>> {
    const answer = await this.#services[service].call(request, this.#timeoutMs);
    return answer.ok ? ok(asMessage<M>(answer.value)) : answer;
  }

  #silent(what: string) {
    return haloError('HALO-804', `The bridge ${this.#bridge} ${what}.`);
  }
}

const GONE = Symbol('the bridge is gone');

const absolute = (bridge: string, name: string): string => name.replace(/^~/, bridge);

/** The definition of the message, not the sender, decides its shape: both sides have the same. */
const asMessage = <M>(received: unknown): M => withNumbers(received) as M;

/** u64 fields arrive as bigint or text; all of ours are counters below 2^53. */
function withNumbers(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(withNumbers);
  if (ArrayBuffer.isView(value)) return Array.from(value as Float64Array);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, withNumbers(inner)]));
}
