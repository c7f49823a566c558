/**
 * A trace as plain data, for a snapshot of the ledger. Enters: what a fold gives out, or data from
 * a file. Leaves: checked state. Never: less than a fold needs to go on as if it had read all.
 */
import { z } from 'zod';
import { EFFECTS, kindEntrySchema, UTTERANCES } from '../../contract/index.js';
import { checkpointSchema, placeSchema, rollbackDecisionSchema } from '../record-bodies.js';
import { INSTANCE_STATES, STEP_STATES } from './types.js';

const effectClass = kindEntrySchema.shape.effectClass;

const stepSchema = z.strictObject({
  id: z.string(),
  effect: effectClass,
  state: z.enum(STEP_STATES),
  begunAt: z.int().optional(),
  endedAt: z.int().optional(),
});

const instanceSchema = z.strictObject({
  id: z.string(),
  component: z.string(),
  entity: z.string(),
  occurrence: z.int().positive(),
  state: z.enum(INSTANCE_STATES),
  steps: z.array(stepSchema),
  checkpoints: z.array(
    z.strictObject({
      kind: checkpointSchema.shape.kind,
      at: z.int(),
      place: placeSchema.nullable().exactOptional(),
      frame: z.int(),
    }),
  ),
});

export const logStateSchema = z.strictObject({
  instances: z.array(instanceSchema),
  consumptions: z.array(
    z.strictObject({ consumer: z.string(), producer: z.string(), at: z.int() }),
  ),
  frame: z.int().positive(),
});
export type LogState = z.infer<typeof logStateSchema>;

const plannedSchema = z.strictObject({
  componentId: z.string(),
  does: z.enum([...EFFECTS, ...UTTERANCES]),
  effectClass,
  requires: z.array(z.string()).readonly(),
  entity: z.string(),
});

export const foldStateSchema = z.strictObject({
  epoch: z.int().nonnegative(),
  log: logStateSchema,
  plans: z.array(z.tuple([z.int(), z.array(plannedSchema)])),
  leases: z.array(z.tuple([z.string(), z.string()])),
  decision: rollbackDecisionSchema.exactOptional(),
});
export type FoldState = z.infer<typeof foldStateSchema>;
