/**
 * Parameter schemas of the built-in effects and utterances, strict, with units and frames in the
 * names. Enters: an agent's params. Leaves: typed params. Never: a default for a frame or a unit.
 */
import { z } from 'zod';
import type { EffectName, UtteranceName } from './catalog.js';

const finite = z.number();
/** 100 km: beyond any vehicle this bridge flies, and exact to 8 mm as the float32 of the wire. */
const metre = finite.min(-100_000).max(100_000);

const empty = z.strictObject({});

export const paramSchemas = {
  arm: empty,
  disarm: empty,
  takeoff: z.strictObject({ altitudeM: metre.positive().describe('above home') }),
  goto: z.strictObject({
    frame: z.literal('local_enu'),
    positionM: z.tuple([metre, metre, metre]).describe('[east, north, up] in the local frame'),
    yawDeg: finite
      .min(-360)
      .max(360)
      .optional()
      .describe('compass heading, clockwise from north; absent: keep the heading'),
    speedMS: finite.positive().max(100),
  }),
  hold: z.strictObject({ durationS: finite.positive().max(3600) }),
  land: empty,
  return: empty,
  report_position: empty,
  report_battery: empty,
  report_range: z.strictObject({ sensor: z.string().regex(/^[a-z][a-z0-9_]{0,31}$/) }),
  operator_message: z.strictObject({ text: z.string().min(1).max(1000) }),
} as const satisfies Record<EffectName | UtteranceName, z.ZodType>;

export type ParamsOf<K extends keyof typeof paramSchemas> = z.infer<(typeof paramSchemas)[K]>;

/** A component whose params have been checked: `does` selects the type of `params`. */
export type Typed = {
  [K in keyof typeof paramSchemas]: { readonly does: K; readonly params: ParamsOf<K> };
}[keyof typeof paramSchemas];
