/**
 * One record as one line. Enters: a kind and a body, or the bytes of a line. Leaves: the record
 * with its hash. Never: a line whose hash covers less than all its other bytes.
 *
 * The line is the RFC 8785 form of the record: keys sorted, so `body` comes first and everything
 * else stands in a tail of fixed shape. The hash is the SHA-256 of the same line without its
 * `hash` member, so it is checked on the bytes as they lie, without canonicalizing again.
 */
import { createHash } from 'node:crypto';
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
  const hash = sha256Hex(before + after);
  const line = `${before},"hash":"${hash}"${after}\n`;
  assert(line.length <= LINE_BYTES_MAX, 'a record fits a line');
  return { record: { v: RECORD_VERSION, ...head, body, hash }, line };
}

export type Decoded =
  | { readonly ok: true; readonly record: LedgerRecord }
  | { readonly ok: false; readonly reason: string; readonly newer: boolean };

const BODY_START = Buffer.from('{"body":');
const TAIL_START = Buffer.from(',"epoch":');
const COUNT = '(\\d{1,16})';
const HASH = '"([0-9a-f]{64})"';
const TAIL = new RegExp(
  `^(,"epoch":${COUNT})(,"hash":${HASH}),"kind":"([a-z-]{1,32})","prev":${HASH},` +
    `"seq":${COUNT},"tUs":${COUNT},"v":${COUNT},"wallMs":${COUNT}\\}$`,
);

/** @param line one line without its newline. */
export function decodeRecord(line: Buffer): Decoded {
  const tailAt = line.lastIndexOf(TAIL_START);
  const tail = tailAt < 0 ? null : TAIL.exec(line.toString('latin1', tailAt));
  if (tail === null || !line.subarray(0, BODY_START.length).equals(BODY_START)) {
    return notARecord(line);
  }
  const [, epochText = '', epoch, hashText = '', hash = '', kind = '', prev = ''] = tail;
  const [seq, tUs, version, wallMs] = tail.slice(7);
  const hashAt = tailAt + epochText.length;
  const own = createHash('sha256')
    .update(line.subarray(0, hashAt))
    .update(line.subarray(hashAt + hashText.length))
    .digest('hex');
  if (own !== hash) return broken('its content does not fit its own hash');
  if (Number(version) > RECORD_VERSION) return { ok: false, reason: newerText, newer: true };
  if (Number(version) !== RECORD_VERSION) return broken(`it has version ${version}`);
  if (!isKind(kind)) return broken(`its kind ${kind} is unknown`);
  const body = parseBody(line.toString('utf8', BODY_START.length, tailAt));
  if (body === undefined) return broken('its body is not JSON');
  const record: LedgerRecord = {
    v: RECORD_VERSION,
    seq: Number(seq),
    epoch: Number(epoch),
    tUs: Number(tUs),
    wallMs: Number(wallMs),
    kind,
    body: body.value,
    prev,
    hash,
  };
  return { ok: true, record };
}

const newerText = 'it was written by a newer version';

const broken = (reason: string): Decoded => ({ ok: false, reason, newer: false });

function parseBody(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return { value };
  } catch {
    return undefined;
  }
}

/** A later version may lay its fields out otherwise: all it must keep is `v`. */
function notARecord(line: Buffer): Decoded {
  const parsed = parseBody(line.toString('utf8'))?.value;
  if (parsed === undefined) return broken('it is not JSON');
  if (typeof parsed === 'object' && parsed !== null && 'v' in parsed) {
    const { v } = parsed;
    if (Number.isSafeInteger(v) && Number(v) > RECORD_VERSION) {
      return { ok: false, reason: newerText, newer: true };
    }
  }
  return broken('it does not have the form of a record');
}
