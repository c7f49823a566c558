/**
 * PX4's flight modes: the numbers of HEARTBEAT.custom_mode and DO_SET_MODE, and their names.
 * Enters: numbers or a name. Leaves: the other. Never: a guess; an unknown mode shows its numbers.
 */

interface ModeNumbers {
  readonly main: number;
  readonly sub: number;
  /** Bit in the mode masks of PX4's arming-check events (its navigation state). */
  readonly bit: number;
}

const MODES = {
  MANUAL: { main: 1, sub: 0, bit: 0 },
  ALTCTL: { main: 2, sub: 0, bit: 1 },
  POSCTL: { main: 3, sub: 0, bit: 2 },
  'AUTO.READY': { main: 4, sub: 1, bit: 4 },
  'AUTO.TAKEOFF': { main: 4, sub: 2, bit: 17 },
  'AUTO.LOITER': { main: 4, sub: 3, bit: 4 },
  'AUTO.MISSION': { main: 4, sub: 4, bit: 3 },
  'AUTO.RTL': { main: 4, sub: 5, bit: 5 },
  'AUTO.LAND': { main: 4, sub: 6, bit: 18 },
  'AUTO.FOLLOW_TARGET': { main: 4, sub: 8, bit: 19 },
  'AUTO.PRECLAND': { main: 4, sub: 9, bit: 20 },
  ACRO: { main: 5, sub: 0, bit: 10 },
  OFFBOARD: { main: 6, sub: 0, bit: 14 },
  STABILIZED: { main: 7, sub: 0, bit: 15 },
  RATTITUDE: { main: 8, sub: 0, bit: 16 },
  TERMINATION: { main: 10, sub: 0, bit: 13 },
} as const satisfies Record<string, ModeNumbers>;

export type ModeName = keyof typeof MODES;

/** The mode in which we arm: it leads nowhere but to an armed vehicle on the ground. */
export const ARMING_MODE: ModeName = 'AUTO.LOITER';

/**
 * Modes that need not be left for arming. Landing and return cannot arm; in OFFBOARD an old stream
 * would be a take-off; stick modes need sticks.
 */
export const ARMS_SAFELY: readonly string[] = [ARMING_MODE, 'AUTO.TAKEOFF'];

export const modeNumbers = (name: ModeName): ModeNumbers => MODES[name];

const isMode = (name: string): name is ModeName => Object.hasOwn(MODES, name);

/** Bit of the mode in the masks of arming-check events; undefined for an unknown mode. */
export const modeBit = (name: string): number | undefined =>
  isMode(name) ? MODES[name].bit : undefined;

const byNumbers: ReadonlyMap<number, string> = new Map(
  Object.entries(MODES).map(([name, { main, sub }]) => [main * 256 + sub, name]),
);

/** Name of a custom_mode (main mode in byte 2, sub mode in byte 3); `MODE.9.4` when unknown. */
export function modeFromCustom(customMode: number): string {
  const main = (customMode >>> 16) & 0xff;
  const sub = (customMode >>> 24) & 0xff;
  return byNumbers.get(main * 256 + sub) ?? `MODE.${main}.${sub}`;
}

export function customFromMode(name: ModeName): number {
  const { main, sub } = MODES[name];
  return ((sub << 24) | (main << 16)) >>> 0;
}
