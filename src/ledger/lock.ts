/**
 * The writer lock: one living process writes a ledger.
 * Enters: a folder. Leaves: a held lock, or who holds it. Never: two holders.
 *
 * A lock file appears whole, by link(2), which fails when the name is taken. A lock whose owner is
 * dead is not removed (two contenders could each remove the other's fresh one); it is *succeeded*:
 * the file `writer.lock.after-<nonce of the dead>` can be linked once only, so one contender wins.
 * The holder is the end of that chain. It then replaces the root by its own lock and clears the
 * chain, in that order. A contender that worked from an older view can win a link that no longer
 * hangs on the root: so whoever has linked walks again from the root, and holds only if it
 * arrives at itself.
 */
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { fail, ok, type Result } from '../contract/index.js';
import { canonicalJson, haloError, randomHex } from '../platform/index.js';
import type { FilePort } from './files.js';

const ROOT = 'writer.lock';
const SUCCESSOR = `${ROOT}.after-`;

/** Each round means that another process took or left the lock meanwhile: it does not go on. */
const ROUNDS_MAX = 100;

const ownerSchema = z.strictObject({
  nonce: z.string().regex(/^[0-9a-f]{32}$/),
  pid: z.int().positive(),
  /** Clock ticks after boot at which the process started: tells a reused pid apart. */
  started: z.string(),
  /** Of the machine: changes with each boot. */
  bootId: z.string(),
  /** Pids mean something only inside one pid namespace of one host. */
  pidSpace: z.string(),
  host: z.string(),
});
type Owner = z.infer<typeof ownerSchema>;

export interface WriterLock {
  release(): Promise<void>;
}

export async function acquireLock(files: FilePort, dir: string): Promise<Result<WriterLock>> {
  const me = thisProcess();
  const mine = join(dir, `${ROOT}.new-${me.nonce}`);
  await files.create(mine, canonicalJson(me), 0o600);
  try {
    for (let round = 0; round < ROUNDS_MAX; round += 1) {
      const end = await endOfChain(files, dir);
      if (end.owner !== undefined && mayLive(end.owner)) return refused(dir, end.owner);
      const link = join(dir, end.owner === undefined ? ROOT : SUCCESSOR + end.owner.nonce);
      if (end.broken) return refusedBroken(dir, end.name);
      if (!(await files.link(mine, link))) continue;
      const now = await endOfChain(files, dir);
      if (now.owner?.nonce !== me.nonce) {
        await files.remove(link);
        continue;
      }
      await collapse(files, dir, mine);
      return ok({ release: () => release(files, dir, me) });
    }
    return fail(haloError('HALO-601', `${dir} is fought over by other writers.`, dir));
  } finally {
    await files.remove(mine);
  }
}

interface ChainEnd {
  readonly name: string;
  readonly owner: Owner | undefined;
  readonly broken: boolean;
}

async function endOfChain(files: FilePort, dir: string): Promise<ChainEnd> {
  let name = ROOT;
  let owner = await readOwner(files, join(dir, name));
  while (owner !== undefined && owner !== 'broken') {
    const next = await readOwner(files, join(dir, SUCCESSOR + owner.nonce));
    if (next === undefined) return { name, owner, broken: false };
    name = SUCCESSOR + owner.nonce;
    owner = next;
  }
  return { name, owner: undefined, broken: owner === 'broken' };
}

async function readOwner(files: FilePort, path: string): Promise<Owner | 'broken' | undefined> {
  const bytes = await files.read(path);
  if (bytes === undefined) return undefined;
  try {
    return ownerSchema.parse(JSON.parse(bytes.toString('utf8')));
  } catch {
    return 'broken';
  }
}

/** Root first, chain second: a contender that still sees the chain will miss itself at the root. */
async function collapse(files: FilePort, dir: string, mine: string): Promise<void> {
  await files.rename(mine, join(dir, ROOT));
  for (const name of (await files.list(dir)) ?? []) {
    if (name.startsWith(SUCCESSOR)) await files.remove(join(dir, name));
  }
}

async function release(files: FilePort, dir: string, me: Owner): Promise<void> {
  const owner = await readOwner(files, join(dir, ROOT));
  // Someone removed the lock by hand and another writer came: its lock is not ours to take away.
  if (owner === undefined || owner === 'broken' || owner.nonce !== me.nonce) return;
  await files.remove(join(dir, ROOT));
}

function refused(dir: string, owner: Owner): Result<never> {
  const elsewhere = owner.host !== hostname() || owner.pidSpace !== pidSpace();
  const where = elsewhere ? ` on ${owner.host}, which cannot be asked from here` : '';
  const message = `${dir} is held by process ${owner.pid}${where}.`;
  return fail(haloError('HALO-601', message, join(dir, ROOT)));
}

function refusedBroken(dir: string, name: string): Result<never> {
  const message =
    `${name} in ${dir} is not a lock that this program wrote; ` + `remove it if no bridge runs.`;
  return fail(haloError('HALO-601', message, join(dir, name)));
}

function thisProcess(): Owner {
  return {
    nonce: randomHex(16),
    pid: process.pid,
    started: startOf(process.pid) ?? '',
    bootId: readText('/proc/sys/kernel/random/boot_id'),
    pidSpace: pidSpace(),
    host: hostname(),
  };
}

/** In doubt true: a second writer does more harm than a refusal. */
function mayLive(owner: Owner): boolean {
  if (owner.host !== hostname()) return true;
  if (owner.bootId !== readText('/proc/sys/kernel/random/boot_id')) return false;
  if (owner.pidSpace !== pidSpace()) return true;
  return owner.started === '' ? answersSignal(owner.pid) : startOf(owner.pid) === owner.started;
}

/** Start of a process that runs; undefined when it is gone, or dead and not yet reaped. */
function startOf(pid: number): string | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  // The name in brackets may hold spaces and brackets itself; what follows it has fixed places.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
}

/** Where there is no /proc, a reused pid counts as the owner. */
function answersSignal(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

function pidSpace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}
