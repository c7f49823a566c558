/**
 * Time that moves only when told to: a clock and an agenda of things to do.
 * In: what to call and when. Out: calls in order of time, then of asking. Never waits.
 */
import type { Clock } from '../src/platform/index.js';

interface Appointment {
  readonly atUs: number;
  readonly order: number;
  readonly run: (nowUs: number) => void;
}

/** Wall time is a day that everybody recognises as made up. */
const WALL_START_MS = Date.UTC(2026, 0, 1);

export class VirtualClock implements Clock {
  private timeUs = 0;
  private order = 0;
  private agenda: Appointment[] = [];

  nowUs(): number {
    return this.timeUs;
  }

  wallMs(): number {
    return WALL_START_MS + Math.floor(this.timeUs / 1000);
  }

  /** Calls `run` once; a time that has passed means at the next move. */
  at(atUs: number, run: (nowUs: number) => void): void {
    this.order += 1;
    this.agenda.push({ atUs, order: this.order, run });
  }

  /** Calls `run` every `periodUs`, first after one period; the returned function stops it. */
  every(periodUs: number, run: (nowUs: number) => void): () => void {
    if (!(periodUs > 0)) throw new Error('a period is longer than nothing');
    let stopped = false;
    const schedule = (atUs: number): void => {
      this.at(atUs, (nowUs) => {
        if (stopped) return;
        run(nowUs);
        schedule(atUs + periodUs);
      });
    };
    schedule(this.timeUs + periodUs);
    return () => {
      stopped = true;
    };
  }

  /** Moves on by `us` microseconds and does what falls into them. */
  advance(us: number): void {
    const untilUs = this.timeUs + us;
    for (let next = this.next(untilUs); next !== undefined; next = this.next(untilUs)) {
      this.timeUs = Math.max(this.timeUs, next.atUs);
      next.run(this.timeUs);
    }
    this.timeUs = untilUs;
  }

  /** Moves on until `done` holds; false when `limitUs` have gone by without it. */
  advanceUntil(done: () => boolean, limitUs: number, stepUs = 1_000): boolean {
    const untilUs = this.timeUs + limitUs;
    while (!done()) {
      if (this.timeUs >= untilUs) return false;
      this.advance(stepUs);
    }
    return true;
  }

  private next(untilUs: number): Appointment | undefined {
    let best: Appointment | undefined;
    for (const entry of this.agenda) {
      if (entry.atUs > untilUs) continue;
      const sooner =
        best === undefined ||
        entry.atUs < best.atUs ||
        (entry.atUs === best.atUs && entry.order < best.order);
      if (sooner) best = entry;
    }
    if (best !== undefined) this.agenda = this.agenda.filter((entry) => entry !== best);
    return best;
  }
}
