/**
 * Group commit: brings queued lines to disk in order, off the deciding turn.
 * Enters: lines. Leaves: the number up to which everything is durable. Never: a second attempt
 * after a failed write, which is a sync too. The kernel may have dropped the pages and report
 * success next time, so from the first failure on nothing counts as durable any more, until a
 * restart has read what the disk really holds.
 */
import { join } from 'node:path';
import type { HaloError } from '../contract/index.js';
import { haloError } from '../platform/index.js';
import type { AppendFile, FilePort } from './files.js';
import { segmentName } from './walk.js';

/** 16 MiB: an hour of flight in few files, each still quick to copy and to look at. */
export const SEGMENT_BYTES = 16 * 1024 * 1024;

/** 4 MiB a sync: more only makes those wait who came first. */
const GROUP_BYTES_MAX = 4 * 1024 * 1024;

/** 32 MiB behind: at 50 Hz that is hours, so the disk hangs and will not catch up. */
const QUEUE_BYTES_MAX = 32 * 1024 * 1024;

export interface CommitterStart {
  readonly files: FilePort;
  readonly dir: string;
  readonly segmentBytes: number;
  /** The segment to go on with, open, and its size. */
  readonly file: AppendFile;
  readonly segment: number;
  readonly segmentFirstSeq: number;
  readonly size: number;
  readonly durableSeq: number;
}

interface SegmentStart {
  readonly segment: number;
  readonly firstSeq: number;
}

interface Queued {
  readonly seq: number;
  readonly line: string;
}

export class Committer {
  readonly #files: FilePort;
  readonly #dir: string;
  readonly #segmentBytes: number;
  readonly #listeners = new Set<() => void>();
  #file: AppendFile;
  #segment: number;
  /** Of this life, oldest first: one for each 16 MiB. */
  #starts: readonly SegmentStart[];
  #size: number;
  #durableSeq: number;
  #queue: Queued[] = [];
  #waitingBytes = 0;
  #running: Promise<void> | undefined;
  #poison: HaloError | undefined;

  constructor(start: CommitterStart) {
    this.#files = start.files;
    this.#dir = start.dir;
    this.#segmentBytes = start.segmentBytes;
    this.#file = start.file;
    this.#segment = start.segment;
    this.#starts = [{ segment: start.segment, firstSeq: start.segmentFirstSeq }];
    this.#size = start.size;
    this.#durableSeq = start.durableSeq;
  }

  get durableSeq(): number {
    return this.#durableSeq;
  }

  get poison(): HaloError | undefined {
    return this.#poison;
  }

  /** Called when `durableSeq` has risen, and once when the ledger is poisoned. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The segment that record `seq`, durable and of this life, or the one after it, is in. */
  segmentAfter(seq: number): number {
    return this.#starts.findLast(({ firstSeq }) => firstSeq <= seq + 1)?.segment ?? 1;
  }

  push(seq: number, line: string): void {
    if (this.#poison !== undefined) return;
    this.#queue.push({ seq, line });
    this.#waitingBytes += line.length;
    if (this.#waitingBytes > QUEUE_BYTES_MAX) {
      this.#fail(new Error('the disk does not keep up'));
      return;
    }
    this.#running ??= this.#run();
  }

  /** Resolves when no write or sync is with the system any more. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  /** Only when idle. */
  close(): Promise<void> {
    return this.#file.close();
  }

  async #run(): Promise<void> {
    // One turn later: everything that this tick appends goes out together.
    await Promise.resolve();
    try {
      while (this.#queue.length > 0 && this.#poison === undefined) await this.#commitGroup();
    } catch (error) {
      this.#fail(error);
    }
    this.#running = undefined;
  }

  async #commitGroup(): Promise<void> {
    let bytes = 0;
    let count = 0;
    for (const { line } of this.#queue) {
      if (count > 0 && bytes + line.length > GROUP_BYTES_MAX) break;
      bytes += line.length;
      count += 1;
    }
    const group = this.#queue.slice(0, count);
    this.#queue = this.#queue.slice(count);
    const data = Buffer.from(group.map(({ line }) => line).join(''), 'utf8');
    if (this.#size > 0 && this.#size + data.length > this.#segmentBytes) {
      await this.#roll(group[0]?.seq ?? 0);
    }
    for (let done = 0; done < data.length;) {
      const taken = await this.#file.write(data.subarray(done));
      if (taken <= 0) throw new Error('the disk takes no more bytes');
      done += taken;
    }
    this.#size += data.length;
    this.#waitingBytes -= bytes;
    // A queue that overflowed while this group was on its way has already been reported as lost.
    if (this.#poison !== undefined) return;
    this.#durableSeq = group.at(-1)?.seq ?? this.#durableSeq;
    this.#tell();
  }

  /** The old segment is durable already; so a torn tail can only be in the newest one. */
  async #roll(firstSeq: number): Promise<void> {
    const file = await this.#files.openAppend(join(this.#dir, segmentName(this.#segment + 1)));
    await this.#files.syncDir(this.#dir);
    await this.#file.close();
    this.#file = file;
    this.#segment += 1;
    this.#starts = [...this.#starts, { segment: this.#segment, firstSeq }];
    this.#size = 0;
  }

  #fail(error: unknown): void {
    if (this.#poison !== undefined) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.#poison = haloError('HALO-604', `The ledger cannot be written: ${reason}.`, this.#dir);
    this.#queue = [];
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
