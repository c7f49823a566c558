/**
 * Failsafes: from losses to an action, with PX4's order of severity, delay and way out.
 * In: the conditions, the mode the user wants. Out: the action in force and what to announce.
 * Never touches motors or modes itself.
 */
import type { EventArgument, EventName } from '../events.js';
import { customMode, type NavState } from '../modes.js';
import type { ParameterStore } from '../parameters.js';
import { canRun, type BatteryWarning, type Conditions } from './checks.js';

/** In order of severity: the worst one wins. */
export const ACTIONS = [
  'none',
  'warn',
  'position',
  'altitude',
  'stabilized',
  'hold',
  'return',
  'land',
  'descend',
  'disarm',
  'terminate',
] as const;
export type Action = (typeof ACTIONS)[number];

type Cause = 'mode' | 'ground-station' | 'battery-low' | 'battery-critical' | 'battery-emergency';

interface Entry {
  action: Action;
  failing: boolean;
  /** Battery and link failsafes stay until the mode changes; a mode's own loss heals itself. */
  readonly sticky: boolean;
}

export interface FailsafeInput {
  readonly armed: boolean;
  readonly userMode: NavState;
  readonly userModeChanged: boolean;
  readonly conditions: Conditions;
}

export interface Announcement {
  readonly name: EventName;
  readonly args: readonly EventArgument[];
}

const ACTION_TEXT: Readonly<Record<Action, string>> = {
  none: 'None',
  warn: 'Warning',
  position: 'Position mode',
  altitude: 'Altitude mode',
  stabilized: 'Stabilized mode',
  hold: 'Hold',
  return: 'RTL',
  land: 'Land',
  descend: 'Descend',
  disarm: 'Disarm',
  terminate: 'Terminate',
};

const severity = (action: Action): number => ACTIONS.indexOf(action);
const worse = (a: Action, b: Action): boolean => severity(a) > severity(b);
const WARNING_RANK: readonly BatteryWarning[] = ['none', 'low', 'critical', 'emergency'];

export class Failsafe {
  private readonly entries = new Map<Cause, Entry>();
  private selected: Action = 'none';
  private takenOver = false;
  /** Seconds of Hold that are left before the delayed action begins. */
  private delayS = 0;
  private startDelayS: number;
  private batteryAtArming: BatteryWarning = 'none';
  private wasArmed = false;
  private fresh = false;

  constructor(private readonly parameters: ParameterStore) {
    this.startDelayS = parameters.get('COM_FAIL_ACT_T');
  }

  get action(): Action {
    return this.selected;
  }

  /** True while the vehicle does something else than its user asked for. */
  get active(): boolean {
    return worse(this.selected, 'warn');
  }

  update(dtS: number, input: FailsafeInput): Announcement[] {
    this.followArming(input);
    this.fresh = false;
    if (input.userModeChanged || this.takenOver) this.forget(false);
    // Once something worse than Hold runs, or was overruled, nothing is delayed any more.
    const beyond = worse(this.selected, 'hold') || this.takenOver;
    this.delayS = beyond ? 0 : Math.max(0, this.delayS - dtS);
    this.checkBattery(input);
    this.checkGroundStation(input);
    this.check('mode', modeFallback(input.userMode, input.conditions, this.parameters), false);
    return this.select(dtS, input);
  }

  private followArming(input: FailsafeInput): void {
    if (input.armed !== this.wasArmed) {
      this.forget(true);
      this.takenOver = false;
      if (input.armed) this.batteryAtArming = input.conditions.battery;
    }
    this.wasArmed = input.armed;
  }

  private forget(all: boolean): void {
    for (const [cause, entry] of this.entries) {
      if (entry.sticky && (all || !entry.failing)) this.entries.delete(cause);
    }
    if (all) this.delayS = 0;
  }

  private checkBattery(input: FailsafeInput): void {
    const { battery } = input.conditions;
    const worsened = WARNING_RANK.indexOf(battery) > WARNING_RANK.indexOf(this.batteryAtArming);
    const setting = worsened ? this.parameters.get('COM_LOW_BAT_ACT') : 0;
    const critical: Action = setting === 3 ? 'return' : setting === 2 ? 'land' : 'warn';
    this.check('battery-low', battery === 'low' ? 'warn' : 'none', true);
    this.check('battery-critical', battery === 'critical' ? critical : 'none', true);
    const emergency: Action = setting >= 2 ? 'land' : 'warn';
    this.check('battery-emergency', battery === 'emergency' ? emergency : 'none', true);
  }

  private checkGroundStation(input: FailsafeInput): void {
    const setting = this.parameters.get('NAV_DLL_ACT');
    const except = this.parameters.get('COM_DLL_EXCEPT');
    const bit = input.userMode === 'OFFBOARD' ? 4 : input.userMode === 'AUTO.MISSION' ? 1 : 2;
    const spared = (except & bit) !== 0 || input.userMode === 'AUTO.LAND' || !input.armed;
    const lost = setting > 0 && !spared && !input.conditions.groundStation;
    this.check('ground-station', lost ? linkLossAction(setting) : 'none', true);
  }

  /** Adds, keeps or removes one cause. A cause that acts may first be a Hold of COM_FAIL_ACT_T. */
  private check(cause: Cause, action: Action, sticky: boolean): void {
    const entry = this.entries.get(cause);
    if (action === 'none') {
      if (entry === undefined) return;
      if (sticky && worse(entry.action, 'warn')) entry.failing = false;
      else this.entries.delete(cause);
      return;
    }
    if (entry !== undefined) {
      entry.action = action;
      entry.failing = true;
      return;
    }
    this.entries.set(cause, { action, failing: true, sticky });
    this.fresh = true;
    if (sticky && worse(action, 'warn') && this.delayS === 0) this.delayS = this.startDelayS;
    if (!worse('hold', action)) this.takenOver = false;
  }

  private select(dtS: number, input: FailsafeInput): Announcement[] {
    if (this.selected === 'terminate') return [];
    const previous = this.selected;
    let cause: Cause = 'mode';
    let action: Action = 'none';
    if (input.armed) {
      for (const [name, entry] of this.entries) {
        if (worse(entry.action, action)) [cause, action] = [name, entry.action];
      }
    }
    let delayed: Action = 'none';
    const delayable = worse(action, 'warn') && worse('disarm', action);
    if (this.delayS > 0 && !this.takenOver && delayable) [delayed, action] = [action, 'hold'];
    // A landing that was asked for is not broken off for a return.
    if (input.userMode === 'AUTO.LAND' && (delayed === 'return' || action === 'return')) {
      if (canRun('AUTO.LAND', input.conditions)) [delayed, action] = ['none', 'warn'];
    }
    this.wearDelay(dtS, delayed !== 'none');

    const announcements: Announcement[] = [];
    const runs = canRun(input.userMode, input.conditions);
    const asked = input.userModeChanged && worse(previous, 'stabilized') && previous === action;
    if (asked && runs && cause !== 'mode') {
      this.takenOver = true;
      announcements.push({ name: 'failsafe_rc_override', args: [] });
    }
    if (this.takenOver && runs && worse(action, 'warn')) action = 'warn';
    this.selected = settle(action, input.conditions);
    const news = worse(this.selected, previous) || (this.fresh && action === 'warn');
    if (news && !this.takenOver) {
      announcements.push(announce(input.userMode, cause, this.selected, delayed, this.delayS));
    }
    return announcements;
  }

  /** Spent delay comes back four times slower, so that a flapping cause acts at last. */
  private wearDelay(dtS: number, delaying: boolean): void {
    const full = this.parameters.get('COM_FAIL_ACT_T');
    const change = delaying ? -dtS : dtS / 4;
    this.startDelayS = Math.min(Math.max(this.startDelayS + change, 0), full);
  }

  /** Flight termination: nothing gets out of it. */
  terminate(): void {
    this.selected = 'terminate';
  }
}

/** Where a mode that can no longer run leads: the rules of COM_OBL_RC_ACT and NAV_RCL_ACT. */
function modeFallback(mode: NavState, now: Conditions, parameters: ParameterStore): Action {
  if (mode === 'TERMINATION' || mode === 'DESCEND' || canRun(mode, now)) return 'none';
  // On the ground a mode that cannot run is a matter of arming, not of flight.
  if (mode === 'AUTO.MISSION') return 'return';
  const stick = mode === 'POSCTL' || mode === 'ALTCTL' || mode === 'STABILIZED' || mode === 'ACRO';
  if (mode === 'OFFBOARD' || stick || mode === 'MANUAL') {
    const wanted =
      mode === 'OFFBOARD' ? offboardLossAction(parameters.get('COM_OBL_RC_ACT')) : 'position';
    if (wanted !== 'position' && wanted !== 'altitude' && wanted !== 'stabilized') return wanted;
    if (!now.positionValid) return wanted === 'stabilized' ? 'stabilized' : 'altitude';
    if (now.manualControl) return wanted;
    const setting = parameters.get('NAV_RCL_ACT');
    return setting === 0 ? wanted : linkLossAction(setting);
  }
  return 'return';
}

function offboardLossAction(setting: number): Action {
  const table: readonly Action[] = [
    'position',
    'altitude',
    'stabilized',
    'return',
    'land',
    'hold',
    'terminate',
    'disarm',
  ];
  return table[setting] ?? 'position';
}

function linkLossAction(setting: number): Action {
  const table: readonly Action[] = [
    'none',
    'hold',
    'return',
    'land',
    'none',
    'terminate',
    'disarm',
  ];
  return table[setting] ?? 'none';
}

/** Hold, return and land need a position; without one they end in a blind descent. */
function settle(action: Action, now: Conditions): Action {
  const lateral = action === 'hold' || action === 'return' || action === 'land';
  if (lateral && !now.positionValid) return 'descend';
  return action === 'return' && !now.homeSet ? 'land' : action;
}

/** The navigation state of an action in force. */
export function navStateOf(action: Action, userMode: NavState): NavState {
  switch (action) {
    case 'position':
      return 'POSCTL';
    case 'altitude':
      return 'ALTCTL';
    case 'stabilized':
      return 'STABILIZED';
    case 'hold':
      return 'AUTO.LOITER';
    case 'return':
      return 'AUTO.RTL';
    case 'land':
      return 'AUTO.LAND';
    case 'descend':
      return 'DESCEND';
    case 'terminate':
      return 'TERMINATION';
    case 'none':
    case 'warn':
    case 'disarm':
      return userMode;
  }
}

function announce(
  userMode: NavState,
  cause: Cause,
  action: Action,
  delayed: Action,
  delayS: number,
): Announcement {
  const mode: EventArgument = { bytes: 4, value: customMode(userMode) };
  const shown = delayed === 'none' ? action : delayed;
  const what: EventArgument = { bytes: 1, value: severity(shown), text: ACTION_TEXT[shown] };
  if (delayed !== 'none') {
    const seconds: EventArgument = { bytes: 2, value: Math.round(delayS) };
    const named = cause === 'mode' ? [] : [causeArgument(cause)];
    const name =
      cause === 'mode' ? 'commander_failsafe_enter_generic_hold' : 'commander_failsafe_enter_hold';
    return { name, args: [mode, what, seconds, ...named] };
  }
  if (action === 'warn') return { name: WARNINGS[cause], args: [] };
  if (action === 'descend' || action === 'altitude' || action === 'stabilized') {
    return { name: 'commander_failsafe_enter_autopilot_disengaged', args: [mode, what] };
  }
  if (cause === 'battery-emergency') return { name: WARNINGS[cause], args: [] };
  if (cause === 'mode') return { name: 'commander_failsafe_enter_generic', args: [mode, what] };
  return { name: 'commander_failsafe_enter', args: [mode, what, causeArgument(cause)] };
}

const WARNINGS: Readonly<Record<Cause, EventName>> = {
  mode: 'commander_failsafe_enter_generic',
  'ground-station': 'commander_gcs_lost',
  'battery-low': 'commander_failsafe_enter_low_bat',
  'battery-critical': 'commander_failsafe_enter_crit_bat_warn',
  'battery-emergency': 'commander_failsafe_enter_crit_low_bat_warn',
};

/** PX4's numbering of failsafe causes. */
function causeArgument(cause: Cause): EventArgument {
  const numbers = {
    mode: 0,
    'ground-station': 2,
    'battery-low': 3,
    'battery-critical': 4,
    'battery-emergency': 5,
  };
  return { bytes: 1, value: numbers[cause] };
}
