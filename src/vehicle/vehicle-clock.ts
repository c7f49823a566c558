/**
 * The vehicle's boot clock on our monotonic clock, by TIMESYNC.
 * Enters: our requests going out, the answers. Leaves: when, on our clock, the vehicle stamped.
 * Never: a time before the answers agree, and none at all while one clock runs faster.
 */
import type { WireMessage } from '../contract/index.js';

interface Sample {
  readonly atUs: number;
  readonly rttUs: number;
  /** Our time minus the vehicle's, judged at half the round trip. */
  readonly offsetUs: number;
}

/** Ten answers at 1 Hz: crystals of 50 ppm part by 0.5 ms meanwhile. */
const WINDOW_US = 10_000_000;

/** Two answers could agree by chance of the same congestion; three are rare enough. */
const SAMPLES_MIN = 3;

/** A round trip of half a second says nothing better than arrival itself. */
const RTT_MAX_US = 500_000;

/**
 * Beyond what half the round trips explain, answers may differ by this before they disagree, and a
 * stamp may lie after its arrival by this: an autopilot answers and stamps on ticks of its own.
 */
const DISAGREE_US = 20_000;

/** time_boot_ms is cut to whole milliseconds. */
const STAMP_GRAIN_US = 1000;

/**
 * Nanoseconds below the microsecond in each of our requests. The vehicle echoes them, so an answer
 * to another station's request does not pass for one to ours.
 */
const MARK_NS = 417n;

export class VehicleClock {
  #samples: Sample[] = [];
  #best: Sample | undefined;

  /** Forgets everything: the vehicle has started anew. */
  reset(): void {
    this.#samples = [];
    this.#best = undefined;
  }

  /** An answer, its two fields in nanoseconds. A request of the vehicle (tc1 = 0) is none. */
  take(tc1: bigint, ts1: bigint, receivedUs: number): void {
    if (tc1 <= 0n || ts1 <= 0n || ts1 % 1000n !== MARK_NS) return;
    const sentUs = Number(ts1 / 1000n);
    const rttUs = receivedUs - sentUs;
    if (rttUs < 0 || rttUs > RTT_MAX_US) return;
    const offsetUs = Math.round(sentUs + rttUs / 2 - Number(tc1 / 1000n));
    this.#samples.push({ atUs: receivedUs, rttUs, offsetUs });
    this.#samples = this.#samples.filter((s) => receivedUs - s.atUs <= WINDOW_US);
    this.#best = this.#agreed();
  }

  /** The sample with the shortest round trip, when all the others are consistent with it. */
  #agreed(): Sample | undefined {
    const [first, ...others] = this.#samples;
    if (first === undefined || this.#samples.length < SAMPLES_MIN) return undefined;
    const best = others.reduce((a, b) => (b.rttUs < a.rttUs ? b : a), first);
    const agree = this.#samples.every((s) => {
      const allowed = DISAGREE_US + (s.rttUs + best.rttUs) / 2;
      return Math.abs(s.offsetUs - best.offsetUs) <= allowed;
    });
    return agree ? best : undefined;
  }

  /**
   * Our time of a stamp in vehicle boot milliseconds; undefined until converged. A stamp that lies
   * after its own arrival by no more than the error of the measure is taken as arrival.
   */
  stampUs(bootMs: number, receivedUs: number): number | undefined {
    const best = this.#best;
    if (best === undefined || !Number.isFinite(bootMs)) return undefined;
    if (receivedUs - best.atUs > 2 * WINDOW_US) return undefined;
    const stampUs = bootMs * 1000 + best.offsetUs;
    const errorUs = best.rttUs / 2 + STAMP_GRAIN_US + DISAGREE_US;
    return stampUs > receivedUs && stampUs <= receivedUs + errorUs ? receivedUs : stampUs;
  }
}

/** A TIMESYNC request. `nowUs` comes back in the answer. */
export const timesyncRequest = (targetSystem: number, nowUs: number): WireMessage => ({
  name: 'TIMESYNC',
  fields: {
    tc1: 0n,
    ts1: BigInt(nowUs) * 1000n + MARK_NS,
    target_system: targetSystem,
    target_component: 1,
  },
});
