/**
 * The point that a goto streams: it walks the straight line from start to target at the admitted
 * speed. PX4 would answer a far setpoint with up to 12 m/s; it follows a near one.
 * Enters: time and where the vehicle is. Leaves: the next point. Never: a point beside the line, a
 * step back, or a leap after a stall.
 */
import type { Vec3 } from '../frames.js';

/**
 * How far the point may be ahead, in seconds of flight at the admitted speed. PX4 flies at 0.95/s
 * times the distance (MPC_XY_P), so it follows 1.05 s behind; held back by wind or load it must
 * not see a point so far away that it would race there.
 */
const LEAD_S = 1.15;
/** Near the start the estimate's own noise must not stop the point. */
const LEAD_MIN_M = 0.5;

/** After a stall the point goes on from where it was, as if one tick had been late. */
const STEP_MAX_US = 200_000;

export class Carrot {
  readonly lengthM: number;
  readonly #from: Vec3;
  readonly #to: Vec3;
  readonly #speedMS: number;
  #alongM = 0;
  #lastUs: number | undefined;

  constructor(from: Vec3, to: Vec3, speedMS: number) {
    this.#from = from;
    this.#to = to;
    this.#speedMS = speedMS;
    this.lengthM = Math.hypot(to[0] - from[0], to[1] - from[1], to[2] - from[2]);
  }

  get arrived(): boolean {
    return this.#alongM >= this.lengthM;
  }

  get remainingM(): number {
    return this.lengthM - this.#alongM;
  }

  /** Moves on; `at` undefined (no fresh position) holds the point where it is. */
  advance(nowUs: number, at: Vec3 | undefined): void {
    const dtUs = Math.min(nowUs - (this.#lastUs ?? nowUs), STEP_MAX_US);
    this.#lastUs = nowUs;
    if (at === undefined || this.arrived) return;
    const leadM = Math.max(LEAD_MIN_M, LEAD_S * this.#speedMS);
    const limitM = Math.min(this.lengthM, this.#progressM(at) + leadM);
    const nextM = Math.min(limitM, this.#alongM + (this.#speedMS * dtUs) / 1e6);
    this.#alongM = Math.max(this.#alongM, nextM);
  }

  /** The end is the target itself, not a sum of steps. */
  get point(): Vec3 {
    if (this.arrived) return this.#to;
    const share = this.#alongM / this.lengthM;
    const mix = (i: 0 | 1 | 2): number => this.#from[i] + share * (this.#to[i] - this.#from[i]);
    return [mix(0), mix(1), mix(2)];
  }

  /** Projection of a position on the line, m from the start. */
  #progressM(at: Vec3): number {
    if (this.lengthM === 0) return 0;
    const [from, to] = [this.#from, this.#to];
    const dot = at.reduce((sum, x, i) => {
      const start = from[i] ?? 0;
      return sum + (x - start) * ((to[i] ?? 0) - start);
    }, 0);
    return dot / this.lengthM;
  }
}
