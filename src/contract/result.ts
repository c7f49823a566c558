/**
 * Expected trouble as a value. Enters: nothing. Leaves: the one Result type of the project.
 * Never: an exception for something that an operator, an agent or a radio can cause.
 */
import type { Code } from './codes.js';

/** Trouble with a stable code, one sentence, and what to do about it. */
export interface HaloError {
  readonly code: Code;
  readonly message: string;
  readonly remedy: string;
  /** Where: a JSON path (`components[2].params.speedMS`), a file with line, or a URL. */
  readonly path?: string;
}

export type Result<T, E = HaloError> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): { readonly ok: true; readonly value: T } => ({ ok: true, value });

export const fail = <E>(error: E): { readonly ok: false; readonly error: E } => ({
  ok: false,
  error,
});
