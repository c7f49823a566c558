/**
 * Carries admitted components out: starts what is ready, steps what is active, ends what is over.
 * Enters: one moment. Leaves: frames through the gate, receipts, denials.
 * Never: a start without live support, a second motion beside the first, or a done that was not
 * observed.
 *
 *   pending ─► (waiting-evidence | awaiting-approval) ─► active ─► done
 *                        └─► withheld                      └─► interrupted | unknown
 */
import { lossAction, type AdmittedComponent } from '../admission/index.js';
import {
  isEffect,
  isStill,
  isStream,
  type AllowedSetpoint,
  type Code,
  type Finding,
  type GuardianAction,
  type HaloError,
  type LeaseEnd,
} from '../contract/index.js';
import type { Lease } from '../gate/index.js';
import { finding, haloError } from '../platform/index.js';
import { createEffect, type EffectStep } from '../vehicle/index.js';
import type { Approvals } from './approvals.js';
import { Consent } from './consent.js';
import { Delivery, liveFindings } from './delivery.js';
import { withhold, type Denials } from './denials.js';
import type { ExpectedEvidence } from './expected.js';
import type { Guard } from './guard.js';
import { mayInterrupt } from './interruption.js';
import {
  endLease,
  expectChanges,
  grantLease,
  sendFrames,
  type Moment,
  type Parts,
} from './parts.js';
import { isPending, type Run } from './plan.js';
import { mayStillCome } from './reconcile.js';
import type { Receipts } from './receipts.js';
import { markEntry } from './rollback.js';

/**
 * How long a ready effect waits for evidence that is missing or old before it is withheld: two
 * heartbeats, so that one lost datagram costs nothing. Nothing is sent while it waits.
 */
const EVIDENCE_WAIT_US = 2_000_000;

/**
 * PX4 takes the vehicle when setpoints pause for COM_OF_LOSS_T (1.0 s), and gives it back by itself
 * when they go on: so after such a pause they do not go on. A little less, since its clock is not
 * ours.
 */
const STREAM_PAUSE_US = 900_000;

/**
 * Beyond the dwell that the contract asks for: a sensor that settles, or one value that was lost.
 * After it the receipt says what is, and the obligation stays open.
 */
const CONFIRM_US = 5_000_000;

/** Findings that time alone can mend. */
const MAY_PASS: ReadonlySet<string> = new Set(['HALO-208', 'HALO-209']);

export class Executor {
  readonly #parts: Parts;
  readonly #guard: Guard;
  readonly #denials: Denials;
  readonly #receipts: Receipts;
  readonly #expected: ExpectedEvidence;
  readonly #consent: Consent;
  readonly #delivery: Delivery;
  /** When the last tick was: a hanging event loop shows in it. */
  #steppedUs: number | undefined;
  /** Set by the leg that arrived in this tick: the next one may take the stream over. */
  #arrived: AllowedSetpoint | undefined;

  constructor(
    parts: Parts,
    rooms: {
      guard: Guard;
      denials: Denials;
      receipts: Receipts;
      approvals: Approvals;
      expected: ExpectedEvidence;
    },
  ) {
    this.#parts = parts;
    this.#guard = rooms.guard;
    this.#denials = rooms.denials;
    this.#receipts = rooms.receipts;
    this.#expected = rooms.expected;
    this.#consent = new Consent(rooms.approvals, rooms.denials);
    this.#delivery = new Delivery(parts, { ...rooms, consent: this.#consent });
  }

  get motion(): Run | undefined {
    return this.#parts.plan.runs.find((run) => run.state === 'active');
  }

  step(moment: Moment): void {
    this.#arrived = undefined;
    const active = this.motion;
    const pausedUs = moment.nowUs - (this.#steppedUs ?? moment.nowUs);
    this.#steppedUs = moment.nowUs;
    if (active?.confirming !== undefined) this.#confirm(active, moment);
    else if (active !== undefined) this.#stepActive(active, pausedUs, moment);
    this.#delivery.step(this.#ready(), moment);
    const left = this.#arrived;
    if (left === undefined || this.#streamGoesOn()) this.#startNext(moment);
    const offboard = moment.snapshot.values.get('vehicle.mode')?.value === 'OFFBOARD';
    const flies = this.motion !== undefined && this.motion.confirming === undefined;
    if (left !== undefined && offboard && !flies) {
      this.#guard.handOver(left, moment);
    }
  }

  /**
   * Another leg takes the stream over. Before anything else PX4 holds by itself: were the command
   * to land lost, a stream that has ended would be its failsafe a second later.
   */
  #streamGoesOn(): boolean {
    const next = this.#ready().find((run) => run.admitted && isEffect(run.admitted.entry));
    return next?.admitted !== undefined && isStream(next.admitted.entry);
  }

  /** Live findings against a component, at the first frame or at a later one. */
  support(run: Run, stage: 'start' | 'flight', moment: Moment): readonly Finding[] {
    return run.admitted === undefined ? [] : liveFindings(run.admitted, stage, moment);
  }

  /** Ends everything for a cause outside of it: an abort, the end of the bridge or of the time. */
  stop(end: LeaseEnd, code: Code, moment: Moment): void {
    const { motion } = this;
    // What was observed stays observed, whatever ends the rest.
    if (motion?.confirming !== undefined) this.#confirmed(motion, motion.confirming.step, moment);
    else if (motion !== undefined) this.#finish(motion, 'interrupted', end);
    const cause = finding('session', code, end.message);
    for (const run of this.#parts.plan.runs) if (isPending(run)) withhold(run, [cause]);
  }

  #stepActive(run: Run, pausedUs: number, moment: Moment): void {
    const { machine, lease, admitted } = run;
    if (machine === undefined || lease === undefined || admitted === undefined) return;
    const lost = streamPaused(lease, pausedUs) ?? this.#parts.gate.review(lease, moment.nowUs);
    if (lost !== undefined) return this.#lost(run, admitted, lost, moment);
    // The machine's own clock starts with its right to send.
    if (this.#parts.ledger.durableSeq < lease.intentSeq) return;
    const step = machine.step(moment);
    run.detail = step.detail === '' ? step.phase : `${step.phase}: ${step.detail}`;
    expectChanges(this.#parts, machine, moment.nowUs);
    const refusal = sendFrames(this.#parts, lease, step.frames, moment.nowUs);
    if (refusal !== undefined) return this.#lost(run, admitted, refusal, moment);
    this.#settle(run, admitted, lease, step, moment);
  }

  #settle(
    run: Run,
    admitted: AdmittedComponent,
    lease: Lease,
    step: EffectStep,
    moment: Moment,
  ): void {
    switch (step.status) {
      case 'running':
        return;
      case 'done':
        this.#arrived = lease.grant.envelope.allowed
          .filter((allowed) => allowed.type === 'setpoint')
          .map((allowed) => ({ ...allowed, fromNedM: allowed.toNedM }))
          .at(-1);
        endLease(this.#parts, lease, OBSERVED);
        run.machine = undefined;
        run.observed = step.observed;
        this.#seen(run, step, moment);
        return;
      case 'refused':
      case 'unknown': {
        const error = step.error ?? unexplained(step);
        this.#finish(run, step.status === 'unknown' ? 'unknown' : 'interrupted', error);
        const findings = [finding('vehicle', error.code, error.message)];
        this.#guardAgainst(lossAction(admitted, findings), error.message, moment);
        this.#denials.deny(run, findings, moment);
      }
    }
  }

  /** Observed; its receipt comes at once, or with the evidence that the contract expects of it. */
  #seen(run: Run, step: EffectStep, moment: Moment): void {
    const waitS = this.#expected.waitS(run.kind, step.observed ?? {}, moment);
    if (waitS === undefined) return this.#confirmed(run, step, moment);
    run.confirming = { step, untilUs: moment.nowUs + waitS * 1_000_000 + CONFIRM_US };
    run.detail = 'observed; waits for the evidence that the contract expects';
  }

  #confirm(run: Run, moment: Moment): void {
    if (run.confirming === undefined) return;
    const { step, untilUs } = run.confirming;
    const waits = this.#expected.waitS(run.kind, step.observed ?? {}, moment) !== undefined;
    if (!waits || moment.nowUs > untilUs) this.#confirmed(run, step, moment);
  }

  #confirmed(run: Run, step: EffectStep, moment: Moment): void {
    run.confirming = undefined;
    run.state = 'done';
    run.reason = OBSERVED.message;
    if (run.admitted !== undefined) this.#receipts.observed(run, run.admitted, step, moment);
  }

  /** Support is gone: no further frame, the guardian's action and the obligation, in this tick. */
  #lost(
    run: Run,
    admitted: AdmittedComponent,
    refusal: HaloError | { code: HaloError['code']; message: string; findings: readonly Finding[] },
    moment: Moment,
  ): void {
    const own = 'findings' in refusal ? refusal.findings : [];
    const findings = own.length > 0 ? own : [finding('gate', refusal.code, refusal.message)];
    // Out of time is not failed: the effect may have happened, or may still happen.
    const late = refusal.code === 'HALO-404';
    const code = late ? 'HALO-510' : refusal.code;
    this.#finish(run, late ? 'unknown' : 'interrupted', { code, message: refusal.message });
    this.#guardAgainst(lossAction(admitted, findings), refusal.message, moment);
    this.#denials.deny(run, findings, moment);
  }

  #guardAgainst(action: GuardianAction, reason: string, moment: Moment): void {
    if (action !== 'continue') this.#guard.act(action, reason, moment);
  }

  #finish(
    run: Run,
    state: 'interrupted' | 'unknown',
    end: Pick<LeaseEnd, 'code' | 'message'>,
  ): void {
    if (run.lease !== undefined) endLease(this.#parts, run.lease, end);
    run.state = state;
    run.reason = end.message;
    run.machine = undefined;
  }

  #startNext(moment: Moment): void {
    // One denial can take others with it, so what is ready is asked anew after each.
    const tried = new Set<Run>();
    for (;;) {
      if (this.#guard.busy || this.#guard.unread(moment)) return;
      const { motion } = this;
      const run = this.#ready().find(
        (r) =>
          r.admitted !== undefined &&
          this.#mayStart(r.admitted) &&
          (motion === undefined || mayInterrupt(r, motion)) &&
          !tried.has(r),
      );
      if (run?.admitted === undefined) return;
      tried.add(run);
      this.#tryStart(run, run.admitted, moment);
    }
  }

  /** What leaves the flight as it is waits until the hover has been handed to PX4's own hold. */
  #mayStart({ entry }: AdmittedComponent): boolean {
    return isEffect(entry) && !(isStill(entry) && this.#guard.doing === 'handover');
  }

  #tryStart(run: Run, admitted: AdmittedComponent, moment: Moment): void {
    const findings = this.support(run, 'start', moment);
    if (findings.length > 0) return this.#notNow(run, findings, moment);
    run.waitingSinceUs = undefined;
    const wait = mayStillCome(this.#parts, admitted, moment.nowUs);
    if (wait !== undefined) {
      run.state = 'waiting-evidence';
      run.reason = wait;
      return;
    }
    // Last, since asking spends it.
    if (admitted.needsApproval && this.#consent.of(run, admitted, moment) === undefined) return;
    const effect = createEffect(admitted.typed, {
      entry: admitted.entry,
      snapshot: moment.snapshot,
      nowUs: moment.nowUs,
      targetSystem: this.#parts.link.vehicleSystemId ?? 0,
      streaming: this.#arrived !== undefined,
      mission: admitted.mission,
      missionHash: this.#storedBy(run, admitted),
    });
    if (!effect.ok) {
      const { code, message } = effect.error;
      return this.#denials.deny(run, [finding('vehicle', code, message)], moment);
    }
    if (this.motion !== undefined) this.#interrupt(this.motion, run, moment);
    if (!isStill(admitted.entry)) this.#guard.release('a fresh admission takes over');
    const machine = effect.value;
    const { entry } = admitted;
    markEntry(this.#parts, run, moment);
    run.lease = grantLease(
      this.#parts,
      {
        componentId: run.id,
        componentDigest: admitted.digest,
        kind: run.kind,
        authority: 'agent',
        generation: run.generation,
        catalogDigest: this.#parts.catalog.digest,
        envelope: machine.envelope,
        framesAllowed: entry.frames,
        deadlineUs: moment.nowUs + entry.deadlineS * 1_000_000,
        epochs: moment.snapshot.epochs,
        boundEpochs: entry.epochs,
      },
      moment.nowUs,
    );
    run.machine = machine;
    run.state = 'active';
    run.reason = 'supported';
    expectChanges(this.#parts, machine, moment.nowUs);
  }

  /** What the upload that a start of a mission names was seen to have stored. */
  #storedBy(run: Run, { typed }: AdmittedComponent): string | undefined {
    if (typed.does !== 'mission_start') return undefined;
    const stored = this.#parts.plan.sibling(run, typed.params.of)?.observed?.['missionHash'];
    return typeof stored === 'string' ? stored : undefined;
  }

  /** A fresh response takes over from what flies: what was still to come of that is withheld. */
  #interrupt(flying: Run, by: Run, moment: Moment): void {
    const message = `Interrupted by ${by.kind} of response ${by.responseId}.`;
    const cause = finding('session', 'HALO-311', message);
    this.#finish(flying, 'interrupted', { code: 'HALO-311', message });
    this.#denials.deny(flying, [cause], moment);
    for (const run of this.#parts.plan.runs) {
      if (run.responseId === flying.responseId && isPending(run)) withhold(run, [cause]);
    }
  }

  #notNow(run: Run, findings: readonly Finding[], moment: Moment): void {
    run.waitingSinceUs ??= moment.nowUs;
    const mayPass = findings.every((f) => MAY_PASS.has(f.code));
    if (mayPass && moment.nowUs - run.waitingSinceUs < EVIDENCE_WAIT_US) {
      run.state = 'waiting-evidence';
      run.reason = findings[0]?.message ?? '';
      return;
    }
    this.#denials.deny(run, findings, moment);
  }

  #ready(): readonly Run[] {
    const { plan } = this.#parts;
    return plan.runs.filter((run) => isPending(run) && plan.prerequisitesDone(run));
  }
}

const OBSERVED = { code: 'done', message: 'observed' } as const;

function streamPaused(lease: Lease, pausedUs: number): HaloError | undefined {
  const streams = lease.grant.envelope.allowed.some(
    ({ type }) => type === 'setpoint' || type === 'velocity',
  );
  if (!streams || lease.framesDrawn === 0 || pausedUs < STREAM_PAUSE_US) return undefined;
  const pausedS = (pausedUs / 1_000_000).toFixed(1);
  return haloError('HALO-408', `The bridge stood still for ${pausedS} s, and its stream with it.`);
}

const unexplained = (step: EffectStep): HaloError => ({
  code: 'HALO-510',
  message: `${step.phase}: ${step.detail}`,
  remedy: 'Look at the vehicle.',
});
