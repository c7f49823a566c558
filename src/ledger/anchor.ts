/**
 * The boot epoch and the anchor of the chain, in the file `boot-epoch`.
 * Enters: a folder. Leaves: the epoch of this life, on disk. Never: the same epoch twice.
 *
 * The epoch is raised and synced once per start. A token carries the epoch it was minted in, so
 * every token of an earlier life is void from here on, without a disk write per setpoint. Beside
 * the epoch stands the head of the chain as it was when the file was written (at open and at
 * close): records that were taken away, or an old copy put back, then show.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { digestSchema, fail, ok, type Result } from '../contract/index.js';
import { canonicalJson, haloError } from '../platform/index.js';
import type { FilePort } from './files.js';
import type { Head } from './walk.js';

const FILE = 'boot-epoch';

const anchorSchema = z.strictObject({
  epoch: z.int().positive(),
  seq: z.int().nonnegative(),
  hash: digestSchema,
});
export type Anchor = z.infer<typeof anchorSchema>;

/** Undefined when the folder has none yet. Error: HALO-602. */
export async function readAnchor(
  files: FilePort,
  dir: string,
): Promise<Result<Anchor | undefined>> {
  const bytes = await files.read(join(dir, FILE));
  if (bytes === undefined) return ok(undefined);
  const anchor = parseAnchor(bytes);
  if (anchor !== undefined) return ok(anchor);
  return fail(haloError('HALO-602', `${FILE} is not readable.`, join(dir, FILE)));
}

function parseAnchor(bytes: Buffer): Anchor | undefined {
  try {
    return anchorSchema.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    return undefined;
  }
}

/**
 * The boot epoch as the folder shows it at this moment. The gate asks before every frame, so a
 * second process that took the folder over (a lock removed by hand, a folder shared between
 * machines) ends the frames of the first one. Looking costs a stat of a few microseconds; the
 * file is read again only when it has been replaced.
 */
export class EpochFence {
  readonly #files: FilePort;
  readonly #path: string;
  #stamp: string | undefined;
  #epoch: number;

  constructor(files: FilePort, dir: string, ownEpoch: number) {
    this.#files = files;
    this.#path = join(dir, FILE);
    this.#epoch = ownEpoch;
  }

  /** Infinity when the file is gone or not readable: no life has that epoch, so nothing is sent. */
  current(): number {
    const stamp = this.#files.stampNow(this.#path);
    if (stamp === undefined) return Number.POSITIVE_INFINITY;
    if (stamp !== this.#stamp) {
      const bytes = this.#files.readNow(this.#path);
      const anchor = bytes && parseAnchor(bytes);
      if (anchor === undefined) return Number.POSITIVE_INFINITY;
      this.#epoch = anchor.epoch;
      this.#stamp = stamp;
    }
    return this.#epoch;
  }
}

/** Replaces the file in one step: after a power cut it is the old one or the new one. */
export async function writeAnchor(files: FilePort, dir: string, anchor: Anchor): Promise<void> {
  const fresh = join(dir, `${FILE}.new`);
  await files.remove(fresh);
  await files.create(fresh, canonicalJson(anchor) + '\n', 0o600);
  await files.rename(fresh, join(dir, FILE));
  await files.syncDir(dir);
}

/**
 * Compares the anchor with the chain while that is read.
 * A missing anchor beside records, like one behind them, means that files of two times are mixed.
 */
export class AnchorCheck {
  readonly #anchor: Anchor | undefined;
  #met: boolean;

  constructor(anchor: Anchor | undefined) {
    this.#anchor = anchor;
    this.#met = anchor === undefined || anchor.seq === 0;
  }

  /** The snapshot on which the reading begins, if it does not begin with the first record. */
  begin(head: Head | undefined): this {
    if (head !== undefined) this.see(head);
    return this;
  }

  see(head: Head): void {
    if (head.seq === this.#anchor?.seq) this.#met = head.hash === this.#anchor.hash;
  }

  /** Why anchor and chain do not belong together; undefined when they do. */
  trouble(head: Head): string | undefined {
    const { epoch, seq } = this.#anchor ?? { epoch: 0, seq: 0 };
    if (head.epoch > epoch) {
      return `its records are of boot epoch ${head.epoch}, but ${FILE} says ${epoch}`;
    }
    if (!this.#met) {
      return head.seq < seq
        ? `it ends at record ${head.seq}, but had ${seq} before`
        : `its record ${seq} is not the one that stood there before`;
    }
    return undefined;
  }
}
