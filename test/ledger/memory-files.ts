/**
 * A file system in memory that knows what a power cut leaves, and fails on command.
 * What is written is volatile until synced, and so are names until their folder is synced. A
 * power cut keeps all that was synced, and of each file's unsynced tail as much as it pleases.
 */
import { dirname } from 'node:path';
import type { AppendFile, FilePort } from '../../src/ledger/testing.js';

interface Node {
  data: Buffer;
  synced: Buffer;
  readonly mode: number;
  readonly id: number;
}

export type Fault = 'error' | 'short';

export class MemoryFiles implements FilePort {
  names = new Map<string, Node>();
  #syncedNames = new Map<string, Node>();
  #ids = 0;
  /** Operations so far that can fail, by name. */
  readonly calls: string[] = [];
  /** Decides for each such operation; `n` counts from 1. */
  fault: (n: number, operation: string) => Fault | undefined = () => undefined;

  /** @param keep how much of `length` unsynced bytes the cut leaves. */
  powerCut(keep: (length: number) => number): void {
    this.names = new Map(this.#syncedNames);
    for (const node of this.names.values()) {
      const { data, synced } = node;
      const tail = data.length > synced.length ? data.subarray(synced.length) : Buffer.alloc(0);
      node.data = Buffer.concat([synced, tail.subarray(0, keep(tail.length))]);
      node.synced = node.data;
    }
  }

  /** Puts a file there as if it had always been. */
  put(path: string, data: Uint8Array, mode = 0o600): void {
    const bytes = Buffer.from(data);
    this.names.set(path, { data: bytes, synced: bytes, mode, id: (this.#ids += 1) });
    this.#syncedNames = new Map(this.names);
  }

  async #may(operation: string): Promise<Fault | undefined> {
    // A real operation never answers in the turn in which it was asked.
    await Promise.resolve();
    this.calls.push(operation);
    const fault = this.fault(this.calls.length, operation);
    if (fault === 'error' || (fault === 'short' && operation !== 'write')) {
      throw Object.assign(new Error(`EIO: i/o error, ${operation}`), { code: 'EIO' });
    }
    return fault;
  }

  async makeDir(): Promise<void> {
    await this.#may('makeDir');
  }

  async list(path: string): Promise<readonly string[]> {
    await this.#may('list');
    const inside = [...this.names.keys()].filter((name) => dirname(name) === path);
    return inside.map((name) => name.slice(path.length + 1)).sort();
  }

  async mode(path: string): Promise<number | undefined> {
    await this.#may('mode');
    return this.names.get(path)?.mode;
  }

  async read(path: string): Promise<Buffer | undefined> {
    await this.#may('read');
    return this.names.get(path)?.data;
  }

  async *readChunks(path: string): AsyncGenerator<Buffer> {
    await this.#may('readChunks');
    const data = this.#node(path).data;
    // Small and odd, so that lines lie across chunks.
    for (let at = 0; at < data.length; at += 1021) {
      yield Buffer.from(data.subarray(at, at + 1021));
    }
  }

  async openAppend(path: string): Promise<AppendFile> {
    await this.#may('openAppend');
    const node = this.names.get(path) ?? this.#create(path, Buffer.alloc(0), 0o600);
    return {
      write: async (bytes) => {
        const fault = await this.#may('write').catch((error: unknown) => {
          // In the cache, perhaps; a power cut keeps of it what it pleases.
          node.data = Buffer.concat([node.data, bytes]);
          throw error;
        });
        const short = fault === 'short';
        const taken = short ? Math.floor(bytes.length / 2) : bytes.length;
        node.data = Buffer.concat([node.data, bytes.subarray(0, taken)]);
        node.synced = node.data;
        return taken;
      },
      close: async () => void (await this.#may('close')),
    };
  }

  async create(path: string, data: string, mode: number): Promise<void> {
    await this.#may('create');
    if (this.names.has(path)) throw Object.assign(new Error('EEXIST'), { code: 'EEXIST' });
    const node = this.#create(path, Buffer.from(data), mode);
    node.synced = node.data;
  }

  async link(existing: string, name: string): Promise<boolean> {
    await this.#may('link');
    if (this.names.has(name)) return false;
    this.names.set(name, this.#node(existing));
    return true;
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#may('rename');
    this.names.set(to, this.#node(from));
    this.names.delete(from);
  }

  async remove(path: string): Promise<void> {
    await this.#may('remove');
    this.names.delete(path);
  }

  async truncate(path: string, size: number): Promise<void> {
    await this.#may('truncate');
    const node = this.#node(path);
    node.data = node.data.subarray(0, size);
    node.synced = node.data;
  }

  async syncDir(path: string): Promise<void> {
    await this.#may('syncDir');
    for (const name of this.#syncedNames.keys()) {
      if (dirname(name) === path && !this.names.has(name)) this.#syncedNames.delete(name);
    }
    for (const [name, node] of this.names) {
      if (dirname(name) === path) this.#syncedNames.set(name, node);
    }
  }

  stampNow(path: string): string | undefined {
    return this.names.get(path)?.id.toString();
  }

  readNow(path: string): Buffer | undefined {
    return this.names.get(path)?.data;
  }

  #node(path: string): Node {
    const node = this.names.get(path);
    if (node === undefined) throw Object.assign(new Error('ENOENT'), { code: 'ENOENT' });
    return node;
  }

  #create(path: string, data: Buffer, mode: number): Node {
    const node = { data, synced: Buffer.alloc(0), mode, id: (this.#ids += 1) };
    this.names.set(path, node);
    return node;
  }
}
