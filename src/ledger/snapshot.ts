/**
 * Snapshots: what the records up to one of them come to, so that a start reads only those after.
 * Enters: a head, the keys, a folded state. Leaves: a signed file; closed segments in the archive.
 * Never: a change to the chain. A snapshot that is lost or does not hold costs time, not records:
 * then the start reads the archive again.
 *
 * The head's hash commits to every byte of the records before it, so no other digest of the
 * archived segments is needed. The signature says who folded them: the key of this folder.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { digestSchema, type HaloError } from '../contract/index.js';
import { canonicalJson, haloError } from '../platform/index.js';
import type { FilePort } from './files.js';
import { keyEntrySchema } from './keyring.js';
import { keyIdOf, verifySigned, type LedgerKey } from './keys.js';
import { ARCHIVE_DIR, listSegments } from './walk.js';

export const SNAPSHOT_FILE = 'snapshot.json';

/**
 * 20,000 records are read in a tenth of a second: a start stays well under one, and at one record
 * a second, which is what a stream of setpoints comes to, one is due every five hours.
 */
export const SNAPSHOT_EVERY = 20_000;

const snapshotSchema = z.strictObject({
  v: z.literal(1),
  /** The record it stands on, and the segment that this one or the next is in. */
  seq: z.int().positive(),
  hash: digestSchema,
  epoch: z.int().positive(),
  segment: z.int().positive(),
  keys: z.array(keyEntrySchema).min(1),
  /** As the fold gave it; the fold checks it when it takes it back. */
  state: z.unknown(),
  keyId: z.string(),
  signature: z.string(),
});
export type Snapshot = z.infer<typeof snapshotSchema>;

/** The snapshot, none, or why the one that is there cannot be used (HALO-609). */
export async function readSnapshot(
  files: Pick<FilePort, 'read'>,
  dir: string,
): Promise<Snapshot | HaloError | undefined> {
  const bytes = await files.read(join(dir, SNAPSHOT_FILE));
  if (bytes === undefined) return undefined;
  const text = bytes.toString('utf8');
  try {
    const snapshot = snapshotSchema.parse(JSON.parse(text));
    if (`${canonicalJson(snapshot)}\n` === text) return snapshot;
    return unusable('it is not in canonical form');
  } catch {
    return unusable('it does not have the form of a snapshot of this version');
  }
}

export const unusable = (reason: string): HaloError =>
  haloError('HALO-609', `The snapshot cannot be used: ${reason}.`, SNAPSHOT_FILE);

/** Why the signature does not hold with this key. */
export function forgery(snapshot: Snapshot, publicKey: string): HaloError | undefined {
  if (keyIdOf(publicKey) !== snapshot.keyId) {
    return unusable(`key ${snapshot.keyId} has signed it, which is not the folder’s`);
  }
  return verifySigned(snapshot, publicKey) ? undefined : unusable('its signature does not hold');
}

/** In one step: after a power cut it is the old one or the new one. */
export async function writeSnapshot(
  files: FilePort,
  dir: string,
  key: LedgerKey,
  body: Omit<Snapshot, 'v' | 'keyId' | 'signature'>,
): Promise<void> {
  const fresh = join(dir, `${SNAPSHOT_FILE}.new`);
  await files.remove(fresh);
  await files.create(fresh, `${canonicalJson(key.sign({ v: 1, ...body }))}\n`, 0o600);
  await files.rename(fresh, join(dir, SNAPSHOT_FILE));
  await files.syncDir(dir);
}

/**
 * Moves the closed segments before `segment` into the archive. May end anywhere: a segment counts
 * wherever it lies, and the next opening moves the rest.
 */
export async function archiveBefore(files: FilePort, dir: string, segment: number): Promise<void> {
  const closed = (await listSegments(files, dir)).filter(
    ({ index, archived }) => index < segment && !archived,
  );
  if (closed.length === 0) return;
  const archive = join(dir, ARCHIVE_DIR);
  await files.makeDir(archive);
  const there = new Set(await files.list(archive));
  for (const { name, path } of closed) {
    // Two under one name: neither is written over.
    if (!there.has(name)) await files.rename(path, join(archive, name));
  }
  await files.syncDir(archive);
  await files.syncDir(dir);
}
