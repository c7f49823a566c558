/**
 * The key that signs receipts. Enters: the keys folder, a receipt's body. Leaves: signatures.
 * Never: a private key that others on the machine can read, or one in a log or a record.
 */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';
import { join } from 'node:path';
import { fail, ok, type Receipt, type ReceiptBody, type Result } from '../contract/index.js';
import { canonicalJson, haloError, sha256Hex } from '../platform/index.js';
import type { FilePort } from './files.js';

export const KEYS_DIR = 'keys';
export const KEY_FILE = 'ledger-ed25519.pem';

export interface LedgerKey {
  /** First 16 hex digits of the SHA-256 of the public key's SPKI DER. */
  readonly keyId: string;
  readonly publicKeyPem: string;
  sign(body: ReceiptBody): Receipt;
}

/** The key of the folder; undefined when there is none yet. Errors: HALO-607, HALO-605. */
export async function loadKey(
  files: FilePort,
  dir: string,
): Promise<Result<LedgerKey | undefined>> {
  const path = join(dir, KEYS_DIR, KEY_FILE);
  const mode = await files.mode(path);
  const pem = mode === undefined ? undefined : await files.read(path);
  if (mode === undefined || pem === undefined) return ok(undefined);
  if ((mode & 0o077) !== 0) {
    const message = `${path} has mode 0${mode.toString(8)}: others can read the signing key.`;
    return fail(haloError('HALO-607', message, path));
  }
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyType === 'ed25519') return ok(ledgerKey(key));
  } catch {
    // Said below: the reason that the library gives may quote parts of the file.
  }
  return fail(haloError('HALO-605', `${path} does not hold an Ed25519 private key.`, path));
}

export async function generateKey(files: FilePort, dir: string): Promise<LedgerKey> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await files.create(join(dir, KEYS_DIR, KEY_FILE), pem, 0o600);
  await files.syncDir(join(dir, KEYS_DIR));
  return ledgerKey(privateKey);
}

/** Undefined when the text is no Ed25519 public key. */
export function keyIdOf(publicKeyPem: string): string | undefined {
  const key = publicKeyOf(publicKeyPem);
  return key === undefined ? undefined : idOf(key);
}

/** False for any receipt whose body, key or signature is not exactly the signed one. */
export function verifyReceipt(
  receipt: Pick<Receipt, 'keyId' | 'signature'>,
  publicKeyPem: string,
): boolean {
  const key = publicKeyOf(publicKeyPem);
  const { keyId, signature, ...body } = receipt;
  if (key === undefined || keyId !== idOf(key)) return false;
  const bytes = Buffer.from(signature, 'base64');
  // Base64 has many spellings of the same bytes; a receipt has one.
  if (bytes.toString('base64') !== signature) return false;
  return verify(null, Buffer.from(canonicalJson(body)), key, bytes);
}

function ledgerKey(privateKey: KeyObject): LedgerKey {
  const publicKey = createPublicKey(privateKey);
  const keyId = idOf(publicKey);
  return {
    keyId,
    publicKeyPem: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    sign: (body) => {
      const signature = sign(null, Buffer.from(canonicalJson(body)), privateKey);
      return { ...body, keyId, signature: signature.toString('base64') };
    },
  };
}

const idOf = (key: KeyObject): string =>
  sha256Hex(key.export({ type: 'spki', format: 'der' })).slice(0, 16);

function publicKeyOf(pem: string): KeyObject | undefined {
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
}
