/**
 * The link's trouble as values. Enters: a code and one sentence. Leaves: an error with the remedy
 * of the table of codes. Never: an exception for what a peer, an operator or a caller can cause.
 */
import { CODES, type Code, type HaloError } from '../contract/index.js';

/** A refusal of the hot path: an error that says `ok: false` itself, so nothing is wrapped. */
export interface Refused extends HaloError {
  readonly ok: false;
}

/** @param remedy replaces the table's remedy where a more exact one is known. */
export function linkError(code: Code, message: string, remedy?: string): HaloError {
  return { code, message, remedy: remedy ?? CODES[code].remedy };
}

export function refused(code: Code, message: string, path?: string): Refused {
  const error = { ok: false, code, message, remedy: CODES[code].remedy } as const;
  return path === undefined ? error : { ...error, path };
}
