/**
 * How much of the task's time is used. Enters: times of records, then of now. Leaves: seconds.
 * Never: more time than there is. Within one life of the bridge the monotonic clock counts;
 * between two lives only the wall clock is left, and of the sums that it allows the larger counts.
 */
import type { ClockState } from './tracker-state.js';

interface Stamp {
  readonly tUs: number;
  readonly wallMs: number;
}

const stampOf = ({ tUs, wallMs }: Stamp): Stamp => ({ tUs, wallMs });

export class TaskClock {
  readonly #start: Stamp;
  #lifeStart: Stamp;
  #last: Stamp;
  /** Used up in the lives before this one. */
  #carriedUs = 0;

  constructor(start: Stamp) {
    this.#start = start;
    this.#lifeStart = start;
    this.#last = start;
  }

  static restored({ start, lifeStart, last, carriedUs }: ClockState): TaskClock {
    const clock = new TaskClock(start);
    clock.#lifeStart = lifeStart;
    clock.#last = last;
    clock.#carriedUs = carriedUs;
    return clock;
  }

  /** For a snapshot of the ledger. */
  exported(): ClockState {
    return {
      start: stampOf(this.#start),
      lifeStart: stampOf(this.#lifeStart),
      last: stampOf(this.#last),
      carriedUs: this.#carriedUs,
    };
  }

  /** A record of the same life. */
  see(stamp: Stamp): void {
    this.#last = stamp;
  }

  /** The first record of a new life. */
  newLife(stamp: Stamp): void {
    const lived = this.#carriedUs + (this.#last.tUs - this.#lifeStart.tUs);
    // A wall clock that was set back says that no time passed: then at least what was lived counts.
    const gap = Math.max(0, stamp.wallMs - this.#last.wallMs) * 1000;
    const byWall = (stamp.wallMs - this.#start.wallMs) * 1000;
    this.#carriedUs = Math.max(lived + gap, byWall);
    this.#lifeStart = stamp;
    this.#last = stamp;
  }

  usedS(nowUs: number): number {
    return (this.#carriedUs + Math.max(0, nowUs - this.#lifeStart.tUs)) / 1_000_000;
  }
}
