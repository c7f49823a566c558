/**
 * PX4's navigation states, their numbers in HEARTBEAT, and what each needs to run.
 * In: a state or a pair of mode numbers. Out: the other. Never decides anything.
 */

export type NavState =
  | 'MANUAL'
  | 'ALTCTL'
  | 'POSCTL'
  | 'ACRO'
  | 'STABILIZED'
  | 'OFFBOARD'
  | 'TERMINATION'
  | 'DESCEND'
  | 'AUTO.TAKEOFF'
  | 'AUTO.LOITER'
  | 'AUTO.MISSION'
  | 'AUTO.RTL'
  | 'AUTO.LAND'
  | 'AUTO.PRECLAND'
  | 'AUTO.FOLLOW_TARGET';

interface ModeFacts {
  readonly main: number;
  readonly sub: number;
  /** Bit in the navigation mode masks of events: PX4's numbering of navigation states. */
  readonly bit: number;
  readonly needsPosition: boolean;
  readonly needsHome: boolean;
  readonly needsManualControl: boolean;
  readonly preventsArming: boolean;
  /** Stick modes that a pilot flies; their base mode says manual input. */
  readonly manual: boolean;
}

const facts = (main: number, sub: number, bit: number, needs: string): ModeFacts => ({
  main,
  sub,
  bit,
  needsPosition: needs.includes('position'),
  needsHome: needs.includes('home'),
  needsManualControl: needs.includes('sticks'),
  preventsArming: needs.includes('no-arming'),
  manual: needs.includes('sticks'),
});

const MODES: Readonly<Record<NavState, ModeFacts>> = {
  MANUAL: facts(1, 0, 0, 'sticks'),
  ALTCTL: facts(2, 0, 1, 'sticks'),
  POSCTL: facts(3, 0, 2, 'sticks position'),
  'AUTO.MISSION': facts(4, 4, 3, 'position home'),
  'AUTO.LOITER': facts(4, 3, 4, 'position'),
  'AUTO.RTL': facts(4, 5, 5, 'position home no-arming'),
  ACRO: facts(5, 0, 10, 'sticks'),
  // A descent without position shows as a landing: PX4 has no number of its own for it.
  DESCEND: facts(4, 6, 12, 'no-arming'),
  TERMINATION: facts(10, 0, 13, 'no-arming'),
  OFFBOARD: facts(6, 0, 14, ''),
  STABILIZED: facts(7, 0, 15, 'sticks'),
  'AUTO.TAKEOFF': facts(4, 2, 17, 'position'),
  'AUTO.LAND': facts(4, 6, 18, 'position no-arming'),
  'AUTO.FOLLOW_TARGET': facts(4, 8, 19, 'position no-arming'),
  'AUTO.PRECLAND': facts(4, 9, 20, 'position no-arming'),
};

/** Modes that a peer can ask for by number; the others are entered by the commander only. */
const REQUESTABLE: readonly NavState[] = [
  'MANUAL',
  'ALTCTL',
  'POSCTL',
  'ACRO',
  'STABILIZED',
  'OFFBOARD',
  'AUTO.TAKEOFF',
  'AUTO.LOITER',
  'AUTO.MISSION',
  'AUTO.RTL',
  'AUTO.LAND',
  'AUTO.PRECLAND',
  'AUTO.FOLLOW_TARGET',
];

export function modeFacts(state: NavState): ModeFacts {
  return MODES[state];
}

/** Every state once, in PX4's numbering. */
export function allModes(): readonly NavState[] {
  return REQUESTABLE;
}

/** HEARTBEAT.custom_mode: main mode in byte 2, sub mode in byte 3. */
export function customMode(state: NavState): number {
  const { main, sub } = MODES[state];
  return ((main << 16) | (sub << 24)) >>> 0;
}

export function modeFromNumbers(main: number, sub: number): NavState | undefined {
  return REQUESTABLE.find((state) => MODES[state].main === main && MODES[state].sub === sub);
}

/** HEARTBEAT.base_mode: custom mode always on, armed, and the flags of the kind of mode. */
export function baseMode(state: NavState, armed: boolean): number {
  const CUSTOM = 1;
  const AUTO_GUIDED_STABILIZE = 4 + 8 + 16;
  const MANUAL_STABILIZE = 64 + 16;
  const kind = MODES[state].manual ? MANUAL_STABILIZE : AUTO_GUIDED_STABILIZE;
  return CUSTOM | kind | (armed ? 128 : 0);
}
