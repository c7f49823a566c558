/**
 * The engine's ledger port in memory, durable at once or when told: what seeded runs and timelines
 * use where a disk would only add wall time. The chain and the signatures are the real ones.
 */
import { generateKeyPairSync, sign, verify } from 'node:crypto';
import type { EngineLedger } from '../../src/engine/index.js';
import type { LedgerRecord, Receipt, ReceiptBody, RecordKind } from '../../src/contract/index.js';
import { canonicalJson, digestOf, haloError, type Clock } from '../../src/platform/index.js';

export class MemoryLedger implements EngineLedger {
  readonly records: LedgerRecord[] = [];
  bootEpoch = 1;
  poisoned: EngineLedger['poisoned'];
  /** Records beyond this are not durable; Infinity: every record at once. */
  durableLimit = Infinity;
  /** What the folder shows: higher than ours once another process has opened it. */
  folderEpoch = 1;
  readonly #keys = generateKeyPairSync('ed25519');
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get durableSeq(): number {
    return Math.min(this.records.length, this.durableLimit);
  }

  currentEpoch(): number {
    return this.folderEpoch;
  }

  /** From now on the disk takes nothing: what was durable stays so, and nothing else becomes so. */
  poison(): void {
    this.durableLimit = this.durableSeq;
    this.poisoned = haloError('HALO-604', 'The ledger cannot be written: ENOSPC.');
  }

  /** The next process opens the same folder. */
  nextLife(): void {
    this.bootEpoch += 1;
    this.folderEpoch = this.bootEpoch;
  }

  append(kind: RecordKind, body: unknown): LedgerRecord {
    const unsealed = {
      v: 1 as const,
      seq: this.records.length + 1,
      epoch: this.bootEpoch,
      tUs: this.#clock.nowUs(),
      wallMs: this.#clock.wallMs(),
      kind,
      body: JSON.parse(canonicalJson(body)) as unknown,
      prev: this.records.at(-1)?.hash ?? '0'.repeat(64),
    };
    const record = { ...unsealed, hash: digestOf(unsealed) };
    this.records.push(record);
    return record;
  }

  signReceipt(body: ReceiptBody): Receipt {
    const bytes = Buffer.from(canonicalJson(body));
    const signature = sign(null, bytes, this.#keys.privateKey).toString('base64');
    return { ...body, keyId: 'memory', signature };
  }

  verifyReceipt({ keyId: _keyId, signature, ...body }: Receipt): boolean {
    const bytes = Buffer.from(canonicalJson(body));
    return verify(null, bytes, this.#keys.publicKey, Buffer.from(signature, 'base64'));
  }

  of(kind: RecordKind): readonly LedgerRecord[] {
    return this.records.filter((record) => record.kind === kind);
  }
}
