/**
 * The parameters that matter to what this stand-in does, with PX4's types and defaults.
 * Names and defaults are PX4's (main, March 2026, SIH quadrotor). Never holds a value of a run.
 */

export interface ParameterDefinition {
  readonly name: string;
  readonly type: 'int32' | 'float';
  readonly initial: number;
}

const int = (name: string, initial: number): ParameterDefinition => ({
  name,
  type: 'int32',
  initial,
});
const float = (name: string, initial: number): ParameterDefinition => ({
  name,
  type: 'float',
  initial,
});

/** Sorted by name, as PX4 numbers them. */
export const PARAMETER_TABLE: readonly ParameterDefinition[] = [
  float('BAT1_CAPACITY', -1),
  int('BAT1_N_CELLS', 4),
  float('BAT_CRIT_THR', 0.07),
  float('BAT_EMERGEN_THR', 0.05),
  float('BAT_LOW_THR', 0.15),
  int('CA_FAILURE_MODE', 0),
  int('CAL_MAG0_ID', 197388),
  int('COM_ARM_WO_GPS', 1),
  float('COM_DISARM_LAND', 2),
  float('COM_DISARM_PRFLT', 10),
  int('COM_DLL_EXCEPT', 0),
  int('COM_DL_LOSS_T', 10),
  float('COM_FAIL_ACT_T', 5),
  int('COM_HOME_EN', 1),
  int('COM_LOW_BAT_ACT', 3),
  int('COM_OBC_LOSS_T', 5),
  int('COM_OBL_RC_ACT', 0),
  float('COM_OF_LOSS_T', 1),
  int('COM_RCL_EXCEPT', 0),
  float('COM_RC_LOSS_T', 0.5),
  int('COM_RC_IN_MODE', 1),
  float('COM_SPOOLUP_TIME', 1),
  int('MAV_COMP_ID', 1),
  int('MAV_SIGN_CFG', 0),
  int('MAV_SYS_ID', 1),
  int('MAV_TYPE', 2),
  float('MIS_TAKEOFF_ALT', 2.5),
  float('MPC_ACC_DOWN_MAX', 3),
  float('MPC_ACC_HOR', 3),
  float('MPC_ACC_HOR_MAX', 5),
  float('MPC_ACC_UP_MAX', 4),
  float('MPC_LAND_ALT1', 10),
  float('MPC_LAND_ALT2', 5),
  float('MPC_LAND_ALT3', 1),
  float('MPC_LAND_CRWL', 0.3),
  float('MPC_LAND_SPEED', 0.7),
  float('MPC_TKO_RAMP_T', 3),
  float('MPC_TKO_SPEED', 1.5),
  float('MPC_XY_CRUISE', 5),
  float('MPC_XY_P', 0.95),
  float('MPC_XY_VEL_I_ACC', 0.4),
  float('MPC_XY_VEL_MAX', 12),
  float('MPC_XY_VEL_P_ACC', 1.8),
  float('MPC_YAWRAUTO_MAX', 60),
  float('MPC_Z_P', 1),
  float('MPC_Z_VEL_I_ACC', 2),
  float('MPC_Z_VEL_MAX_DN', 1.5),
  float('MPC_Z_VEL_MAX_UP', 3),
  float('MPC_Z_VEL_P_ACC', 4),
  float('NAV_ACC_RAD', 2),
  int('NAV_DLL_ACT', 0),
  float('NAV_MC_ALT_RAD', 0.8),
  int('NAV_RCL_ACT', 2),
  int('RTL_CONE_ANG', 45),
  float('RTL_DESCEND_ALT', 10),
  float('RTL_LAND_DELAY', 0),
  float('RTL_MIN_DIST', 10),
  float('RTL_RETURN_ALT', 30),
  int('RTL_TYPE', 0),
  float('SIH_WIND_E', 0),
  float('SIH_WIND_N', 0),
  int('SIM_GPS_USED', 10),
  int('SYS_AUTOSTART', 10040),
  int('SYS_FAILURE_EN', 1),
  int('SYS_HAS_GPS', 1),
].sort((a, b) => (a.name < b.name ? -1 : 1));
