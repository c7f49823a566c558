/**
 * Puts one vehicle's engine together. Enters: what the operator gave and the opened machine rooms.
 * Leaves: the parts. Never: a second holder of the actuation port: it goes to the gate from here.
 */
import type {
  Agreement,
  Catalog,
  Finding,
  Result,
  TaskContract,
  WireMessage,
} from '../contract/index.js';
import { fail, ok } from '../contract/index.js';
import { EpochTracker, EvidenceStore } from '../evidence/index.js';
import { createGate, type Lease } from '../gate/index.js';
import { encodePayload } from '../link/index.js';
import { haloError } from '../platform/index.js';
import type { TaskTracker } from '../recovery/index.js';
import { LocalizedBook } from './localized.js';
import type { Parts } from './parts.js';
import { Plan } from './plan.js';
import type { EngineLedger, EngineLink } from './ports.js';
import { Recorder } from './recorder.js';

export interface EngineOptions {
  readonly catalog: Catalog;
  readonly contract: TaskContract;
  readonly link: EngineLink;
  readonly ledger: EngineLedger;
  /** Has applied every record of the ledger so far; its run is open. */
  readonly tracker: TaskTracker;
  readonly nowUs: number;
  /** Fields that must confirm each other. */
  readonly agreements?: readonly Agreement[];
  /** Unguessable hex from the machine's entropy. */
  readonly newToken: () => string;
}

/** Snapshot ids of different lives must not meet: a life takes at most this many snapshots. */
const SNAPSHOTS_PER_LIFE = 1_000_000_000;

export function assemble(
  options: EngineOptions,
  live: { support: (lease: Lease, nowUs: number) => readonly Finding[] },
): Parts {
  const { catalog, contract, link, ledger, tracker } = options;
  const store = new EvidenceStore(ledger.bootEpoch * SNAPSHOTS_PER_LIFE + 1, options.agreements);
  const plan = new Plan();
  const port = link.claimActuationPort();
  const gate = createGate(
    {
      encode,
      write: (messageId, payload) => {
        const written = port.write(messageId, payload);
        return written.ok ? ok({ sequence: written.value.sequence }) : written;
      },
      support: live.support,
      prerequisitesReady: (lease) => {
        const run = plan.byLease(lease);
        return run === undefined || plan.prerequisitesDone(run);
      },
      isDurable: (seq) => ledger.poisoned === undefined && ledger.durableSeq >= seq,
      currentEpoch: () => ledger.currentEpoch(),
      liveEpochs: () => store.epochs,
      newToken: options.newToken,
    },
    { runId: tracker.runId, bootEpoch: ledger.bootEpoch },
  );
  return {
    runId: tracker.runId,
    lifeStartedUs: options.nowUs,
    catalog,
    contract,
    link,
    ledger,
    gate,
    store,
    epochs: new EpochTracker(),
    tracker,
    plan,
    book: new LocalizedBook(),
    recorder: new Recorder(ledger, tracker),
  };
}

function encode(
  message: WireMessage,
): Result<{ readonly id: number; readonly payload: Uint8Array }> {
  const encoded = encodePayload(message);
  if (!encoded.ok) return fail(haloError('HALO-505', encoded.message));
  return ok({ id: encoded.id, payload: encoded.payload });
}
