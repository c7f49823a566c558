/**
 * Impossible trouble. Enters: a condition that this code guarantees by itself. Leaves: nothing.
 * Never: a check of what an operator, an agent or a radio can cause: that is a Result.
 */

/** Thrown when the program contradicts itself; whoever catches it closes the gate. */
export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant';
}

/** Throws {@link BrokenInvariant} unless `condition` holds; `message` says what was promised. */
export function assert(condition: unknown, message: string): asserts condition {
  if (condition !== true) throw new BrokenInvariant(message);
}

/** For the default branch of an exhaustive switch: a case that the types rule out. */
export function unreachable(value: never): never {
  throw new BrokenInvariant(`unreachable value ${String(value)}`);
}
