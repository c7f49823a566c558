/**
 * Parameter schemas of the built-in effects and utterances, strict, with units and frames in the
 * names. Enters: an agent's params. Leaves: typed params. Never: a default for a frame or a unit.
 */
import { z } from 'zod';
import type { EffectName, UtteranceName } from './catalog.js';
import { idSchema } from './ids.js';
import { PARAMETER_TYPES, parameterNameSchema } from './parameters.js';

const finite = z.number();
/** 100 km: beyond any vehicle this bridge flies, and exact to 8 mm as the float32 of the wire. */
const metre = finite.min(-100_000).max(100_000);

const empty = z.strictObject({});

const positionM = z.tuple([metre, metre, metre]).describe('[east, north, up] in the local frame');
const yawDeg = finite.min(-360).max(360);
const heading = yawDeg
  .optional()
  .describe('compass heading, clockwise from north; absent: keep the heading');
const speedMS = finite.positive().max(100);
const speed = finite.min(-100).max(100);
const frame = z.literal('local_enu');

/** As many as the corners of a path: what an operator can still follow on a map. */
export const MISSION_ITEMS_MAX = 64;
const missionItem = z
  .int()
  .min(0)
  .max(MISSION_ITEMS_MAX - 1);

export const paramSchemas = {
  arm: empty,
  disarm: empty,
  takeoff: z.strictObject({ altitudeM: metre.positive().describe('above home') }),
  goto: z.strictObject({ frame, positionM, yawDeg: heading, speedMS }),
  follow_path: z.strictObject({
    frame,
    positionsM: z.array(positionM).min(1).max(64).describe('flown in this order, by straight legs'),
    yawDeg: heading,
    speedMS,
  }),
  orbit: z.strictObject({
    frame,
    centerM: z.tuple([metre, metre, metre]).describe('[east, north, up] of the centre'),
    radiusM: finite.min(1).max(1000),
    startDeg: yawDeg.describe('compass bearing, from the centre, of the point where it begins'),
    turns: finite.min(0.05).max(5),
    direction: z.enum(['clockwise', 'counterclockwise']).describe('seen from above'),
    yawDeg: yawDeg.optional().describe('compass heading; absent: face the centre'),
    speedMS,
  }),
  yaw: z.strictObject({ yawDeg: yawDeg.describe('compass heading, clockwise from north') }),
  velocity: z.strictObject({
    frame,
    velocityMS: z
      .tuple([speed, speed, speed])
      .refine((v) => Math.hypot(...v) > 0, 'expected a velocity; to stay in place there is hold')
      .describe('[east, north, up] in the local frame'),
    yawDeg: heading,
    durationS: finite.positive().max(600),
  }),
  capture: empty,
  point: z.strictObject({
    pitchDeg: finite.min(-90).max(45).describe('above the horizon; -90: straight down'),
    yawDeg: finite.min(-180).max(180).describe('clockwise from the nose of the vehicle'),
  }),
  release: empty,
  winch: z.strictObject({
    lineM: finite.min(0).max(1000).describe('length of line that is out in the end'),
    speedMS: finite.positive().max(10),
  }),
  param_set: z.strictObject({
    name: parameterNameSchema,
    type: z.enum(PARAMETER_TYPES),
    value: finite,
  }),
  mission_upload: z.strictObject({
    frame,
    speedMS: speedMS.describe('over ground, for every item that gives none of its own'),
    items: z
      .array(
        z.strictObject({
          positionM,
          holdS: finite.min(0).max(3600).optional().describe('time to stay there; absent: none'),
          speedMS: speedMS.optional().describe('on the way to it'),
        }),
      )
      .min(1)
      .max(MISSION_ITEMS_MAX)
      .describe('flown in this order, by straight legs'),
  }),
  mission_start: z.strictObject({
    of: idSchema.describe('the mission.upload of this response; it stands in requires too'),
    fromItem: missionItem.optional().describe('absent: the first'),
    untilItem: missionItem.optional().describe('there it ends, in hold; absent: the last'),
  }),
  mission_pause: empty,
  hold: z.strictObject({ durationS: finite.positive().max(3600) }),
  land: empty,
  return: empty,
  report_position: empty,
  report_battery: empty,
  report_range: z.strictObject({ sensor: z.string().regex(/^[a-z][a-z0-9_]{0,31}$/) }),
  report_image: z.strictObject({
    of: idSchema.describe('the component that takes the picture; it stands in requires too'),
  }),
  report_custom: empty,
  operator_ask: z.strictObject({ text: z.string().min(1).max(1000) }),
  operator_message: z.strictObject({ text: z.string().min(1).max(1000) }),
} as const satisfies Record<EffectName | UtteranceName, z.ZodType>;

export type ParamsOf<K extends keyof typeof paramSchemas> = z.infer<(typeof paramSchemas)[K]>;

/** A component whose params have been checked: `does` selects the type of `params`. */
export type Typed = {
  [K in keyof typeof paramSchemas]: { readonly does: K; readonly params: ParamsOf<K> };
}[keyof typeof paramSchemas];
