/**
 * The point that a route streams: it walks the straight legs from corner to corner at the admitted
 * speed. PX4 would answer a far setpoint with up to 12 m/s; it follows a near one.
 * Enters: time and where the vehicle is. Leaves: the next point. Never: a point beside the legs, a
 * step back, a leap after a stall, or a corner cut where one is to be flown.
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

export interface Corner {
  readonly at: Vec3;
  /** Wait here until the vehicle is within this; else the point goes round it. */
  readonly stopWithinM?: number;
}

export class Carrot {
  readonly lengthM: number;
  readonly #points: readonly Vec3[];
  readonly #stops: readonly (number | undefined)[];
  /** Way from the start to each point. */
  readonly #ways: readonly number[];
  readonly #speedMS: number;
  #alongM = 0;
  #progressM = 0;
  #offM = 0;
  #lastUs: number | undefined;

  constructor(from: Vec3, corners: readonly Corner[], speedMS: number) {
    this.#points = [from, ...corners.map(({ at }) => at)];
    this.#stops = [undefined, ...corners.map(({ stopWithinM }) => stopWithinM)];
    this.#speedMS = speedMS;
    let way = 0;
    this.#ways = this.#points.map((point, i) => {
      way += distanceM(this.#points[i - 1] ?? point, point);
      return way;
    });
    this.lengthM = way;
  }

  get arrived(): boolean {
    return this.#alongM >= this.lengthM;
  }

  get remainingM(): number {
    return this.lengthM - this.#alongM;
  }

  /** How far the vehicle is from the part of the route that it is on, m. */
  get offM(): number {
    return this.#offM;
  }

  /** Number of the leg that the point is on, from 0. */
  get leg(): number {
    const next = this.#ways.findIndex((way, i) => i > 0 && way > this.#alongM);
    return next === -1 ? Math.max(0, this.#points.length - 2) : next - 1;
  }

  /** Moves on; `at` undefined (no fresh position) holds the point where it is. */
  advance(nowUs: number, at: Vec3 | undefined): void {
    const dtUs = Math.min(nowUs - (this.#lastUs ?? nowUs), STEP_MAX_US);
    this.#lastUs = nowUs;
    if (at === undefined) return;
    const leadM = Math.max(LEAD_MIN_M, LEAD_S * this.#speedMS);
    this.#follow(at, leadM);
    if (this.arrived) return;
    const limitM = Math.min(this.#nextStopM(at), this.#progressM + leadM);
    const nextM = Math.min(limitM, this.#alongM + (this.#speedMS * dtUs) / 1e6);
    this.#alongM = Math.max(this.#alongM, nextM);
  }

  /** A corner is the corner itself, not a sum of steps. */
  get point(): Vec3 {
    const leg = this.leg;
    const [from, to] = this.#ends(leg);
    const [start = 0, end = 0] = [this.#ways[leg], this.#ways[leg + 1]];
    if (this.#alongM >= end) return to;
    const share = (this.#alongM - start) / (end - start);
    const mix = (i: 0 | 1 | 2): number => from[i] + share * (to[i] - from[i]);
    return [mix(0), mix(1), mix(2)];
  }

  #ends(leg: number): readonly [Vec3, Vec3] {
    const from = this.#points[leg] ?? [0, 0, 0];
    return [from, this.#points[leg + 1] ?? from];
  }

  /** The way to the next corner where the point waits; the vehicle there lets it go on. */
  #nextStopM(at: Vec3): number {
    for (let i = this.leg + 1; i < this.#points.length - 1; i += 1) {
      const withinM = this.#stops[i];
      const corner = this.#points[i];
      if (withinM === undefined || corner === undefined) continue;
      const way = this.#ways[i] ?? this.lengthM;
      if (this.#alongM < way || distanceM(at, corner) > withinM) return way;
    }
    return this.lengthM;
  }

  /**
   * Where the vehicle is along the route: the nearest place on it behind the point, no farther
   * back than the point may be ahead. On a route that crosses itself only this part is asked.
   */
  #follow(at: Vec3, leadM: number): void {
    const backM = Math.max(0, this.#alongM - 2 * leadM);
    let best = { wayM: this.#progressM, offM: Infinity };
    for (let leg = this.leg; leg >= 0 && (this.#ways[leg + 1] ?? 0) >= backM; leg -= 1) {
      const [from, to] = this.#ends(leg);
      const start = this.#ways[leg] ?? 0;
      const length = (this.#ways[leg + 1] ?? start) - start;
      const dot = at.reduce((sum, x, i) => {
        const begin = from[i] ?? 0;
        return sum + (x - begin) * ((to[i] ?? 0) - begin);
      }, 0);
      const along = length === 0 ? 0 : Math.min(length, Math.max(0, dot / length));
      const share = length === 0 ? 0 : along / length;
      const foot: Vec3 = [
        from[0] + share * (to[0] - from[0]),
        from[1] + share * (to[1] - from[1]),
        from[2] + share * (to[2] - from[2]),
      ];
      const offM = distanceM(at, foot);
      if (offM < best.offM) best = { wayM: start + along, offM };
    }
    this.#progressM = best.wayM;
    this.#offM = best.offM;
  }
}

const distanceM = (a: Vec3, b: Vec3): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
