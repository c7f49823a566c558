/**
 * The ROS 2 node of the bridge. Enters: argv, and a maker of the bridge. Leaves: a running
 * lifecycle node: parameters, topics, services, the action, diagnostics.
 * Never: a decision about a response, or a signal handler: whoever owns the process calls `close`.
 */
import { fail, ok, type EnginePort, type HaloError, type Result } from '../contract/index.js';
import type { TopicMap } from '../evidence/index.js';
import { endsWithin, haloError, pause, within, type Clock } from '../platform/index.js';
import { serveExecuteResponse } from './action.js';
import type { Clocks } from './convert.js';
import { engineReports, type DiagnosticReport } from './diagnostics.js';
import { topicMapTrouble } from './message-shape.js';
import { EventPump } from './event-pump.js';
import { EvidenceTopics } from './evidence-topics.js';
import { NameWatch } from './namesake.js';
import { parametersFor, readParameterLayers } from './params-args.js';
import {
  checkParameter,
  declared,
  isParameterName,
  toBridgeParams,
  type BridgeParams,
} from './params.js';
import { Publishers } from './publishers.js';
import type { LifecycleState, Rcl, RosContext, RosLifecycleNode } from './rcl-port.js';
import { Requests } from './requests.js';
import { serveAll } from './services.js';
import { SimClock } from './sim-clock.js';
import { NODE_NAME } from './topics.js';

/** The bridge behind the node, as its maker gives it. */
export interface BridgeHandle {
  readonly engine: EnginePort;
  readonly topicMap: TopicMap;
  /** Ends leases, holds the vehicle, closes the ledger. */
  close(): Promise<void>;
  /** More for `/diagnostics` than the engine's state tells. */
  diagnostics?(): readonly DiagnosticReport[];
}

export interface BridgeNodeOptions {
  readonly rcl: Rcl;
  /** As the process got it; everything outside of `--ros-args` is left alone. */
  readonly argv: readonly string[];
  readonly clock: Clock;
  readonly createBridge: (params: BridgeParams) => Promise<Result<BridgeHandle>>;
}

export interface RunningNode {
  /** After remapping: `/uav1/halo_bridge`. */
  readonly fullName: string;
  lifecycle(): LifecycleState;
  /**
   * Comes when the node has been shut down, by `close` or by a lifecycle manager, or with the
   * error for which it must be closed: HALO-806.
   */
  readonly ended: Promise<HaloError | undefined>;
  /** Closes the bridge, tells the last events, and leaves the graph. */
  close(): Promise<void>;
}

/** The bridge holds the vehicle for up to 3 s and then writes its last records. */
const BRIDGE_CLOSE_MS = 10_000;

/** Reliable messages leave in the background; readers on the same machine take a few ms. */
const FLUSH_MS = 100;

/**
 * Starts the node. With `autostart` (the default) it comes back active or with the error that
 * kept it from that: HALO-701, 702, 708 for parameters, 806 for a name that is taken, else what
 * `createBridge` says.
 */
export async function startBridgeNode(options: BridgeNodeOptions): Promise<Result<RunningNode>> {
  const layers = readParameterLayers(options.argv);
  if (!layers.ok) return layers;
  const context = await options.rcl.open(options.argv);
  if (!context.ok) return context;
  const node = context.value.lifecycleNode(NODE_NAME);
  const own = parametersFor(node.fullName, layers.value);
  if (!own.ok) {
    context.value.close();
    return own;
  }
  const { useSimTime } = own.value;
  if (useSimTime) node.useSimTime();
  const name = new NameWatch(node);
  const alone = await name.settle();
  if (!alone.ok) {
    name.close();
    context.value.close();
    return alone;
  }
  const simClock = useSimTime ? new SimClock(node, options.clock) : undefined;
  const bridgeNode = new BridgeNode(options, context.value, node, { name, simClock });
  node.declare(declared(own.value.values), (name, value) => bridgeNode.refuseChange(name, value));
  bridgeNode.serve();
  if (node.parameter('autostart') === false) return ok(bridgeNode);
  const started = await bridgeNode.autostart();
  if (started.ok) return ok(bridgeNode);
  await bridgeNode.close();
  return started;
}

class BridgeNode implements RunningNode {
  readonly fullName: string;
  readonly ended: Promise<HaloError | undefined>;
  readonly #options: BridgeNodeOptions;
  readonly #context: RosContext;
  readonly #node: RosLifecycleNode;
  readonly #clocks: Clocks;
  readonly #publishers: Publishers;
  readonly #name: NameWatch;
  readonly #simClock: SimClock | undefined;
  readonly #requests = new Requests(
    () => (this.#active ? this.#bridge?.engine : undefined),
    () => this.#name.trouble,
  );
  readonly #slow: NodeJS.Timeout;
  #endGoals: () => void = () => undefined;
  #resolveEnded: (error: HaloError | undefined) => void = () => undefined;
  #active = false;
  #bridge: BridgeHandle | undefined;
  #pump: EventPump | undefined;
  #evidence: EvidenceTopics | undefined;
  #fast: NodeJS.Timeout | undefined;
  #starting: Promise<Result<void>> | undefined;
  #startError: HaloError | undefined;
  /** Raised by cleanup and shutdown: a bridge that is still being made is closed on arrival. */
  #generation = 0;
  #leaving: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(
    options: BridgeNodeOptions,
    context: RosContext,
    node: RosLifecycleNode,
    watches: { readonly name: NameWatch; readonly simClock: SimClock | undefined },
  ) {
    this.#name = watches.name;
    this.#simClock = watches.simClock;
    this.#options = options;
    this.#context = context;
    this.#node = node;
    this.fullName = node.fullName;
    this.#clocks = { clock: options.clock, rosNowNs: () => node.nowNs() };
    this.#publishers = new Publishers(node, this.#clocks);
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#slow = setInterval(() => this.#everySecond(), 1000);
  }

  lifecycle(): LifecycleState {
    return this.#node.lifecycle();
  }

  serve(): void {
    serveAll({
      node: this.#node,
      clocks: this.#clocks,
      requests: this.#requests,
      publishVerdict: (verdict) => this.#publishers.verdict(verdict),
    });
    this.#endGoals = serveExecuteResponse({
      node: this.#node,
      clocks: this.#clocks,
      requests: this.#requests,
      pump: () => this.#pump,
      timeoutS: () => Number(this.#node.parameter('action_timeout_s')),
    });
    this.#node.onTransition('configure', () => this.#configure());
    this.#node.onTransition('activate', () => this.#activate());
    this.#node.onTransition('deactivate', () => this.#deactivate());
    this.#node.onTransition('cleanup', () => this.#leave());
    this.#node.onTransition('shutdown', () => {
      this.#leave();
      void this.close();
      return true;
    });
  }

  async autostart(): Promise<Result<void>> {
    this.#node.trigger('configure');
    if (this.#starting === undefined) return fail(this.#startError ?? notStarted('configured'));
    const started = await this.#starting;
    if (!started.ok) return started;
    this.#node.trigger('activate');
    if (this.lifecycle() === 'active') return ok(undefined);
    return fail(this.#startError ?? notStarted('activated'));
  }

  refuseChange(name: string, value: unknown): string | undefined {
    if (name === 'use_sim_time' && value !== (this.#simClock !== undefined)) {
      return 'use_sim_time is read when the node starts: its clock does not change under way';
    }
    if (!isParameterName(name)) return undefined;
    const state = this.lifecycle();
    if (state !== 'unconfigured') {
      return `${name} is read when the node is configured, and the node is ${state}`;
    }
    const checked = checkParameter(name, value);
    return checked.ok ? undefined : checked.error.message;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#leave();
    if (this.#starting !== undefined) await within(this.#starting, BRIDGE_CLOSE_MS);
    await this.#leaving;
    clearInterval(this.#slow);
    this.#name.close();
    this.#simClock?.close();
    await pause(FLUSH_MS);
    this.#context.close();
    this.#resolveEnded(undefined);
  }

  /** The bridge is made in the background; `activate` is refused until it is there. */
  #configure(): boolean {
    this.#startError = undefined;
    this.#starting = undefined;
    if (this.#leaving !== undefined) return this.#complain(notStarted('configured: it is closing'));
    const params = toBridgeParams((name) => this.#node.parameter(name));
    if (!params.ok) return this.#complain(params.error);
    const generation = this.#generation;
    this.#starting = this.#options.createBridge(params.value).then(async (made) => {
      if (!made.ok) {
        this.#complain(made.error);
        this.#node.trigger('cleanup');
        return made;
      }
      if (generation !== this.#generation) {
        await made.value.close();
        return fail(notStarted('configured: it was cleaned up meanwhile'));
      }
      const misread = topicMapTrouble(made.value.topicMap, this.#options.rcl.shapeOf);
      if (misread !== undefined) {
        await made.value.close();
        this.#complain(misread);
        this.#node.trigger('cleanup');
        return fail(misread);
      }
      this.#wire(made.value);
      return ok(undefined);
    });
    return true;
  }

  #wire(bridge: BridgeHandle): void {
    const { engine, topicMap } = bridge;
    this.#bridge = bridge;
    this.#pump = new EventPump(engine, (event) => this.#publishers.event(event));
    const hasType = (type: string): boolean => this.#options.rcl.hasType(type);
    this.#evidence = new EvidenceTopics(
      this.#node,
      engine,
      this.#clocks,
      topicMap,
      hasType,
      this.#simClock,
    );
  }

  #activate(): boolean {
    const engine = this.#bridge?.engine;
    if (engine === undefined) return this.#complain(notStarted('activated: it is still starting'));
    const taken = this.#name.taken();
    if (taken !== undefined) return this.#complain(taken);
    this.#startError = undefined;
    this.#active = true;
    this.#publishers.setActive(true);
    this.#publishState();
    const periodMs = 1000 / Number(this.#node.parameter('state_hz'));
    this.#fast = setInterval(() => this.#publishState(), periodMs);
    return true;
  }

  #deactivate(): boolean {
    const phase = this.#bridge?.engine.state().phase;
    // A node that is not active must not go on flying: what it was doing is aborted.
    if (phase === 'executing') {
      void this.#requests.ask<unknown>((reply) => ({
        type: 'abort',
        reason: 'the node was deactivated',
        reply,
      }));
    }
    clearInterval(this.#fast);
    this.#active = false;
    this.#publishers.setActive(false);
    return true;
  }

  /** Parts from the bridge, if there is one. The last events still go out. */
  #leave(): boolean {
    this.#generation += 1;
    const bridge = this.#bridge;
    if (bridge === undefined) return true;
    this.#bridge = undefined;
    this.#leaving = (async () => {
      this.#evidence?.close();
      const closed = await endsWithin(bridge.close(), BRIDGE_CLOSE_MS);
      if (!closed) this.#node.log('error', 'The bridge did not close in time.');
      this.#publishers.state(bridge.engine.state());
      this.#pump?.close();
      clearInterval(this.#fast);
      this.#active = false;
      this.#publishers.setActive(false);
      this.#requests.close();
      this.#endGoals();
      this.#pump = undefined;
      this.#evidence = undefined;
      this.#leaving = undefined;
    })();
    return true;
  }

  #publishState(): void {
    if (this.#bridge !== undefined) this.#publishers.state(this.#bridge.engine.state());
  }

  #everySecond(): void {
    const taken = this.#name.look();
    if (taken !== undefined) this.#resolveEnded(taken);
    this.#evidence?.checkPublishers();
    const state = this.lifecycle();
    const trouble = this.#startError ?? this.#name.trouble;
    const lifecycle: DiagnosticReport = {
      name: 'Lifecycle',
      level: trouble !== undefined ? 'error' : state === 'active' ? 'ok' : 'warn',
      message: trouble?.message ?? state,
      values: { state, ...(trouble && { code: trouble.code }) },
    };
    const bridge = this.#bridge;
    const counters = {
      eventsWaiting: this.#pump?.waiting ?? 0,
      eventsLost: this.#pump?.lost ?? 0,
      requestsWaiting: this.#requests.waiting,
      observationsLost: this.#evidence?.lost ?? 0,
    };
    this.#publishers.diagnostics([
      lifecycle,
      ...(bridge === undefined ? [] : engineReports(bridge.engine.state(), counters)),
      ...(this.#simClock === undefined ? [] : [clockReport(this.#simClock.trouble())]),
      ...(this.#evidence?.reports() ?? []),
      ...(bridge?.diagnostics?.() ?? []),
    ]);
  }

  #complain(error: HaloError): false {
    this.#startError = error;
    this.#node.log('error', `${error.code} ${error.message} ${error.remedy}`);
    return false;
  }
}

const clockReport = (trouble: string | undefined): DiagnosticReport => ({
  name: 'Simulated clock',
  level: trouble === undefined ? 'ok' : 'error',
  message: trouble ?? 'goes on',
  values: {},
});

const notStarted = (what: string): HaloError =>
  haloError('HALO-307', `The node could not be ${what}.`);
