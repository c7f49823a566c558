/**
 * Waits that end. Enters: a time; or work under way and a limit. Leaves: its value, or undefined
 * when the limit came first. Never: a wait without a limit, or a timer that outlives the wait.
 */
import { assert } from './assert.js';

/** Node takes a longer time for none at all and fires at once: 24.8 days. */
const LIMIT_MAX_MS = 2 ** 31 - 1;

/** Rejects as `work` does. The work itself goes on after the limit: nobody listens any more. */
export async function within<T>(work: Promise<T>, limitMs: number): Promise<T | undefined> {
  assert(limitMs > 0 && limitMs <= LIMIT_MAX_MS, 'a wait has a limit');
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** The same for work without a value: whether it came to its end in time. */
export const endsWithin = async (work: Promise<unknown>, limitMs: number): Promise<boolean> =>
  (await within(
    work.then(() => true),
    limitMs,
  )) ?? false;

/** Lets others have their turn for so long. */
export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));
