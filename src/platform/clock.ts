/**
 * Time. Enters: the machine's clocks. Leaves: integers. Never: a decision by wall time.
 */

export interface Clock {
  /** Monotonic, integer microseconds; the zero is arbitrary. */
  nowUs(): number;
  /** Wall clock in ms since 1970, for people to read. */
  wallMs(): number;
}

export const systemClock: Clock = {
  nowUs: () => Number(process.hrtime.bigint() / 1000n),
  wallMs: () => Date.now(),
};

/**
 * Calls `tick` at `rateHz` against absolute deadlines, so that lateness does not add up
 * (setInterval loses about 1 ms a tick: 54 ms in 80 ticks at 20 Hz, measured).
 * Ticks that were missed are skipped, not caught up. Returns the stop function.
 *
 * The tick runs in the check phase of the event loop, after the sockets have been read: a loop
 * that was held up would otherwise decide on what it knew before, with the news still unread.
 */
export function startTicking(
  clock: Clock,
  rateHz: number,
  tick: (nowUs: number, lateUs: number) => void,
): () => void {
  const periodUs = Math.round(1_000_000 / rateHz);
  let nextUs = clock.nowUs() + periodUs;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const arm = (): void => {
    timer = setTimeout(() => setImmediate(run), Math.max(0, (nextUs - clock.nowUs()) / 1000));
  };
  const run = (): void => {
    if (stopped) return;
    const nowUs = clock.nowUs();
    if (nowUs >= nextUs) {
      const lateUs = nowUs - nextUs;
      nextUs += periodUs * (1 + Math.floor(lateUs / periodUs));
      tick(nowUs, lateUs);
    }
    arm();
  };
  arm();
  return () => {
    stopped = true;
    clearTimeout(timer);
  };
}
