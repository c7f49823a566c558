/**
 * One lease in flight as the engine flies it: in each tick the link is read, the evidence of the
 * tick put and its snapshot taken, the lease reviewed, the setpoint made; then the setpoint call:
 * minted, checked and written in one turn. The ledger is a real one, so the boot epoch is read
 * from its folder before each frame, and the digests of frames are recorded.
 * Enters: where frames go. Leaves: when the setpoint was called, and what the call took.
 * Never: a step of the tick that the engine does not run, or a time that holds more or less than
 * the call: waking up, reading and reviewing belong to the tick, as they do in the product.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { supportFindings } from '../../src/admission/index.js';
import { EvidenceStore } from '../../src/evidence/index.js';
import type { Gate, GatePorts, Lease } from '../../src/gate/index.js';
import { openLedger, type Ledger } from '../../src/ledger/index.js';
import { assert, systemClock } from '../../src/platform/index.js';
import { benchGate, SNAPSHOT, setpoint, typedComponent } from './gate.js';

/** As the engine's recorder batches them. */
const FRAMES_PER_RECORD = 50;
const FLUSH_LIMIT_MS = 5000;

export interface Outlet {
  readonly write: GatePorts['write'];
  /** Reads the link, as the engine does first in each tick. */
  drain(nowUs: number): void;
}

export interface Call {
  readonly calledNs: bigint;
  readonly tookUs: number;
}

export class Flight {
  readonly #ledger: Ledger;
  readonly #dir: string;
  readonly #outlet: Outlet;
  readonly #store = new EvidenceStore();
  readonly #gate: Gate;
  readonly #lease: Lease;
  #snapshot = this.#store.snapshot(systemClock.nowUs());
  #digests: string[] = [];

  constructor(ledger: Ledger, dir: string, outlet: Outlet) {
    this.#ledger = ledger;
    this.#dir = dir;
    this.#outlet = outlet;
    const component = typedComponent();
    const { seq } = ledger.append('guardian-action', { action: 'bench', reason: 'bench' });
    const ports = {
      write: outlet.write,
      support: (_lease: Lease, nowUs: number) =>
        supportFindings({
          component,
          snapshot: this.#snapshot,
          nowUs,
          stage: 'flight',
          basisEpochs: this.#snapshot.epochs,
        }),
      isDurable: (of: number) => ledger.poisoned === undefined && ledger.durableSeq >= of,
      currentEpoch: () => ledger.currentEpoch(),
      liveEpochs: () => this.#store.epochs,
    };
    const options = { bootEpoch: ledger.bootEpoch, epochs: this.#store.epochs, intent: seq };
    const { gate, lease } = benchGate(ports, { ...options, nowUs: systemClock.nowUs() });
    this.#gate = gate;
    this.#lease = lease;
  }

  /** `x` metres north, never less than before. */
  tick(x: number, nowUs: number): Call {
    this.#outlet.drain(nowUs);
    for (const { field, value } of SNAPSHOT.values.values()) {
      this.#store.put({ field, value, source: 'mavlink:BENCH', receivedUs: nowUs });
    }
    this.#snapshot = this.#store.snapshot(nowUs);
    assert(this.#gate.review(this.#lease, nowUs) === undefined, 'the lease of the bench stands');
    const message = setpoint(x);
    const calledNs = process.hrtime.bigint();
    const minted = this.#gate.mint(this.#lease, message, nowUs);
    assert(minted.ok, minted.ok ? '' : minted.error.message);
    const sent = this.#gate.dispatch(this.#lease, minted.value, nowUs);
    const tookUs = Number(process.hrtime.bigint() - calledNs) / 1000;
    assert(sent.ok, sent.ok ? '' : sent.error.message);
    this.#record(sent.value.wireDigest);
    return { calledNs, tookUs };
  }

  #record(digest: string): void {
    this.#digests.push(digest);
    if (this.#digests.length < FRAMES_PER_RECORD) return;
    const { framesDrawn: last, id: leaseId } = this.#lease;
    const first = last - FRAMES_PER_RECORD + 1;
    this.#ledger.append('frames', { leaseId, first, last, digests: this.#digests });
    this.#digests = [];
  }

  async close(): Promise<void> {
    await this.#ledger.close();
    rmSync(this.#dir, { recursive: true });
  }
}

/** Metres a call, while warming up: numbers with fractions, as those of a leg are. */
const WARM_UP_STEP_M = 1e-6;
/** Five minutes of setpoints at 50 Hz. */
const WARM_UP_CALLS = 15_000;
const WARM_UP_BURST = 50;

/** As warm as the bridge is in flight: the peers come compiled. Moves by a hundredth of a metre. */
export async function warmUp(flight: Flight): Promise<void> {
  for (let k = 1; k <= WARM_UP_CALLS; k += 1) {
    flight.tick(k * WARM_UP_STEP_M, systemClock.nowUs());
    if (k % WARM_UP_BURST === 0) await setImmediate();
  }
}

/** A flight whose intent is on disk: every frame may leave. */
export async function openFlight(outlet: Outlet): Promise<Flight> {
  const dir = mkdtempSync(path.join(tmpdir(), 'halo-bench-'));
  const opened = await openLedger({ dir, clock: systemClock, generateKeys: true });
  assert(opened.ok, 'a ledger in an empty folder opens');
  const flight = new Flight(opened.value, dir, outlet);
  const flushed = await opened.value.flush(FLUSH_LIMIT_MS);
  assert(flushed.ok, 'the intent reaches the disk');
  return flight;
}
