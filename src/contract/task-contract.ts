/**
 * The trusted task contract K. Enters: parsed YAML that an operator wrote. Leaves: TaskContract and
 * its schema. Never: anything from an agent.
 */
import { z } from 'zod';
import { idSchema, kindSchema } from './ids.js';

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
export type TaskObligation = z.infer<typeof obligationSchema>;
export type TaskContract = z.infer<typeof taskContractSchema> & { readonly digest: string };
