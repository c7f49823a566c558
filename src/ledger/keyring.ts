/**
 * Which key signs in which life of the bridge, as the chain has it.
 * Enters: records in order. Leaves: whether a receipt was signed by the key of its time.
 * Never: a key that the one before it has not named. The first is taken from the first opening:
 * whoever reviews a ledger compares it with the key that they expect.
 *
 * A rotation is a life of its own, in which no receipt is issued. So a key counts from the boot
 * epoch that brought it in until the one that brought in the next.
 */
import type { KeyObject } from 'node:crypto';
import { z } from 'zod';
import type { LedgerRecord, Receipt } from '../contract/index.js';
import { assert } from '../platform/index.js';
import { keyIdOf, publicKeyOf, verifySigned } from './keys.js';

export const keyEntrySchema = z.strictObject({
  keyId: z.string(),
  publicKey: z.string(),
  fromEpoch: z.int().positive(),
});
export type KeyEntry = z.infer<typeof keyEntrySchema>;

/** Body of `key-rotated`: the old key signs the new one, at this place in this chain. */
export const keyRotatedSchema = z.strictObject({
  nextKeyId: z.string(),
  nextPublicKey: z.string(),
  /** Hash of the record before. */
  after: z.string(),
  keyId: z.string(),
  signature: z.string(),
});

export class Keyring {
  #keys: readonly (KeyEntry & { readonly key: KeyObject })[] = [];

  /** Oldest first. */
  get entries(): readonly KeyEntry[] {
    return this.#keys.map(({ keyId, publicKey, fromEpoch }) => ({ keyId, publicKey, fromEpoch }));
  }

  /** Of the key that signs now; undefined while no record has named one. */
  get currentId(): string | undefined {
    return this.#keys.at(-1)?.keyId;
  }

  /** Why the record's key does not hold; undefined when it does, or names none. */
  learn(record: LedgerRecord): string | undefined {
    switch (record.kind) {
      case 'run-opened':
      case 'epoch-opened':
        return this.#opening(record);
      case 'key-rotated':
        return this.#rotation(record);
      default:
        return undefined;
    }
  }

  add(entry: KeyEntry): void {
    const key = publicKeyOf(entry.publicKey);
    assert(key !== undefined, 'a key has been looked at before it is added');
    this.#keys = [...this.#keys, { ...entry, key }];
  }

  /** In place of all that was learned. False when one of them is no key. */
  restore(entries: readonly KeyEntry[]): boolean {
    if (entries.some(({ keyId, publicKey }) => keyIdOf(publicKey) !== keyId)) return false;
    this.#keys = [];
    for (const entry of entries) this.add(entry);
    return true;
  }

  /** True only for a receipt that the key of its life has signed as it stands. */
  holds(receipt: Receipt): boolean {
    const { bootEpoch, keyId } = receipt;
    const signer = this.#keys.findLast(({ fromEpoch }) => fromEpoch <= bootEpoch);
    return signer?.keyId === keyId && verifySigned(receipt, signer.key);
  }

  #opening({ body, epoch }: LedgerRecord): string | undefined {
    const { keyId, publicKey } = (body ?? {}) as { keyId?: unknown; publicKey?: unknown };
    if (keyId === undefined && publicKey === undefined) return undefined;
    if (typeof keyId !== 'string' || typeof publicKey !== 'string') {
      return 'it names a key only in part';
    }
    if (keyIdOf(publicKey) !== keyId) return `its public key is not ${keyId}`;
    const known = this.currentId;
    if (known === undefined) this.add({ keyId, publicKey, fromEpoch: epoch });
    else if (known !== keyId) return `it names key ${keyId}, but no rotation from ${known} does`;
    return undefined;
  }

  #rotation({ body, epoch, prev }: LedgerRecord): string | undefined {
    const parsed = keyRotatedSchema.safeParse(body);
    if (!parsed.success) return 'its body does not fit its kind';
    const { nextKeyId, nextPublicKey, after, keyId } = parsed.data;
    const signer = this.#keys.at(-1);
    if (signer?.keyId !== keyId) return `key ${keyId} may not name the next one`;
    if (after !== prev) return 'its rotation was signed for another place';
    if (!verifySigned(parsed.data, signer.key))
      return 'the signature of its rotation does not hold';
    if (keyIdOf(nextPublicKey) !== nextKeyId) return `its public key is not ${nextKeyId}`;
    this.add({ keyId: nextKeyId, publicKey: nextPublicKey, fromEpoch: epoch });
    return undefined;
  }
}
