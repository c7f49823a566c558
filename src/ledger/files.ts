/**
 * The file operations that the ledger uses, and nothing else of the file system.
 * Enters: paths and bytes. Leaves: bytes, or the system's error as an exception.
 * Never: a decision. Tests give an implementation that fails on command.
 */
import { dirname } from 'node:path';
import { constants, readFileSync, statSync } from 'node:fs';
import {
  link,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  unlink,
  type FileHandle,
} from 'node:fs/promises';

/** A file that only grows. */
export interface AppendFile {
  /**
   * How many bytes are on disk now, past all caches: fewer than given is a short write, not an
   * error. After an error nobody can say.
   */
  write(bytes: Uint8Array): Promise<number>;
  close(): Promise<void>;
}

export interface FilePort {
  /** Creates the folder and those above it, closed to others. */
  makeDir(path: string): Promise<void>;
  /** Names in the folder, sorted; undefined when it is not there. */
  list(path: string): Promise<readonly string[] | undefined>;
  /** Permission bits of a regular file; undefined when it is not there. */
  mode(path: string): Promise<number | undefined>;
  /** The whole of a small file; undefined when it is not there. */
  read(path: string): Promise<Buffer | undefined>;
  /** Each chunk is the reader's own, to keep or to change. */
  readChunks(path: string): AsyncIterable<Buffer>;
  openAppend(path: string): Promise<AppendFile>;
  /** A new file, on disk when this returns; an existing one is an error. */
  create(path: string, data: string, mode: number): Promise<void>;
  /** A second name for a file; false when the name is taken. The one atomic test-and-set. */
  link(existing: string, name: string): Promise<boolean>;
  rename(from: string, to: string): Promise<void>;
  /** Takes a name away; a missing one is no error. */
  remove(path: string): Promise<void>;
  /** Cuts the file to `size` bytes, on disk when this returns. */
  truncate(path: string, size: number): Promise<void>;
  /**
   * Tells one file under a name from the next one, in this turn: no wait, and no read of its
   * content. Undefined when there is none.
   */
  stampNow(path: string): string | undefined;
  /** A small file in this turn; undefined when it cannot be read. */
  readNow(path: string): Buffer | undefined;
  /** Makes creations, renames and removals in the folder survive a power cut. */
  syncDir(path: string): Promise<void>;
}

/** 256 KiB: large enough that the number of reads does not matter, small enough to stay flat. */
const CHUNK_BYTES = 256 * 1024;

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

async function unlessMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

async function withFile<T>(
  path: string,
  flags: number | string,
  mode: number,
  work: (file: FileHandle) => Promise<T>,
): Promise<T> {
  const file = await open(path, flags, mode);
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

async function* chunksOf(path: string): AsyncGenerator<Buffer> {
  const file = await open(path, 'r');
  try {
    for (;;) {
      // A fresh buffer each time: the reader keeps parts of it for the next line.
      const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
      const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, null);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

async function openAppend(path: string): Promise<AppendFile> {
  // Writing and syncing in one call: each call more waits once more for a thread.
  const { O_WRONLY, O_APPEND, O_CREAT, O_DSYNC } = constants;
  const flags = O_WRONLY | O_APPEND | O_CREAT | O_DSYNC;
  const file = await open(path, flags, 0o600);
  return {
    write: async (bytes) => (await file.write(bytes)).bytesWritten,
    close: () => file.close(),
  };
}

/**
 * The folder and those above it. Not by `recursive`: where the system says that a folder cannot be
 * there although its parent is (/proc), Node 20 tries again for ever.
 */
async function makeDir(path: string): Promise<void> {
  try {
    await makeOne(path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT') || dirname(path) === path) throw error;
    await makeDir(dirname(path));
    await makeOne(path);
  }
}

async function makeOne(path: string): Promise<void> {
  try {
    await mkdir(path, { mode: 0o700 });
  } catch (error) {
    // A file of that name will be found out by the first use of the folder.
    if (!hasCode(error, 'EEXIST')) throw error;
  }
}

async function modeOf(path: string): Promise<number | undefined> {
  const stat = await unlessMissing(lstat(path));
  if (stat === undefined) return undefined;
  // A link or a folder in place of a file is never what the ledger has put there.
  if (!stat.isFile()) throw new Error(`${path} is not a regular file`);
  return stat.mode & 0o777;
}

async function linkOnce(existing: string, name: string): Promise<boolean> {
  try {
    await link(existing, name);
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** The real file system. */
export const realFiles: FilePort = {
  makeDir,
  list: async (path) => (await unlessMissing(readdir(path)))?.sort(),
  mode: modeOf,
  read: (path) => unlessMissing(readFile(path)),
  readChunks: chunksOf,
  openAppend,
  create: (path, data, mode) =>
    withFile(path, 'wx', mode, async (file) => {
      await file.writeFile(data);
      await file.sync();
    }),
  link: linkOnce,
  rename,
  remove: async (path) => void (await unlessMissing(unlink(path))),
  truncate: (path, size) =>
    withFile(path, 'r+', 0o600, async (file) => {
      await file.truncate(size);
      await file.sync();
    }),
  stampNow: (path) => {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    // An inode number is used again once its file is gone; its time of change is not.
    return stat && `${stat.ino} ${stat.ctimeNs}`;
  },
  readNow: (path) => {
    try {
      return readFileSync(path);
    } catch {
      return undefined;
    }
  },
  syncDir: (path) => withFile(path, 'r', 0, (file) => file.sync()),
};
