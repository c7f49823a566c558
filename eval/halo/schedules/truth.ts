/**
 * What really happened, from the body that the simulator moves. Enters: a rig, each tick.
 * Leaves: when each obligation's condition last held in truth. Never: anything from telemetry.
 */
import { LEG_M } from './errand.js';
import type { Rig } from './rig.js';

/** What a receipt allows (0.8 m), what GPS strays by (0.85 m), and some for the gust of a stop. */
const NEAR_M = 2;

export class TruthWatch {
  readonly lastUs = { airborne: -Infinity, there: -Infinity, down: -Infinity };

  look({ truth, autopilot, nowUs, shiftNedM }: Rig): void {
    const { n, e, d } = truth.positionNedM;
    const [east, north, up] = LEG_M;
    const { armed } = autopilot.status();
    if (!truth.onGround) this.lastUs.airborne = nowUs;
    if (truth.onGround && !armed) this.lastUs.down = nowUs;
    const away = Math.hypot(e + shiftNedM.e - east, n + shiftNedM.n - north, -d - up);
    if (away <= NEAR_M) this.lastUs.there = nowUs;
  }
}
