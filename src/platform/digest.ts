/**
 * Digests and canonical JSON. Enters: plain data that a schema has checked. Leaves: hex, text.
 * Never: a digest of something that JSON cannot say (NaN, functions, big integers).
 */
import { hash } from 'node:crypto';
import { assert } from './assert.js';

/**
 * RFC 8785 text: members sorted by their UTF-16 code units, numbers and strings as ECMAScript
 * writes them; members without a value are left out. The package `canonicalize` says the same
 * (tested) and takes five times as long. Asserts on values that have no canonical form: they
 * never pass intake.
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      assert(Number.isFinite(value), 'a number with a canonical form is finite');
      return String(value);
    case 'boolean':
      return value ? 'true' : 'false';
    case 'object':
      if (value === null) return 'null';
      return Array.isArray(value) ? canonicalArray(value) : canonicalObject(value);
    default:
      assert(false, `a ${typeof value} has no canonical form`);
  }
}

function canonicalArray(items: readonly unknown[]): string {
  let text = '[';
  for (let i = 0; i < items.length; i += 1) {
    const item = items[i];
    text += (i === 0 ? '' : ',') + (item === undefined ? 'null' : canonicalJson(item));
  }
  return `${text}]`;
}

function canonicalObject(object: object): string {
  // The parse edge: an object of plain data is a record of its own members.
  const members = object as Readonly<Record<string, unknown>>;
  let text = '';
  for (const key of Object.keys(members).sort()) {
    const member = members[key];
    if (member === undefined) continue;
    text += `${text === '' ? '{' : ','}${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return text === '' ? '{}' : `${text}}`;
}

/** SHA-256 in lower-case hex. */
export const sha256Hex = (data: string | Uint8Array): string => hash('sha256', data, 'hex');

/** SHA-256 of the canonical JSON. */
export const digestOf = (value: unknown): string => sha256Hex(canonicalJson(value));
