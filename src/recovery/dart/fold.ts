/**
 * The trace of a flight, from the ledger alone. Enters: records in order, at start and live alike.
 * Leaves: the trace, and the decision that stands. Never: a fact that no record shows.
 *
 *   verdict        the skeleton: instances and their steps, and what uses what
 *   checkpoint     entry (before the lease), commit (receipt), exit (receipt of the last step)
 *   lease-granted  a step begins           lease-ended   it failed, or nobody knows
 *   receipt        a step is committed; an utterance begins and ends with it
 *   vehicle-epoch  places of before name other spots when the frame has moved
 *   guardian's leases and what was withheld before it began leave no trace: no step was begun
 */
import type { z } from 'zod';
import type { LedgerRecord } from '../../contract/index.js';
import {
  checkpointSchema,
  leaseEndedSchema,
  leaseGrantedSchema,
  receiptSchema,
  rollbackDecisionSchema,
  vehicleEpochSchema,
  verdictSchema,
  type AdmittedEntry,
  type RollbackDecisionBody,
} from '../record-bodies.js';
import { skeletonOf, type Placed, type Planned } from './skeleton.js';
import { TraceLog } from './trace-log.js';
import type { Instance, Trace } from './types.js';

/** The local frame has its origin from these; home is only a place in it. */
const FRAME_EPOCHS: ReadonlySet<string> = new Set(['vehicle', 'estimator']);

/** Ends after which the effect may have happened: see Effects. */
const OPEN_ENDS: ReadonlySet<string> = new Set(['done', 'HALO-510']);

export const stepIdOf = (generation: number, componentId: string): string =>
  `${generation}/${componentId}`;

export const componentIdOf = (stepId: string): string => stepId.slice(stepId.indexOf('/') + 1);

interface Known extends Placed {
  readonly planned: Planned;
  readonly siblings: readonly Planned[];
  readonly skeleton: ReadonlyMap<string, Placed>;
}

export class TraceFold {
  readonly #log = new TraceLog();
  readonly #known = new Map<string, Known>();
  readonly #leases = new Map<string, string>();
  #epoch = 0;
  #decision: RollbackDecisionBody | undefined;

  get trace(): Trace {
    return this.#log.trace;
  }

  /** The last one, until a fresh response is taken up. */
  get decision(): RollbackDecisionBody | undefined {
    return this.#decision;
  }

  instanceOf(stepId: string): Instance | undefined {
    return this.#log.ownerOf(stepId);
  }

  /** Before it is entered: the name that its instance will have, without the occurrence. */
  placedOf(stepId: string): Placed | undefined {
    return this.#known.get(stepId);
  }

  apply(record: LedgerRecord): void {
    if (record.epoch !== this.#epoch) this.#newLife(record);
    switch (record.kind) {
      case 'verdict':
        return read(verdictSchema, record, ({ generation, outcome, admitted }) => {
          if (outcome !== 'refused') this.#decision = undefined;
          this.#admit(generation, admitted);
        });
      case 'checkpoint':
        return read(checkpointSchema, record, ({ kind, generation, componentId, place }) => {
          const id = stepIdOf(generation, componentId);
          if (this.#enter(id)) this.#log.mark(id, kind, record.seq, place);
        });
      case 'lease-granted':
        return read(leaseGrantedSchema, record, (lease) => {
          if (lease.authority !== 'agent') return;
          const id = stepIdOf(lease.generation, lease.componentId);
          this.#begin(id, record.seq);
          this.#leases.set(lease.leaseId, id);
        });
      case 'lease-ended':
        return read(leaseEndedSchema, record, (end) => this.#leaseEnded(end, record.seq));
      case 'receipt':
        return read(receiptSchema, record, ({ generation, componentId }) => {
          const id = stepIdOf(generation, componentId);
          this.#begin(id, record.seq);
          if (this.#log.ownerOf(id)) this.#log.end(id, 'committed', record.seq);
        });
      case 'vehicle-epoch':
        return read(vehicleEpochSchema, record, ({ moved }) => {
          if (moved.some((kind) => FRAME_EPOCHS.has(kind))) this.#log.moveFrame();
        });
      case 'rollback-decision':
        return read(rollbackDecisionSchema, record, (body) => void (this.#decision = body));
      default:
        return undefined;
    }
  }

  #admit(generation: number, admitted: readonly AdmittedEntry[]): void {
    const siblings = admitted.flatMap(plannedOf);
    const skeleton = skeletonOf(siblings);
    for (const planned of siblings) {
      const placed = skeleton.get(planned.componentId);
      if (placed === undefined) continue;
      const id = stepIdOf(generation, planned.componentId);
      this.#known.set(id, { ...placed, planned, siblings, skeleton });
    }
  }

  /** An instance is entered with its first step; ledgers of before know no skeleton. */
  #enter(id: string): boolean {
    if (this.#log.ownerOf(id) !== undefined) return true;
    const known = this.#known.get(id);
    if (known === undefined) return false;
    const { component, entity, opener, siblings, skeleton } = known;
    const generation = Number(id.slice(0, id.indexOf('/')));
    const steps = siblings
      .filter((p) => skeleton.get(p.componentId)?.opener === opener)
      .map((p) => ({ id: stepIdOf(generation, p.componentId), effect: p.effectClass }));
    this.#log.enter({ component, entity }, steps);
    return true;
  }

  #begin(id: string, at: number): void {
    if (!this.#enter(id)) return;
    const generation = Number(id.slice(0, id.indexOf('/')));
    const uses = this.#known.get(id)?.uses ?? [];
    this.#log.begin(
      id,
      uses.map((name) => stepIdOf(generation, name)),
      at,
    );
  }

  #leaseEnded({ leaseId, code, framesDrawn }: z.infer<typeof leaseEndedSchema>, at: number): void {
    const id = this.#leases.get(leaseId);
    if (id === undefined || this.#log.ownerOf(id) === undefined) return;
    this.#leases.delete(leaseId);
    // Its receipt follows; without one, in a life to come, it is unknown.
    if (code === 'done') return;
    const lasting = this.#known.get(id)?.planned.effectClass === 'irreversible';
    const mayHaveHappened = OPEN_ENDS.has(code) || (lasting && framesDrawn !== 0);
    this.#log.end(id, mayHaveHappened ? 'unknown' : 'failed', at);
  }

  /** Nobody watched in between: what was under way is unknown, and the frame may have moved. */
  #newLife(record: LedgerRecord): void {
    this.#epoch = record.epoch;
    this.#leases.clear();
    this.#log.moveFrame();
    for (const { steps } of this.#log.trace.instances) {
      for (const { id, state } of steps) {
        if (state === 'under-way') this.#log.end(id, 'unknown', record.seq);
      }
    }
  }
}

function plannedOf(entry: AdmittedEntry): readonly Planned[] {
  const { componentId, does, effectClass, requires, entity } = entry;
  if (does === undefined || effectClass === undefined) return [];
  return [{ componentId, does, effectClass, requires: requires ?? [], entity: entity ?? '' }];
}

/** A body that does not fit its kind is for the tracker to report: it reads the same record. */
function read<T>(schema: z.ZodType<T>, record: LedgerRecord, use: (body: T) => void): void {
  const body = schema.safeParse(record.body);
  if (body.success) use(body.data);
}
