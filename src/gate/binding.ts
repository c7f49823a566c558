/**
 * Exact binding b_e: one canonical text and digest over everything that makes a frame that frame.
 * Enters: a Binding, or message id and payload bytes. Leaves: digests.
 * Never: a digest over less than what goes on the wire.
 */
import type { Binding } from '../contract/index.js';
import { sha256Hex } from '../platform/index.js';

const quote = (text: string): string => JSON.stringify(text);

/**
 * RFC 8785 text of a binding, written out for its fixed shape: keys sorted, numbers as JSON
 * writes them. The generic canonicaliser says the same (tested) and takes four times as long,
 * on the path of every setpoint.
 */
export function bindingText(b: Binding): string {
  const e = b.epochs;
  return (
    `{"bootEpoch":${b.bootEpoch},"catalogDigest":${quote(b.catalogDigest)},` +
    `"componentDigest":${quote(b.componentDigest)},"componentId":${quote(b.componentId)},` +
    `"epochs":{"arming":${e.arming},"estimator":${e.estimator},"home":${e.home},` +
    `"link":${e.link},"mode":${e.mode},"vehicle":${e.vehicle}},` +
    `"generation":${b.generation},"leaseId":${quote(b.leaseId)},"messageId":${b.messageId},` +
    `"runId":${quote(b.runId)},"sequence":${b.sequence},"targetSystem":${b.targetSystem},` +
    `"wireDigest":${quote(b.wireDigest)}}`
  );
}

export const bindingDigest = (binding: Binding): string => sha256Hex(bindingText(binding));

/**
 * SHA-256 over the message id (uint24, little endian, as on the wire) and the payload before
 * zero truncation: 0.1 and 0.10000000149 differ as JSON and not here, -0 and 0 the other way.
 */
export function wireDigest(messageId: number, payload: Uint8Array): string {
  const bytes = new Uint8Array(3 + payload.length);
  bytes[0] = messageId & 0xff;
  bytes[1] = (messageId >>> 8) & 0xff;
  bytes[2] = (messageId >>> 16) & 0xff;
  bytes.set(payload, 3);
  return sha256Hex(bytes);
}
