/**
 * The checks of the last moment, each by name, in the order in which they run.
 * Enters: one minted frame with its lease and the live state. Leaves: the first refusal, or none.
 * Never: a check that waits, or one that a caller can skip (tests remove them by name, through
 * ./testing, to show what each one stops).
 */
import type { Binding, Code, EpochKind, Epochs, Finding } from '../contract/index.js';
import { isWireOf, sameBinding, wireDigest } from './binding.js';
import type { Lease, MintedFrame } from './lease.js';

/** What can be asked of a lease at any time, with or without a frame at hand. */
export interface LeaseContext {
  readonly lease: Lease;
  readonly nowUs: number;
  readonly liveEpochs: Epochs;
  /** Of this life of the bridge. */
  readonly bootEpoch: number;
  /** The boot epoch that the ledger folder shows now: higher when another life has opened it. */
  readonly currentEpoch: number;
  readonly prerequisitesReady: boolean;
  readonly support: () => readonly Finding[];
}

/**
 * What the gate keeps of a minted frame: copies of its own, which nobody else can reach. A frame
 * is compared with them member by member and byte by byte (ADR 11).
 */
export interface Token {
  readonly binding: Binding;
  /** Message id and payload, as the wire digest covers them. */
  readonly wire: Uint8Array;
}

export interface FrameContext extends LeaseContext {
  readonly frame: MintedFrame;
  /** Undefined: spent or foreign. */
  readonly token: Token | undefined;
  readonly durable: boolean;
}

export interface Refusal {
  readonly check: CheckName;
  readonly code: Code;
  readonly message: string;
  readonly findings: readonly Finding[];
  /** A refusal that ends the lease; one that does not (intent not durable yet) may be retried. */
  readonly endsLease: boolean;
}

export const CHECK_NAMES = [
  'single-use',
  'epoch-fence',
  'lease-active',
  'lease-deadline',
  'lease-frames',
  'path-order',
  'payload-digest',
  'wire-digest',
  'intent-durable',
  'prerequisites',
  'epochs',
  'support',
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

type Answer = Omit<Refusal, 'check'> | undefined;

const refuse = (
  code: Code,
  message: string,
  endsLease = true,
  findings: readonly Finding[] = [],
): Omit<Refusal, 'check'> => ({ code, message, findings, endsLease });

const fenced = (bootEpoch: number, current: number): Answer =>
  bootEpoch === current
    ? undefined
    : refuse('HALO-407', `The token is of boot epoch ${bootEpoch}, now is ${current}.`);

/** Checks that need no frame: they also run at every tick while a lease is active. */
export const LEASE_CHECKS = {
  'lease-active': (c) =>
    c.lease.end === undefined
      ? undefined
      : refuse('HALO-402', `Lease ${c.lease.id} ended: ${c.lease.end.message}`),

  'lease-deadline': (c) =>
    c.nowUs > c.lease.grant.deadlineUs
      ? refuse('HALO-404', `Lease ${c.lease.id} passed its deadline.`)
      : undefined,

  'epoch-fence': (c) => fenced(c.bootEpoch, c.currentEpoch),

  prerequisites: (c) =>
    c.prerequisitesReady ? undefined : refuse('HALO-410', 'A prerequisite has no receipt yet.'),

  epochs: (c) => {
    const { epochs, boundEpochs } = c.lease.grant;
    const hasMoved = (kind: EpochKind): boolean => c.liveEpochs[kind] !== epochs[kind];
    if (!boundEpochs.some(hasMoved)) return undefined;
    const moved = boundEpochs.filter(hasMoved).join(', ');
    return refuse('HALO-409', `Moved since the decision: ${moved}.`);
  },

  support: (c) => {
    const findings = c.support();
    const first = findings[0];
    return first === undefined ? undefined : refuse('HALO-408', first.message, true, findings);
  },
} as const satisfies Partial<Record<CheckName, (c: LeaseContext) => Answer>>;

export const CHECKS: Readonly<Record<CheckName, (c: FrameContext) => Answer>> = {
  ...LEASE_CHECKS,

  'single-use': (c) =>
    c.token === undefined ? refuse('HALO-401', 'The token is unknown or spent.') : undefined,

  'epoch-fence': (c) => fenced(c.frame.binding.bootEpoch, c.currentEpoch),

  'lease-frames': (c) =>
    c.lease.framesDrawn >= c.lease.grant.framesAllowed
      ? refuse(
          'HALO-403',
          `Lease ${c.lease.id} drew all its ${c.lease.grant.framesAllowed} frames.`,
        )
      : undefined,

  'path-order': (c) =>
    c.frame.point !== undefined && c.frame.place === undefined
      ? refuse('HALO-412', 'The setpoint is not next on the admitted way.')
      : undefined,

  'payload-digest': (c) =>
    c.token !== undefined && !sameBinding(c.frame.binding, c.token.binding)
      ? refuse('HALO-405', 'The binding differs from the one that was minted.')
      : undefined,

  'wire-digest': (c) =>
    c.frame.messageId !== c.frame.binding.messageId ||
    digestOfWire(c.frame, c.token) !== c.frame.binding.wireDigest
      ? refuse('HALO-406', 'The bytes differ from the ones that were minted.')
      : undefined,

  'intent-durable': (c) =>
    c.durable ? undefined : refuse('HALO-411', 'The intent is not on disk yet.', false),
};

/** The bytes that were digested when the frame was minted have that digest; others are digested. */
const digestOfWire = ({ messageId, payload }: MintedFrame, token: Token | undefined): string =>
  token !== undefined && isWireOf(token.wire, messageId, payload)
    ? token.binding.wireDigest
    : wireDigest(messageId, payload);
