/**
 * What an agent submits. Enters: parsed JSON. Leaves: the Response type and its schema.
 * Never: authority. Nothing in a response widens what the catalog and the contract permit.
 */
import { z } from 'zod';
import { idSchema, kindSchema } from './ids.js';

/** More components than this is not a plan that an operator can follow; it is a flood. */
export const COMPONENTS_MAX = 1000;

/** Most ids of `requires` or `replaces`. */
export const REFERENCES_MAX = 64;

export const BASIS_CHARACTERS_MAX = 64;

export const componentSchema = z.strictObject({
  id: idSchema,
  kind: kindSchema.describe('a kind of the catalog, such as flight.goto'),
  params: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('as the kind’s parameter schema says; units and frames are in the names'),
  requires: z
    .array(idSchema)
    .max(REFERENCES_MAX)
    .optional()
    .describe('components of this response that must be done before this one'),
  fulfils: idSchema.optional().describe('hint: the contract obligation that this is meant for'),
  replaces: z
    .array(idSchema)
    .min(1)
    .max(REFERENCES_MAX)
    .optional()
    .describe('with discharges: withheld components that this candidate stands in for'),
});

export const responseSchema = z.strictObject({
  protocol: z.literal('halo/1'),
  id: idSchema.describe('fresh for each response'),
  task: idSchema.describe('the task that get_bridge_state names'),
  basis: z
    .string()
    .max(BASIS_CHARACTERS_MAX)
    .optional()
    .describe('the snapshot id from get_bridge_state that this answer was made on'),
  discharges: idSchema.optional().describe('the open localized obligation that this answers'),
  components: z.array(componentSchema).min(1).max(COMPONENTS_MAX),
});

export type Component = z.infer<typeof componentSchema>;
export type Response = z.infer<typeof responseSchema>;
