/**
 * PX4's EVENT messages in words. Their numbers are hashes of names; the names that matter for
 * arming and failsafes are here, each with a sentence of ours.
 * Enters: an EVENT's fields. Leaves: what it is and a sentence. Never: silence about an error that
 * is not in the table; that one shows its number.
 */

export type AutopilotEvent =
  | { readonly type: 'failsafe'; readonly text: string }
  /**
   * Health and arming checks come as a group between a summary and a second summary; `canArm` has
   * a bit for each mode in which arming would be granted.
   */
  | { readonly type: 'checks-begin'; readonly canArm: number }
  | { readonly type: 'checks-end' }
  | { readonly type: 'check'; readonly text: string; readonly modes: number }
  | { readonly type: 'arming-refused'; readonly text: string }
  | { readonly type: 'note'; readonly text: string };

/** The number of an event: the autopilot's component byte and 24 bits of the name's FNV-1a hash. */
export function eventId(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193) >>> 0;
  }
  return (0x01000000 | (hash & 0xffffff)) >>> 0;
}

const byId = <T>(table: Readonly<Record<string, T>>): ReadonlyMap<number, T> =>
  new Map(Object.entries(table).map(([name, value]) => [eventId(name), value]));

const FAILSAFES = byId({
  commander_failsafe_enter: 'failsafe',
  commander_failsafe_enter_hold: 'failsafe, after a short hold',
  commander_failsafe_enter_generic: 'failsafe',
  commander_failsafe_enter_generic_hold: 'failsafe, after a short hold',
  commander_failsafe_enter_autopilot_disengaged: 'failsafe without position control',
});

const ACTIONS: readonly string[] = [
  'none',
  'warning',
  'position mode',
  'altitude mode',
  'stabilized mode',
  'hold',
  'return',
  'land',
  'descend',
  'disarm',
  'terminate',
];

const REFUSALS = byId({
  commander_arm_denied_resolve_failures: 'arming refused: health checks fail',
  commander_arm_denied_calibrating: 'arming refused: a calibration is running',
  commander_arm_denied_throttle_center: 'arming refused: throttle is above the centre',
  commander_arm_denied_throttle_high: 'arming refused: throttle is high',
});

const CHECKS = byId({
  check_modes_offboard_signal: 'no offboard setpoints arrive',
  check_modes_local_pos: 'no valid local position',
  check_modes_global_pos: 'no valid global position',
  check_modes_home_position: 'home is not set',
  check_modes_mission: 'there is no valid mission',
  check_modes_manual_control: 'no manual control input',
  check_modes_cannot_takeoff: 'the flight mode does not permit arming',
  check_modes_local_alt: 'no valid height',
  check_modes_attitude: 'no valid attitude',
  check_modes_angular_velocity: 'no valid angular velocity',
  check_estimator_missing_data: 'the estimator is still starting',
  check_estimator_heading_not_stable: 'the heading estimate is not stable',
  check_estimator_hor_pos_not_stable: 'the horizontal position is not stable',
  check_estimator_hor_vel_not_stable: 'the horizontal velocity is not stable',
  check_estimator_vert_vel_not_stable: 'the vertical velocity is not stable',
  check_estimator_hgt_not_stable: 'the height estimate is not stable',
  check_estimator_high_accel_bias: 'the accelerometer bias is high',
  check_estimator_high_gyro_bias: 'the gyroscope bias is high',
  check_estimator_mag_fault: 'the compass is faulty',
  check_estimator_mag_interference: 'the magnetic field is disturbed',
  check_estimator_low_position_accuracy: 'the position is not accurate',
  check_estimator_gps_fix_too_low: 'the satellite fix is too poor',
  check_estimator_gps_num_sats_too_low: 'too few satellites',
  check_estimator_gps_not_fusing: 'the estimator does not use the satellites',
  check_estimator_gps_hor_pos_err_too_high: 'the satellites’ horizontal error is high',
  check_estimator_gps_vert_pos_err_too_high: 'the satellites’ vertical error is high',
  check_estimator_gps_hor_pos_drift_too_high: 'the satellites’ position drifts',
  check_battery_missing: 'a required battery is missing',
  check_battery_disconnected: 'a battery was disconnected',
  check_battery_low: 'the battery is low',
  check_battery_critical: 'the battery is critically low',
  check_battery_emergency: 'the battery is at its emergency level',
  check_battery_unhealthy: 'a battery is not healthy',
  check_missing_system_power: 'no power module answers',
  check_avionics_power_low: 'the avionics voltage is low',
  check_system_no_home_pos: 'home is not set',
  check_system_no_global_pos: 'no valid global position',
  check_system_safety_button: 'the safety switch is not pressed',
  check_system_flight_term_active: 'flight termination is active',
  check_accel_missing: 'an accelerometer is missing',
  check_gyro_missing: 'a gyroscope is missing',
  check_baro_missing: 'a barometer is missing',
  check_mag_missing: 'a compass is missing',
  check_accel_not_calibrated: 'an accelerometer is not calibrated',
  check_gyro_not_calibrated: 'a gyroscope is not calibrated',
  check_mag_not_calibrated: 'a compass is not calibrated',
  check_rc_dl_no_dllink: 'no ground station is connected',
});

const NOTES = byId({
  commander_disarm_denied_not_landed: 'disarming refused: not landed',
  commander_modeswitch_not_avail: 'the mode cannot be entered now',
  failsafe_rc_override: 'the pilot took over with the sticks',
  commander_failsafe_enter_generic_warn: 'failsafe warning',
  commander_failsafe_enter_warn: 'failsafe warning',
  commander_failsafe_enter_low_bat: 'the battery is low',
  commander_failsafe_enter_crit_bat_warn: 'the battery is critically low',
  commander_failsafe_enter_crit_low_bat_warn: 'the battery is at its emergency level',
  commander_mission_comp_lost: 'the autopilot lost the companion computer',
  mavlink_rcv_sp_target_invalid: 'a position setpoint was not usable',
  mavlink_rcv_sp_target_unsup_coord: 'a position setpoint had an unsupported frame',
});

const CHECKS_BEGIN = eventId('commander_arming_check_summary');
const CHECKS_END = eventId('commander_health_summary');

/** Outer log levels: 0 emergency to 7 debug, 8 protocol. Up to here a reader wants to know. */
const ERROR = 3;
const WARNING = 4;
const ALL_MODES = 0xffffffff;

/** @param level `log_levels & 15`. Undefined: nothing that anybody here acts on. */
export function autopilotEvent(
  id: number,
  level: number,
  args: readonly number[],
): AutopilotEvent | undefined {
  // Arguments: a chunk number, two masks of components, then the modes to arm in and to fly in.
  if (id === CHECKS_BEGIN) return { type: 'checks-begin', canArm: uint32(args.slice(9)) };
  if (id === CHECKS_END) return { type: 'checks-end' };
  const failsafe = FAILSAFES.get(id);
  if (failsafe !== undefined) {
    // Arguments: the mode that was wanted (4 bytes), then the action.
    const action = ACTIONS[args[4] ?? -1];
    return { type: 'failsafe', text: action ? `${failsafe}: ${action}` : failsafe };
  }
  const refusal = REFUSALS.get(id);
  if (refusal !== undefined) return { type: 'arming-refused', text: refusal };
  const check = CHECKS.get(id);
  if (check !== undefined && level <= WARNING) {
    const modes = uint32(args);
    // A warning for every mode is one that holds no mode back (no sticks, when none are needed).
    if (level === WARNING && modes === ALL_MODES) return undefined;
    return { type: 'check', text: check, modes };
  }
  const note = NOTES.get(id);
  if (note !== undefined) return { type: 'note', text: note };
  if (level > ERROR || check !== undefined) return undefined;
  return { type: 'note', text: `autopilot event ${id} (see PX4's event metadata)` };
}

const uint32 = ([a = 0, b = 0, c = 0, d = 0]: readonly number[]): number =>
  (a | (b << 8) | (c << 16) | (d << 24)) >>> 0;
