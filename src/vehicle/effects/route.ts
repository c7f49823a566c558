/**
 * A route: straight legs from corner to corner in the local frame, flown in OFFBOARD. A goto has
 * one leg, a path several, an orbit many short ones, a turn on the spot one of no length.
 *
 *   priming ──► entering ──► moving ──► settling ──► done
 *      1 s of stream   mode seen   end of route   within tolerance for the dwell
 *
 * Enters: position, heading, mode, armed bit. Leaves: setpoints at 20 Hz, and one mode command.
 * Never: a setpoint off the legs, a moving point before OFFBOARD is seen, or a way back into
 * OFFBOARD once it was left.
 */
import {
  fail,
  ok,
  type AllowedSetpoint,
  type Envelope,
  type HaloError,
  type Observed,
  type Result,
  type WireMessage,
} from '../../contract/index.js';
import { haloError } from '../../platform/index.js';
import {
  enuFromNed,
  horizontalM,
  nedFromEnu,
  verticalM,
  wrapRad,
  yawEnuFromNed,
  type Vec3,
} from '../frames.js';
import { allowMode, allowSegment, AUTOPILOT, positionTarget } from '../messages.js';
import { readNumber, readVector } from '../reading.js';
import { Carrot } from './carrot.js';
import {
  deadlineUs,
  done,
  Dwell,
  ModeCommand,
  readArmed,
  readLanded,
  readMode,
  running,
  show,
  Stream,
  unknown,
} from './steps.js';
import type { EffectContext, EffectMachine, EffectOptions, EffectStep, Expects } from './types.js';

/** PX4's documentation asks for more than a second of stream before OFFBOARD. */
export const PRIME_US = 1_000_000;

/** A GPS hover strays up to 0.85 m from its mean; see the contract's own tolerances too. */
export const HORIZONTAL_M = 0.8;
const VERTICAL_M = 0.6;
const DWELL_S = 1;

/** Entering, one second of lag behind the point, and settling: on top of length over speed. */
const OVERHEAD_S = 3;
/** At a corner that is flown the point waits for the vehicle, which follows a second behind. */
const CORNER_S = 1.5;

export interface RouteLeg {
  readonly toEnuM: Vec3;
  readonly yawNedRad: number;
  /** The point waits at the end of this leg until the vehicle is within this of it. */
  readonly stopWithinM?: number;
}

export interface RoutePlan {
  readonly startEnuM: Vec3;
  readonly legs: readonly [RouteLeg, ...RouteLeg[]];
  readonly speedMS: number;
  /** Time that turning takes beside the way, s. */
  readonly turnS?: number;
  /** The heading at the end is part of what is observed, within this. */
  readonly yawWithinRad?: number;
  /** Further words of the receipt, in place of the target alone. */
  readonly observe?: (seen: RouteSeen) => Observed;
}

export interface RouteSeen {
  readonly yawEnuRad: number | undefined;
  readonly yawErrorRad: number;
  /** Farthest that the vehicle was from the route since it moves on it, m. */
  readonly offRouteM: number;
  readonly lengthM: number;
}

export class Route implements EffectMachine {
  readonly envelope: Envelope;
  readonly #plan: RoutePlan;
  readonly #options: EffectOptions;
  readonly #last: RouteLeg;
  readonly #segments: readonly AllowedSetpoint[];
  readonly #carrot: Carrot;
  readonly #mode: ModeCommand;
  readonly #stream = new Stream();
  readonly #dwell = new Dwell();
  readonly #startUs: number;
  readonly #deadlineUs: number;
  #offboard = false;
  #offRouteM = 0;
  #worstM = { horizontal: 0, vertical: 0, yawRad: 0 };

  private constructor(plan: RoutePlan, options: EffectOptions) {
    const { targetSystem, nowUs, entry } = options;
    const corners = [plan.startEnuM, ...plan.legs.map(({ toEnuM }) => toEnuM)].map(nedFromEnu);
    this.#segments = plan.legs.map(({ yawNedRad }, i) => {
      const [from = corners[0] ?? [0, 0, 0], to = from] = corners.slice(i, i + 2);
      return allowSegment(from, to, yawNedRad, plan.speedMS);
    });
    // The end of a route that nothing follows: hold by PX4's own mode, from the same lease.
    const allowed = [...this.#segments, allowMode('OFFBOARD'), allowMode('AUTO.LOITER')];
    this.envelope = { targetSystem, targetComponent: AUTOPILOT, allowed };
    this.#plan = plan;
    this.#options = options;
    this.#last = plan.legs.at(-1) ?? plan.legs[0];
    this.#carrot = new Carrot(
      this.#segments[0]?.fromNedM ?? [0, 0, 0],
      this.#segments.map(({ toNedM }, i) => {
        const stopWithinM = plan.legs[i]?.stopWithinM;
        return stopWithinM === undefined ? { at: toNedM } : { at: toNedM, stopWithinM };
      }),
      plan.speedMS,
    );
    this.#mode = new ModeCommand(targetSystem, 'OFFBOARD');
    this.#startUs = nowUs;
    this.#deadlineUs = deadlineUs(nowUs, entry.deadlineS);
  }

  /** HALO-211 unless it is in the air; HALO-403, 404 when its lease cannot carry it to the end. */
  static create(plan: RoutePlan, options: EffectOptions): Result<Route> {
    const landed = readLanded(options)?.value ?? 'not known';
    // A position setpoint on the ground would be a take-off that nobody admitted.
    if (landed !== 'in_air') {
      const { does } = options.entry;
      return fail(haloError('HALO-211', `A ${does} needs in_air; the vehicle is ${landed}.`));
    }
    const effect = new Route(plan, options);
    const trouble = effect.#tooLong();
    return trouble === undefined ? ok(effect) : fail(trouble);
  }

  #tooLong(): HaloError | undefined {
    const { deadlineS, frames, completion } = this.#options.entry;
    const { speedMS, legs, turnS = 0 } = this.#plan;
    const stopsS = legs.filter((leg) => leg.stopWithinM !== undefined).length * CORNER_S;
    const flightS = this.#carrot.lengthM / speedMS + stopsS + turnS;
    const needsS = flightS + OVERHEAD_S + (completion.dwellS ?? DWELL_S);
    const needsFrames = Math.ceil(needsS * Stream.FRAMES_PER_S);
    const way = `${show(this.#carrot.lengthM)} m at ${show(speedMS)} m/s`;
    if (needsS > deadlineS) {
      const message = `${way} takes ${show(needsS)} s; the lease ends at ${deadlineS} s.`;
      return haloError('HALO-404', message);
    }
    if (needsFrames > frames) {
      return haloError('HALO-403', `${way} takes ${needsFrames} frames; the lease has ${frames}.`);
    }
    return undefined;
  }

  get expects(): Expects {
    return { modes: this.#mode.expects };
  }

  step(context: EffectContext): EffectStep {
    const { nowUs } = context;
    if (nowUs > this.#deadlineUs)
      return unknown(this.#phase, `${this.#toGo(context)}: not reached in time`);
    if (readArmed(context)?.value === false) return unknown(this.#phase, 'disarmed on the way');
    return this.#offboard ? this.#fly(context) : this.#enter(context);
  }

  /** Streams the start, then asks for OFFBOARD; the mode itself decides, never an answer to it. */
  #enter(context: EffectContext): EffectStep {
    const { nowUs } = context;
    const inForce = readMode(context)?.value === 'OFFBOARD';
    const primed = this.#options.streaming === true || nowUs - this.#startUs >= PRIME_US;
    if (inForce || primed) {
      const step = this.#mode.step(context);
      if (step === undefined) {
        this.#offboard = true;
        return this.#fly(context);
      }
      if (step.status !== 'running') return step;
      return { ...step, frames: [...this.#frames(nowUs), ...step.frames] };
    }
    return running('priming', 'streaming the start before OFFBOARD', this.#frames(nowUs));
  }

  #fly(context: EffectContext): EffectStep {
    const { nowUs, snapshot } = context;
    const mode = readMode(context)?.value;
    if (mode !== undefined && mode !== 'OFFBOARD') {
      return unknown(this.#phase, `OFFBOARD was left for ${mode}`);
    }
    const position = readVector(snapshot, 'vehicle.position', nowUs)?.value;
    this.#carrot.advance(nowUs, position && nedFromEnu(position));
    if (position !== undefined) this.#offRouteM = Math.max(this.#offRouteM, this.#carrot.offM);
    const frames = this.#frames(nowUs);
    const heldS = this.#held(context, position);
    const { dwellS = DWELL_S } = this.#options.entry.completion;
    const airborne = readLanded(context)?.value === 'in_air';
    if (airborne && position !== undefined && heldS !== undefined && heldS >= dwellS) {
      const step = done(this.#toGo(context), this.#observed(context, position, heldS));
      return { ...step, frames };
    }
    return running(this.#phase, this.#toGo(context), frames);
  }

  /** Seconds within tolerance, of the vehicle's true position, once the point has arrived. */
  #held(context: EffectContext, position: Vec3 | undefined): number | undefined {
    const { nowUs } = context;
    const { completion } = this.#options.entry;
    const { yawWithinRad } = this.#plan;
    if (position === undefined || !this.#carrot.arrived) return this.#dwell.held(false, nowUs);
    const horizontal = horizontalM(position, this.#last.toEnuM);
    const vertical = verticalM(position, this.#last.toEnuM);
    const yawRad = this.#yawErrorRad(context);
    const within =
      horizontal <= (completion.horizontalM ?? HORIZONTAL_M) &&
      vertical <= (completion.verticalM ?? VERTICAL_M) &&
      (yawWithinRad === undefined || yawRad <= yawWithinRad);
    const heldS = this.#dwell.held(within, nowUs);
    const fresh = heldS === 0 || heldS === undefined;
    const worst = fresh ? { horizontal: 0, vertical: 0, yawRad: 0 } : this.#worstM;
    this.#worstM = {
      horizontal: Math.max(worst.horizontal, horizontal),
      vertical: Math.max(worst.vertical, vertical),
      yawRad: Math.max(worst.yawRad, yawRad),
    };
    return heldS;
  }

  /** Infinity while the heading is not known. */
  #yawErrorRad({ snapshot, nowUs }: EffectContext): number {
    const yaw = readNumber(snapshot, 'vehicle.yaw', nowUs)?.value;
    if (yaw === undefined) return Infinity;
    return Math.abs(wrapRad(yaw - yawEnuFromNed(this.#last.yawNedRad)));
  }

  #observed({ snapshot, nowUs }: EffectContext, position: Vec3, dwellS: number): Observed {
    const { horizontal, vertical, yawRad } = this.#worstM;
    const seen: RouteSeen = {
      yawEnuRad: readNumber(snapshot, 'vehicle.yaw', nowUs)?.value,
      yawErrorRad: yawRad,
      offRouteM: this.#offRouteM,
      lengthM: this.#carrot.lengthM,
    };
    return {
      airborne: true,
      position,
      target: this.#last.toEnuM,
      dwellS,
      horizontalErrorM: horizontal,
      verticalErrorM: vertical,
      ...this.#plan.observe?.(seen),
    };
  }

  #frames(nowUs: number): readonly WireMessage[] {
    if (!this.#stream.due(nowUs)) return [];
    const yawNedRad = this.#segments[this.#carrot.leg]?.yawNedRad ?? this.#last.yawNedRad;
    return [positionTarget(this.#options.targetSystem, this.#carrot.point, yawNedRad)];
  }

  get #phase(): string {
    if (!this.#offboard) return 'entering';
    return this.#carrot.arrived ? 'settling' : 'moving';
  }

  #toGo({ snapshot, nowUs }: EffectContext): string {
    const position = readVector(snapshot, 'vehicle.position', nowUs)?.value;
    if (position === undefined) return 'position not known';
    const target = this.#last.toEnuM;
    const straightM = Math.hypot(...position.map((x, i) => x - (target[i] ?? 0)));
    const many = this.#plan.legs.length > 1 && !this.#carrot.arrived;
    return `${show(many ? this.#carrot.remainingM : straightM)} m to go`;
  }
}

/** The setpoint that a route ends with, for the handover after it. */
export const legOf = (machine: EffectMachine): AllowedSetpoint | undefined =>
  machine.envelope.allowed.filter((allowed) => allowed.type === 'setpoint').at(-1);

/** Where a leg ends, ENU. */
export const endOf = (leg: AllowedSetpoint): Vec3 => enuFromNed(leg.toNedM);
