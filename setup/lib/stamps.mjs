// Enters: names of steps and what they depend on.
// Leaves: digests, and stamps that say "done for these inputs".
// Never: a stamp before its step has succeeded; a half-written stamp (it is renamed into place).
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { HALO } from './layout.mjs';

const stampPath = (name) => path.join(HALO, 'stamps', name);

/** SHA-256 over the parts, each with its length so that no two lists run together. */
export function digestOf(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${Buffer.byteLength(part)}:`).update(part);
  return hash.digest('hex');
}

/** Contents of one file, or '' when there is none. */
export function readOrEmpty(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/**
 * Size and modification time of one file as text, or '' when there is none: cheap where contents
 * are large.
 */
export function sizeAndTime(file) {
  const stat = fs.statSync(file, { throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.size}@${stat.mtimeMs}`;
}

/** All files below `dir` whose name passes, sorted, as paths. */
export function filesBelow(dir, passes = () => true) {
  if (!fs.existsSync(dir)) return [];
  return fs
    .readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && passes(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

/** Names and contents below `dir`, as parts for {@link digestOf}. */
export function contentsBelow(dir, passes) {
  return filesBelow(dir, passes).flatMap((file) => [path.relative(dir, file), readOrEmpty(file)]);
}

/** The digest that a step last succeeded for, or '' when it never did or was begun again since. */
export const readStamp = (name) => readOrEmpty(stampPath(name));

/** Forget that a step was done; to be called before it starts to change anything. */
export const dropStamp = (name) => fs.rmSync(stampPath(name), { force: true });

/** Record that a step succeeded for these inputs. */
export function writeStamp(name, digest) {
  writeWhole(stampPath(name), digest);
}

/** Write a file so that a reader, or a kill, never sees a part of it. */
export function writeWhole(file, text) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const part = `${file}.${process.pid}.part`;
  fs.writeFileSync(part, text);
  fs.renameSync(part, file);
}
