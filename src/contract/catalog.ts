/**
 * The trusted catalog: kinds of components, what each may ask for and what it needs of the world.
 * Enters: parsed YAML. Leaves: the Catalog type and its schema. Never: anything an agent wrote.
 */
import { z } from 'zod';
import { EPOCH_KINDS } from './evidence.js';
import { kindSchema } from './ids.js';
import { PARAMETER_TYPES, parameterNameSchema } from './parameters.js';

/** What the bridge can really do; a kind is one of these with limits and needs of its own. */
export const EFFECTS = [
  'arm',
  'disarm',
  'takeoff',
  'goto',
  'follow_path',
  'orbit',
  'yaw',
  'velocity',
  'hold',
  'land',
  'return',
  'capture',
  'point',
  'release',
  'winch',
  'param_set',
  'mission_upload',
  'mission_start',
  'mission_pause',
] as const;

/** Effects that leave the flight as it is: they neither command a mode nor stream. */
const STILL_EFFECTS: readonly string[] = [
  'capture',
  'point',
  'release',
  'winch',
  'param_set',
  'mission_upload',
];
export const UTTERANCES = [
  'report_position',
  'report_battery',
  'report_range',
  'report_image',
  'report_custom',
  'operator_message',
  'operator_ask',
] as const;
export type EffectName = (typeof EFFECTS)[number];
export type UtteranceName = (typeof UTTERANCES)[number];

/** States that a kind may bring about for those that require it. */
export const ROLES = ['armed', 'airborne'] as const;

/** When a predicate must hold: at admission, at the first frame, at every frame of the lease. */
export const STAGES = ['admit', 'start', 'flight'] as const;
export type Stage = (typeof STAGES)[number];

export const GUARDIAN_ACTIONS = ['hold', 'land', 'return', 'continue'] as const;
export type GuardianAction = (typeof GUARDIAN_ACTIONS)[number];

export const predicateSchema = z.strictObject({
  field: z.string().describe('evidence field; {param} is replaced by the component’s parameter'),
  maxAgeMs: z.number().positive().max(60_000),
  at: z.array(z.enum(STAGES)).min(1).optional().describe('default: every stage'),
  is: z.union([z.boolean(), z.string(), z.number()]).optional(),
  in: z
    .array(z.union([z.string(), z.number()]))
    .min(1)
    .optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  onLoss: z.enum(GUARDIAN_ACTIONS).optional().describe('instead of the kind’s own onLoss'),
});

export const limitsSchema = z.strictObject({
  speedMaxMS: z.number().positive().optional(),
  altitudeMinM: z.number().optional(),
  altitudeMaxM: z.number().optional(),
  homeDistanceMaxM: z.number().positive().optional().describe('horizontal, target from home'),
  legMaxM: z
    .number()
    .positive()
    .optional()
    .describe('each straight leg, the first from where the vehicle is at start'),
  geofenceEnuM: z
    .array(z.tuple([z.number(), z.number()]))
    .min(3)
    .max(64)
    .optional()
    .describe('[east, north] corners in the local frame; target and path stay inside'),
  durationMaxS: z.number().positive().optional(),
  lineMaxM: z.number().positive().optional().describe('longest line of a winch'),
});

export const completionSchema = z.strictObject({
  horizontalM: z.number().positive().optional(),
  verticalM: z.number().positive().optional(),
  yawDeg: z.number().positive().max(90).optional().describe('heading within this of the target'),
  dwellS: z.number().nonnegative().optional(),
  shown: z
    .strictObject({
      field: z.string(),
      is: z.union([z.boolean(), z.string(), z.number()]),
      maxAgeMs: z.number().positive().max(60_000),
    })
    .optional()
    .describe('the evidence by which it is done; it must not show so before'),
});

export const kindEntrySchema = z.strictObject({
  does: z.enum([...EFFECTS, ...UTTERANCES]).describe('the built-in effect or utterance'),
  effectClass: z.enum(['none', 'reversible', 'compensable', 'irreversible']),
  resources: z.array(z.enum(['motion', 'gimbal', 'payload'])).default([]),
  needs: z
    .array(z.enum(ROLES))
    .default([])
    .describe('state that a prerequisite must provide, unless evidence shows it already'),
  provides: z.array(z.enum(ROLES)).default([]),
  ends: z.array(z.enum(ROLES)).default([]).describe('state that this kind takes away'),
  prerequisiteKinds: z.array(kindSchema).optional().describe('absent: any kind'),
  footprint: z.array(predicateSchema).default([]),
  epochs: z.array(z.enum(EPOCH_KINDS)).default([]),
  limits: limitsSchema.default({}),
  completion: completionSchema.default({}),
  targetComponent: z
    .number()
    .int()
    .min(1)
    .max(255)
    .default(1)
    .describe('MAVLink component that carries it out; 1: the autopilot'),
  parameters: z
    .array(
      z.strictObject({
        name: parameterNameSchema,
        type: z.enum(PARAMETER_TYPES),
        min: z.number(),
        max: z.number(),
      }),
    )
    .min(1)
    .max(256)
    .optional()
    .describe('param_set: what may be set, and within what; safety parameters never'),
  frames: z.number().int().positive().max(100_000).default(100).describe('most frames of a lease'),
  deadlineS: z.number().positive().max(3600).default(60),
  onLoss: z.enum(GUARDIAN_ACTIONS).default('hold'),
  replaceableBy: z.array(kindSchema).default([]).describe('kinds that may stand in when withheld'),
  reports: z
    .array(z.string())
    .min(1)
    .max(16)
    .optional()
    .describe('report_custom: the evidence fields that it tells; each stands in the footprint'),
  interrupts: z
    .array(kindSchema)
    .default([])
    .describe('kinds in flight that a fresh response of this kind may end and follow'),
  basisRequired: z.boolean().default(false),
  approval: z
    .strictObject({ validS: z.number().positive().max(3600) })
    .optional()
    .describe(
      'an operator must approve the exact component, once; for operator_ask: how long it waits',
    ),
});

export const catalogSchema = z.strictObject({
  catalog: z.string().min(1),
  version: z.number().int().positive(),
  kinds: z.record(kindSchema, kindEntrySchema),
});

export type Predicate = z.infer<typeof predicateSchema>;
export type KindLimits = z.infer<typeof limitsSchema>;
export type Completion = z.infer<typeof completionSchema>;
export type KindEntry = z.infer<typeof kindEntrySchema>;
/** `digest` is the SHA-256 of the canonical form: it goes into every binding and receipt. */
export type Catalog = z.infer<typeof catalogSchema> & { readonly digest: string };

/** Effects that stream setpoints: one may take the stream over from another. */
const STREAMS: readonly string[] = ['goto', 'follow_path', 'orbit', 'yaw', 'velocity'];

export const isStream = (entry: KindEntry): boolean => STREAMS.includes(entry.does);

/** A hover that something streams must be handed over before one of these may start. */
export const isStill = (entry: KindEntry): boolean => STILL_EFFECTS.includes(entry.does);

export const isEffect = (entry: KindEntry): boolean =>
  (EFFECTS as readonly string[]).includes(entry.does);
