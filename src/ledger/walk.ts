/**
 * Reads a ledger from its first record to its last and checks the chain on the way.
 * Enters: a folder. Leaves: records in order, then how it ended: whole, torn, or damaged.
 * Never: a write, nor a record after one that does not hold.
 *
 * Torn or damaged: a write that did not finish leaves a line without its newline at the end of
 * the last segment, and that is all it can leave. Anything else that does not hold (a complete
 * line, or one before others) has been durable once, so it is damage and the ledger is refused.
 */
import { join } from 'node:path';
import type { HaloError, LedgerRecord } from '../contract/index.js';
import { haloError } from '../platform/index.js';
import type { FilePort } from './files.js';
import { decodeRecord, GENESIS_HASH, LINE_BYTES_MAX } from './record.js';

/** The last record that holds. `seq` 0 and {@link GENESIS_HASH} when there is none. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
  readonly epoch: number;
}

export interface WalkEnd {
  readonly head: Head;
  readonly segments: readonly string[];
  /** Bytes of whole records: in all segments, and in the last one. */
  readonly bytes: number;
  readonly lastSegmentBytes: number;
  /** Bytes behind the last whole record: a write that did not finish. */
  readonly tornBytes: number;
}

export type WalkStep =
  | { readonly type: 'record'; readonly record: LedgerRecord; readonly place: string }
  | { readonly type: 'trouble'; readonly error: HaloError }
  | { readonly type: 'end'; readonly end: WalkEnd };

export const segmentName = (index: number): string =>
  `segment-${String(index).padStart(6, '0')}.jsonl`;

const SEGMENT = /^segment-(\d{6})\.jsonl$/;

export async function listSegments(
  files: Pick<FilePort, 'list'>,
  dir: string,
): Promise<readonly string[]> {
  return ((await files.list(dir)) ?? []).filter((name) => SEGMENT.test(name));
}

/** Errors of the file system come as exceptions: callers turn them into results. */
export async function* walk(
  files: Pick<FilePort, 'list' | 'readChunks'>,
  dir: string,
): AsyncGenerator<WalkStep> {
  const segments = await listSegments(files, dir);
  let head: Head = { seq: 0, hash: GENESIS_HASH, epoch: 0 };
  let bytes = 0;
  let lastSegmentBytes = 0;
  let tornBytes = 0;
  for (const [index, segment] of segments.entries()) {
    if (segment !== segmentName(index + 1)) {
      yield damage(segmentName(index + 1), 'the segment is missing');
      return;
    }
    lastSegmentBytes = 0;
    let lineNumber = 0;
    for await (const line of linesOf(files.readChunks(join(dir, segment)))) {
      lineNumber += 1;
      const place = `${segment}:${lineNumber}`;
      if (!line.terminated) {
        const last = index === segments.length - 1;
        const reason = last ? whyNotTorn(line.bytes) : 'the segment ends within a record';
        if (reason !== undefined) {
          yield damage(place, reason);
          return;
        }
        tornBytes = line.bytes.length;
        break;
      }
      const decoded = decodeRecord(line.bytes);
      if (!decoded.ok) {
        yield decoded.newer ? newer(place) : damage(place, decoded.reason);
        return;
      }
      const broken = breakOf(head, decoded.record);
      if (broken !== undefined) {
        yield damage(place, broken);
        return;
      }
      const { record } = decoded;
      head = { seq: record.seq, hash: record.hash, epoch: record.epoch };
      lastSegmentBytes += line.bytes.length + 1;
      yield { type: 'record', record, place };
    }
    bytes += lastSegmentBytes;
  }
  yield { type: 'end', end: { head, segments, bytes, lastSegmentBytes, tornBytes } };
}

/** Why `record` cannot follow `head`; undefined when it can. */
function breakOf(head: Head, record: LedgerRecord): string | undefined {
  if (record.seq !== head.seq + 1) {
    return `it has sequence ${record.seq} where ${head.seq + 1} is due`;
  }
  if (record.prev !== head.hash) return 'it does not follow the record before it';
  if (record.epoch < head.epoch) {
    return `its boot epoch ${record.epoch} falls behind ${head.epoch}`;
  }
  return undefined;
}

/** A whole record whose newline has become something else was durable once: not a torn write. */
function whyNotTorn(bytes: Buffer): string | undefined {
  if (bytes.length > LINE_BYTES_MAX) return 'no record is this long';
  return decodeRecord(bytes.subarray(0, -1)).ok ? 'its newline is damaged' : undefined;
}

const damage = (place: string, reason: string): WalkStep => ({
  type: 'trouble',
  error: haloError('HALO-602', `The ledger does not hold at ${place}: ${reason}.`, place),
});

const newer = (place: string): WalkStep => ({
  type: 'trouble',
  error: haloError('HALO-606', `The record at ${place} is of a newer format.`, place),
});

interface Line {
  readonly bytes: Buffer;
  /** False for what stands behind the last newline. */
  readonly terminated: boolean;
}

const NEWLINE = 0x0a;

async function* linesOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<Line> {
  let parts: Buffer[] = [];
  let held = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      const piece = chunk.subarray(from, at);
      yield { bytes: held === 0 ? piece : Buffer.concat([...parts, piece]), terminated: true };
      parts = [];
      held = 0;
      from = at + 1;
    }
    if (from < chunk.length) {
      parts.push(chunk.subarray(from));
      held += chunk.length - from;
    }
    // Enough to know that it is no record: a hole of gigabytes must not come into memory.
    if (held > LINE_BYTES_MAX) break;
  }
  if (held > 0) yield { bytes: Buffer.concat(parts), terminated: false };
}
