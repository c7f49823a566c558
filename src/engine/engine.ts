/**
 * The stepped engine of one vehicle: callbacks only put into bounded queues, one tick decides.
 * Enters: MAVLink messages, external evidence, requests, time. Leaves: frames through the gate,
 * ledger records, events, the state. Never: a clock, a timer, a socket or a file of its own.
 *
 * One tick: read ─► epochs ─► snapshot ─► requests ─► execute ─► guard ─► obligations ─► view
 */
import {
  NO_EPOCHS,
  VEHICLE_FIELDS,
  type EngineEvent,
  type EnginePhase,
  type EnginePort,
  type EngineRequest,
  type EngineState,
  type ExternalEvidence,
  type ExternalSilence,
  type HaloError,
  type LeaseEnd,
  type RecoveryContext,
  type TaskStateView,
} from '../contract/index.js';
import type { EpochMove } from '../evidence/index.js';
import { BoundedQueue } from '../platform/index.js';
import { recoveryContext } from '../recovery/index.js';
import { Housekeeping, Telemetry } from '../vehicle/index.js';
import { Approvals } from './approvals.js';
import { assemble, type EngineOptions } from './assemble.js';
import { takeApproval } from './consent.js';
import { Contingency } from './contingency.js';
import { Denials } from './denials.js';
import { Endings } from './endings.js';
import { Executor } from './executor.js';
import { ExpectedEvidence } from './expected.js';
import { Guard } from './guard.js';
import { Inbox, refuse } from './inbox.js';
import { ParameterCheck } from './parameter-check.js';
import { EMPTY_BATCH, type Moment, type Parts } from './parts.js';
import { Receipts } from './receipts.js';
import { Reconciliation } from './reconcile.js';
import { Submissions } from './submissions.js';
import { batteryFraction, progressOf, vehicleView } from './views.js';

/** 1 kHz of topics for a quarter of a second. */
const OBSERVATIONS = 256;
/** Requests answered in one tick, so that a flood of them cannot delay frames. */
const REQUESTS_PER_TICK = 4;
/**
 * And characters of their texts: a quarter of the largest response. Refusing 64 Ki takes up to
 * 4 ms of the 20 of a tick; a longer text is the last of its tick.
 */
const CHARACTERS_PER_TICK = 64 * 1024;

export class Engine implements EnginePort {
  readonly #parts: Parts;
  readonly #inbox = new Inbox();
  readonly #observations = new BoundedQueue<ExternalEvidence | ExternalSilence>(OBSERVATIONS);
  readonly #approvals = new Approvals();
  readonly #denials: Denials;
  readonly #guard: Guard;
  readonly #receipts: Receipts;
  readonly #expected: ExpectedEvidence;
  readonly #reconciliation: Reconciliation;
  readonly #executor: Executor;
  readonly #submissions: Submissions;
  readonly #contingency: Contingency;
  readonly #endings: Endings;
  #telemetry: Telemetry | undefined;
  #housekeeping: Housekeeping | undefined;
  #parameters: ParameterCheck | undefined;
  #moment: Moment;
  #closing: string | undefined;
  #stopping = false;
  #closed = false;

  constructor(options: EngineOptions) {
    this.#moment = {
      nowUs: options.nowUs,
      snapshot: { id: 's-0', takenUs: options.nowUs, values: new Map(), epochs: NO_EPOCHS },
      acks: [],
      reasons: [],
      heard: [],
    };
    this.#parts = assemble(options, {
      support: (lease, nowUs) => {
        const run = this.#parts.plan.byLease(lease);
        const stage = lease.framesDrawn === 0 ? 'start' : 'flight';
        return run === undefined
          ? []
          : this.#executor.support(run, stage, { ...this.#moment, nowUs });
      },
    });
    this.#denials = new Denials(this.#parts);
    this.#guard = new Guard(this.#parts);
    this.#expected = new ExpectedEvidence(this.#parts);
    this.#reconciliation = new Reconciliation(this.#parts);
    this.#receipts = new Receipts(this.#parts, this.#expected);
    this.#executor = new Executor(this.#parts, {
      guard: this.#guard,
      denials: this.#denials,
      receipts: this.#receipts,
      expected: this.#expected,
      approvals: this.#approvals,
    });
    this.#submissions = new Submissions(this.#parts, this.#denials);
    this.#contingency = new Contingency(this.#parts, {
      guard: this.#guard,
      denials: this.#denials,
      executor: this.#executor,
    });
    this.#endings = new Endings(this.#parts, {
      denials: this.#denials,
      contingency: this.#contingency,
    });
  }

  offer(request: EngineRequest): boolean {
    if (!this.#closed) return this.#inbox.offer(request);
    refuse(request, 'The bridge is closed.', () => this.#recoveryContext());
    return true;
  }

  observe(evidence: ExternalEvidence | ExternalSilence): boolean {
    return this.#observations.offer(evidence);
  }

  onEvent(listener: (event: EngineEvent) => void): () => void {
    return this.#parts.recorder.listen(listener);
  }

  /** Ends leases, tells the vehicle to hold, then closes: `closed` says when that is done. */
  beginShutdown(reason: string): void {
    this.#closing ??= reason;
  }

  /** Impossible trouble: no frame leaves any more, whatever a later turn does. */
  stopDispatch(reason: HaloError): void {
    this.#parts.gate.close(reason);
    this.#closed = true;
    this.notice('error', reason);
  }

  notice(level: 'info' | 'warn' | 'error', trouble: HaloError): void {
    const message = `${trouble.code} ${trouble.message} ${trouble.remedy}`;
    this.#parts.recorder.emit({ type: 'notice', level, message, error: trouble });
  }

  get closed(): boolean {
    return this.#closed;
  }

  tick(nowUs: number): void {
    if (this.#closed) return;
    this.#guard.wake(nowUs);
    const moves = this.#read(nowUs);
    this.#watchDoors();
    this.#parts.recorder.tellDurable();
    this.#tellEpochs(moves);
    if (moves.some((m) => m.kind === 'mode') && this.#pilotTookOver()) {
      this.#guard.release('the pilot took over');
      this.#inbox.turnAwaySubmissions();
    }
    this.#expected.step(this.#moment);
    const late = this.#reconciliation.step(this.#moment);
    if (this.#closing === undefined) this.#answer();
    else this.#shutDown(this.#closing);
    this.#executor.step(this.#moment);
    this.#guard.step(this.#moment);
    this.#contingency.step(this.#moment, this.#task(), late);
    this.#submissions.tellRefusals(nowUs);
    this.#keepHouse(nowUs);
    this.#showProgress();
    this.#endings.step(this.#moment);
    if (this.#closing !== undefined) this.#closeWhenHeld(this.#closing);
    // Last of all: it says that a tick has come to its end.
    this.#parts.link.beat(nowUs);
  }

  state(): EngineState {
    const { nowUs, snapshot } = this.#moment;
    const { plan, book, gate, recorder } = this.#parts;
    return {
      nowUs,
      phase: this.#phase(),
      snapshotId: snapshot.id,
      vehicle: vehicleView(this.#parts, this.#moment),
      evidence: [...snapshot.values.values()],
      task: this.#task(),
      components: plan.runs.map((run) => progressOf(run, snapshot, nowUs)),
      obligations: book.all(),
      dispatch: gate.view(recorder.framesDispatched),
      guidance: this.#guidance(),
    };
  }

  /** Takes in what arrived since the last tick; the snapshot of the tick stands after it. */
  #read(nowUs: number): readonly EpochMove[] {
    const { link, store, epochs } = this.#parts;
    const received = link.drain(nowUs);
    const system = link.vehicleSystemId;
    if (system !== undefined) {
      this.#telemetry ??= new Telemetry({
        vehicleSystem: system,
        ownSystem: link.identity.systemId,
        ownComponent: link.identity.componentId,
      });
      this.#housekeeping ??= new Housekeeping({ targetSystem: system });
      this.#parameters ??= new ParameterCheck(this.#parts, system, (e) => this.notice('warn', e));
    }
    for (const message of received) this.#telemetry?.ingest(message);
    const batch = this.#telemetry?.drain() ?? EMPTY_BATCH;
    for (const value of batch.values) store.put(value);
    for (
      let evidence = this.#observations.shift();
      evidence !== undefined;
      evidence = this.#observations.shift()
    ) {
      if ('silence' in evidence) store.explain(evidence.field, evidence.silence);
      else store.put(evidence);
    }
    const moves = [...epochs.take(batch.signs, nowUs)];
    const begunAnew = link.takeDiscontinuity();
    if (begunAnew !== undefined) moves.push({ kind: 'link', reason: begunAnew });
    for (const { kind, reason } of moves) store.raise(kind, reason);
    this.#forget(moves);
    const snapshot = store.snapshot(nowUs);
    const { acks, reasons, heard } = batch;
    this.#moment = { nowUs, snapshot, acks, reasons, heard };
    return moves;
  }

  /** What was said before a new life, or in a frame that has moved, is not known any more. */
  #forget(moves: readonly EpochMove[]): void {
    const { store } = this.#parts;
    if (moves.some((move) => move.kind === 'vehicle')) {
      for (const field of Object.keys(VEHICLE_FIELDS)) store.forget(field);
    }
    // HOME_POSITION says home's numbers anew within a second.
    if (moves.some((move) => move.kind === 'estimator')) store.forget('vehicle.home');
  }

  #watchDoors(): void {
    const { ledger, link, gate } = this.#parts;
    const trouble = ledger.poisoned ?? link.stopped;
    if (trouble === undefined || gate.closed !== undefined) return;
    gate.close(trouble);
    this.notice('error', trouble);
  }

  #tellEpochs(moves: readonly EpochMove[]): void {
    if (moves.length === 0) return;
    const { recorder } = this.#parts;
    const { epochs } = this.#moment.snapshot;
    const moved = moves.map((m) => m.kind);
    const reason = [...new Set(moves.map((m) => m.reason))].join('; ');
    const by = this.#parts.epochs.lastModeChange?.by;
    const modeBy = moved.includes('mode') && by !== undefined ? { modeBy: by } : {};
    recorder.append('vehicle-epoch', { epochs, moved, reason, ...modeBy });
    recorder.emit({ type: 'epoch', epochs, moved, reason });
    if (!moved.includes('vehicle') && !moved.includes('link')) return;
    this.#housekeeping?.restart();
    this.#parameters?.restart();
  }

  #pilotTookOver(): boolean {
    return this.#parts.epochs.lastModeChange?.by === 'foreign';
  }

  #answer(): void {
    let characters = 0;
    for (let n = 0; n < REQUESTS_PER_TICK && characters < CHARACTERS_PER_TICK; n += 1) {
      const request = this.#inbox.shift();
      if (request === undefined) return;
      if ('text' in request) characters += request.text.length;
      this.#answerOne(request);
    }
  }

  #answerOne(request: EngineRequest): void {
    const moment = this.#moment;
    switch (request.type) {
      case 'submit':
        return request.reply(this.#submissions.submit(request.text, moment));
      case 'check':
        return request.reply(this.#submissions.check(request.text, moment));
      case 'recovery-context':
        return request.reply(this.#recoveryContext());
      case 'approve': {
        const { approval } = request;
        return request.reply(takeApproval(this.#parts, this.#approvals, approval, moment.nowUs));
      }
      case 'abort':
        return request.reply({ accepted: true, action: this.#abort(request.reason) });
    }
  }

  /** Everything ends, the vehicle holds; the contract’s contingency follows if nobody acts. */
  #abort(reason: string): string {
    const message = `Aborted: ${reason}`;
    this.#stopAll({ code: 'HALO-310', message });
    return this.#guard.act('hold', message, this.#moment);
  }

  #stopAll(end: LeaseEnd): void {
    for (const response of this.#parts.plan.live) response.aborted = true;
    this.#executor.stop(end, 'HALO-310', this.#moment);
    for (const obligation of this.#parts.book.stillOpen()) {
      this.#denials.move(obligation.id, 'abandoned');
    }
  }

  /** In the first tick everything ends and the vehicle is told to hold; the last one closes. */
  #shutDown(reason: string): void {
    const message = `The bridge is closing: ${reason}`;
    if (!this.#stopping) {
      this.#stopping = true;
      this.#stopAll({ code: 'shutdown', message });
      if (this.#parts.gate.closed === undefined) this.#guard.act('hold', message, this.#moment);
    }
    this.#inbox.refuseAll(message, () => this.#recoveryContext());
  }

  /** Once the vehicle shows the hold, or nothing can be asked of it. */
  #closeWhenHeld(reason: string): void {
    if (this.#guard.busy || !this.#parts.recorder.allTold) return;
    const residual = this.#task()
      .obligations.filter((o) => o.state !== 'satisfied')
      .map((o) => o.id);
    if (this.#parts.ledger.poisoned === undefined) {
      this.#submissions.tellRefusals(Infinity);
      this.#parts.recorder.append('run-closed', { reason, residual });
    }
    const message = `The bridge is closed: ${reason}`;
    this.#parts.gate.close({ code: 'HALO-307', message, remedy: 'Start the bridge again.' });
    this.#closed = true;
  }

  #keepHouse(nowUs: number): void {
    const { link } = this.#parts;
    for (const message of this.#housekeeping?.step(nowUs, this.#moment.acks) ?? []) {
      link.sendService(message);
    }
    this.#parameters?.step(this.#moment);
  }

  /** Tells of each component whose state, reason or phase has changed since the last tick. */
  #showProgress(): void {
    const { plan, recorder } = this.#parts;
    const { snapshot, nowUs } = this.#moment;
    for (const run of plan.runs) {
      const now = `${run.state}|${run.reason}`;
      if (run.told === now) continue;
      run.told = now;
      recorder.emit({ type: 'progress', progress: progressOf(run, snapshot, nowUs) });
    }
  }

  #phase(): EnginePhase {
    if (this.#closed) return 'closed';
    if (!this.#parts.epochs.connected) return 'waiting-vehicle';
    if (this.#contingency.running) return 'contingency';
    if (this.#guard.engaged) return 'guarding';
    return this.#parts.plan.live.length > 0 ? 'executing' : 'idle';
  }

  #task(): TaskStateView {
    const { nowUs, snapshot } = this.#moment;
    return this.#parts.tracker.view(nowUs, batteryFraction(snapshot));
  }

  #recoveryContext(): RecoveryContext {
    return recoveryContext(
      this.#task(),
      this.#parts.contract,
      this.#parts.book.all(),
      this.#moment.snapshot.id,
      this.#parts.tracker.trace.decision,
    );
  }

  #guidance(): readonly string[] {
    const { epochs, plan, book } = this.#parts;
    const theirs = this.#pilotTookOver() && plan.live.length === 0;
    const mode = epochs.lastModeChange?.to ?? '';
    const pilot = `Somebody else chose ${mode}: the vehicle is theirs until a fresh response.`;
    const open = book.stillOpen().map((o) => {
      const scope = o.scope.componentIds.join(', ');
      const leftS = Math.max(0, (o.expiresUs - this.#moment.nowUs) / 1_000_000).toFixed(0);
      const kinds = o.scope.kinds.join(', ');
      const may = `You may replace ${scope} by ${kinds} within ${leftS} s`;
      return `${o.id}: ${o.reason} ${may}; candidates left: ${o.triesLeft}.`;
    });
    return theirs ? [pilot, ...open] : open;
  }
}
