/**
 * PX4's events by name: number, level, arguments, and the text a ground station would show.
 * In: a name and arguments. Out: an EVENT and the STATUSTEXT beside it. Never chooses who hears it.
 */

export type EventName = keyof typeof EVENTS;

/** Log levels of PX4's events: the outer one for people, 0 emergency to 7 debug, 8 protocol. */
const EMERGENCY = 0;
const CRITICAL = 2;
const ERROR = 3;
const WARNING = 4;
const INFO = 6;
const PROTOCOL = 8;

interface EventFacts {
  readonly level: number;
  readonly text: string;
}

const fact = (level: number, text: string): EventFacts => ({ level, text });

const EVENTS = {
  commander_arm_denied_resolve_failures: fact(
    CRITICAL,
    'Arming denied: Resolve system health failures first',
  ),
  commander_disarm_denied_not_landed: fact(CRITICAL, 'Disarming denied: not landed'),
  commander_unsupported_arm_disarm_param: fact(ERROR, 'Unsupported ARM_DISARM parameter'),
  commander_armed_by: fact(INFO, 'Armed by {1}'),
  commander_disarmed_by: fact(INFO, 'Disarmed by {1}'),
  commander_takeoff_detected: fact(INFO, 'Takeoff detected'),
  commander_landing_detected: fact(INFO, 'Landing detected'),
  commander_failsafe_enter_generic: fact(CRITICAL, 'Failsafe activated: switching to {2}'),
  commander_failsafe_enter_generic_hold: fact(
    CRITICAL,
    'Failsafe activated: switching to {2} in {3} seconds',
  ),
  commander_failsafe_enter_autopilot_disengaged: fact(
    CRITICAL,
    'Failsafe activated: Autopilot disengaged, switching to {2}',
  ),
  commander_failsafe_enter: fact(CRITICAL, 'Failsafe activated: switching to {2}'),
  commander_failsafe_enter_hold: fact(
    CRITICAL,
    'Failsafe activated: switching to {2} in {3} seconds',
  ),
  commander_failsafe_enter_low_bat: fact(WARNING, 'Low battery level, return advised'),
  commander_failsafe_enter_crit_bat_warn: fact(CRITICAL, 'Critical battery level, land now'),
  commander_failsafe_enter_crit_low_bat_warn: fact(
    EMERGENCY,
    'Emergency battery level, land immediately',
  ),
  failsafe_rc_override: fact(INFO, 'Pilot took over using sticks'),
  commander_modeswitch_not_avail: fact(CRITICAL, 'Switching to mode {1} is currently not possible'),
  commander_gcs_lost: fact(WARNING, 'Connection to ground control station lost'),
  commander_dl_regained: fact(INFO, 'Connection to ground control station regained'),
  commander_mission_comp_lost: fact(CRITICAL, 'Connection to mission computer lost'),
  commander_onboard_ctrl_regained: fact(INFO, 'Onboard controller regained'),
  commander_arming_check_summary: fact(PROTOCOL, ''),
  commander_health_summary: fact(PROTOCOL, ''),
  check_modes_offboard_signal: fact(ERROR, 'No offboard signal'),
  check_modes_local_pos: fact(ERROR, 'Navigation error: No valid position estimate'),
  check_modes_global_pos: fact(ERROR, 'Navigation error: No valid global position estimate'),
  check_modes_home_position: fact(INFO, 'Home position not set'),
  check_modes_mission: fact(INFO, 'No valid mission available'),
  check_modes_manual_control: fact(WARNING, 'No manual control input'),
  check_modes_cannot_takeoff: fact(INFO, 'Mode not suitable for arming'),
  check_estimator_heading_not_stable: fact(ERROR, 'Heading estimate not stable'),
  check_battery_critical: fact(CRITICAL, 'Critical battery'),
  check_battery_emergency: fact(EMERGENCY, 'Emergency battery level'),
  check_system_power_unavailable: fact(ERROR, 'Power module not connected'),
  check_rc_dl_no_dllink: fact(ERROR, 'No connection to the ground control station'),
  mavlink_rcv_sp_target_invalid: fact(
    ERROR,
    'SET_POSITION_TARGET_LOCAL_NED: invalid, missing position, velocity or acceleration',
  ),
  mavlink_rcv_sp_target_unsup_coord: fact(
    ERROR,
    'SET_POSITION_TARGET_LOCAL_NED: invalid coordinate frame {1}',
  ),
} as const satisfies Record<string, EventFacts>;

/** One argument as it is packed: how many bytes, and its value; `text` is shown to people. */
export interface EventArgument {
  readonly bytes: 1 | 2 | 4;
  readonly value: number;
  readonly text?: string;
}

/** The number of an event: the autopilot's component byte and 24 bits of the name's FNV-1a hash. */
export function eventId(name: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < name.length; i += 1) {
    hash = Math.imul(hash ^ name.charCodeAt(i), 0x1000193) >>> 0;
  }
  return (0x01000000 | (hash & 0xffffff)) >>> 0;
}

export function eventText(name: EventName, args: readonly EventArgument[]): string {
  return EVENTS[name].text.replace(/\{(\d)\}/g, (_, digit: string) => {
    const argument = args[Number(digit) - 1];
    return argument?.text ?? String(argument?.value ?? '');
  });
}

export function eventLevel(name: EventName): number {
  return EVENTS[name].level;
}

/** The 40 argument bytes, little-endian in order. */
export function packArguments(args: readonly EventArgument[]): number[] {
  const bytes = new Array<number>(40).fill(0);
  let at = 0;
  for (const argument of args) {
    for (let i = 0; i < argument.bytes; i += 1) {
      bytes[at] = Math.floor(argument.value / 256 ** i) & 0xff;
      at += 1;
    }
  }
  return bytes;
}
