/**
 * Velocity: one velocity for a bounded time, in OFFBOARD; then none, then PX4's own hold.
 *
 *   priming ──► entering ──► moving ──► stopping ──► handing over ──► done
 *    zero velocity   mode seen   the time     still      AUTO.LOITER seen
 *
 * Enters: velocity, position, mode. Leaves: setpoints at 20 Hz, two mode commands.
 * Never: a velocity after its time, or an end without an explicit stop.
 */
import {
  fail,
  ok,
  type Envelope,
  type Observed,
  type ParamsOf,
  type Result,
  type WireMessage,
} from '../../contract/index.js';
import { haloError } from '../../platform/index.js';
import { nedFromEnu, yawNedFromCompassDeg, yawNedFromEnu, type Vec3 } from '../frames.js';
import { allowMode, allowVelocity, AUTOPILOT, velocityTarget } from '../messages.js';
import { readNumber, readVector } from '../reading.js';
import { PRIME_US } from './route.js';
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

/** Slower than this the vehicle stands: twice what the velocity estimate strays in a hover. */
const STILL_MS = 0.4;
const STILL_DWELL_S = 0.5;
/** Entering, braking at 3 m/s² from the fastest permitted, and the hand-over to hold. */
const OVERHEAD_S = 8;
/** The mean velocity over the time may be this much slower: the vehicle has to gather speed. */
const LEAST_SHARE = 0.5;

const ZERO: Vec3 = [0, 0, 0];

export class Velocity implements EffectMachine {
  readonly envelope: Envelope;
  readonly #options: EffectOptions;
  readonly #params: ParamsOf<'velocity'>;
  readonly #velocityNedMS: Vec3;
  readonly #yawNedRad: number;
  readonly #offboard: ModeCommand;
  readonly #loiter: ModeCommand;
  readonly #stream = new Stream();
  readonly #still = new Dwell();
  readonly #startUs: number;
  readonly #deadlineUs: number;
  readonly #durationUs: number;
  #phase: 'entering' | 'moving' | 'stopping' | 'handing over' = 'entering';
  #movingSinceUs = 0;
  #from: Vec3 | undefined;
  #wentM = 0;

  private constructor(params: ParamsOf<'velocity'>, yawNedRad: number, options: EffectOptions) {
    const { targetSystem, nowUs, entry } = options;
    this.#durationUs = Math.round(params.durationS * 1e6);
    const allowed = allowVelocity(nedFromEnu(params.velocityMS), yawNedRad, this.#durationUs);
    this.envelope = {
      targetSystem,
      targetComponent: AUTOPILOT,
      allowed: [allowed, allowMode('OFFBOARD'), allowMode('AUTO.LOITER')],
    };
    this.#options = options;
    this.#params = params;
    this.#velocityNedMS = allowed.velocityNedMS;
    this.#yawNedRad = allowed.yawNedRad;
    this.#offboard = new ModeCommand(targetSystem, 'OFFBOARD');
    this.#loiter = new ModeCommand(targetSystem, 'AUTO.LOITER');
    this.#startUs = nowUs;
    this.#deadlineUs = deadlineUs(nowUs, entry.deadlineS);
  }

  static create(params: ParamsOf<'velocity'>, options: EffectOptions): Result<Velocity> {
    const { snapshot, nowUs, entry } = options;
    const yaw = readNumber(snapshot, 'vehicle.yaw', nowUs)?.value;
    if (yaw === undefined && params.yawDeg === undefined) {
      return fail(haloError('HALO-208', 'A velocity starts from a fresh heading.'));
    }
    const landed = readLanded(options)?.value ?? 'not known';
    if (landed !== 'in_air') {
      return fail(haloError('HALO-211', `A velocity needs in_air; the vehicle is ${landed}.`));
    }
    const needsS = params.durationS + OVERHEAD_S;
    const needsFrames = Math.ceil(needsS * Stream.FRAMES_PER_S);
    if (needsS > entry.deadlineS || needsFrames > entry.frames) {
      const code = needsS > entry.deadlineS ? 'HALO-404' : 'HALO-403';
      const has = `${entry.deadlineS} s and ${entry.frames} frames`;
      return fail(
        haloError(code, `It takes ${show(needsS)} s, ${needsFrames} frames; the lease has ${has}.`),
      );
    }
    const yawNedRad =
      params.yawDeg === undefined ? yawNedFromEnu(yaw ?? 0) : yawNedFromCompassDeg(params.yawDeg);
    return ok(new Velocity(params, yawNedRad, options));
  }

  get expects(): Expects {
    return { modes: this.#mode.expects };
  }

  get #mode(): ModeCommand {
    return this.#phase === 'handing over' ? this.#loiter : this.#offboard;
  }

  step(context: EffectContext): EffectStep {
    const { nowUs } = context;
    if (nowUs > this.#deadlineUs) return unknown(this.#phase, 'not brought to its end in time');
    if (readArmed(context)?.value === false) return unknown(this.#phase, 'disarmed on the way');
    if (this.#phase === 'entering') return this.#enter(context);
    const mode = readMode(context)?.value;
    const left = mode !== undefined && mode !== 'OFFBOARD';
    if (left && !(this.#phase === 'handing over' && mode === 'AUTO.LOITER')) {
      return unknown(this.#phase, `OFFBOARD was left for ${mode}`);
    }
    if (this.#phase === 'moving') return this.#move(context);
    return this.#phase === 'stopping' ? this.#stop(context) : this.#handOver(context);
  }

  #enter(context: EffectContext): EffectStep {
    const { nowUs } = context;
    const inForce = readMode(context)?.value === 'OFFBOARD';
    const primed = this.#options.streaming === true || nowUs - this.#startUs >= PRIME_US;
    if (!inForce && !primed) {
      return running('priming', 'streaming a stop before OFFBOARD', this.#frames(nowUs, ZERO));
    }
    const step = this.#offboard.step(context);
    if (step === undefined) {
      this.#phase = 'moving';
      this.#movingSinceUs = nowUs;
      return this.#move(context);
    }
    if (step.status !== 'running') return step;
    return { ...step, frames: [...this.#frames(nowUs, ZERO), ...step.frames] };
  }

  #move(context: EffectContext): EffectStep {
    const { nowUs } = context;
    const goneUs = nowUs - this.#movingSinceUs;
    this.#measure(context);
    if (goneUs >= this.#durationUs) {
      this.#phase = 'stopping';
      return this.#stop(context);
    }
    const detail = `${show(goneUs / 1e6)} s of ${show(this.#params.durationS)} s`;
    return running('moving', detail, this.#frames(nowUs, this.#velocityNedMS));
  }

  #stop(context: EffectContext): EffectStep {
    const { nowUs, snapshot } = context;
    const velocity = readVector(snapshot, 'vehicle.velocity', nowUs)?.value;
    this.#measure(context);
    const speedMS = velocity === undefined ? Infinity : Math.hypot(...velocity);
    const stillS = this.#still.held(speedMS <= STILL_MS, nowUs);
    if (stillS !== undefined && stillS >= STILL_DWELL_S) {
      this.#phase = 'handing over';
      return this.#handOver(context);
    }
    return running('stopping', `${show(speedMS)} m/s`, this.#frames(nowUs, ZERO));
  }

  #handOver(context: EffectContext): EffectStep {
    const step = this.#loiter.step(context);
    if (step === undefined) return this.#judge(context);
    if (step.status !== 'running') return step;
    const frames = [...this.#frames(context.nowUs, ZERO), ...step.frames];
    return running('handing over', step.detail, frames);
  }

  /** Done by the way that was gone: a vehicle that stood against the wind has not moved. */
  #judge(context: EffectContext): EffectStep {
    const { velocityMS, durationS } = this.#params;
    const position = readVector(context.snapshot, 'vehicle.position', context.nowUs)?.value;
    const askedM = Math.hypot(...velocityMS) * durationS;
    if (position === undefined) return running('handing over', 'position not known');
    if (readLanded(context)?.value !== 'in_air') {
      return unknown('handing over', 'no longer seen in the air');
    }
    const went = `${show(this.#wentM)} m of ${show(askedM)} m`;
    // The first second goes into gathering speed.
    if (this.#wentM < LEAST_SHARE * Math.max(0, askedM - Math.hypot(...velocityMS))) {
      return unknown('handing over', `it went ${went} along the velocity`);
    }
    const observed: Observed = {
      completed: true,
      airborne: true,
      position,
      dwellS: STILL_DWELL_S,
      wentM: this.#wentM,
      mode: 'AUTO.LOITER',
    };
    return done(`went ${went}`, observed);
  }

  /** The way along the velocity since it was first asked for. */
  #measure({ snapshot, nowUs }: EffectContext): void {
    const at = readVector(snapshot, 'vehicle.position', nowUs)?.value;
    if (at === undefined) return;
    const from = (this.#from ??= at);
    const { velocityMS } = this.#params;
    const dot = velocityMS.reduce((sum, v, i) => sum + v * ((at[i] ?? 0) - (from[i] ?? 0)), 0);
    this.#wentM = dot / Math.hypot(...velocityMS);
  }

  #frames(nowUs: number, velocityNedMS: Vec3): readonly WireMessage[] {
    if (!this.#stream.due(nowUs)) return [];
    return [velocityTarget(this.#options.targetSystem, velocityNedMS, this.#yawNedRad)];
  }
}
