/**
 * The key that signs receipts and snapshots. Enters: the keys folder, plain bodies. Leaves:
 * signatures. Never: a private key that others on the machine can read, one in a log or a record,
 * or a key file written over.
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
import { fail, ok, type Result } from '../contract/index.js';
import { canonicalJson, haloError, sha256Hex } from '../platform/index.js';
import type { FilePort } from './files.js';

export const KEYS_DIR = 'keys';
export const KEY_FILE = 'ledger-ed25519.pem';
/** The key that a rotation is bringing in, until the chain names it and it takes its place. */
export const NEXT_KEY_FILE = 'ledger-ed25519.next.pem';

export interface Signed {
  readonly keyId: string;
  /** Ed25519 over the canonical JSON of all other members, base64. */
  readonly signature: string;
}

export interface LedgerKey {
  /** First 16 hex digits of the SHA-256 of the public key's SPKI DER. */
  readonly keyId: string;
  readonly publicKeyPem: string;
  sign<Body extends object>(body: Body): Body & Signed;
}

/** A key of the folder; undefined when it is not there. Errors: HALO-607, HALO-605. */
export async function loadKey(
  files: FilePort,
  dir: string,
  name: string = KEY_FILE,
): Promise<Result<LedgerKey | undefined>> {
  const path = join(dir, KEYS_DIR, name);
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

/** Throws when a file of that name is there. */
export async function generateKey(
  files: FilePort,
  dir: string,
  name: string = KEY_FILE,
): Promise<LedgerKey> {
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  await files.create(join(dir, KEYS_DIR, name), pem, 0o600);
  await files.syncDir(join(dir, KEYS_DIR));
  return ledgerKey(privateKey);
}

/** Undefined when the text is no Ed25519 public key. */
export function keyIdOf(publicKeyPem: string): string | undefined {
  const key = publicKeyOf(publicKeyPem);
  return key === undefined ? undefined : idOf(key);
}

/** False for any body, key or signature that is not exactly the signed one. */
export function verifySigned(signed: Signed, publicKey: string | KeyObject): boolean {
  const key = typeof publicKey === 'string' ? publicKeyOf(publicKey) : publicKey;
  const { keyId, signature, ...body } = signed;
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

const ids = new WeakMap<KeyObject, string>();

/** Remembered, since every receipt of a long replay asks for it. */
function idOf(key: KeyObject): string {
  const known = ids.get(key);
  if (known !== undefined) return known;
  const id = sha256Hex(key.export({ type: 'spki', format: 'der' })).slice(0, 16);
  ids.set(key, id);
  return id;
}

export function publicKeyOf(pem: string): KeyObject | undefined {
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
}
