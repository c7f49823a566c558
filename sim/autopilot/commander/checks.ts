/**
 * The health and arming checks: which of them fail for a mode, and whether a mode can run.
 * In: what is known about the vehicle. Out: names of failing checks. Never changes anything.
 */
import type { EventName } from '../events.js';
import { modeFacts, type NavState } from '../modes.js';

export type BatteryWarning = 'none' | 'low' | 'critical' | 'emergency';

/** What the commander decides by; gathered anew in every step. */
export interface Conditions {
  readonly armed: boolean;
  readonly aligned: boolean;
  readonly positionValid: boolean;
  readonly homeSet: boolean;
  readonly manualControl: boolean;
  readonly offboardSignal: boolean;
  readonly battery: BatteryWarning;
  readonly batteryPresent: boolean;
  readonly groundStation: boolean;
  readonly landed: boolean;
  /** An operator's fault holds arming back. */
  readonly armingRefused: boolean;
  /** A mission is stored that can be flown. */
  readonly missionValid: boolean;
}

/** Can the mode be flown now? The check that guards mode changes in the air. */
export function canRun(mode: NavState, now: Conditions): boolean {
  const needs = modeFacts(mode);
  if (mode === 'OFFBOARD') return now.offboardSignal;
  if (mode === 'AUTO.MISSION' && !now.missionValid) return false;
  if (needs.needsPosition && !now.positionValid) return false;
  if (needs.needsHome && !now.homeSet) return false;
  return !needs.needsManualControl || now.manualControl;
}

/** The checks that fail for `mode`; arming is refused unless there are none. */
export function failingChecks(
  mode: NavState,
  now: Conditions,
  groundStationRequired: boolean,
): EventName[] {
  const failing: EventName[] = [];
  const needs = modeFacts(mode);
  if (!now.aligned || now.armingRefused) failing.push('check_estimator_heading_not_stable');
  if (needs.needsPosition && !now.positionValid) {
    failing.push('check_modes_local_pos', 'check_modes_global_pos');
  }
  if (mode === 'OFFBOARD' && !now.offboardSignal) failing.push('check_modes_offboard_signal');
  if (needs.needsHome && !now.homeSet) failing.push('check_modes_home_position');
  if (mode === 'AUTO.MISSION' && !now.missionValid) failing.push('check_modes_mission');
  if (needs.needsManualControl && !now.manualControl) failing.push('check_modes_manual_control');
  // Landing and returning keep the vehicle from being armed; once it is, they are no fault.
  if (needs.preventsArming && !now.armed) failing.push('check_modes_cannot_takeoff');
  if (!now.batteryPresent) failing.push('check_system_power_unavailable');
  if (now.battery === 'critical') failing.push('check_battery_critical');
  if (now.battery === 'emergency') failing.push('check_battery_emergency');
  if (groundStationRequired && !now.groundStation) failing.push('check_rc_dl_no_dllink');
  return failing;
}
