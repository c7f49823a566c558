/**
 * How well the vehicle knows where it is. Enters: poses, resets, time. Leaves: the variance that
 * the estimator tells, and how far it has drifted. Never: a word of warning: the firmware says
 * nothing when its position is lost.
 */
import type { CrazyflieOptions } from './types.js';

const SETTLED_M2 = 0.00002;
const UNKNOWN_M2 = 1;
/** The estimator settles within two seconds. */
const SETTLE_TIME_S = 0.3;
/** Poses arrive at 10 Hz or faster; after so long without one the estimate runs on inertia. */
const POSE_LOST_US = 500_000;
/** 0.1 m after 6 s and 0.4 m after 12 s, as measured with an ideal sensor: half a t squared. */
const DRIFT_MS2 = 0.0055;

export class Positioning {
  #varianceM2 = UNKNOWN_M2;
  #poseUs: number | undefined;
  #blindS = 0;

  constructor(private readonly source: CrazyflieOptions['positioning']) {}

  get varianceM2(): number {
    return this.#varianceM2;
  }

  get driftM(): number {
    return 0.5 * DRIFT_MS2 * this.#blindS ** 2;
  }

  hearPose(nowUs: number): void {
    if (this.source === 'external') this.#poseUs = nowUs;
  }

  reset(): void {
    this.#varianceM2 = UNKNOWN_M2;
  }

  step(dtS: number, nowUs: number): void {
    const known = this.#poseUs;
    const fed = this.source === 'deck' || (known !== undefined && nowUs - known <= POSE_LOST_US);
    if (fed) {
      this.#blindS = 0;
      const k = 1 - Math.exp(-dtS / SETTLE_TIME_S);
      this.#varianceM2 += (SETTLED_M2 - this.#varianceM2) * k;
      return;
    }
    if (known !== undefined) this.#blindS += dtS;
    this.#varianceM2 = Math.min(UNKNOWN_M2, this.#varianceM2 + 0.01 * this.#blindS * dtS);
  }
}
