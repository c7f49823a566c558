/**
 * One bridge engine and one embedded autopilot in virtual time: a flight of a minute takes a
 * moment. Everything is the running code but the disk, the socket and the clock.
 */
import { join } from 'node:path';
import { loadCatalog, parseCatalog } from '../../src/admission/index.js';
import {
  type Agreement,
  type ApprovalRequest,
  type Catalog,
  type EngineEvent,
  type EngineRequest,
  type EvidenceDatum,
  type LocalizedObligation,
  type RecoveryContext,
  type SubmitReply,
  type TaskContract,
} from '../../src/contract/index.js';
import { Engine } from '../../src/engine/index.js';
import { MavlinkLink } from '../../src/link/index.js';
import { packageRoot, seededRandom } from '../../src/platform/index.js';
import {
  contractBody,
  createTaskTracker,
  loadTaskContract,
  parseTaskContract,
  type TaskTracker,
} from '../../src/recovery/index.js';
import type { Fault } from '../../sim/autopilot/index.js';
import type { Trouble } from '../../sim/lossy-link.js';
import { VirtualClock } from '../../sim/virtual-clock.js';
import { VirtualVehicle } from '../../sim/virtual-vehicle.js';
import { MemoryLedger } from './memory-ledger.js';
import { Wire } from './wire.js';

const ROOT = packageRoot(import.meta.url);
export const EXAMPLE = join(ROOT, 'examples/01-inspect-tower');
const CATALOG = join(ROOT, 'catalog/multicopter.yaml');

/** Where PX4's own simulators stand. */
const HOME = { latitudeDeg: 47.397742, longitudeDeg: 8.545594, altitudeM: 488 };

/** What an agent looks at before it asks for a flight. */
const READY: Readonly<Record<string, (value: EvidenceDatum) => boolean>> = {
  'vehicle.prearm_ok': (value) => value === true,
  'vehicle.estimator_ok': (value) => value === true,
  'vehicle.gps_fix': (value) => Number(value) >= 3,
  'vehicle.home': () => true,
};

/** 50 Hz, as the bridge ticks unless told otherwise. */
export const TICK_US = 20_000;

const must = <T>(result: { ok: true; value: T } | { ok: false; error: unknown }): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
};

export interface FlightOptions {
  readonly seed?: number;
  readonly trouble?: Trouble;
  /** YAML; default: the example's contract. */
  readonly contract?: string;
  /** YAML; default: the catalog that is shipped. */
  readonly catalog?: string;
  readonly parameters?: Readonly<Record<string, number>>;
  /** Camera, gimbal, gripper and winch aboard; a ROS topic tells whether the load is gone. */
  readonly devices?: boolean;
  /** Fields that must confirm each other. */
  readonly agreements?: readonly Agreement[];
}

type ApprovalReply = Parameters<Extract<EngineRequest, { type: 'approve' }>['reply']>[0];

export class Flight {
  readonly clock = new VirtualClock();
  readonly ledger = new MemoryLedger(this.clock);
  readonly wire = new Wire(() => this.clock.nowUs());
  readonly vehicle: VirtualVehicle;
  readonly events: EngineEvent[] = [];
  engine: Engine;
  /** Metres; undefined: the sensor is silent. */
  rangeM: number | undefined = 4;
  /** A sensor tells whether the load is gone. */
  loadSensed: boolean;
  /** What was submitted last, to be sent once more. */
  lastText = '';
  /** False: the event loop hangs. */
  ticking = true;
  readonly #random: () => number;
  readonly #contract: TaskContract;
  readonly #catalog: Catalog;
  readonly #agreements: readonly Agreement[];

  constructor(options: FlightOptions = {}) {
    this.#agreements = options.agreements ?? [];
    this.loadSensed = options.devices === true;
    this.#random = seededRandom(options.seed ?? 1);
    const parameters = { RTL_RETURN_ALT: 10, ...options.parameters };
    const { devices = false } = options;
    const autopilot = { devices, systemId: 1, random: this.#random, home: HOME, parameters };
    this.vehicle = new VirtualVehicle(this.clock, autopilot, options.trouble);
    this.wire.watch(this.vehicle);
    const { contract, catalog } = options;
    this.#contract = must(
      contract === undefined
        ? loadTaskContract(join(EXAMPLE, 'contract.yaml'))
        : parseTaskContract(contract, 'contract.yaml'),
    );
    this.#catalog = must(
      catalog === undefined ? loadCatalog(CATALOG) : parseCatalog(catalog, 'catalog.yaml'),
    );
    this.ledger.append('run-opened', { runId: 'run-1' });
    this.ledger.append('contract-bound', contractBody(this.#contract));
    this.engine = this.#openEngine();
    this.clock.every(TICK_US, (nowUs) => {
      if (this.ticking) this.engine.tick(nowUs);
    });
    this.clock.every(100_000, (nowUs) => this.#sense(nowUs));
  }

  /** The task's state as the ledger alone gives it. */
  replayed(): TaskTracker {
    const tracker = createTaskTracker({
      contract: this.#contract,
      verifySignature: (receipt) => this.ledger.verifyReceipt(receipt),
    });
    for (const record of this.ledger.records) must(tracker.apply(record));
    return tracker;
  }

  /** The process dies without a word, and a new one opens the same ledger and the same link. */
  restart(): void {
    this.ledger.nextLife();
    this.ledger.append('epoch-opened', { bootEpoch: this.ledger.bootEpoch });
    this.engine = this.#openEngine();
  }

  #openEngine(): Engine {
    const engine = new Engine({
      catalog: this.#catalog,
      contract: this.#contract,
      link: new MavlinkLink({
        transport: this.wire.around(this.vehicle),
        nowUs: () => this.clock.nowUs(),
        vehicleSystemId: 1,
      }),
      ledger: this.ledger,
      tracker: this.replayed(),
      nowUs: this.clock.nowUs(),
      agreements: this.#agreements,
      newToken: () => String(this.#random()),
    });
    engine.onEvent((event) => this.events.push(event));
    return engine;
  }

  #sense(nowUs: number): void {
    const { released } = this.vehicle.autopilot.status();
    if (this.loadSensed) {
      const load = { field: 'payload.released', value: released, source: 'ros:/payload/released' };
      this.engine.observe({ ...load, receivedUs: nowUs });
    }
    if (this.rangeM === undefined) return;
    const source = 'ros:/halo_sim/range/front';
    const heard = { source, receivedUs: nowUs };
    this.engine.observe({ ...heard, field: 'range.front.max', value: 30 });
    this.engine.observe({ ...heard, field: 'range.front', value: this.rangeM });
  }

  get nowUs(): number {
    return this.clock.nowUs();
  }

  seconds(s: number): void {
    this.clock.advance(s * 1_000_000);
  }

  inject(fault: Fault): void {
    this.vehicle.autopilot.inject(fault);
  }

  /** Advances until it holds; fails the test with the last state otherwise. */
  until(what: string, done: () => boolean, withinS = 60): void {
    const limit = withinS * 1_000_000;
    if (this.clock.advanceUntil(done, limit, TICK_US)) return;
    const { phase, vehicle, components } = this.engine.state();
    throw new Error(`${what} did not come: ${JSON.stringify({ phase, vehicle, components })}`);
  }

  ready(): this {
    const holds = (): boolean => {
      const known = new Map(this.engine.state().evidence.map((e) => [e.field, e.value]));
      return Object.entries(READY).every(([field, suits]) => {
        const value = known.get(field);
        return value !== undefined && suits(value);
      });
    };
    this.until('a ready vehicle', holds, 20);
    return this;
  }

  submit(response: object): SubmitReply {
    return this.submitText(JSON.stringify(response));
  }

  submitText(text: string): SubmitReply {
    this.lastText = text;
    return this.#ask((reply) => ({ type: 'submit', text, reply }));
  }

  /** A dry run. */
  check(text: string): SubmitReply {
    return this.#ask((reply) => ({ type: 'check', text, reply }));
  }

  approve(componentDigest: string, more: Partial<ApprovalRequest> = {}): boolean {
    return this.approval(componentDigest, more).recorded;
  }

  /** The whole reply. */
  approval(componentDigest: string, more: Partial<ApprovalRequest> = {}): ApprovalReply {
    const approval = { componentDigest, approver: 'ada', approved: true, validS: 30, ...more };
    return this.#ask((reply) => ({ type: 'approve', approval, reply }));
  }

  abort(reason = 'the field is not clear'): string {
    return this.#ask<{ action: string }>((reply) => ({ type: 'abort', reason, reply })).action;
  }

  context(): RecoveryContext {
    return this.#ask((reply) => ({ type: 'recovery-context', reply }));
  }

  #ask<T>(make: (reply: (answer: T) => void) => EngineRequest): T {
    const answers: T[] = [];
    this.engine.offer(make((answer) => answers.push(answer)));
    this.until('an answer', () => answers.length > 0, 1);
    const [answer] = answers;
    if (answer === undefined) throw new Error('unreachable');
    return answer;
  }

  stateOf(id: string): string {
    const found = this.engine.state().components.findLast((c) => c.id === id);
    return found?.state ?? 'absent';
  }

  obligation(id: string): string | undefined {
    return this.engine.state().task.obligations.find((o) => o.id === id)?.state;
  }

  /** The oldest localized obligation that waits for a candidate. */
  get open(): LocalizedObligation | undefined {
    return this.engine.state().obligations.find((o) => o.state === 'open');
  }

  get mode(): string {
    return this.engine.state().vehicle.mode;
  }

  /** On the ground with the motors off, as the bridge sees it. */
  get atRest(): boolean {
    const { vehicle } = this.engine.state();
    return vehicle.landed === 'on_ground' && !vehicle.armed;
  }

  /** What the guardian did, in order. */
  get guardian(): readonly string[] {
    return this.ledger
      .of('guardian-action')
      .map((record) => (record.body as { action: string }).action);
  }
}
