/**
 * Brings a lost end back. Enters: one attempt, how often to make it. Leaves: the trouble of each
 * failure, the last of which says that nobody tries any more. Never: two attempts at once, one
 * after stop, or attempts without an end.
 */
import type { HaloError, Result } from '../contract/index.js';

/** A PX4 boots in 1.3 s and a USB line is plugged again within seconds: two a second do. */
const PAUSE_MS = 500;
/** After two minutes or so somebody has to look; a link back by surprise helps nobody. */
const ATTEMPTS = 240;

export class Reconnect {
  readonly #attempt: () => Promise<Result<void>>;
  readonly #attempts: number;
  #running = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(attempt: () => Promise<Result<void>>, attempts = ATTEMPTS) {
    this.#attempt = attempt;
    this.#attempts = attempts;
  }

  /** Tries until it succeeds, the attempts are used up, or {@link stop}. */
  start(said: (trouble: HaloError) => void): void {
    if (this.#running) return;
    this.#running = true;
    this.#next(this.#attempts, said);
  }

  stop(): void {
    this.#running = false;
    clearTimeout(this.#timer);
  }

  #next(left: number, said: (trouble: HaloError) => void): void {
    this.#timer = setTimeout(() => {
      void this.#attempt().then((made) => {
        if (!this.#running) return;
        if (made.ok) {
          this.#running = false;
          return;
        }
        if (left > 1) {
          said(made.error);
          this.#next(left - 1, said);
          return;
        }
        this.#running = false;
        const message = `${made.error.message} Given up after ${this.#attempts} attempts.`;
        said({ ...made.error, message });
      });
    }, PAUSE_MS);
  }
}
