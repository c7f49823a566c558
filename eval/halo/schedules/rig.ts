/**
 * One engine and one embedded autopilot, stepped together, with everything between them open to
 * interference. Enters: a seed. Leaves: what was sent, what was heard, the ledger.
 * Never: real time, a socket, or a message that the bridge makes no use of (framing it would be
 * most of the work).
 */
import { join } from 'node:path';
import { loadCatalog } from '../../../src/admission/index.js';
import {
  fail,
  ok,
  type Catalog,
  type Result,
  type SubmitReply,
  type TaskContract,
} from '../../../src/contract/index.js';
import { Engine } from '../../../src/engine/index.js';
import {
  MavlinkLink,
  messageInfoByName,
  type Endpoint,
  type Receiver,
} from '../../../src/link/index.js';
import { packageRoot, seededRandom } from '../../../src/platform/index.js';
import {
  contractBody,
  createTaskTracker,
  parseTaskContract,
  type TaskTracker,
  type TrackerOptions,
} from '../../../src/recovery/index.js';
import { Autopilot, FrameWriter } from '../../../sim/autopilot/index.js';
import { LossyLink } from '../../../sim/lossy-link.js';
import type { OutgoingMessage, Truth } from '../../../sim/autopilot/index.js';
import { MemoryLedger } from '../../../test/world/memory-ledger.js';
import { must } from '../must.js';
import { ERRANDS, LEG, type Errand } from './errand.js';
import { Tap } from './tap.js';
import { TruthWatch } from './truth.js';

/** 50 Hz, as the bridge ticks unless told otherwise. */
export const TICK_US = 20_000;
/** From boot to a passed pre-arm check, with home known (measured on the stand-in: 7.1 s). */
const WARM_UP_US = 8_000_000;
const VEHICLE: Endpoint = { host: '127.0.0.1', port: 14580 };
const HOME = { latitudeDeg: 47.397742, longitudeDeg: 8.545594, altitudeM: 488 };
const WALL_MS = Date.UTC(2026, 0, 1);

/**
 * What the bridge makes no use of, and two that say again what other messages say: the vehicle is
 * asked to keep them to itself, as a companion on a thin link would. They are half of the work.
 */
const UNREAD: ReadonlySet<string> = new Set([
  'HIGHRES_IMU',
  'ATTITUDE_QUATERNION',
  'GLOBAL_POSITION_INT',
  'ALTITUDE',
  'DISTANCE_SENSOR',
  'SERVO_OUTPUT_RAW',
  'ATTITUDE_TARGET',
  'POSITION_TARGET_LOCAL_NED',
  'VFR_HUD',
  'PING',
  'SCALED_PRESSURE',
  'LINK_NODE_STATUS',
  'VIBRATION',
  'TIME_ESTIMATE_TO_TARGET',
]);
const SET_MESSAGE_INTERVAL = 511;
/** 10 Hz of it serve, where PX4 sends 100. */
const ATTITUDE_US = 100_000;
/** By then the vehicle hears what is said to it. */
const ASKED_US = 400_000;

/** A message on its way to the bridge. */
export interface Said {
  readonly message: OutgoingMessage;
  readonly systemId: number;
  /** When the vehicle measured what it says. */
  readonly bornUs: number;
  /** When it leaves for the bridge. */
  readonly dueUs: number;
}

/** A foreign packet is of another station, and so is what it asks. */
const STATION = { systemId: 255, componentId: 190 } as const;

/** What stands between vehicle and bridge while a fault lasts. */
export type Interference = (said: Said) => readonly Said[];

const ROOT = packageRoot(import.meta.url);
const CATALOG: Catalog = must(loadCatalog(join(ROOT, 'catalog/multicopter.yaml')));
const TASKS: ReadonlyMap<Errand, TaskContract> = new Map(
  ERRANDS.map((errand) => [errand, must(parseTaskContract(errand.contract, 'errand.yaml'))]),
);

export interface RigOptions {
  readonly catalog?: Catalog;
  readonly tracker?: (options: TrackerOptions) => TaskTracker;
}

export class Rig {
  readonly ledger: MemoryLedger;
  readonly tap = new Tap();
  readonly autopilot: Autopilot;
  readonly link: LossyLink;
  readonly interferences = new Set<Interference>();
  readonly watch: TruthWatch;
  engine: Engine;
  /** Of the life that runs. */
  tracker!: TaskTracker;
  nowUs = 0;
  /** The bridge's process gets no turn before this. */
  stalledUntilUs = 0;
  /** Metres; undefined: the sensor is silent. */
  rangeM: number | undefined = 4;
  /** What tells of the load; undefined: it is silent. */
  loadGone: () => boolean | undefined = () => this.autopilot.status().released;
  readonly #random: () => number;
  readonly #writers = new Map<number, FrameWriter>();
  #held: Said[] = [];
  #receiver: Receiver | undefined;
  readonly #task: TaskContract;

  constructor(
    seed: number,
    readonly errand: Errand = LEG,
    private readonly options: RigOptions = {},
  ) {
    this.#task = TASKS.get(errand) ?? must(parseTaskContract(errand.contract, 'errand.yaml'));
    this.watch = new TruthWatch(errand.thereM);
    this.#random = seededRandom(seed);
    this.ledger = new MemoryLedger({
      nowUs: () => this.nowUs,
      wallMs: () => WALL_MS + Math.floor(this.nowUs / 1000),
    });
    this.autopilot = new Autopilot({
      systemId: 1,
      random: this.#random,
      devices: true,
      home: HOME,
      parameters: { RTL_RETURN_ALT: 5 },
    });
    this.link = new LossyLink(this.#random);
    this.ledger.append('run-opened', { runId: 'run-1' });
    this.ledger.append('contract-bound', contractBody(this.#task));
    this.engine = this.#open();
    this.#warmUp();
  }

  /** The vehicle alone: nobody listens yet. */
  #warmUp(): void {
    for (; this.nowUs < WARM_UP_US; this.nowUs += TICK_US) {
      if (this.nowUs === ASKED_US) this.#quieten();
      this.autopilot.step(this.nowUs);
    }
  }

  #quieten(): void {
    const ask = (name: string, intervalUs: number): void =>
      this.foreignCommand(SET_MESSAGE_INTERVAL, [messageInfoByName(name)?.id ?? 0, intervalUs]);
    for (const name of UNREAD) ask(name, -1);
    ask('ATTITUDE', ATTITUDE_US);
  }

  get truth(): Truth {
    return this.autopilot.truth();
  }

  /** One tick of everything. */
  step(): void {
    this.nowUs += TICK_US;
    const { nowUs } = this;
    for (const bytes of this.link.toVehicle.receive(nowUs)) {
      this.tap.arrived(bytes, nowUs);
      this.autopilot.receive(bytes, nowUs);
    }
    for (const message of this.autopilot.step(nowUs)) {
      if (!UNREAD.has(message.name)) this.#interfere(message);
    }
    this.watch.look(this.autopilot, nowUs);
    this.#release();
    for (const bytes of this.link.fromVehicle.receive(nowUs)) {
      this.tap.heard(bytes, nowUs);
      this.#receiver?.(bytes, VEHICLE);
    }
    if (nowUs % 100_000 === 0) this.#sense();
    if (nowUs >= this.stalledUntilUs) this.engine.tick(nowUs);
  }

  #interfere(message: OutgoingMessage): void {
    let said: readonly Said[] = [{ message, systemId: 1, bornUs: this.nowUs, dueUs: this.nowUs }];
    for (const interference of this.interferences) said = said.flatMap(interference);
    this.#held.push(...said);
  }

  #release(): void {
    if (this.#held.length === 0) return;
    const due = this.#held.filter(({ dueUs }) => dueUs <= this.nowUs);
    this.#held = this.#held.filter(({ dueUs }) => dueUs > this.nowUs);
    due.sort((a, b) => a.dueUs - b.dueUs);
    for (const { message, systemId, bornUs } of due) {
      const bytes = this.#writer(systemId).frame(message);
      this.tap.leaves(bytes, message, bornUs);
      this.link.fromVehicle.send(bytes, this.nowUs);
    }
  }

  #writer(systemId: number): FrameWriter {
    const found = this.#writers.get(systemId) ?? new FrameWriter(systemId);
    this.#writers.set(systemId, found);
    return found;
  }

  #sense(): void {
    const value = this.loadGone();
    const source = 'ros:/payload/released';
    if (value !== undefined) {
      this.engine.observe({ field: 'payload.released', value, source, receivedUs: this.nowUs });
    }
    if (this.rangeM === undefined) return;
    const heard = { source: 'ros:/range/front', receivedUs: this.nowUs };
    this.engine.observe({ ...heard, field: 'range.front.max', value: 30 });
    this.engine.observe({ ...heard, field: 'range.front', value: this.rangeM });
  }

  /** Somebody else's command reaches the vehicle: a ground station's, a pilot's. */
  foreignCommand(command: number, params: readonly number[]): void {
    const fields = {
      target_system: 1,
      target_component: 1,
      command,
      confirmation: 0,
      ...Object.fromEntries([1, 2, 3, 4, 5, 6, 7].map((n) => [`param${n}`, params[n - 1] ?? 0])),
    };
    const message = { name: 'COMMAND_LONG', fields, ...STATION };
    this.autopilot.receive(message, this.nowUs);
  }

  /** The task's state as the ledger alone gives it. */
  replayed(): Result<TaskTracker> {
    const { tracker: create = createTaskTracker } = this.options;
    const tracker = create({
      contract: this.#task,
      verifySignature: (receipt) => this.ledger.verifyReceipt(receipt),
    });
    for (const record of this.ledger.records) {
      const applied = tracker.apply(record);
      if (!applied.ok) return fail(applied.error);
    }
    return ok(tracker);
  }

  /** The process dies without a word, and a new one opens the same ledger and the same link. */
  restart(): void {
    this.ledger.nextLife();
    this.ledger.append('epoch-opened', { bootEpoch: this.ledger.bootEpoch });
    this.engine = this.#open();
  }

  /** The next life knows nothing of this one: its run is closed, and another one opened. */
  restartAnew(): void {
    this.ledger.append('run-closed', { reason: 'not continued', residual: [] });
    this.ledger.nextLife();
    this.ledger.append('epoch-opened', { bootEpoch: this.ledger.bootEpoch });
    this.ledger.append('run-opened', { runId: `run-${this.ledger.bootEpoch}` });
    this.ledger.append('contract-bound', contractBody(this.#task));
    this.engine = this.#open();
  }

  #open(): Engine {
    this.tracker = must(this.replayed());
    return new Engine({
      catalog: this.options.catalog ?? CATALOG,
      contract: this.#task,
      link: new MavlinkLink({
        transport: this.#transport(),
        nowUs: () => this.nowUs,
        vehicleSystemId: 1,
      }),
      ledger: this.ledger,
      tracker: this.tracker,
      nowUs: this.nowUs,
      newToken: () => String(this.#random()),
    });
  }

  #transport() {
    let peer: Endpoint | undefined;
    const send = (bytes: Uint8Array) => {
      this.tap.sends(bytes, this.nowUs, this.ledger.durableSeq, this.watch.lastUs);
      this.link.toVehicle.send(bytes, this.nowUs);
      return { ok: true as const };
    };
    return {
      get peer() {
        return peer;
      },
      stats: { sent: 0, sendErrors: 0, trouble: undefined },
      onBytes: (receiver: Receiver) => {
        this.#receiver = receiver;
      },
      adoptPeer: (endpoint: Endpoint) => {
        peer = endpoint;
      },
      send,
      close: () => Promise.resolve(),
    };
  }

  /** Puts a response to the engine; the answer comes with the next tick that it gets. */
  submit(response: object, answered: (reply: SubmitReply) => void): boolean {
    return this.engine.offer({
      type: 'submit',
      text: JSON.stringify(response),
      reply: answered,
    });
  }

  /** An operator's word on one component. */
  approve(componentDigest: string, approved: boolean): void {
    const approval = { componentDigest, approver: 'ada', approved, validS: 30 };
    this.engine.offer({ type: 'approve', approval, reply: () => undefined });
  }
}
