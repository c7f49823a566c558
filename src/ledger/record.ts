/**
 * One record as one line. Enters: a kind and a body, or the bytes of a line. Leaves: the record
 * with its hash. Never: a line whose hash covers less than all its other bytes.
 *
 * The line is the RFC 8785 form of the record: keys sorted, so `body` comes first and everything
 * else stands in a tail of fixed shape. The hash is the SHA-256 of the same line without its
 * `hash` member, so it is checked on the bytes as they lie, without canonicalizing again. The
 * tail is read backwards, byte by byte: a million records are read at every long start, and
 * strings made for each of them took more time than the hashing.
 */
import { hash } from 'node:crypto';
import { RECORD_KINDS, type LedgerRecord, type RecordKind } from '../contract/index.js';
import { assert, canonicalJson, sha256Hex } from '../platform/index.js';

export const RECORD_VERSION = 1;

/** `prev` of the first record. */
export const GENESIS_HASH = '0'.repeat(64);

/** 4 MiB: over twice the verdict on a response of 1000 components with findings each. */
export const LINE_BYTES_MAX = 4 * 1024 * 1024;

export interface EncodedRecord {
  readonly record: LedgerRecord;
  /** With its newline. */
  readonly line: string;
}

export type RecordHead = Omit<LedgerRecord, 'v' | 'body' | 'hash'>;

const KINDS: ReadonlySet<string> = new Set(RECORD_KINDS);

const isKind = (text: string): text is RecordKind => KINDS.has(text);

export function encodeRecord(head: RecordHead, body: unknown): EncodedRecord {
  for (const number of [head.seq, head.epoch, head.tUs, head.wallMs]) {
    assert(Number.isSafeInteger(number) && number >= 0, 'a record’s numbers are whole');
  }
  const before = `{"body":${canonicalJson(body)},"epoch":${head.epoch}`;
  const after =
    `,"kind":"${head.kind}","prev":"${head.prev}","seq":${head.seq},"tUs":${head.tUs},` +
    `"v":${RECORD_VERSION},"wallMs":${head.wallMs}}`;
  const own = sha256Hex(before + after);
  const line = `${before},"hash":"${own}"${after}\n`;
  assert(line.length <= LINE_BYTES_MAX, 'a record fits a line');
  return { record: { v: RECORD_VERSION, ...head, body, hash: own }, line };
}

export type Decoded =
  | { readonly ok: true; readonly record: LedgerRecord }
  | { readonly ok: false; readonly reason: string; readonly newer: boolean };

/**
 * `all`, or `state`: the digests of frames stay unread, since no state rests on them and they are
 * most of what a ledger holds. Their hash is checked all the same.
 */
export type Bodies = 'all' | 'state';

const BODY_START = Uint8Array.from(Buffer.from('{"body":'));

/** Length of `,"hash":"…"`, the one member that the hash does not cover. */
const HASH_MEMBER = 74;

/**
 * One line without its newline: `bytes` from `start` to `end`. The bytes before the hash are moved
 * over it on the way, so the line cannot be read a second time.
 */
export function decodeRecord(bytes: Buffer, start: number, end: number, bodies: Bodies): Decoded {
  const tail = readTail(bytes, start, end);
  if (tail === undefined) return notARecord(bytes.toString('utf8', start, end));
  bytes.copyWithin(start + HASH_MEMBER, start, tail.hashAt);
  if (hash('sha256', bytes.subarray(start + HASH_MEMBER, end), 'hex') !== tail.hash) {
    return broken('its content does not fit its own hash');
  }
  if (tail.v > RECORD_VERSION) return { ok: false, reason: newerText, newer: true };
  if (tail.v !== RECORD_VERSION) return broken(`it has version ${tail.v}`);
  const { kind, seq, epoch, tUs, wallMs, prev } = tail;
  if (!isKind(kind)) return broken(`its kind ${kind} is unknown`);
  let body: unknown;
  if (bodies === 'all' || kind !== 'frames') {
    const from = start + HASH_MEMBER + BODY_START.length;
    const text = bytes.toString('utf8', from, tail.bodyEnd + HASH_MEMBER);
    const parsed = parseJson(text);
    if (parsed === undefined) return broken('its body is not JSON');
    if (!isCanonical(text, parsed.value)) return broken('its body is not in canonical form');
    body = parsed.value;
  }
  const record = { v: RECORD_VERSION, seq, epoch, tUs, wallMs, kind, body, prev, hash: tail.hash };
  return { ok: true, record: record as LedgerRecord };
}

interface Tail {
  readonly bodyEnd: number;
  readonly hashAt: number;
  readonly hash: string;
  readonly epoch: number;
  readonly kind: string;
  readonly prev: string;
  readonly seq: number;
  readonly tUs: number;
  readonly v: number;
  readonly wallMs: number;
}

const literal = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text));
const BEFORE = {
  wallMs: literal(',"wallMs":'),
  v: literal(',"v":'),
  tUs: literal(',"tUs":'),
  seq: literal('","seq":'),
  prev: literal('","prev":"'),
  kind: literal('","kind":"'),
  hash: literal(',"hash":"'),
  epoch: literal(',"epoch":'),
};
const [ZERO, NINE, BRACE, QUOTE] = [0x30, 0x39, 0x7d, 0x22];
const HASH_LENGTH = 64;
const KIND_LENGTH_MAX = 32;
/** As many as the largest whole number has. */
const DIGITS_MAX = 16;

/** Where a backward reader stands: everything from `at` on has been read. */
class Backward {
  at: number;
  readonly #bytes: Uint8Array;
  readonly #start: number;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.#bytes = bytes;
    this.#start = start;
    this.at = end;
  }

  skip(text: Uint8Array): boolean {
    this.at -= text.length;
    if (this.at < this.#start) return false;
    for (let i = 0; i < text.length; i += 1) {
      if (this.#bytes[this.at + i] !== text[i]) return false;
    }
    return true;
  }

  /** A whole number as JSON writes it, with `text` before it; -1 when there is none. */
  count(text: Uint8Array): number {
    const end = this.at;
    let value = 0;
    let unit = 1;
    for (; this.at > this.#start && end - this.at <= DIGITS_MAX; this.at -= 1) {
      const digit = this.#bytes[this.at - 1] ?? 0;
      if (digit < ZERO || digit > NINE) break;
      value += (digit - ZERO) * unit;
      unit *= 10;
    }
    const digits = end - this.at;
    const padded = digits > 1 && this.#bytes[this.at] === ZERO;
    if (digits === 0 || padded || !Number.isSafeInteger(value)) return -1;
    return this.skip(text) ? value : -1;
  }

  back(length: number): number {
    this.at -= length;
    return this.at;
  }

  toQuote(): number {
    const least = Math.max(this.#start, this.at - KIND_LENGTH_MAX - 1);
    while (this.at > least && this.#bytes[this.at - 1] !== QUOTE) this.at -= 1;
    return this.at;
  }
}

const FRAMES = literal('frames');

function standsAt(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  for (let i = 0; i < text.length; i += 1) if (bytes[at + i] !== text[i]) return false;
  return true;
}

/** Undefined when the line does not end as a record does. */
function readTail(bytes: Buffer, start: number, end: number): Tail | undefined {
  if (end <= start || bytes[end - 1] !== BRACE) return undefined;
  const reader = new Backward(bytes, start, end - 1);
  const wallMs = reader.count(BEFORE.wallMs);
  const v = wallMs < 0 ? -1 : reader.count(BEFORE.v);
  const tUs = v < 0 ? -1 : reader.count(BEFORE.tUs);
  const seq = tUs < 0 ? -1 : reader.count(BEFORE.seq);
  if (seq < 0) return undefined;
  const prevAt = reader.back(HASH_LENGTH);
  if (!reader.skip(BEFORE.prev)) return undefined;
  const kindEnd = reader.at;
  const kindAt = reader.toQuote();
  if (!reader.skip(BEFORE.kind)) return undefined;
  const ownAt = reader.back(HASH_LENGTH);
  if (!reader.skip(BEFORE.hash)) return undefined;
  const hashAt = reader.at;
  const epoch = reader.count(BEFORE.epoch);
  const bodyEnd = reader.at;
  const bodyAt = start + BODY_START.length;
  if (epoch < 0 || bodyEnd < bodyAt || !standsAt(bytes, start, BODY_START)) return undefined;
  // What is no hash in hex compares with none: no further look at its characters.
  const prev = bytes.toString('latin1', prevAt, prevAt + HASH_LENGTH);
  const own = bytes.toString('latin1', ownAt, ownAt + HASH_LENGTH);
  // Most records are of frames: no string is made to find that out.
  const frames = kindEnd - kindAt === FRAMES.length && standsAt(bytes, kindAt, FRAMES);
  const kind = frames ? 'frames' : bytes.toString('latin1', kindAt, kindEnd);
  return { bodyEnd, hashAt, hash: own, epoch, kind, prev, seq, tUs, v, wallMs };
}

const newerText = 'it was written by a newer version';

const broken = (reason: string): Decoded => ({ ok: false, reason, newer: false });

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch {
    return undefined;
  }
}

/**
 * Two spellings of one body would have two hashes. What JavaScript writes is the canonical form
 * when the keys are in order; keys that look like numbers it moves, so for them it is made anew.
 */
const isCanonical = (text: string, value: unknown): boolean =>
  (JSON.stringify(value) === text && hasSortedKeys(value)) || canonicalJson(value) === text;

function hasSortedKeys(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(hasSortedKeys);
  let last: string | undefined;
  for (const [key, member] of Object.entries(value)) {
    if ((last !== undefined && key <= last) || !hasSortedKeys(member)) return false;
    last = key;
  }
  return true;
}

/** A later version may lay its fields out otherwise: all it must keep is `v`. */
function notARecord(line: string): Decoded {
  const parsed = parseJson(line)?.value;
  if (parsed === undefined) return broken('it is not JSON');
  if (typeof parsed === 'object' && parsed !== null && 'v' in parsed) {
    const { v } = parsed;
    if (Number.isSafeInteger(v) && Number(v) > RECORD_VERSION) {
      return { ok: false, reason: newerText, newer: true };
    }
  }
  return broken('it does not have the form of a record');
}
