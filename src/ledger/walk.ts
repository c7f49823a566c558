/**
 * Reads a ledger from its first record, or from a snapshot on, and checks the chain on the way.
 * Enters: a folder. Leaves: records in order, then how it ended: whole, torn, or damaged.
 * Never: a write, nor a record after one that does not hold.
 *
 * Torn or damaged: a write that did not finish leaves a line without its newline at the end of
 * the last segment, and that is all it can leave. Anything else that does not hold (a complete
 * line, or one before others) has been durable once, so it is damage and the ledger is refused.
 */
import { join } from 'node:path';
import { fail, ok, type HaloError, type LedgerRecord, type Result } from '../contract/index.js';
import { haloError } from '../platform/index.js';
import type { FilePort } from './files.js';
import { decodeRecord, GENESIS_HASH, LINE_BYTES_MAX, type Bodies } from './record.js';

/** The last record that holds. `seq` 0 and {@link GENESIS_HASH} when there is none. */
export interface Head {
  readonly seq: number;
  readonly hash: string;
  readonly epoch: number;
}

/** The record on which a snapshot stands, and the segment that the one after it is in. */
export interface WalkStart {
  readonly head: Head;
  readonly segment: number;
}

export interface WalkOptions {
  readonly bodies: Bodies;
  /** Records up to this one are not visited; of its segment they are checked. */
  readonly from?: WalkStart;
}

export interface WalkEnd {
  readonly head: Head;
  /** The segment to go on with, and how many have been read. */
  readonly lastSegment: number;
  readonly segments: number;
  /** Sequence of the first record of the last segment, or of the one that will be its first. */
  readonly lastSegmentFirstSeq: number;
  /** Bytes of whole records: in all segments that were read, and in the last one. */
  readonly bytes: number;
  readonly lastSegmentBytes: number;
  /** Bytes behind the last whole record: a write that did not finish. */
  readonly tornBytes: number;
}

/** Looks at a record. Says why it does not hold, in words for an operator or as an error. */
export type Visit = (record: LedgerRecord, place: () => string) => string | HaloError | undefined;

type ReadPort = Pick<FilePort, 'list' | 'readChunks'>;

/** Closed segments whose content a snapshot stands for: moved here as they are. */
export const ARCHIVE_DIR = 'archive';

export const segmentName = (index: number): string =>
  `segment-${String(index).padStart(6, '0')}.jsonl`;

const SEGMENT = /^segment-(\d{6})\.jsonl$/;

export interface SegmentFile {
  readonly index: number;
  readonly name: string;
  readonly archived: boolean;
  readonly path: string;
}

/** Those of the folder and of its archive, in order. One that is in both counts as the folder's. */
export async function listSegments(
  files: Pick<FilePort, 'list'>,
  dir: string,
): Promise<readonly SegmentFile[]> {
  const found = new Map<string, SegmentFile>();
  for (const archived of [true, false]) {
    const folder = archived ? join(dir, ARCHIVE_DIR) : dir;
    for (const name of (await files.list(folder)) ?? []) {
      const index = Number(SEGMENT.exec(name)?.[1] ?? 0);
      if (index > 0) found.set(name, { index, name, archived, path: join(folder, name) });
    }
  }
  return [...found.values()].sort((a, b) => a.index - b.index);
}

/**
 * Errors: HALO-602 with the place, HALO-606, and what `visit` says. Those of the file system come
 * as exceptions: callers turn them into results.
 */
export async function walk(
  files: ReadPort,
  dir: string,
  options: WalkOptions,
  visit: Visit,
): Promise<Result<WalkEnd>> {
  const first = options.from?.segment ?? 1;
  const segments = (await listSegments(files, dir)).filter(({ index }) => index >= first);
  const walker = new Walker(options, visit);
  for (const [n, segment] of segments.entries()) {
    if (segment.index !== first + n) return fail(missing(first + n));
    walker.beginSegment(segment);
    const last = n === segments.length - 1;
    const trouble = await eachLine(files.readChunks(segment.path), (bytes, start, end, whole) =>
      whole ? walker.line(bytes, start, end) : walker.torn(bytes, start, end, last),
    );
    if (trouble !== undefined) return fail(trouble);
  }
  if (segments.length === 0 && options.from !== undefined) return fail(missing(first));
  return walker.end(segments.length);
}

const missing = (index: number): HaloError => ({
  ...damage(segmentName(index), 'the segment is missing'),
  remedy: `Put it back, into the folder or its ${ARCHIVE_DIR}; or start with a new folder.`,
});

export const damage = (place: string, reason: string): HaloError =>
  haloError('HALO-602', `The ledger does not hold at ${place}: ${reason}.`, place);

class Walker {
  readonly #visit: Visit;
  readonly #bodies: Bodies;
  readonly #from: Head | undefined;
  #head: Head;
  #segment = 1;
  #lineNumber = 0;
  #firstSeq = 1;
  #bytes = 0;
  #segmentBytes = 0;
  #tornBytes = 0;

  constructor({ bodies, from }: WalkOptions, visit: Visit) {
    this.#visit = visit;
    this.#bodies = bodies;
    this.#from = from?.head;
    this.#segment = from?.segment ?? 1;
    this.#head = from?.head ?? { seq: 0, hash: GENESIS_HASH, epoch: 0 };
    this.#firstSeq = this.#head.seq + 1;
  }

  beginSegment({ index }: SegmentFile): void {
    this.#segment = index;
    this.#lineNumber = 0;
    this.#segmentBytes = 0;
    this.#firstSeq = this.#head.seq + 1;
  }

  line(bytes: Buffer, start: number, end: number): HaloError | undefined {
    this.#lineNumber += 1;
    const length = end - start + 1;
    const decoded = decodeRecord(bytes, start, end, this.#bodies);
    if (!decoded.ok) {
      if (!decoded.newer) return damage(this.#place(), decoded.reason);
      const place = this.#place();
      return haloError('HALO-606', `The record at ${place} is of a newer format.`, place);
    }
    const { record } = decoded;
    if (this.#lineNumber === 1) this.#meet(record);
    const reason = breakOf(this.#head, record) ?? this.#offSnapshot(record);
    if (reason !== undefined) return damage(this.#place(), reason);
    this.#head = record;
    this.#bytes += length;
    this.#segmentBytes += length;
    if (this.#from !== undefined && record.seq <= this.#from.seq) return undefined;
    const trouble = this.#visit(record, () => this.#place());
    return typeof trouble === 'string' ? damage(this.#place(), trouble) : trouble;
  }

  torn(bytes: Buffer, start: number, end: number, last: boolean): HaloError | undefined {
    this.#lineNumber += 1;
    this.#tornBytes = end - start;
    const reason = last ? whyNotTorn(bytes, start, end) : 'the segment ends within a record';
    return reason === undefined ? undefined : damage(this.#place(), reason);
  }

  end(segments: number): Result<WalkEnd> {
    const { seq, hash, epoch } = this.#head;
    if (seq < (this.#from?.seq ?? 0)) {
      return fail(damage(this.#place(), 'it ends before the record on which its snapshot stands'));
    }
    return ok({
      head: { seq, hash, epoch },
      lastSegment: this.#segment,
      segments,
      lastSegmentFirstSeq: this.#firstSeq,
      bytes: this.#bytes,
      lastSegmentBytes: this.#segmentBytes,
      tornBytes: this.#tornBytes,
    });
  }

  /**
   * A snapshot stands in the middle of a segment: what is before it there hangs on the record that
   * was archived before, and is proved by arriving at the hash that the snapshot names.
   */
  #meet({ seq, prev, epoch }: LedgerRecord): void {
    const from = this.#from;
    if (from === undefined || this.#head !== from || seq < 1 || seq > from.seq) return;
    this.#head = { seq: seq - 1, hash: prev, epoch };
    this.#firstSeq = seq;
  }

  #offSnapshot({ seq, hash }: LedgerRecord): string | undefined {
    if (seq !== this.#from?.seq || hash === this.#from.hash) return undefined;
    return 'it is not the record on which the snapshot stands';
  }

  #place(): string {
    return `${segmentName(this.#segment)}:${this.#lineNumber}`;
  }
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
function whyNotTorn(bytes: Buffer, start: number, end: number): string | undefined {
  if (end - start > LINE_BYTES_MAX) return 'no record is this long';
  return decodeRecord(bytes, start, end - 1, 'all').ok ? 'its newline is damaged' : undefined;
}

const NEWLINE = 0x0a;

type UseLine = (
  bytes: Buffer,
  start: number,
  end: number,
  /** False for what stands behind the last newline. */
  whole: boolean,
) => HaloError | undefined;

/** Until `use` finds trouble. A line across chunks is put together; all others lie as they came. */
async function eachLine(
  chunks: AsyncIterable<Buffer>,
  use: UseLine,
): Promise<HaloError | undefined> {
  let parts: Buffer[] = [];
  let held = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      let trouble: HaloError | undefined;
      if (held === 0) {
        trouble = use(chunk, from, at, true);
      } else {
        const line = Buffer.concat([...parts, chunk.subarray(from, at)]);
        trouble = use(line, 0, line.length, true);
        parts = [];
        held = 0;
      }
      if (trouble !== undefined) return trouble;
      from = at + 1;
    }
    if (from < chunk.length) {
      parts.push(chunk.subarray(from));
      held += chunk.length - from;
    }
    // Enough to know that it is no record: a hole of gigabytes must not come into memory.
    if (held > LINE_BYTES_MAX) break;
  }
  return held === 0 ? undefined : use(Buffer.concat(parts), 0, held, false);
}
