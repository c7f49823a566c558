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
  type LeaseEnded,
  type RollbackDecisionBody,
} from '../record-bodies.js';
import { endsUnseen } from '../effects.js';
import { skeletonOf, type Placed, type Planned } from './skeleton.js';
import type { FoldState } from './fold-state.js';
import { TraceLog } from './trace-log.js';
import type { Instance, Trace } from './types.js';

/** The local frame has its origin from these; home is only a place in it. */
const FRAME_EPOCHS: ReadonlySet<string> = new Set(['vehicle', 'estimator']);

export const stepIdOf = (generation: number, componentId: string): string =>
  `${generation}/${componentId}`;

export const componentIdOf = (stepId: string): string => stepId.slice(stepId.indexOf('/') + 1);

const partsOf = (stepId: string): readonly [generation: number, componentId: string] => [
  Number(stepId.slice(0, stepId.indexOf('/'))),
  componentIdOf(stepId),
];

interface Plan {
  readonly planned: readonly Planned[];
  readonly skeleton: ReadonlyMap<string, Placed>;
}

const planOf = (planned: readonly Planned[]): Plan => ({ planned, skeleton: skeletonOf(planned) });

export class TraceFold {
  #log = new TraceLog();
  /** By generation. */
  readonly #plans = new Map<number, Plan>();
  /** Step of each lease that has not ended. */
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

  /** Undefined until one of its steps has begun, or is about to. */
  instanceOf(stepId: string): Instance | undefined {
    return this.#log.ownerOf(stepId);
  }

  placedOf(stepId: string): Placed | undefined {
    const [generation, componentId] = partsOf(stepId);
    return this.#plans.get(generation)?.skeleton.get(componentId);
  }

  /** Another run. */
  reset(): void {
    this.#log = new TraceLog();
    this.#plans.clear();
    this.#leases.clear();
    this.#epoch = 0;
    this.#decision = undefined;
  }

  exported(): FoldState {
    return {
      epoch: this.#epoch,
      log: this.#log.exported(),
      plans: [...this.#plans].map(([generation, { planned }]) => [generation, [...planned]]),
      leases: [...this.#leases],
      ...(this.#decision === undefined ? {} : { decision: this.#decision }),
    };
  }

  restore({ epoch, log, plans, leases, decision }: FoldState): void {
    this.reset();
    this.#epoch = epoch;
    this.#log = TraceLog.restored(log);
    for (const [generation, planned] of plans) this.#plans.set(generation, planOf(planned));
    for (const [lease, step] of leases) this.#leases.set(lease, step);
    this.#decision = decision;
  }

  apply(record: LedgerRecord): void {
    if (record.epoch !== this.#epoch) this.#newLife(record);
    switch (record.kind) {
      case 'verdict':
        return read(verdictSchema, record, ({ generation, outcome, admitted }) => {
          if (outcome !== 'refused') this.#decision = undefined;
          this.#plans.set(generation, planOf(admitted.flatMap(plannedOf)));
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
          if (this.#begin(id, record.seq)) this.#leases.set(lease.leaseId, id);
        });
      case 'lease-ended':
        return read(leaseEndedSchema, record, (end) => this.#leaseEnded(end, record.seq));
      case 'receipt':
        return read(receiptSchema, record, ({ generation, componentId }) => {
          const id = stepIdOf(generation, componentId);
          if (this.#begin(id, record.seq)) this.#log.end(id, 'committed', record.seq);
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

  /** An instance is entered with its first step; ledgers of before know no skeleton. */
  #enter(id: string): boolean {
    if (this.#log.ownerOf(id) !== undefined) return true;
    const [generation, componentId] = partsOf(id);
    const { planned, skeleton } = this.#plans.get(generation) ?? planOf([]);
    const placed = skeleton.get(componentId);
    if (placed === undefined) return false;
    const steps = planned
      .filter((p) => skeleton.get(p.componentId)?.opener === placed.opener)
      .map((p) => ({ id: stepIdOf(generation, p.componentId), effect: p.effectClass }));
    this.#log.enter({ component: placed.component, entity: placed.entity }, steps);
    return true;
  }

  #begin(id: string, at: number): boolean {
    if (!this.#enter(id)) return false;
    const [generation] = partsOf(id);
    const uses = this.placedOf(id)?.uses ?? [];
    this.#log.begin(
      id,
      uses.map((name) => stepIdOf(generation, name)),
      at,
    );
    return true;
  }

  #leaseEnded(ended: LeaseEnded, at: number): void {
    const { leaseId, code, framesDrawn } = ended;
    const id = this.#leases.get(leaseId);
    if (id === undefined) return;
    this.#leases.delete(leaseId);
    // Its receipt follows; without one, in a life to come, it is unknown.
    if (code === 'done') return;
    const { steps = [] } = this.#log.ownerOf(id) ?? {};
    const lasting = steps.find((step) => step.id === id)?.effect === 'irreversible';
    const mayHaveHappened = endsUnseen(ended) || (lasting && framesDrawn !== 0);
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
