/**
 * Exact binding b_e: one canonical text and digest over everything that makes a frame that frame.
 * Enters: a Binding, or message id and payload bytes. Leaves: digests.
 * Never: a digest over less than what goes on the wire.
 */
import type { Binding } from '../contract/index.js';
import { sha256Hex } from '../platform/index.js';

const quote = (text: string): string => JSON.stringify(text);

/** What is the same for every frame of a lease. */
export type LeaseBinding = Omit<Binding, 'messageId' | 'sequence' | 'wireDigest'>;

/** The canonical text of a lease's bindings, but for the three members that differ. */
export interface BindingFrame {
  readonly beforeMessageId: string;
  readonly beforeSequence: string;
  readonly beforeWireDigest: string;
}

/**
 * RFC 8785 text of a binding, written out for its fixed shape: keys sorted, numbers as JSON
 * writes them. The generic canonicaliser says the same (tested) and takes four times as long; to
 * quote the names of the lease anew for each frame would take as long as its digests.
 */
export function bindingFrame(b: LeaseBinding): BindingFrame {
  const e = b.epochs;
  return {
    beforeMessageId:
      `{"bootEpoch":${b.bootEpoch},"catalogDigest":${quote(b.catalogDigest)},` +
      `"componentDigest":${quote(b.componentDigest)},"componentId":${quote(b.componentId)},` +
      `"epochs":{"arming":${e.arming},"estimator":${e.estimator},"home":${e.home},` +
      `"link":${e.link},"mode":${e.mode},"vehicle":${e.vehicle}},` +
      `"generation":${b.generation},"leaseId":${quote(b.leaseId)},"messageId":`,
    beforeSequence: `,"runId":${quote(b.runId)},"sequence":`,
    beforeWireDigest: `,"targetSystem":${b.targetSystem},"wireDigest":`,
  };
}

/** The whole text: what {@link bindingFrame} leaves open, filled in. */
export const filledIn = (
  frame: BindingFrame,
  { messageId, sequence, wireDigest: digest }: Omit<Binding, keyof LeaseBinding>,
): string =>
  `${frame.beforeMessageId}${messageId}${frame.beforeSequence}${sequence}` +
  `${frame.beforeWireDigest}${quote(digest)}}`;

export const bindingText = (binding: Binding): string => filledIn(bindingFrame(binding), binding);

export const bindingDigest = (binding: Binding): string => sha256Hex(bindingText(binding));

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
  messageId,
  wireDigest: digest,
});

/** Whether two bindings are one by every member: then their texts and digests are one too. */
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
