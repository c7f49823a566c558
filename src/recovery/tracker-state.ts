/**
 * The trusted state of a task as plain data, for a snapshot of the ledger.
 * Enters: what the tracker gives out, or data from a file. Leaves: checked state.
 * Never: less than the tracker needs to go on as if it had read every record itself.
 */
import { z } from 'zod';
import { foldStateSchema } from './dart/index.js';
import { admittedSchema, stateAdvancedSchema } from './record-bodies.js';

const placeSchema = z.strictObject({ hash: z.string(), seq: z.int().nonnegative() });
const stampSchema = z.strictObject({ tUs: z.int(), wallMs: z.int() });

export const clockStateSchema = z.strictObject({
  start: stampSchema,
  lifeStart: stampSchema,
  last: stampSchema,
  carriedUs: z.number(),
});
export type ClockState = z.infer<typeof clockStateSchema>;

const admissionSchema = z.strictObject({
  ...admittedSchema.shape,
  epoch: z.int(),
  atUs: z.int(),
});

const leaseSchema = z.strictObject({
  key: z.string(),
  epoch: z.int(),
  atUs: z.int(),
  end: z.string().exactOptional(),
  receipted: z.boolean(),
});

export const effectsStateSchema = z.strictObject({
  admissions: z.array(z.tuple([z.string(), admissionSchema])),
  leases: z.array(z.tuple([z.string(), leaseSchema])),
  receiptIds: z.array(z.string()),
});
export type EffectsState = z.infer<typeof effectsStateSchema>;

export const standingSchema = z.strictObject({
  state: z.enum(['open', 'satisfied', 'unknown', 'missed']),
  receiptId: z.string().exactOptional(),
  undone: z
    .strictObject({ reason: z.string(), neededBy: z.array(z.string()).readonly() })
    .exactOptional(),
});
export type StandingState = z.infer<typeof standingSchema>;

export const trackerStateSchema = z.strictObject({
  /** Raised when a later version means something else by the same members. */
  v: z.literal(1),
  /** The last record that went in. */
  seq: z.int().positive(),
  epoch: z.int().positive(),
  contractDigest: z.string(),
  runId: z.string(),
  frontier: placeSchema,
  generation: z.int().nonnegative(),
  attempts: z.int().nonnegative(),
  takenUp: z.array(z.string()),
  heldBy: z.string().optional(),
  earned: stateAdvancedSchema.exactOptional(),
  effects: effectsStateSchema,
  clock: clockStateSchema,
  energy: z.array(z.number()),
  obligations: z.array(z.tuple([z.string(), standingSchema])),
  trace: foldStateSchema,
});
export type TrackerState = z.infer<typeof trackerStateSchema>;
