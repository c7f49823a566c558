/**
 * The trusted task contract K. Enters: parsed YAML that an operator wrote. Leaves: TaskContract and
 * its schema. Never: anything from an agent.
 */
import { z } from 'zod';
import { predicateSchema } from './catalog.js';
import { idSchema, kindSchema } from './ids.js';

/**
 * Evidence beside what the effect itself shows. A minute is longer than any value settles; the
 * receipt, and all that rests on it, waits for it.
 */
const shownSchema = predicateSchema
  .pick({ field: true, maxAgeMs: true, is: true, in: true, min: true, max: true })
  .extend({
    field: z.string().min(1).max(128).describe('evidence field of the vehicle or the evidence map'),
    dwellS: z
      .number()
      .nonnegative()
      .max(60)
      .default(0)
      .describe('how long it has held without a break'),
  });

const expectedEvidenceSchema = z
  .strictObject({
    within: z
      .strictObject({
        of: z.literal('target'),
        horizontalM: z.number().positive(),
        verticalM: z.number().positive(),
        dwellS: z.number().nonnegative(),
      })
      .optional(),
    armed: z.literal(true).optional(),
    airborne: z.literal(true).optional(),
    landed: z.literal(true).optional(),
    disarmed: z.literal(true).optional(),
    completed: z.literal(true).optional().describe('an effect carried out to its end, as observed'),
    delivered: z.literal(true).optional().describe('a report or message that reached its reader'),
    shown: z
      .array(shownSchema)
      .min(1)
      .max(8)
      .optional()
      .describe('predicates over evidence that hold when the effect has been observed'),
    holds: z
      .literal(true)
      .optional()
      .describe('what `shown` says must still hold afterwards: else the obligation opens again'),
  })
  .refine((e) => Object.keys(e).length > 0, 'expected at least one kind of evidence');

export const obligationSchema = z.strictObject({
  id: idSchema,
  after: z.array(idSchema).default([]),
  target: z.strictObject({
    kind: kindSchema,
    frame: z.literal('local_enu').optional(),
    positionM: z.tuple([z.number(), z.number(), z.number()]).optional(),
    sensor: z.string().optional(),
  }),
  evidence: expectedEvidenceSchema,
  irreversible: z.boolean().default(false),
  deadlineS: z
    .number()
    .positive()
    .max(86_400)
    .optional()
    .describe('since the task began; satisfied by then, or not at all, and the contingency runs'),
});

export const taskContractSchema = z.strictObject({
  task: idSchema,
  obligations: z.array(obligationSchema).min(1).max(256),
  contingency: z.enum(['hold', 'land', 'return']),
  contingencyAfterS: z
    .number()
    .positive()
    .max(600)
    .default(15)
    .describe('how long a localized obligation waits for a fresh candidate'),
  budget: z.strictObject({
    attempts: z.number().int().positive().max(100).describe('responses taken up in this task'),
    timeS: z.number().positive().max(86_400),
    energyFraction: z
      .number()
      .positive()
      .max(1)
      .optional()
      .describe('of a full battery, used since the first response; then the contingency runs'),
    candidatesPerObligation: z
      .number()
      .int()
      .positive()
      .max(100)
      // One that meets a world which moved once more, one that was wrong, and one that had both
      // to learn from: what still fails then is for a person to look at.
      .default(3)
      .describe('candidates that may be tried for one localized obligation'),
  }),
});

export type ExpectedEvidence = z.infer<typeof expectedEvidenceSchema>;
export type ShownEvidence = z.infer<typeof shownSchema>;
export type TaskObligation = z.infer<typeof obligationSchema>;
export type TaskContract = z.infer<typeof taskContractSchema> & { readonly digest: string };
