/**
 * JSON read as two careful people would read it, in one way only. The scan refuses whatever
 * JSON.parse would take silently (the last of two equal keys, 1e999, a rounded integer, half a
 * character); JSON.parse then builds the value from text that can no longer surprise.
 * Enters: text within the size cap. Leaves: plain data, or every trouble with its place.
 * Never: an exception, or more than linear time.
 */
import { fail, ok, type Finding, type Result } from '../contract/index.js';
import { JsonScan } from './json-scan.js';

/** Errors: HALO-101, 103, 104, 105, 106, 107, each with JSON path, line and byte. */
export function readStrictJson(text: string): Result<unknown, readonly Finding[]> {
  const scan = new JsonScan(text);
  scan.document();
  if (scan.findings.length > 0) return fail(scan.findings);
  const value: unknown = JSON.parse(text);
  return ok(scan.sawNegativeZero ? withoutNegativeZero(value) : value);
}

/**
 * -0 and 0 have one canonical form and so one digest, yet differ on the wire (0x80000000):
 * what is digested and what is sent must be the same number.
 */
function withoutNegativeZero(value: unknown): unknown {
  if (value === 0) return 0;
  if (Array.isArray(value)) return value.map(withoutNegativeZero);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, withoutNegativeZero(v)]));
}
