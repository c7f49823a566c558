/**
 * What really happened, from the body that the simulator moves. Enters: the autopilot, each tick.
 * Leaves: when each condition last held in truth. Never: anything from telemetry.
 */
import type { Autopilot } from '../../../sim/autopilot/index.js';

/** What a receipt allows (0.8 m), what GPS strays by (0.85 m), and some for the gust of a stop. */
const NEAR_M = 2;

export interface TruthTimes {
  readonly airborne: number;
  readonly armed: number;
  readonly there: number;
  readonly down: number;
}

export class TruthWatch {
  /** The local frame's numbers against the truth: resets of the estimator add up. */
  shiftNedM = { n: 0, e: 0 };
  lastUs: TruthTimes = {
    ...{ airborne: -Infinity, armed: -Infinity, there: -Infinity, down: -Infinity },
  };

  constructor(private readonly thereM: readonly [number, number, number]) {}

  look(autopilot: Autopilot, nowUs: number): void {
    const { onGround, positionNedM: at } = autopilot.truth();
    const { armed } = autopilot.status();
    const { n, e } = this.shiftNedM;
    const [east, north, upM] = this.thereM;
    const near = Math.hypot(at.e + e - east, at.n + n - north, -at.d - upM) <= NEAR_M;
    const { lastUs } = this;
    this.lastUs = {
      airborne: onGround ? lastUs.airborne : nowUs,
      armed: armed ? nowUs : lastUs.armed,
      there: near ? nowUs : lastUs.there,
      down: onGround && !armed ? nowUs : lastUs.down,
    };
  }
}
