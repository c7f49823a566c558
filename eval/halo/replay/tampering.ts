/**
 * How a frame is altered between minting and dispatch. Enters: the name of an alteration.
 * Leaves: the tampering. Never: an alteration that leaves everything as it was.
 */
import { wireDigest, type MintedFrame } from '../../../src/gate/index.js';
import type { Binding } from '../../../src/contract/index.js';
import type { Alteration } from '../scenarios/chances.js';
import type { Tamper } from './dispatch.js';

const bound = (change: (binding: Binding) => Partial<Binding>): Tamper => {
  return (frame, _another, send) =>
    void send({ ...frame, binding: { ...frame.binding, ...change(frame.binding) } });
};

const withPayload = ({ payload }: MintedFrame, change: (copy: Uint8Array) => void): Uint8Array => {
  const copy = payload.slice();
  change(copy);
  return copy;
};

const flip = (copy: Uint8Array): void => void (copy[0] = (copy[0] ?? 0) ^ 1);

/**
 * Of the first number that is zero, as -0 is 0 to every reader but the wire; where there is none,
 * of the first number.
 */
function negate(copy: Uint8Array): void {
  const view = new DataView(copy.buffer, copy.byteOffset);
  const words = Array.from({ length: copy.length >> 2 }, (_, k) => 4 * k);
  const at = words.find((word) => view.getUint32(word, true) === 0) ?? 0;
  const signByte = Math.min(at + 3, copy.length - 1); // A list's request has three bytes in all.
  copy[signByte] = (copy[signByte] ?? 0) ^ 0x80;
}

const other = 'e'.repeat(64);

export const TAMPERINGS: Readonly<Record<Alteration, Tamper>> = {
  'a bit of the payload': (frame, _another, send) =>
    void send({ ...frame, payload: withPayload(frame, flip) }),
  'the sign of a number': (frame, _another, send) =>
    void send({ ...frame, payload: withPayload(frame, negate) }),
  'payload and wire digest alike': (frame, _another, send) => {
    const payload = withPayload(frame, flip);
    const digest = wireDigest(frame.messageId, payload);
    send({ ...frame, payload, binding: { ...frame.binding, wireDigest: digest } });
  },
  'another message id': (frame, _another, send) =>
    void send({ ...frame, messageId: frame.messageId === 76 ? 84 : 76 }),
  'another run': bound(() => ({ runId: 'run-2' })),
  'another boot epoch': bound(({ bootEpoch }) => ({ bootEpoch: bootEpoch - 1 })),
  'another generation': bound(({ generation }) => ({ generation: generation + 1 })),
  'another component': bound(({ componentId }) => ({ componentId: `${componentId}-2` })),
  'another component digest': bound(() => ({ componentDigest: other })),
  'another catalog': bound(() => ({ catalogDigest: other })),
  'another lease': bound(() => ({ leaseId: 'l-3-99' })),
  'another sequence': bound(({ sequence }) => ({ sequence: sequence + 1 })),
  'another vehicle': bound(({ targetSystem }) => ({ targetSystem: targetSystem + 1 })),
  'other epochs': bound(({ epochs }) => ({
    epochs: { ...epochs, estimator: epochs.estimator + 1 },
  })),
  'a token of another frame': (frame, another, send) =>
    void send({ ...frame, token: another().token }),
  'a token that was used': (frame, another, send) => {
    // The first dispatch is right; only what follows it would be wrong.
    const used = another();
    send(used);
    send({ ...used });
    void frame;
  },
};

/** Frames that are right among those written. */
export const rightfulFrames = (alteration: Alteration): number =>
  alteration === 'a token that was used' ? 1 : 0;
