/**
 * Exact binding b_e: everything that makes a frame that frame, and the digest of its wire content.
 * Enters: a Binding, or message id and payload bytes. Leaves: bindings, comparisons, the digest.
 * Never: a digest over less than what goes on the wire, or a comparison that leaves a member out.
 */
import type { Binding } from '../contract/index.js';
import { digestOf, sha256Hex } from '../platform/index.js';

/** What is the same for every frame of a lease. */
export type LeaseBinding = Omit<Binding, 'messageId' | 'sequence' | 'wireDigest'>;

/** The canonical binding of a lease under its digest, made once: no frame pays for it. */
export const leaseBindingOf = (bound: Omit<LeaseBinding, 'leaseDigest'>): LeaseBinding => ({
  ...bound,
  leaseDigest: digestOf(bound),
});

/** Written out: a spread object takes four times as long to make, and to compare. */
export const bindingOf = (
  b: LeaseBinding,
  messageId: number,
  sequence: number,
  digest: string,
): Binding => ({
  runId: b.runId,
  bootEpoch: b.bootEpoch,
  generation: b.generation,
  componentId: b.componentId,
  componentDigest: b.componentDigest,
  catalogDigest: b.catalogDigest,
  leaseId: b.leaseId,
  sequence,
  targetSystem: b.targetSystem,
  epochs: b.epochs,
  leaseDigest: b.leaseDigest,
  messageId,
  wireDigest: digest,
});

/** Whether two bindings are one, by every member (ADR 11). */
export function sameBinding(a: Binding, b: Binding): boolean {
  const e = a.epochs;
  const f = b.epochs;
  return (
    a.sequence === b.sequence &&
    a.wireDigest === b.wireDigest &&
    a.messageId === b.messageId &&
    a.bootEpoch === b.bootEpoch &&
    a.generation === b.generation &&
    a.targetSystem === b.targetSystem &&
    a.runId === b.runId &&
    a.leaseId === b.leaseId &&
    a.componentId === b.componentId &&
    a.componentDigest === b.componentDigest &&
    a.catalogDigest === b.catalogDigest &&
    a.leaseDigest === b.leaseDigest &&
    e.vehicle === f.vehicle &&
    e.estimator === f.estimator &&
    e.arming === f.arming &&
    e.home === f.home &&
    e.link === f.link &&
    e.mode === f.mode
  );
}

/** The bytes that the wire digest covers: message id (uint24, little endian), then the payload. */
export function wireBytes(messageId: number, payload: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(3 + payload.length);
  bytes[0] = messageId & 0xff;
  bytes[1] = (messageId >>> 8) & 0xff;
  bytes[2] = (messageId >>> 16) & 0xff;
  bytes.set(payload, 3);
  return bytes;
}

/** Whether `bytes` are the {@link wireBytes} of this message. */
export function isWireOf(bytes: Uint8Array, messageId: number, payload: Uint8Array): boolean {
  if (bytes.length !== 3 + payload.length) return false;
  const id = (bytes[0] ?? 0) | ((bytes[1] ?? 0) << 8) | ((bytes[2] ?? 0) << 16);
  if (id !== messageId) return false;
  for (let i = 0; i < payload.length; i += 1) if (bytes[3 + i] !== payload[i]) return false;
  return true;
}

/**
 * SHA-256 over the message id (uint24, little endian, as on the wire) and the payload before
 * zero truncation: 0.1 and 0.10000000149 differ as JSON and not here, -0 and 0 the other way.
 */
export const wireDigest = (messageId: number, payload: Uint8Array): string =>
  sha256Hex(wireBytes(messageId, payload));
