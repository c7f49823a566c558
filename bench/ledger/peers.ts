/**
 * What the ledger is measured against: SQLite through better-sqlite3, and a LangGraph step.
 * Enters: nothing. Leaves: a table that keeps the same chain, and a child that times its steps.
 * Never: a setting that makes a peer slower, or less durable, than it is meant to be run.
 */
import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { LedgerRecord } from '../../src/contract/index.js';
import { assert, canonicalJson, sha256Hex } from '../../src/platform/index.js';

const PEERS = path.resolve('.halo', 'bench');

/** The part of better-sqlite3 that is used here; it is not installed where types are checked. */
interface Statement {
  run(...values: readonly unknown[]): unknown;
  iterate(): IterableIterator<unknown>;
}
interface Database {
  pragma(text: string): unknown;
  exec(text: string): unknown;
  prepare(text: string): Statement;
  transaction<T extends readonly unknown[]>(work: (...args: T) => void): (...args: T) => void;
  close(): void;
}

interface Row {
  readonly seq: number;
  readonly epoch: number;
  readonly tUs: number;
  readonly wallMs: number;
  readonly kind: string;
  readonly body: string;
  readonly prev: string;
  readonly hash: string;
}

/** A table of records in write-ahead mode with a sync at each commit: as durable as the ledger. */
export class SqliteLedger {
  readonly #database: Database;
  readonly #insert: Statement;
  readonly #insertMany: (records: readonly LedgerRecord[]) => void;

  constructor(file: string) {
    for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
    const load = createRequire(path.join(PEERS, 'package.json'));
    const Open = load('better-sqlite3') as new (file: string) => Database;
    this.#database = new Open(file);
    this.#database.pragma('journal_mode = WAL');
    this.#database.pragma('synchronous = FULL');
    this.#database.exec(
      'create table records (seq integer primary key, epoch integer, tUs integer, ' +
        'wallMs integer, kind text, body text, prev text, hash text)',
    );
    this.#insert = this.#database.prepare('insert into records values (?, ?, ?, ?, ?, ?, ?, ?)');
    this.#insertMany = this.#database.transaction((records) => {
      for (const record of records) this.append(record);
    });
  }

  /** The record comes made and hashed: what is timed is keeping it. */
  append({ seq, epoch, tUs, wallMs, kind, body, prev, hash }: LedgerRecord): void {
    this.#insert.run(seq, epoch, tUs, wallMs, kind, canonicalJson(body), prev, hash);
  }

  appendAll(records: readonly LedgerRecord[]): void {
    this.#insertMany(records);
  }

  /** Every row in order, its hash made anew and its place in the chain checked. */
  replay(): number {
    let prev = '0'.repeat(64);
    let count = 0;
    for (const row of this.#database.prepare('select * from records order by seq').iterate()) {
      const { seq, epoch, tUs, wallMs, kind, body, hash, ...rest } = row as Row;
      const own = sha256Hex(
        `{"body":${body},"epoch":${epoch},"kind":"${kind}","prev":"${rest.prev}",` +
          `"seq":${seq},"tUs":${tUs},"v":1,"wallMs":${wallMs}}`,
      );
      assert(own === hash && rest.prev === prev, 'the rows make a chain');
      prev = hash;
      count += 1;
    }
    return count;
  }

  close(): void {
    this.#database.close();
  }
}

/** A graph of one node that goes round, with its state kept by SqliteSaver after every step. */
export class LangGraphSteps {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: AsyncIterator<string>;

  constructor(folder: string) {
    const python = path.join(PEERS, 'langgraph', 'bin', 'python');
    const script = path.resolve('bench', 'ledger', 'langgraph_steps.py');
    this.#child = spawn(python, [script, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
  }

  /** Microseconds of each of `count` steps. */
  async run(count: number): Promise<readonly number[]> {
    this.#child.stdin.write(`${count}\n`);
    const next = await this.#lines.next();
    assert(next.done !== true, 'LangGraph answers');
    return JSON.parse(next.value) as number[];
  }

  end(): void {
    this.#child.stdin.end();
  }
}
