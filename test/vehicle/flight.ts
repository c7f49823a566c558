/**
 * Effects against the embedded autopilot, in virtual time: messages as bytes in both directions,
 * evidence, epochs and envelopes as in the bridge, without its gate and ledger.
 */
import { expect } from 'vitest';
import { Autopilot, type Fault } from '../../sim/autopilot/index.js';
import {
  insideEnvelope,
  type KindEntry,
  type Snapshot,
  type Typed,
  type WireMessage,
} from '../../src/contract/index.js';
import { EpochTracker, EvidenceStore, type EpochMove } from '../../src/evidence/index.js';
import { decodePayload, encodePayload } from '../../src/link/index.js';
import { seededRandom } from '../../src/platform/index.js';
import {
  createEffect,
  Housekeeping,
  Telemetry,
  type CommandAck,
  type EffectMachine,
  type EffectOptions,
  type EffectStep,
  type Received,
} from '../../src/vehicle/index.js';
import { SECOND } from './hand.js';

const TICK_US = 20_000;
const SYSTEM = 1;

export class Flight {
  readonly autopilot: Autopilot;
  readonly store = new EvidenceStore();
  readonly epochs = new EpochTracker();
  readonly telemetry = new Telemetry({
    vehicleSystem: SYSTEM,
    ownSystem: SYSTEM,
    ownComponent: 191,
  });
  readonly housekeeping = new Housekeeping({ targetSystem: SYSTEM });
  readonly moves: EpochMove[] = [];
  readonly sent: WireMessage[] = [];
  /** Share of messages that are lost, in each direction. */
  loss = 0;
  readonly #random: () => number;
  nowUs = 5 * SECOND;
  snapshot: Snapshot;
  topSpeedMS = 0;
  #acks: readonly CommandAck[] = [];
  #reasons: readonly string[] = [];
  #heard: readonly Received[] = [];

  constructor(seed = 1, noise = 1) {
    this.#random = seededRandom(seed + 1000);
    this.autopilot = new Autopilot({
      systemId: SYSTEM,
      home: { latitudeDeg: 47.397742, longitudeDeg: 8.545594, altitudeM: 488 },
      random: seededRandom(seed),
      noise,
    });
    this.snapshot = this.store.snapshot(this.nowUs);
  }

  /** One tick of both sides; what `machine` wants sent goes out checked against its envelope. */
  tick(machine?: EffectMachine): EffectStep | undefined {
    this.nowUs += TICK_US;
    this.#hear();
    const step = machine?.step({
      nowUs: this.nowUs,
      snapshot: this.snapshot,
      acks: this.#acks,
      heard: this.#heard,
      reasons: this.#reasons,
    });
    if (machine !== undefined) this.#expect(machine);
    for (const frame of step?.frames ?? []) {
      expect(machine && insideEnvelope(machine.envelope, frame)).toBeUndefined();
      this.sent.push(frame);
      this.#send(frame);
    }
    for (const request of this.housekeeping.step(this.nowUs, this.#acks)) this.#send(request);
    const { n, e, d } = this.autopilot.truth().velocityNedMS;
    this.topSpeedMS = Math.max(this.topSpeedMS, Math.hypot(n, e, d));
    return step;
  }

  wait(seconds: number): void {
    for (const untilUs = this.nowUs + seconds * SECOND; this.nowUs < untilUs;) this.tick();
  }

  /** Runs a machine until it ends, or fails the test. */
  drive(machine: EffectMachine, seconds = 120): EffectStep {
    for (const untilUs = this.nowUs + seconds * SECOND; this.nowUs < untilUs;) {
      const step = this.tick(machine);
      if (step !== undefined && step.status !== 'running') return step;
    }
    throw new Error(`still running after ${seconds} s`);
  }

  create(typed: Typed, entry: KindEntry, more: Partial<EffectOptions> = {}): EffectMachine {
    const { snapshot, nowUs } = this;
    const options = { entry, snapshot, nowUs, targetSystem: SYSTEM, ...more };
    const made = createEffect(typed, options);
    if (!made.ok) throw new Error(made.error.message);
    return made.value;
  }

  inject(fault: Fault): void {
    this.autopilot.inject(fault);
  }

  value(field: string) {
    return this.snapshot.values.get(field)?.value;
  }

  #hear(): void {
    for (const message of this.autopilot.step(this.nowUs)) {
      if (this.#lost()) continue;
      this.telemetry.ingest({
        message,
        systemId: SYSTEM,
        componentId: 1,
        receivedUs: this.nowUs,
      });
    }
    const { values, acks, reasons, signs, heard } = this.telemetry.drain();
    for (const value of values) this.store.put(value);
    for (const move of this.epochs.take(signs, this.nowUs)) {
      this.moves.push(move);
      this.store.raise(move.kind, move.reason);
    }
    this.snapshot = this.store.snapshot(this.nowUs);
    this.#acks = acks;
    this.#reasons = reasons;
    this.#heard = heard;
  }

  #expect({ expects }: EffectMachine): void {
    this.epochs.expectMode(expects.modes, this.nowUs + 3 * SECOND);
    if (expects.armed !== undefined) {
      this.epochs.expectArming(expects.armed, this.nowUs + 3 * SECOND);
    }
  }

  #lost(): boolean {
    return this.loss > 0 && this.#random() < this.loss;
  }

  #send(message: WireMessage): void {
    if (this.#lost()) return;
    const encoded = encodePayload(message);
    if (!encoded.ok) throw new Error(encoded.message);
    const decoded = decodePayload(encoded.id, encoded.payload);
    if (decoded === undefined) throw new Error(`${message.name} does not decode`);
    const { name, fields } = decoded;
    this.autopilot.receive({ name, fields, systemId: SYSTEM, componentId: 191 }, this.nowUs);
  }
}
