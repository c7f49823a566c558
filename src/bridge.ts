/**
 * One bridge for one vehicle: opens what touches the machine, wires the rooms, runs the tick.
 * Enters: the operator's parameters. Leaves: a running bridge, or the error that keeps it from
 * starting, with everything that was opened closed again. Never: a decision of its own.
 */
import { join } from 'node:path';
import { loadCatalog } from './admission/index.js';
import {
  fail,
  ok,
  type Catalog,
  type EnginePort,
  type HaloError,
  type RecordKind,
  type Result,
  type TaskContract,
} from './contract/index.js';
import { Engine } from './engine/index.js';
import { loadTopicMap, type TopicMap } from './evidence/index.js';
import { startFoxgloveServer, type FoxgloveHandle } from './foxglove/index.js';
import { Keyring, openLedger, type Ledger } from './ledger/index.js';
import {
  MavlinkLink,
  openConnection,
  openSigning,
  type OpenSigning,
  type Transport,
} from './link/index.js';
import {
  haloError,
  packageRoot,
  pause,
  randomHex,
  startTicking,
  type Clock,
} from './platform/index.js';
import {
  contractBody,
  createTaskTracker,
  loadTaskContract,
  type TaskTracker,
} from './recovery/index.js';
import type { BridgeParams } from './ros/index.js';

/** What an operator sets, but for what concerns the ROS node alone. */
export type BridgeConfig = Omit<BridgeParams, 'stateHz' | 'actionTimeoutS' | 'autostart'>;

export interface Bridge {
  readonly engine: EnginePort;
  readonly topicMap: TopicMap;
  readonly foxgloveUrl: string | undefined;
  readonly ledgerDir: string;
  /** Comes with the trouble that stopped the tick; never in a run without one. */
  readonly failed: Promise<HaloError>;
  close(): Promise<void>;
}

/** How often the link is asked for trouble: PX4 beats once a second, and is lost after three. */
const SILENCE_US = 4_000_000;

/** The guardian's hold takes up to 2 s to be seen; a vehicle that shows nothing by then stays. */
const SHUTDOWN_MS = 5_000;

/** The period of a tick at the rate of the design: nothing changes between two. */
const TICK_MS = 20;

/** Errors: HALO-501 to 503, 513 to 515, 601 to 607, 701 to 707, 803. */
export async function createBridge(config: BridgeConfig, clock: Clock): Promise<Result<Bridge>> {
  const files = readFiles(config);
  if (!files.ok) return files;
  const way = await openWay(config, clock);
  if (!way.ok) return way;
  const opened = await openRun(config.ledgerDir, files.value.contract, clock);
  if (!opened.ok) {
    await closeWay(way.value);
    return opened;
  }
  const running = new RunningBridge(config, files.value, way.value, opened.value, clock);
  const foxglove = await running.openFoxglove();
  if (foxglove.ok) return ok(running);
  await running.close();
  return foxglove;
}

/** The way to the vehicle, with the key that is used on it. */
interface Way {
  readonly transport: Transport;
  readonly key: OpenSigning | undefined;
}

async function openWay(config: BridgeConfig, clock: Clock): Promise<Result<Way>> {
  const transport = await openConnection(config.connectionUrl);
  if (!transport.ok) return transport;
  if (config.mavlinkKeyPath === '') return ok({ transport: transport.value, key: undefined });
  const key = openSigning(config.mavlinkKeyPath, () => clock.wallMs());
  if (key.ok) return ok({ transport: transport.value, key: key.value });
  await transport.value.close();
  return key;
}

async function closeWay({ transport, key }: Way): Promise<void> {
  await transport.close();
  await key?.close();
}

interface OperatorFiles {
  readonly catalog: Catalog;
  readonly contract: TaskContract;
  readonly topicMap: TopicMap;
}

const NO_TOPICS: TopicMap = { entries: [], agreements: [] };

function readFiles(config: BridgeConfig): Result<OperatorFiles> {
  if (config.contractPath === '') {
    return fail(unnamed('task contract', 'contract_path'));
  }
  const shipped = join(packageRoot(import.meta.url), 'catalog', 'multicopter.yaml');
  const catalog = loadCatalog(config.catalogPath === '' ? shipped : config.catalogPath);
  if (!catalog.ok) return catalog;
  const { evidenceMapPath } = config;
  const topicMap = evidenceMapPath === '' ? ok(NO_TOPICS) : loadTopicMap(evidenceMapPath);
  if (!topicMap.ok) return topicMap;
  const mapped = new Set(topicMap.value.entries.map(({ evidence }) => evidence));
  const contract = loadTaskContract(config.contractPath, catalog.value, mapped);
  if (!contract.ok) return contract;
  return ok({ catalog: catalog.value, contract: contract.value, topicMap: topicMap.value });
}

/** A parameter without which nothing can start. */
const unnamed = (what: string, parameter: string): HaloError => ({
  code: 'HALO-701',
  message: `No ${what} is named.`,
  remedy: `Set the parameter ${parameter}.`,
  path: parameter,
});

/** The tick's own time stands in every record of the tick. */
interface TickClock extends Clock {
  tickUs: number | undefined;
}

interface OpenedRun {
  readonly ledger: Ledger;
  readonly tracker: TaskTracker;
  readonly tickClock: TickClock;
}

/** Opens the ledger and goes on with its run, or opens a new one. */
async function openRun(
  dir: string,
  contract: TaskContract,
  clock: Clock,
): Promise<Result<OpenedRun>> {
  if (dir === '') return fail(unnamed('ledger folder', 'ledger_dir'));
  const tickClock: TickClock = {
    tickUs: undefined,
    nowUs: () => tickClock.tickUs ?? clock.nowUs(),
    wallMs: () => clock.wallMs(),
  };
  const keyring = new Keyring();
  const tracker = createTaskTracker({
    contract,
    verifySignature: (receipt) => keyring.holds(receipt),
  });
  const follow = { dir, clock: tickClock, generateKeys: true, keyring, fold: tracker };
  const opened = await openLedger(follow);
  if (!opened.ok) return opened;
  const ledger = opened.value;
  const identity = { keyId: ledger.keyId, publicKey: ledger.publicKeyPem };
  const note = (kind: RecordKind, body: unknown): void => {
    tracker.apply(ledger.append(kind, body));
  };
  if (!tracker.bound && tracker.history.done) {
    await ledger.close();
    return fail(haloError('HALO-313', `Task ${contract.task} is complete in ${dir}.`, dir));
  }
  if (!tracker.bound) {
    note('run-opened', { runId: `run-${randomHex(8)}`, ...identity });
    note('contract-bound', contractBody(contract));
  }
  note('epoch-opened', { bootEpoch: ledger.bootEpoch, ...identity });
  // A crash between a receipt and the advance that it earned: the advance is made up for.
  if (tracker.earned !== undefined) note('state-advanced', tracker.earned);
  const flushed = await ledger.flush(SHUTDOWN_MS);
  if (!flushed.ok) {
    await ledger.close();
    return flushed;
  }
  // One that fails costs the next start its time; nothing of this one rests on it.
  if (ledger.compactionDue) await ledger.compact(tracker.exported());
  return ok({ ledger, tracker, tickClock });
}

class RunningBridge implements Bridge {
  readonly engine: EnginePort;
  readonly topicMap: TopicMap;
  readonly ledgerDir: string;
  readonly failed: Promise<HaloError>;
  readonly #config: BridgeConfig;
  readonly #engine: Engine;
  readonly #link: MavlinkLink;
  readonly #way: Way;
  readonly #run: OpenedRun;
  readonly #clock: Clock;
  readonly #stopTicking: () => void;
  #foxglove: FoxgloveHandle | undefined;
  #fail: (error: HaloError) => void = () => undefined;
  #linkLookedUs: number;
  #saidTrouble: string | undefined;
  #closing: Promise<void> | undefined;

  constructor(config: BridgeConfig, files: OperatorFiles, way: Way, run: OpenedRun, clock: Clock) {
    this.#config = config;
    this.#way = way;
    this.#run = run;
    this.#clock = clock;
    const startedUs = clock.nowUs();
    this.#linkLookedUs = startedUs;
    this.topicMap = files.topicMap;
    this.ledgerDir = run.ledger.dir;
    this.failed = new Promise((resolve) => {
      this.#fail = resolve;
    });
    this.#link = new MavlinkLink({
      transport: way.transport,
      nowUs: () => clock.nowUs(),
      vehicleSystemId: config.systemId,
      ...(way.key === undefined ? {} : { signing: way.key.signing }),
    });
    this.#engine = new Engine({
      catalog: files.catalog,
      contract: files.contract,
      link: this.#link,
      ledger: run.ledger,
      tracker: run.tracker,
      nowUs: startedUs,
      agreements: files.topicMap.agreements,
      newToken: () => randomHex(16),
    });
    this.engine = this.#engine;
    this.#stopTicking = startTicking(clock, config.tickHz, (nowUs) => this.#tick(nowUs));
  }

  get foxgloveUrl(): string | undefined {
    return this.#foxglove?.url;
  }

  async openFoxglove(): Promise<Result<void>> {
    if (!this.#config.foxgloveEnabled) return ok(undefined);
    const opened = await startFoxgloveServer({
      engine: this.#engine,
      host: this.#config.foxgloveHost,
      port: this.#config.foxglovePort,
      clock: this.#clock,
    });
    if (!opened.ok) return opened;
    this.#foxglove = opened.value;
    return ok(undefined);
  }

  close(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  #tick(nowUs: number): void {
    this.#run.tickClock.tickUs = nowUs;
    try {
      this.#engine.tick(nowUs);
      this.#sayLinkTrouble(nowUs);
      this.#compactWhenDue();
    } catch (error) {
      // A failed assertion: nothing more may leave. The vehicle's own failsafe has what is left.
      this.#stopTicking();
      const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const trouble = haloError('HALO-413', `The deciding tick failed: ${message}`);
      this.#engine.stopDispatch(trouble);
      this.#fail(trouble);
    } finally {
      this.#run.tickClock.tickUs = undefined;
    }
  }

  /** Between two ticks all records are in the tracker; the writing waits beside the ticks. */
  #compactWhenDue(): void {
    const { ledger, tracker } = this.#run;
    if (!tracker.bound || !ledger.compactionDue) return;
    void ledger.compact(tracker.exported()).then((compacted) => {
      if (!compacted.ok) this.#engine.notice('warn', compacted.error);
    });
  }

  /** Each trouble of the link once, until it is another or has gone: what is heard instead of
   * the vehicle is half the remedy. */
  #sayLinkTrouble(nowUs: number): void {
    if (nowUs - this.#linkLookedUs < SILENCE_US) return;
    this.#linkLookedUs = nowUs;
    const { connected } = this.#engine.state().vehicle;
    const trouble = connected ? this.#link.trouble : this.#silence();
    if (trouble !== undefined && trouble.code !== this.#saidTrouble) {
      this.#engine.notice('error', trouble);
    }
    this.#saidTrouble = trouble?.code;
  }

  /** The link knows what it hears instead of the vehicle; the operator knows it by its URL. */
  #silence(): HaloError {
    const trouble = this.#link.trouble ?? haloError('HALO-508', 'The vehicle has fallen silent.');
    return { ...trouble, path: this.#config.connectionUrl };
  }

  async #closeAll(): Promise<void> {
    this.#engine.beginShutdown('asked to end');
    const deadlineUs = this.#clock.nowUs() + SHUTDOWN_MS * 1000;
    while (!this.#engine.closed && this.#clock.nowUs() < deadlineUs) await pause(TICK_MS);
    this.#stopTicking();
    await this.#foxglove?.close();
    await this.#run.ledger.close();
    await closeWay(this.#way);
  }
}
