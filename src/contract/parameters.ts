/**
 * Parameters of the vehicle: how they are named, and which of them nobody sets through an agent.
 * Enters: a name. Leaves: whether it is a safety parameter. Never: an exception by value.
 */
import { z } from 'zod';

/** PX4's names: 16 bytes on the wire. */
export const parameterNameSchema = z
  .string()
  .regex(/^[A-Z][A-Z0-9_]{0,15}$/, 'expected a parameter name such as MPC_XY_CRUISE');

export const PARAMETER_TYPES = ['int32', 'float'] as const;
export type ParameterType = (typeof PARAMETER_TYPES)[number];

/** MAV_PARAM_TYPE_INT32 and MAV_PARAM_TYPE_REAL32: the two that PX4 has. */
export const MAV_PARAM_TYPE: Readonly<Record<ParameterType, number>> = { int32: 6, float: 9 };

/** Fences, arming and failsafes, link losses, the return, circuit breakers, message signing. */
const SAFETY = /^(GF_|COM_|NAV_|RTL_|CBRK_|MAV_SIGN)/;

/** Never set, at any value, whatever a catalog lists: what keeps people safe is not an agent's. */
export const isSafetyParameter = (name: string): boolean => SAFETY.test(name);
