/**
 * `npm start`: the simulated vehicle, the bridge and an agent's host as three processes of their
 * own; shows the flight and ends with its summary.
 * Enters: options. Leaves: progress (or JSON lines) on standard output, the summary last, an exit
 * code. Never: a word between host and bridge that does not go over ROS 2.
 */
import { join } from 'node:path';
import { haloError, packageRoot, pause, systemClock } from '../platform/index.js';
import { PILOT_MODES, type HaloError } from '../contract/index.js';
import { verifyLedger } from '../ledger/index.js';
import { askedToEnd } from './asked-to-end.js';
import { EXIT, errorText, exitCodeOf, type ExitCode } from './exit-codes.js';
import { loadTaskContract } from '../recovery/index.js';
import { Child, type Line } from './fly/child.js';
import { Crash } from './fly/crash.js';
import { BRIDGE_CRASH, DRIFTS } from './fly/drifts.js';
import { FlightLog } from './fly/log.js';
import { freeUdpPort } from './fly/ports.js';
import { Printer } from './fly/printer.js';
import { exitOf, summarize } from './fly/summary.js';
import { TaskReview } from './task-review.js';

export interface FlyOptions {
  readonly json: boolean;
  readonly stay: boolean;
  readonly response: string;
  readonly contract: string;
  /** Undefined: nobody answers obligations; the contract's contingency runs. */
  readonly candidate: string | undefined;
  readonly speed: number;
  readonly drift: string | undefined;
  /** A vehicle that is already there; the embedded one is not started. */
  readonly connect: string | undefined;
  readonly systemId: number;
  readonly ledger: string | undefined;
  readonly foxglovePort: number;
}

/** Everything that starts answers within 10 s or is named. */
const START_S = 10;
/** Between two looks at what the children have said. */
const LOOK_MS = 50;
/** After the host is done: a landing from 30 m, or an obligation that has to expire first. */
const SETTLE_S = 120;
/** A landing detector of PX4 and its disarm take 2 s each; then nothing more is to be expected. */
const END_MS = 8_000;
/** Pre-arm checks pass 4 to 7 s after boot: longer, and it will not be ready by waiting. */
const READY_S = 10;
/** The embedded vehicle was switched on before we came, as one on a field is. */
const UPTIME_S = 10;
/** East, north, width, depth, height in metres: the tower of the example. */
const TOWER = '6,6,2,2,12';
/** The tower is 12 m high; PX4's own 30 m would take a minute to come down from. */
const RETURN_ALTITUDE_M = 10;

export async function runFly(options: FlyOptions): Promise<ExitCode> {
  return new FlySession(options).run();
}

class FlySession {
  readonly #options: FlyOptions;
  readonly #root = packageRoot(import.meta.url);
  readonly #startedUs = systemClock.nowUs();
  readonly #log = new FlightLog();
  readonly #printer: Printer;
  readonly #children: Child[] = [];
  readonly #noise: string[] = [];
  #error: HaloError | undefined;
  #host: Child | undefined;
  #bridge: Child | undefined;
  #connectionUrl = '';
  /** With `--drift bridge-crash`. */
  #crash: Crash | undefined;
  #interrupted = false;
  #ledgerDir = '';

  constructor(options: FlyOptions) {
    this.#options = options;
    const colours = process.stdout.isTTY;
    const print = (text: string): void => void process.stdout.write(`${text}\n`);
    this.#printer = new Printer(print, () => this.#elapsedS(), colours);
    void askedToEnd().then(() => {
      this.#interrupted = true;
    });
  }

  async run(): Promise<ExitCode> {
    try {
      const trouble = (await this.#begin()) ?? (await this.#fly());
      if (this.#options.stay && trouble === undefined) await this.#stay();
      await this.#endAll();
      return await this.#conclude(trouble);
    } finally {
      await this.#endAll();
    }
  }

  /** Vehicle, then bridge: each has said that it is there, or is named as the trouble. */
  async #begin(): Promise<HaloError | undefined> {
    const { connect, drift } = this.#options;
    if (drift === BRIDGE_CRASH) {
      const contract = loadTaskContract(this.#options.contract);
      if (!contract.ok) return contract.error;
      this.#crash = new Crash(contract.value);
    }
    this.#ledgerDir =
      this.#options.ledger ?? join(this.#root, '.halo/runs', String(systemClock.wallMs()));
    if (connect !== undefined) return this.#startBridge(connect);
    const port = await freeUdpPort();
    const trouble = await this.#startVehicle(port);
    return trouble ?? this.#startBridge(`udpin://127.0.0.1:${port}`);
  }

  async #startVehicle(bridgePort: number): Promise<HaloError | undefined> {
    const { speed, drift } = this.#options;
    const port = await freeUdpPort();
    const fault = DRIFTS[drift ?? '']?.fault;
    let started = false;
    const sim = this.#spawn({
      name: 'vehicle',
      args: [
        join(this.#root, 'dist/sim/main.js'),
        ...['--port-base', String(port), '--remote-base', String(bridgePort)],
        ...['--speed', String(speed), '--param', `RTL_RETURN_ALT=${RETURN_ALTITUDE_M}`],
        ...['--tower', TOWER, '--uptime', String(UPTIME_S)],
        ...['--range-ros', '--json', '--with-parent'],
        ...(fault === undefined ? [] : ['--fault', fault]),
      ],
      onLine: (line) => {
        started = true;
        this.#tell('vehicle', line);
        if (line['event'] === 'fault') this.#printHuman(`drift       ${String(line['fault'])}`);
      },
    });
    this.#printHuman(
      'the embedded vehicle starts (a stand-in that behaves as PX4 was measured to)',
    );
    return this.#until(sim, () => started);
  }

  async #startBridge(
    connectionUrl: string,
    hostOptions: readonly string[] = [],
  ): Promise<HaloError | undefined> {
    this.#connectionUrl = connectionUrl;
    let active = false;
    const parameters: Record<string, string | number> = {
      connection_url: connectionUrl,
      system_id: this.#options.systemId,
      contract_path: this.#options.contract,
      evidence_map_path: join(this.#root, 'launch/params/evidence.yaml'),
      ledger_dir: this.#ledgerDir,
      foxglove_port: this.#options.foxglovePort,
    };
    const bridge = this.#spawn({
      name: 'bridge',
      args: [
        join(this.#root, 'dist/src/cli/main.js'),
        ...['bridge', '--events', '--ros-args'],
        ...Object.entries(parameters).flatMap(([name, value]) => ['-p', `${name}:=${value}`]),
      ],
      onLine: (line) => {
        if (line.type === 'active') {
          active = true;
          this.#printHuman(
            `bridge      ${String(line['node'])} is active; Foxglove: ${String(line['foxglove'])}`,
          );
        }
        this.#bridgeLine(line);
      },
    });
    this.#bridge = bridge;
    // The host takes its time to start, too; it waits for the bridge by itself.
    this.#startHost(hostOptions);
    const trouble = await this.#until(bridge, () => active);
    if (trouble !== undefined) return trouble;
    return this.#until(bridge, () => this.#log.state?.vehicle.connected === true);
  }

  #bridgeLine(line: Line): void {
    this.#tell('bridge', line);
    const trouble = troubleOf(line);
    if (trouble !== undefined) this.#error ??= trouble;
    this.#log.take(line);
    this.#crash?.take(line);
    if (!this.#options.json) this.#printer.line(line);
  }

  #startHost(more: readonly string[]): void {
    const { response, candidate } = this.#options;
    this.#host = this.#spawn({
      name: 'host',
      args: [
        join(this.#root, 'dist/src/cli/main.js'),
        ...['host', '--response', response, '--ready-within', String(READY_S)],
        ...(candidate === undefined ? [] : ['--candidate', candidate]),
        ...more,
      ],
      onLine: (line) => {
        this.#tell('host', line);
        if (line.type === 'error') this.#error ??= troubleOf(line);
        if (line.type === 'result') this.#log.answered(line);
        if (line.type === 'continuation') {
          const left = (line['components'] as readonly string[]).join(', ');
          this.#printHuman(`agent       asks for the context, and goes on with ${left}`);
        }
        if (line.type === 'candidate') {
          this.#printHuman(
            `agent       answers ${String(line['discharges'])} with a fresh candidate`,
          );
        }
      },
    });
  }

  /** The host's part, then whatever the bridge still has to bring to an end. */
  async #fly(): Promise<HaloError | undefined> {
    while (this.#host?.running === true && !this.#interrupted && this.#goesOn()) {
      const trouble = this.#crash?.due === true ? await this.#crashBridge(this.#crash) : undefined;
      if (trouble !== undefined) return trouble;
      await pause(LOOK_MS);
    }
    if (!this.#interrupted && this.#goesOn()) await this.#settle();
    return this.#error;
  }

  /** Kills the bridge, and its agent with it; then both begin anew, on the same ledger. */
  async #crashBridge(crash: Crash): Promise<HaloError | undefined> {
    const dead = [this.#bridge, this.#host].filter((child) => child !== undefined);
    this.#printHuman('drift       the bridge is killed (SIGKILL)');
    await this.#bridge?.kill();
    await this.#host?.end(END_MS);
    for (const child of dead) this.#children.splice(this.#children.indexOf(child), 1);
    crash.struck(this.#log.state);
    this.#log.lifeEnded();
    this.#tell('fly', { type: 'bridge-killed' });
    this.#printHuman('the bridge starts again on its ledger, with another agent');
    return this.#startBridge(this.#connectionUrl, ['--continue']);
  }

  /** Until the vehicle is at rest or with a pilot, and no obligation waits for an answer. */
  async #settle(): Promise<void> {
    const endUs = systemClock.nowUs() + SETTLE_S * 1e6;
    // The state line of before the host's end says nothing about after it.
    const before = this.#log.state;
    while (!this.#interrupted && this.#goesOn() && systemClock.nowUs() < endUs) {
      const { state } = this.#log;
      const waiting = [...this.#log.obligations.values()].some((o) => o.state === 'open');
      if (state !== undefined && state !== before && !waiting) {
        const { armed, mode } = state.vehicle;
        if (!armed || PILOT_MODES.has(mode)) return;
      }
      await pause(LOOK_MS);
    }
  }

  async #stay(): Promise<void> {
    this.#printHuman('the bridge stays; end it with Ctrl-C');
    while (!this.#interrupted && this.#goesOn()) await pause(LOOK_MS);
  }

  async #conclude(trouble: HaloError | undefined): Promise<ExitCode> {
    if (trouble !== undefined) {
      if (this.#options.json) this.#write({ type: 'error', error: trouble });
      process.stderr.write(`${errorText(trouble)}\n${this.#noise.slice(-10).join('\n')}\n`);
    }
    // Before a bridge was there, there is no flight to sum up.
    if (this.#log.state === undefined && trouble !== undefined) return exitCodeOf(trouble);
    const review = new TaskReview();
    const verified = await verifyLedger(this.#ledgerDir, review);
    if (!verified.ok) process.stderr.write(`${errorText(verified.error)}\n`);
    const summary = summarize(this.#log, {
      ledgerVerified: verified.ok,
      wallSeconds: this.#elapsedS(),
      ledger: this.#ledgerDir,
      continuation: this.#crash?.continuation(this.#log.state),
      recorded:
        verified.ok && this.#log.cut
          ? { ...verified.value, obligations: review.obligations() }
          : undefined,
    });
    if (this.#options.json) this.#write(summary);
    else this.#printer.summary(summary);
    if (this.#interrupted) return EXIT.refused;
    return trouble === undefined ? exitOf(summary) : exitCodeOf(trouble);
  }

  /** The host first: nothing new comes. The vehicle last: the bridge can still hold it. */
  async #endAll(): Promise<void> {
    for (const child of [...this.#children].reverse()) await child.end(END_MS);
  }

  #spawn(child: { name: string; args: readonly string[]; onLine: (line: Line) => void }): Child {
    const onNoise = (text: string): void => {
      this.#noise.push(`${child.name}: ${text}`);
      // What a child says outside of its lines matters when it fails; a screenful is enough.
      if (this.#noise.length > 40) this.#noise.shift();
    };
    const started = new Child({ ...child, onNoise });
    this.#children.push(started);
    return started;
  }

  /** Vehicle and bridge are there; one that went away by itself is the trouble of this flight. */
  #goesOn(): boolean {
    const gone = this.#children.find((child) => child !== this.#host && !child.running);
    if (gone === undefined) return true;
    this.#error ??= haloError('HALO-805', `The ${gone.name} ended in the middle of the flight.`);
    return false;
  }

  /** Undefined once it holds; else the trouble that was told, or the silence of the child. */
  async #until(child: Child, done: () => boolean): Promise<HaloError | undefined> {
    const endUs = systemClock.nowUs() + START_S * 1e6;
    while (!done() && this.#error === undefined) {
      if (!child.running || this.#interrupted || systemClock.nowUs() > endUs) {
        // Its last words may still be on their way.
        await pause(LOOK_MS);
        if (done() || this.#error !== undefined) break;
        const state = child.running ? `did not answer within ${START_S} s` : 'ended at once';
        return haloError('HALO-805', `The ${child.name} ${state}.`);
      }
      await pause(LOOK_MS);
    }
    return this.#error;
  }

  #tell(from: string, line: Line): void {
    if (this.#options.json) this.#write({ from, ...line });
  }

  #write(line: object): void {
    process.stdout.write(`${JSON.stringify(line)}\n`);
  }

  #printHuman(text: string): void {
    if (!this.#options.json) this.#printer.say(text);
  }

  #elapsedS(): number {
    return (systemClock.nowUs() - this.#startedUs) / 1e6;
  }
}

/** What keeps a flight from beginning: an error, or the bridge's word that it hears no vehicle. */
function troubleOf(line: Line): HaloError | undefined {
  const { type, error } = line as unknown as { type?: string; error?: HaloError };
  return type === 'error' || (type === 'notice' && error?.code.startsWith('HALO-5') === true)
    ? error
    : undefined;
}
