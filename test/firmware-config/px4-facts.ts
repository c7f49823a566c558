/**
 * What PX4 says of the parameters in firmware-config/px4: type, default and what may be set, from
 * the parameter metadata that the firmware itself is built with (v1.17), airframes aside.
 * MAV_SIGN_CFG is of v1.17 alone: later firmware signs as soon as it has a key.
 */
import type { ParameterType } from '../../src/contract/index.js';

export interface Px4Fact {
  readonly type: ParameterType;
  readonly px4Default: number;
  /** The values that the metadata lists, or the range that it gives; `Infinity`: no end. */
  readonly values?: readonly number[];
  readonly range?: readonly [number, number];
}

const oneOf = (px4Default: number, ...values: number[]): Px4Fact => ({
  type: 'int32',
  px4Default,
  values,
});
const bits = (px4Default: number, max: number): Px4Fact => ({
  type: 'int32',
  px4Default,
  range: [0, max],
});
const float = (px4Default: number, min: number, max = Infinity): Px4Fact => ({
  type: 'float',
  px4Default,
  range: [min, max],
});

export const PX4_FACTS: Readonly<Record<string, Px4Fact>> = {
  COM_ARM_AUTH_ID: { type: 'int32', px4Default: 10, range: [1, 255] },
  COM_ARM_AUTH_MET: oneOf(0, 0, 1),
  COM_ARM_AUTH_REQ: oneOf(0, 0, 1),
  COM_ARM_AUTH_TO: float(1, 0),
  COM_ARM_WO_GPS: oneOf(1, 0, 1, 2),
  COM_DISARM_LAND: float(2, -1),
  COM_DISARM_PRFLT: float(10, -1),
  COM_LOW_BAT_ACT: oneOf(0, 0, 2, 3),
  COM_OBL_RC_ACT: oneOf(0, 0, 1, 2, 3, 4, 5, 6, 7),
  COM_OF_LOSS_T: float(1, 0, 60),
  COM_POS_FS_EPH: float(5, -1, 400),
  COM_RC_IN_MODE: oneOf(3, 0, 1, 2, 3, 4, 5, 6, 7, 8),
  COM_RC_OVERRIDE: bits(1, 3),
  EKF2_EV_CTRL: bits(0, 15),
  EKF2_GPS_CTRL: bits(7, 15),
  EKF2_HGT_REF: oneOf(1, 0, 1, 2, 3),
  EKF2_MAG_TYPE: oneOf(0, 0, 1, 5, 6),
  GF_ACTION: oneOf(2, 0, 1, 2, 3, 4, 5),
  GF_MAX_HOR_DIST: float(0, 0, 10_000),
  GF_MAX_VER_DIST: float(0, 0, 10_000),
  MAV_SIGN_CFG: oneOf(0, 0, 1, 2),
  MIS_TAKEOFF_ALT: float(2.5, 0),
  MPC_TKO_SPEED: float(1.5, 1, 5),
  MPC_XY_VEL_MAX: float(12, 0, 20),
  MPC_Z_VEL_MAX_DN: float(1.5, 0.5, 4),
  MPC_Z_VEL_MAX_UP: float(3, 0.5, 8),
  NAV_DLL_ACT: oneOf(0, 0, 1, 2, 3, 5, 6),
  NAV_RCL_ACT: oneOf(2, 1, 2, 3, 5, 6),
  RTL_CONE_ANG: oneOf(45, 0, 25, 45, 65, 80, 90),
  RTL_DESCEND_ALT: float(30, 0),
  RTL_RETURN_ALT: float(60, 0),
  SYS_HAS_GPS: oneOf(1, 0, 1),
  SYS_HAS_MAG: { type: 'int32', px4Default: 1, range: [0, 4] },
};
