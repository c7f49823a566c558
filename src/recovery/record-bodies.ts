/**
 * The bodies of those ledger records that the task's state is rebuilt from: whoever writes such a
 * record writes at least this. Enters: a record's body. Leaves: typed fields.
 * Never: more than the fold needs, so that bodies can grow without a new format.
 */
import { z } from 'zod';
import {
  EFFECTS,
  isEffect,
  kindEntrySchema,
  UTTERANCES,
  type Component,
  type KindEntry,
  type Receipt,
  type TaskContract,
  type Verdict,
} from '../contract/index.js';
import { digestOf } from '../platform/index.js';

export const runOpenedSchema = z.object({ runId: z.string().min(1) });
export type RunOpenedBody = z.infer<typeof runOpenedSchema> & {
  /** For whoever verifies the ledger without the keys folder. */
  readonly keyId: string;
  readonly publicKey: string;
};

export const contractBoundSchema = z.object({ task: z.string(), digest: z.string() });
export const contractBody = (contract: TaskContract) => ({
  task: contract.task,
  digest: contract.digest,
  contract,
});

export const admittedSchema = z.object({
  componentId: z.string(),
  componentDigest: z.string(),
  kind: z.string(),
  utterance: z.boolean(),
  fulfils: z.string().optional(),
  positionM: z.array(z.number()).optional(),
  sensor: z.string().optional(),
  // What semantic rollback reads; ledgers of before have none of it.
  does: z.enum([...EFFECTS, ...UTTERANCES]).optional(),
  effectClass: kindEntrySchema.shape.effectClass.optional(),
  requires: z.array(z.string()).optional(),
  entity: z.string().optional().describe('what its parameters bind it to'),
});
export type AdmittedEntry = z.infer<typeof admittedSchema>;

export const verdictSchema = z.object({
  responseId: z.string(),
  outcome: z.enum(['admitted', 'partial', 'refused']),
  generation: z.int(),
  admitted: z.array(admittedSchema),
  batteryFraction: z.number().optional(),
});

/**
 * Body of a `verdict` record: the verdict, what a later receipt must answer to, and the charge of
 * the battery, from which the energy of the task is counted.
 */
export function verdictBody(
  verdict: Verdict,
  admitted: readonly {
    readonly component: Component;
    readonly digest: string;
    readonly entry: KindEntry;
  }[],
  batteryFraction?: number,
): Verdict & { readonly admitted: readonly AdmittedEntry[]; readonly batteryFraction?: number } {
  return {
    ...verdict,
    ...(batteryFraction === undefined ? {} : { batteryFraction }),
    admitted: admitted.map(({ component, digest, entry }) => {
      const { positionM, sensor } = component.params ?? {};
      return {
        componentId: component.id,
        componentDigest: digest,
        kind: component.kind,
        utterance: !isEffect(entry),
        ...(component.fulfils === undefined ? {} : { fulfils: component.fulfils }),
        ...(isNumbers(positionM) ? { positionM } : {}),
        ...(typeof sensor === 'string' ? { sensor } : {}),
        does: entry.does,
        effectClass: entry.effectClass,
        requires: component.requires ?? [],
        entity: entityOf(component.params ?? {}),
      };
    }),
  };
}

/** A place, a sensor, another component; or all the parameters as they are, where none is named. */
function entityOf(params: Readonly<Record<string, unknown>>): string {
  const { positionM, sensor, of } = params;
  if (isNumbers(positionM)) return `[${positionM.join(', ')}]`;
  if (typeof sensor === 'string') return sensor;
  if (typeof of === 'string') return of;
  return Object.keys(params).length === 0 ? '' : digestOf(params).slice(0, ENTITY_DIGITS);
}

/** Of a digest: parameters of one task do not meet in 48 bits by chance. */
const ENTITY_DIGITS = 12;

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'number');

export const leaseGrantedSchema = z.object({
  leaseId: z.string(),
  componentId: z.string(),
  componentDigest: z.string(),
  kind: z.string(),
  generation: z.int(),
  authority: z.enum(['agent', 'guardian']),
});

/** `modeBy`: who changed the mode, when the mode epoch is among those that moved. */
export const vehicleEpochSchema = z.object({
  moved: z.array(z.string()),
  modeBy: z.string().optional(),
});

export const leaseEndedSchema = z.object({
  leaseId: z.string(),
  code: z.string(),
  framesDrawn: z.int().optional(),
});
export type LeaseEnded = z.infer<typeof leaseEndedSchema>;

export const stateAdvancedSchema = z.object({ receiptId: z.string(), obligationId: z.string() });
export type StateAdvancedBody = z.infer<typeof stateAdvancedSchema>;

/**
 * An obligation that no longer stands as it did: `undone` was satisfied and is open again, since
 * the world shows the contrary; `deadline` was not satisfied in time and cannot be any more.
 */
export const obligationVoidedSchema = z.object({
  obligationId: z.string(),
  cause: z.enum(['undone', 'deadline']),
  reason: z.string(),
  neededBy: z.array(z.string()),
});
export type ObligationVoidedBody = z.infer<typeof obligationVoidedSchema>;

/** See Place in dart/types.ts. */
export const placeSchema = z.object({
  positionEnuM: z.tuple([z.number(), z.number(), z.number()]).readonly(),
  yawEnuRad: z.number().optional(),
});

/** `place`: where the vehicle stood; null when nobody knew. Absent for what has no place. */
export const checkpointSchema = z.object({
  kind: z.enum(['entry', 'commit', 'exit']),
  generation: z.int(),
  componentId: z.string(),
  component: z.string(),
  entity: z.string(),
  place: placeSchema.nullable().exactOptional(),
});
export type CheckpointBody = z.infer<typeof checkpointSchema>;

/** What was decided after a failure, and why. It authorizes nothing. */
export const rollbackDecisionSchema = z.object({
  generation: z.int(),
  componentId: z.string(),
  kind: z.enum(['rollback', 'whole-task', 'residual']),
  abstained: z.boolean(),
  instance: z.string().describe('the failed instance; empty when it could not be told'),
  place: placeSchema.optional().describe('where to go back to, by a fresh flight'),
  reexecute: z.array(z.string()).describe('components to be done again, in this order'),
  kept: z.array(z.string()).describe('irreversible and done: never again'),
  unresolved: z.array(z.string()).describe('irreversible and unknown: to be looked at first'),
  certificate: z.record(z.string(), z.object({ holds: z.boolean(), reason: z.string() })),
  refused: z.array(z.object({ kind: z.string(), at: z.int(), reasons: z.array(z.string()) })),
  reasons: z.array(z.string()),
});
export type RollbackDecisionBody = z.infer<typeof rollbackDecisionSchema>;

const datumSchema = z.union([z.number(), z.boolean(), z.string(), z.array(z.number())]);

/** Strict: a receipt with a member that its signature does not know is no receipt. */
export const receiptSchema = z.strictObject({
  id: z.string().min(1),
  runId: z.string(),
  frontier: z.string(),
  generation: z.int(),
  componentId: z.string(),
  kind: z.string(),
  componentDigest: z.string(),
  fulfils: z.string().exactOptional(),
  obligation: z.string().exactOptional(),
  outcome: z.enum(['observed', 'delivered']),
  ensured: z.boolean(),
  observed: z.record(z.string(), datumSchema),
  evidenceDigest: z.string(),
  snapshotId: z.string(),
  observedUs: z.int().nonnegative(),
  bootEpoch: z.int().positive(),
  keyId: z.string(),
  signature: z.string(),
}) satisfies z.ZodType<Receipt>;

/** Any of the schemas above. */
export interface BodyParser<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false };
}
