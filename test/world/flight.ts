/**
 * One bridge engine and one embedded autopilot in virtual time: a flight of a minute takes a
 * moment. Everything is the running code but the disk, the socket and the clock.
 */
import { join } from 'node:path';
import { loadCatalog } from '../../src/admission/index.js';
import type { EngineEvent, EngineRequest, SubmitReply } from '../../src/contract/index.js';
import { Engine } from '../../src/engine/index.js';
import { MavlinkLink } from '../../src/link/index.js';
import { packageRoot, seededRandom } from '../../src/platform/index.js';
import {
  contractBody,
  createTaskTracker,
  parseTaskContract,
  loadTaskContract,
} from '../../src/recovery/index.js';
import { VirtualClock } from '../../sim/virtual-clock.js';
import { VirtualVehicle } from '../../sim/virtual-vehicle.js';
import type { Trouble } from '../../sim/lossy-link.js';
import { MemoryLedger } from './memory-ledger.js';

const ROOT = packageRoot(import.meta.url);
export const EXAMPLE = join(ROOT, 'examples/01-inspect-tower');

/** Where PX4's own simulators stand. */
const HOME = { latitudeDeg: 47.397742, longitudeDeg: 8.545594, altitudeM: 488 };

const READY = ['vehicle.prearm_ok', 'vehicle.estimator_ok'];

const must = <T>(result: { ok: true; value: T } | { ok: false; error: unknown }): T => {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
};

export interface FlightOptions {
  readonly seed?: number;
  readonly trouble?: Trouble;
  /** YAML; default: the example's contract. */
  readonly contract?: string;
  readonly parameters?: Readonly<Record<string, number>>;
}

export class Flight {
  readonly clock = new VirtualClock();
  readonly ledger = new MemoryLedger(this.clock);
  readonly vehicle: VirtualVehicle;
  readonly engine: Engine;
  readonly events: EngineEvent[] = [];
  /** Metres; undefined: the sensor is silent. */
  rangeM: number | undefined = 4;

  constructor(options: FlightOptions = {}) {
    const random = seededRandom(options.seed ?? 1);
    this.vehicle = new VirtualVehicle(
      this.clock,
      {
        systemId: 1,
        random,
        home: HOME,
        parameters: { RTL_RETURN_ALT: 10, ...options.parameters },
      },
      options.trouble,
    );
    const contract = must(
      options.contract === undefined
        ? loadTaskContract(join(EXAMPLE, 'contract.yaml'))
        : parseTaskContract(options.contract, 'contract.yaml'),
    );
    const tracker = createTaskTracker({
      contract,
      verifySignature: (receipt) => this.ledger.verifyReceipt(receipt),
    });
    tracker.apply(this.ledger.append('run-opened', { runId: 'run-1' }));
    tracker.apply(this.ledger.append('contract-bound', contractBody(contract)));
    this.engine = new Engine({
      catalog: must(loadCatalog(join(ROOT, 'catalog/multicopter.yaml'))),
      contract,
      link: new MavlinkLink({
        transport: this.vehicle.transport(),
        nowUs: () => this.clock.nowUs(),
        vehicleSystemId: 1,
      }),
      ledger: this.ledger,
      tracker,
      nowUs: this.clock.nowUs(),
      newToken: () => String(random()),
    });
    this.engine.onEvent((event) => this.events.push(event));
    this.clock.every(20_000, (nowUs) => this.engine.tick(nowUs));
    this.clock.every(100_000, (nowUs) => this.#sense(nowUs));
  }

  #sense(nowUs: number): void {
    if (this.rangeM === undefined) return;
    const source = 'ros:/halo_sim/range/front';
    const heard = { source, receivedUs: nowUs };
    this.engine.observe({ ...heard, field: 'range.front.max', value: 30 });
    this.engine.observe({ ...heard, field: 'range.front', value: this.rangeM });
  }

  seconds(s: number): void {
    this.clock.advance(s * 1_000_000);
  }

  /** Advances until it holds; fails the test with the last state otherwise. */
  until(what: string, done: () => boolean, withinS = 60): void {
    const limit = withinS * 1_000_000;
    if (this.clock.advanceUntil(done, limit, 20_000)) return;
    const { phase, vehicle, components } = this.engine.state();
    throw new Error(`${what} did not come: ${JSON.stringify({ phase, vehicle, components })}`);
  }

  ready(): this {
    const holds = (field: string): boolean =>
      this.engine.state().evidence.some((e) => e.field === field && e.value === true);
    this.until('a ready vehicle', () => READY.every(holds), 20);
    return this;
  }

  submit(response: object): SubmitReply {
    let answer: SubmitReply | undefined;
    const request: EngineRequest = {
      type: 'submit',
      text: JSON.stringify(response),
      reply: (reply) => {
        answer = reply;
      },
    };
    this.engine.offer(request);
    this.until('an answer', () => answer !== undefined, 1);
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
}
