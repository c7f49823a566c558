/**
 * The final dispatch gate: the one door through which a frame reaches the vehicle.
 * Enters: grants, and the messages that effects want sent. Leaves: frames, through the actuation
 * port that it alone holds. Never: a frame whose checks ran in another turn than its write, a
 * second frame for one token, or a lease that comes back.
 */
import {
  CODES,
  fail,
  insideEnvelope,
  legsOf,
  movesByVelocity,
  nextPlace,
  ok,
  outlasts,
  outrunsSpeed,
  setpointOf,
  START,
  type DispatchView,
  type Envelope,
  type Epochs,
  type Finding,
  type HaloError,
  type LeaseEnd,
  type Result,
  type SentPoint,
  type WireMessage,
} from '../contract/index.js';
import { assert, sha256Hex } from '../platform/index.js';
import { bindingOf, leaseBindingOf, wireBytes, type LeaseBinding } from './binding.js';
import {
  CHECK_NAMES,
  CHECKS,
  LEASE_CHECKS,
  type CheckName,
  type FrameContext,
  type LeaseContext,
  type Refusal,
  type Token,
} from './checks.js';
import { leaseView, type Grant, type Lease, type MintedFrame } from './lease.js';

export interface GatePorts {
  /** Message to payload bytes (before truncation); refuses what MAVLink cannot say. */
  encode(message: WireMessage): Result<{ readonly id: number; readonly payload: Uint8Array }>;
  /** Frames the payload and hands it to the socket in this turn. */
  write(messageId: number, payload: Uint8Array): Result<{ readonly sequence: number }>;
  /** Live support of the component, from evidence of this very moment. */
  support(lease: Lease, nowUs: number): readonly Finding[];
  prerequisitesReady(lease: Lease): boolean;
  isDurable(ledgerSeq: number): boolean;
  /** Boot epoch as the ledger folder shows it now: a second process that opened it raised it. */
  currentEpoch(): number;
  liveEpochs(): Epochs;
  /** Unguessable, from the machine's entropy. */
  newToken(): string;
}

export interface GateIdentity {
  readonly runId: string;
  readonly bootEpoch: number;
}

/** One frame that left. */
export interface Dispatch {
  readonly leaseId: string;
  readonly sequence: number;
  readonly linkSequence: number;
  readonly messageId: number;
  readonly wireDigest: string;
  readonly atUs: number;
}

type LeaseCheck = (c: LeaseContext) => Omit<Refusal, 'check'> | undefined;
type FrameCheck = (c: FrameContext) => Omit<Refusal, 'check'> | undefined;

export class Gate {
  readonly #ports: GatePorts;
  readonly #identity: GateIdentity;
  readonly #frameChecks: readonly { readonly name: CheckName; readonly run: FrameCheck }[];
  readonly #leaseChecks: readonly { readonly name: CheckName; readonly run: LeaseCheck }[];
  readonly #leases = new Map<string, Lease>();
  /** What all frames of a lease are bound to, as it was when the lease was granted. */
  readonly #bound = new WeakMap<Lease, LeaseBinding>();
  /** Minted and not yet spent. At most one lives, since mint and dispatch share a turn. */
  readonly #tokens = new Map<string, Token>();
  #leaseCount = 0;
  #sequence = 0;
  #refused = 0;
  #lastFrameDigest = '';
  #lastRefusalCode = '';
  #closed: HaloError | undefined;

  constructor(ports: GatePorts, identity: GateIdentity, removed: ReadonlySet<CheckName>) {
    this.#ports = ports;
    this.#identity = identity;
    const order = CHECK_NAMES.filter((name) => !removed.has(name));
    this.#frameChecks = order.map((name) => ({ name, run: CHECKS[name] }));
    const ofLease: Partial<Record<CheckName, LeaseCheck>> = LEASE_CHECKS;
    this.#leaseChecks = order.flatMap((name) => {
      const run = ofLease[name];
      return run === undefined ? [] : [{ name, run }];
    });
  }

  /** The lease exists at once; its frames leave once `recordIntent` has a durable record. */
  grant(grant: Grant, nowUs: number): Lease {
    this.#leaseCount += 1;
    const id = `l-${this.#identity.bootEpoch}-${this.#leaseCount}`;
    const bound = this.#boundOf(id, grant);
    const lease: Lease = {
      id,
      grant,
      grantedUs: nowUs,
      bindingDigest: bound.leaseDigest,
      intentSeq: Number.POSITIVE_INFINITY,
      framesDrawn: 0,
      lastPoint: startOf(grant.envelope, nowUs),
      legs: legsOf(grant.envelope),
      place: START,
      movingSinceUs: undefined,
      end: undefined,
    };
    this.#leases.set(lease.id, lease);
    this.#bound.set(lease, bound);
    return lease;
  }

  recordIntent(lease: Lease, ledgerSeq: number): void {
    assert(lease.intentSeq === Number.POSITIVE_INFINITY, 'a lease has one intent');
    lease.intentSeq = ledgerSeq;
  }

  /** Ends a lease for good. Ending an ended lease keeps the first reason. */
  end(lease: Lease, end: LeaseEnd): void {
    lease.end ??= end;
    this.#leases.delete(lease.id);
  }

  /** Binds one message to one token. Refuses what the lease's envelope does not hold. */
  mint(lease: Lease, message: WireMessage, nowUs: number): Result<MintedFrame> {
    const { envelope } = lease.grant;
    const point = setpointOf(message, nowUs);
    const moves = movesByVelocity(message);
    const outside =
      insideEnvelope(envelope, message) ??
      (point && lease.lastPoint && outrunsSpeed(envelope, lease.lastPoint, point)) ??
      (moves ? outlasts(envelope, lease.movingSinceUs ?? nowUs, nowUs) : undefined);
    if (outside !== undefined) return fail(this.#countRefusal(outside));
    const { legs, lastPoint, place: last } = lease;
    const place = legs && lastPoint && point && nextPlace(legs, last, lastPoint, point);
    const encoded = this.#ports.encode(message);
    if (!encoded.ok) return fail(this.#countRefusal(encoded.error));
    const { id, payload } = encoded.value;
    const bound = this.#bound.get(lease);
    assert(bound !== undefined, 'a lease is used at the gate that granted it');
    this.#sequence += 1;
    const wire = wireBytes(id, payload);
    const digest = sha256Hex(wire);
    const binding = bindingOf(bound, id, this.#sequence, digest);
    const own = bindingOf(bound, id, this.#sequence, digest);
    const token = `${this.#identity.bootEpoch}.${this.#ports.newToken()}`;
    this.#tokens.set(token, { binding: own, wire });
    return ok({ token, binding, messageId: id, payload, point, place, moves });
  }

  /**
   * All checks and the write in one synchronous turn. The token is spent whatever comes out.
   * A refusal that ends the lease has ended it when this returns.
   */
  dispatch(lease: Lease, frame: MintedFrame, nowUs: number): Result<Dispatch, Refusal> {
    const token = this.#tokens.get(frame.token);
    this.#tokens.delete(frame.token);
    const refusal = this.#closed
      ? this.#closedRefusal(this.#closed)
      : this.#firstRefusal(this.#frameContext(lease, frame, token, nowUs));
    if (refusal !== undefined) return fail(this.#refuse(lease, refusal));
    const written = this.#ports.write(frame.messageId, frame.payload);
    if (!written.ok) {
      const { code, message } = written.error;
      return fail(
        this.#refuse(lease, { check: 'support', code, message, findings: [], endsLease: true }),
      );
    }
    lease.framesDrawn += 1;
    lease.lastPoint = frame.point ?? lease.lastPoint;
    lease.place = frame.place ?? lease.place;
    if (frame.moves) lease.movingSinceUs ??= nowUs;
    this.#lastFrameDigest = frame.binding.wireDigest;
    return ok({
      leaseId: lease.id,
      sequence: frame.binding.sequence,
      linkSequence: written.value.sequence,
      messageId: frame.messageId,
      wireDigest: frame.binding.wireDigest,
      atUs: nowUs,
    });
  }

  /**
   * The checks that need no frame, for the ticks in which an effect sends none: a lease whose
   * support is gone ends in the tick in which that is seen. The refusal has ended the lease.
   */
  review(lease: Lease, nowUs: number): Refusal | undefined {
    const context = this.#leaseContext(lease, nowUs);
    for (const { name, run } of this.#leaseChecks) {
      const refusal = run(context);
      if (refusal !== undefined) return this.#refuse(lease, { check: name, ...refusal });
    }
    return undefined;
  }

  /** Stops every dispatch until restart: a poisoned ledger, a failed assertion, the shutdown. */
  close(reason: HaloError): void {
    this.#closed ??= reason;
    for (const lease of [...this.#leases.values()]) {
      this.end(lease, { code: reason.code, message: reason.message });
    }
  }

  get closed(): HaloError | undefined {
    return this.#closed;
  }

  view(framesDispatched: number): DispatchView {
    return {
      leases: [...this.#leases.values()].map(leaseView),
      framesDispatched,
      framesRefused: this.#refused,
      bootEpoch: this.#identity.bootEpoch,
      lastFrameDigest: this.#lastFrameDigest,
      lastRefusalCode: this.#lastRefusalCode,
    };
  }

  #boundOf(id: string, grant: Grant): LeaseBinding {
    return leaseBindingOf({
      runId: this.#identity.runId,
      bootEpoch: this.#identity.bootEpoch,
      generation: grant.generation,
      componentId: grant.componentId,
      componentDigest: grant.componentDigest,
      catalogDigest: grant.catalogDigest,
      leaseId: id,
      targetSystem: grant.envelope.targetSystem,
      epochs: Object.freeze({ ...grant.epochs }),
    });
  }

  #leaseContext(lease: Lease, nowUs: number): LeaseContext {
    return {
      lease,
      nowUs,
      liveEpochs: this.#ports.liveEpochs(),
      bootEpoch: this.#identity.bootEpoch,
      currentEpoch: this.#ports.currentEpoch(),
      prerequisitesReady: this.#ports.prerequisitesReady(lease),
      support: () => this.#ports.support(lease, nowUs),
    };
  }

  #frameContext(
    lease: Lease,
    frame: MintedFrame,
    token: FrameContext['token'],
    nowUs: number,
  ): FrameContext {
    // Not spread from the above: for every frame, that takes longer than most checks.
    return {
      lease,
      nowUs,
      liveEpochs: this.#ports.liveEpochs(),
      bootEpoch: this.#identity.bootEpoch,
      currentEpoch: this.#ports.currentEpoch(),
      prerequisitesReady: this.#ports.prerequisitesReady(lease),
      support: () => this.#ports.support(lease, nowUs),
      frame,
      token,
      durable: this.#ports.isDurable(lease.intentSeq),
    };
  }

  #firstRefusal(context: FrameContext): Refusal | undefined {
    for (const { name, run } of this.#frameChecks) {
      const refusal = run(context);
      if (refusal !== undefined) return { check: name, ...refusal };
    }
    return undefined;
  }

  #closedRefusal(reason: HaloError): Refusal {
    const message = `${CODES['HALO-413'].title}: ${reason.message}`;
    return { check: 'lease-active', code: 'HALO-413', message, findings: [], endsLease: true };
  }

  #refuse(lease: Lease, refusal: Refusal): Refusal {
    this.#refused += 1;
    this.#lastRefusalCode = refusal.code;
    if (refusal.endsLease) this.end(lease, { code: refusal.code, message: refusal.message });
    return refusal;
  }

  #countRefusal(error: HaloError): HaloError {
    this.#refused += 1;
    this.#lastRefusalCode = error.code;
    return error;
  }
}

/** A leg begins at the start of its segment: even the first setpoint may not leap ahead. */
function startOf(envelope: Envelope, nowUs: number): SentPoint | undefined {
  const segment = envelope.allowed.find((allowed) => allowed.type === 'setpoint');
  return segment && { nedM: segment.fromNedM, yawNedRad: segment.yawNedRad, atUs: nowUs };
}

/** A gate with every check. There is no other way to get one outside of tests. */
export const createGate = (ports: GatePorts, identity: GateIdentity): Gate =>
  new Gate(ports, identity, new Set());
