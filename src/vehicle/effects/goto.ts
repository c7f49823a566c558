/**
 * Goto: a straight leg to a position in the local frame, flown in OFFBOARD.
 *
 *   priming ──► entering ──► moving ──► settling ──► done
 *      1 s of stream   mode seen   end of line   within tolerance for the dwell
 *
 * Enters: position, mode, armed bit. Leaves: setpoints at 20 Hz, and one mode command.
 * Never: a setpoint off the line between start and target, a moving point before OFFBOARD is seen,
 * or a way back into OFFBOARD once it was left.
 */
import {
  fail,
  ok,
  type AllowedSetpoint,
  type Envelope,
  type HaloError,
  type Observed,
  type ParamsOf,
  type Result,
  type WireMessage,
} from '../../contract/index.js';
import { haloError } from '../../platform/index.js';
import {
  enuFromNed,
  horizontalM,
  nedFromEnu,
  verticalM,
  yawNedFromCompassDeg,
  yawNedFromEnu,
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
  unknown,
} from './steps.js';
import type { EffectContext, EffectMachine, EffectOptions, EffectStep, Expects } from './types.js';

/** PX4 wants 2 Hz as proof of life and fails over after 1 s; 20 Hz is smooth at 10 cm a frame. */
export const STREAM_PERIOD_US = 50_000;

/** PX4's documentation asks for more than a second of stream before OFFBOARD. */
const PRIME_US = 1_000_000;

/** A GPS hover strays up to 0.85 m from its mean; see the contract's own tolerances too. */
const HORIZONTAL_M = 0.8;
const VERTICAL_M = 0.6;
const DWELL_S = 1;

/** Entering, one second of lag behind the point, and settling: on top of length over speed. */
const OVERHEAD_S = 3;

export class Goto implements EffectMachine {
  readonly envelope: Envelope;
  readonly #options: EffectOptions;
  readonly #targetEnuM: Vec3;
  readonly #yawNedRad: number;
  readonly #carrot: Carrot;
  readonly #mode: ModeCommand;
  readonly #dwell = new Dwell();
  readonly #startUs: number;
  readonly #deadlineUs: number;
  #offboard = false;
  #lastFrameUs: number | undefined;
  #worstM = { horizontal: 0, vertical: 0 };

  private constructor(
    params: ParamsOf<'goto'>,
    start: { readonly enuM: Vec3; readonly yawNedRad: number },
    options: EffectOptions,
  ) {
    const { targetSystem, nowUs, entry } = options;
    const segment = allowSegment(
      nedFromEnu(start.enuM),
      nedFromEnu(params.positionM),
      start.yawNedRad,
      params.speedMS,
    );
    // The end of a leg that nothing follows: hold by PX4's own mode, from the same lease.
    const allowed = [segment, allowMode('OFFBOARD'), allowMode('AUTO.LOITER')];
    this.envelope = { targetSystem, targetComponent: AUTOPILOT, allowed };
    this.#options = options;
    this.#yawNedRad = segment.yawNedRad;
    this.#targetEnuM = params.positionM;
    this.#carrot = new Carrot(segment.fromNedM, segment.toNedM, params.speedMS);
    this.#mode = new ModeCommand(targetSystem, 'OFFBOARD');
    this.#startUs = nowUs;
    this.#deadlineUs = deadlineUs(nowUs, entry.deadlineS);
  }

  static create(params: ParamsOf<'goto'>, options: EffectOptions): Result<Goto> {
    const { snapshot, nowUs } = options;
    const position = readVector(snapshot, 'vehicle.position', nowUs);
    const yaw = readNumber(snapshot, 'vehicle.yaw', nowUs);
    if (position === undefined || (yaw === undefined && params.yawDeg === undefined)) {
      return fail(haloError('HALO-208', 'A leg starts from a fresh position and heading.'));
    }
    const landed = readLanded(options)?.value ?? 'not known';
    // A position setpoint on the ground would be a take-off that nobody admitted.
    if (landed !== 'in_air') {
      return fail(haloError('HALO-211', `A goto needs in_air; the vehicle is ${landed}.`));
    }
    const yawNedRad =
      params.yawDeg === undefined
        ? yawNedFromEnu(yaw?.value ?? 0)
        : yawNedFromCompassDeg(params.yawDeg);
    const effect = new Goto(params, { enuM: position.value, yawNedRad }, options);
    const trouble = effect.#tooLong(params.speedMS);
    return trouble === undefined ? ok(effect) : fail(trouble);
  }

  /** A leg that its lease cannot carry to the end is refused before it begins. */
  #tooLong(speedMS: number): HaloError | undefined {
    const { deadlineS, frames, completion } = this.#options.entry;
    const needsS = this.#carrot.lengthM / speedMS + OVERHEAD_S + (completion.dwellS ?? DWELL_S);
    const needsFrames = Math.ceil((needsS * 1e6) / STREAM_PERIOD_US);
    const leg = `${show(this.#carrot.lengthM)} m at ${show(speedMS)} m/s`;
    if (needsS > deadlineS) {
      return haloError(
        'HALO-404',
        `${leg} takes ${show(needsS)} s; the lease ends at ${deadlineS} s.`,
      );
    }
    if (needsFrames > frames) {
      return haloError('HALO-403', `${leg} takes ${needsFrames} frames; the lease has ${frames}.`);
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
      return { ...step, frames: [...this.#stream(nowUs), ...step.frames] };
    }
    return running('priming', 'streaming the start before OFFBOARD', this.#stream(nowUs));
  }

  #fly(context: EffectContext): EffectStep {
    const { nowUs, snapshot } = context;
    const mode = readMode(context)?.value;
    if (mode !== undefined && mode !== 'OFFBOARD') {
      return unknown(this.#phase, `OFFBOARD was left for ${mode}`);
    }
    const position = readVector(snapshot, 'vehicle.position', nowUs)?.value;
    this.#carrot.advance(nowUs, position && nedFromEnu(position));
    const frames = this.#stream(nowUs);
    const heldS = this.#held(nowUs, position);
    const { dwellS = DWELL_S } = this.#options.entry.completion;
    const airborne = readLanded(context)?.value === 'in_air';
    if (airborne && position !== undefined && heldS !== undefined && heldS >= dwellS) {
      const step = done(this.#toGo(context), this.#observed(position, heldS));
      return { ...step, frames };
    }
    return running(this.#phase, this.#toGo(context), frames);
  }

  /** Seconds within tolerance, of the vehicle's true position, once the point has arrived. */
  #held(nowUs: number, position: Vec3 | undefined): number | undefined {
    const { completion } = this.#options.entry;
    if (position === undefined || !this.#carrot.arrived) return this.#dwell.held(false, nowUs);
    const horizontal = horizontalM(position, this.#targetEnuM);
    const vertical = verticalM(position, this.#targetEnuM);
    const within =
      horizontal <= (completion.horizontalM ?? HORIZONTAL_M) &&
      vertical <= (completion.verticalM ?? VERTICAL_M);
    const heldS = this.#dwell.held(within, nowUs);
    const worst =
      heldS === 0 || heldS === undefined ? { horizontal: 0, vertical: 0 } : this.#worstM;
    this.#worstM = {
      horizontal: Math.max(worst.horizontal, horizontal),
      vertical: Math.max(worst.vertical, vertical),
    };
    return heldS;
  }

  #observed(position: Vec3, dwellS: number): Observed {
    const { horizontal, vertical } = this.#worstM;
    return {
      airborne: true,
      position,
      target: this.#targetEnuM,
      dwellS,
      horizontalErrorM: horizontal,
      verticalErrorM: vertical,
    };
  }

  #stream(nowUs: number): readonly WireMessage[] {
    const last = this.#lastFrameUs;
    if (last !== undefined && nowUs - last < STREAM_PERIOD_US) return [];
    // Against the grid, so that ticks of 20 ms still give 20 frames a second.
    const late = last === undefined ? 0 : (nowUs - last) % STREAM_PERIOD_US;
    this.#lastFrameUs = nowUs - late;
    return [positionTarget(this.#options.targetSystem, this.#carrot.point, this.#yawNedRad)];
  }

  get #phase(): string {
    if (!this.#offboard) return 'entering';
    return this.#carrot.arrived ? 'settling' : 'moving';
  }

  #toGo({ snapshot, nowUs }: EffectContext): string {
    const position = readVector(snapshot, 'vehicle.position', nowUs)?.value;
    if (position === undefined) return 'position not known';
    const [dx, dy, dz] = position.map((x, i) => x - (this.#targetEnuM[i] ?? 0));
    return `${show(Math.hypot(dx ?? 0, dy ?? 0, dz ?? 0))} m to go`;
  }
}

/** The setpoint entry of a goto's envelope, for the handover after it. */
export const legOf = (machine: EffectMachine): AllowedSetpoint | undefined =>
  machine.envelope.allowed.find((allowed) => allowed.type === 'setpoint');

/** Where a leg ends, ENU. */
export const endOf = (leg: AllowedSetpoint): Vec3 => enuFromNed(leg.toNedM);
