/**
 * Errors with the remedy of the table. Enters: a code, one sentence, a place. Leaves: HaloError.
 * Never: a code without its remedy.
 */
import { CODES, type Code, type HaloError } from '../contract/index.js';

/** `path` says where: a JSON path, `file:line:column`, or a URL. */
export function haloError(code: Code, message: string, path?: string): HaloError {
  const error = { code, message, remedy: CODES[code].remedy };
  return path === undefined ? error : { ...error, path };
}
