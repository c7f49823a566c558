/**
 * One retained component on its way to the wire, through the bridge's own gate.
 * Enters: an admitted component, what the world is by then, what is tampered with.
 * Leaves: the frames that were written, or that it was delivered.
 * Never: a check of its own: the gate and the catalog's footprints decide.
 */
import { supportFindings, type AdmittedComponent } from '../../../src/admission/index.js';
import {
  isEffect,
  type Envelope,
  type Epochs,
  type Snapshot,
} from '../../../src/contract/index.js';
import type { CheckName, Gate, GatePorts, Lease, MintedFrame } from '../../../src/gate/index.js';
import { createGateWithout } from '../../../src/gate/testing.js';
import { encodePayload } from '../../../src/link/index.js';
import { createEffect } from '../../../src/vehicle/index.js';
import { CATALOG, NOW_US } from '../world.js';

export interface Turn {
  readonly admitted: AdmittedComponent;
  /** The world when its turn has come. */
  readonly snapshot: Snapshot;
  /** The epochs at that moment; those of the decision are in the component. */
  readonly liveEpochs: Epochs;
  readonly prerequisitesReady: boolean;
  readonly gateWithout: readonly CheckName[];
  /** False: epochs are not among what is looked at again. */
  readonly epochsCount: boolean;
}

export interface Written {
  readonly messageId: number;
  readonly payload: Uint8Array;
}

/** Dispatches one minted frame; the second argument mints another of the same lease. */
export type Send = (frame: MintedFrame) => boolean;
export type Tamper = (frame: MintedFrame, mintAnother: () => MintedFrame, send: Send) => void;

const BOOT_EPOCH = 3;
const TARGET_SYSTEM = 1;
const plainly: Tamper = (frame, _another, send) => void send(frame);

/**
 * True when nothing of the variant stands in the way of the component's being carried out: a lease
 * that the gate lets stand, or an utterance that would be delivered. Whether the vehicle could
 * follow is not asked.
 */
export function isLetThrough(turn: Turn): boolean {
  const { admitted, gateWithout } = turn;
  if (!isEffect(admitted.entry)) {
    const ready = gateWithout.includes('prerequisites') || turn.prerequisitesReady;
    return ready && (gateWithout.includes('support') || supportOf(turn).length === 0);
  }
  const gate = gateOf(turn, []);
  const lease = grant(turn, gate, { targetSystem: TARGET_SYSTEM, targetComponent: 1, allowed: [] });
  return gate.review(lease, NOW_US) === undefined;
}

/** The frames of an effect that are on the wire after its turn. */
export function takeTurn(turn: Turn, tamper: Tamper = plainly): readonly Written[] {
  const written: Written[] = [];
  const gate = gateOf(turn, written);
  const started = start(turn, gate);
  if (started === undefined) return [];
  const { lease, frame, mintAnother } = started;
  const writtenBefore = written.length;
  tamper(frame, mintAnother, (one) => gate.dispatch(lease, one, NOW_US).ok);
  return written.slice(writtenBefore);
}

function supportOf(turn: Turn) {
  const { admitted, snapshot, liveEpochs, epochsCount } = turn;
  return supportFindings({
    component: admitted,
    snapshot: { ...snapshot, epochs: liveEpochs },
    nowUs: NOW_US,
    stage: 'start',
    basisEpochs: epochsCount ? admitted.basisEpochs : liveEpochs,
  });
}

function portsOf(turn: Turn, written: Written[]): GatePorts {
  let tokens = 0;
  return {
    encode: (message) => {
      const encoded = encodePayload(message);
      return encoded.ok
        ? { ok: true, value: { id: encoded.id, payload: encoded.payload } }
        : { ok: false, error: { code: 'HALO-505', message: encoded.message, remedy: '' } };
    },
    write: (messageId, payload) => {
      written.push({ messageId, payload: payload.slice() });
      return { ok: true, value: { sequence: written.length } };
    },
    support: () => supportOf(turn),
    prerequisitesReady: () => turn.prerequisitesReady,
    isDurable: () => true,
    currentEpoch: () => BOOT_EPOCH,
    liveEpochs: () => turn.liveEpochs,
    newToken: () => String((tokens += 1)),
  };
}

const gateOf = (turn: Turn, written: Written[]): Gate =>
  createGateWithout(
    portsOf(turn, written),
    { runId: 'run-1', bootEpoch: BOOT_EPOCH },
    turn.gateWithout,
  );

function grant({ admitted }: Turn, gate: Gate, envelope: Envelope): Lease {
  const { component, entry, digest, basisEpochs } = admitted;
  const lease = gate.grant(
    {
      componentId: component.id,
      componentDigest: digest,
      kind: component.kind,
      authority: 'agent',
      generation: 1,
      catalogDigest: CATALOG.digest,
      envelope,
      framesAllowed: entry.frames,
      deadlineUs: NOW_US + entry.deadlineS * 1_000_000,
      epochs: basisEpochs,
      boundEpochs: entry.epochs,
    },
    NOW_US,
  );
  gate.recordIntent(lease, 1);
  return lease;
}

/** As the engine starts an effect: its machine, a lease of its envelope, its first frame. */
function start(
  turn: Turn,
  gate: Gate,
): { lease: Lease; frame: MintedFrame; mintAnother: () => MintedFrame } | undefined {
  const { admitted, snapshot } = turn;
  const { component, entry, typed } = admitted;
  const options = { entry, snapshot, nowUs: NOW_US, targetSystem: TARGET_SYSTEM };
  const effect = createEffect(typed, options);
  if (!effect.ok) return undefined;
  const machine = effect.value;
  const lease = grant(turn, gate, machine.envelope);
  const [message] = machine.step({
    nowUs: NOW_US,
    snapshot,
    acks: [],
    heard: [],
    reasons: [],
  }).frames;
  if (message === undefined) throw new Error(`${component.id} sends nothing in this world`);
  const mintAnother = (): MintedFrame => {
    const minted = gate.mint(lease, message, NOW_US);
    if (!minted.ok) throw new Error(JSON.stringify(minted.error));
    return minted.value;
  };
  return { lease, frame: mintAnother(), mintAnother };
}
