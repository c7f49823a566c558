/**
 * The bodies of those ledger records that the task's state is rebuilt from: whoever writes such a
 * record writes at least this. Enters: a record's body. Leaves: typed fields.
 * Never: more than the fold needs, so that bodies can grow without a new format.
 */
import { z } from 'zod';
import {
  isEffect,
  type Component,
  type KindEntry,
  type Receipt,
  type TaskContract,
  type Verdict,
} from '../contract/index.js';

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

const admittedSchema = z.object({
  componentId: z.string(),
  componentDigest: z.string(),
  kind: z.string(),
  utterance: z.boolean(),
  fulfils: z.string().optional(),
  positionM: z.array(z.number()).optional(),
  sensor: z.string().optional(),
});
export type AdmittedEntry = z.infer<typeof admittedSchema>;

export const verdictSchema = z.object({
  responseId: z.string(),
  outcome: z.enum(['admitted', 'partial', 'refused']),
  generation: z.int(),
  admitted: z.array(admittedSchema),
});

/** Body of a `verdict` record: the verdict, and what a later receipt must answer to. */
export function verdictBody(
  verdict: Verdict,
  admitted: readonly {
    readonly component: Component;
    readonly digest: string;
    readonly entry: KindEntry;
  }[],
): Verdict & { readonly admitted: readonly AdmittedEntry[] } {
  return {
    ...verdict,
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
      };
    }),
  };
}

const isNumbers = (value: unknown): value is number[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'number');

export const leaseGrantedSchema = z.object({
  leaseId: z.string(),
  componentId: z.string(),
  componentDigest: z.string(),
  generation: z.int(),
  authority: z.enum(['agent', 'guardian']),
});

/** `modeBy`: who changed the mode, when the mode epoch is among those that moved. */
export const vehicleEpochSchema = z.object({
  moved: z.array(z.string()),
  modeBy: z.string().optional(),
});

export const leaseEndedSchema = z.object({ leaseId: z.string(), code: z.string() });

export const stateAdvancedSchema = z.object({ receiptId: z.string(), obligationId: z.string() });
export type StateAdvancedBody = z.infer<typeof stateAdvancedSchema>;

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
