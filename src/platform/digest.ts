/**
 * Digests and canonical JSON. Enters: plain data that a schema has checked. Leaves: hex.
 * Never: a digest of something that JSON cannot say (NaN, functions, lone surrogates).
 */
import { createHash } from 'node:crypto';
import canonicalize from 'canonicalize';
import { assert } from './assert.js';

/** RFC 8785 text. Asserts on values that have no canonical form: they never pass intake. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  assert(text !== undefined, 'value has a canonical form');
  return text;
}

/** SHA-256 in lower-case hex. */
export const sha256Hex = (data: string | Uint8Array): string =>
  createHash('sha256').update(data).digest('hex');

/** SHA-256 of the canonical JSON. */
export const digestOf = (value: unknown): string => sha256Hex(canonicalJson(value));
