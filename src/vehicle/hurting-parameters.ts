/**
 * The five parameters of PX4 that hurt most when a bridge flies, and when they do.
 * Enters: a name and its value on the vehicle, what the operator permits. Leaves: a sentence and a
 * remedy, or nothing. Never: a setting: they keep people safe, and are an operator's.
 *
 * What each value does was measured on PX4 (v1.17) in simulation, without a radio control.
 */

export interface Hurt {
  readonly message: string;
  readonly remedy: string;
}

export interface Permitted {
  /** Metres above home that the catalog permits at most; undefined: it does not say. */
  readonly altitudeMaxM: number | undefined;
}

/** A setpoint comes every 50 ms: five of them missing may be one hiccup of the machine. */
const LOSS_MIN_S = 0.25;
/** PX4's default is 1 s. At 2 m/s this is 4 m flown with nobody at the helm. */
const LOSS_MAX_S = 2;

const OFFBOARD_LOSS: Readonly<Record<number, string>> = {
  0: 'asks for sticks, and without them NAV_RCL_ACT decides, by default a return',
  1: 'asks for sticks, and without them NAV_RCL_ACT decides, by default a return',
  2: 'asks for sticks, and without them NAV_RCL_ACT decides, by default a return',
  3: 'returns, which first climbs to RTL_RETURN_ALT',
  6: 'terminates the flight: it falls',
  7: 'stops the motors: it falls',
};

const GROUND_STATION_LOSS: Readonly<Record<number, string>> = {
  1: 'holds',
  2: 'returns',
  3: 'lands',
  5: 'falls',
  6: 'falls',
};

type Judge = (value: number, permitted: Permitted) => Hurt | undefined;

const JUDGES: Readonly<Record<string, Judge>> = {
  COM_OBL_RC_ACT: (value) => {
    const does = OFFBOARD_LOSS[value];
    if (does === undefined) return undefined;
    const message = `COM_OBL_RC_ACT is ${value}: when the setpoints stop, the vehicle ${does}.`;
    return { message, remedy: 'Set it to 4 (land) or 5 (hold) with a ground station.' };
  },
  RTL_RETURN_ALT: (value, { altitudeMaxM }) => {
    if (altitudeMaxM === undefined || value <= altitudeMaxM) return undefined;
    return {
      message:
        `RTL_RETURN_ALT is ${numberText(value)}: a return climbs to ${numberText(value)} m, ` +
        `and the catalog permits ${altitudeMaxM} m.`,
      remedy: `Set it to ${altitudeMaxM} or less with a ground station.`,
    };
  },
  COM_OF_LOSS_T: (value) => {
    if (value >= LOSS_MIN_S && value <= LOSS_MAX_S) return undefined;
    const does =
      value > LOSS_MAX_S
        ? 'that long the vehicle flies on after the last setpoint'
        : 'one hiccup of the machine ends OFFBOARD';
    return {
      message: `COM_OF_LOSS_T is ${numberText(value)} s: ${does}.`,
      remedy: `Set it to 1, at least within ${LOSS_MIN_S} to ${LOSS_MAX_S} s.`,
    };
  },
  COM_RC_IN_MODE: (value) => {
    if (value !== 0 && value !== 4) return undefined;
    const who =
      value === 4
        ? 'no stick can take the vehicle back'
        : 'only a radio control can take the vehicle back, and no joystick of a ground station';
    return {
      message: `COM_RC_IN_MODE is ${value}: ${who}.`,
      remedy: 'Without a radio control set it to 1; with one, have it switched on.',
    };
  },
  NAV_DLL_ACT: (value) => {
    if (value === 0) return undefined;
    const does = GROUND_STATION_LOSS[value] ?? 'does something that is not known here';
    return {
      message:
        `NAV_DLL_ACT is ${value}: without a ground station the vehicle does not arm, ` +
        `and in flight it ${does} when the station falls silent.`,
      remedy: 'Set it to 0, or keep a ground station connected; the bridge is none.',
    };
  },
};

/** In the order in which they are read and told. */
export const HURTING_PARAMETERS: readonly string[] = Object.keys(JUDGES);

/** What the value of one of {@link HURTING_PARAMETERS} will do, when it hurts. */
export const hurtOf = (name: string, value: number, permitted: Permitted): Hurt | undefined =>
  JUDGES[name]?.(value, permitted);

/** 32-bit floats as people write them: 0.3, not 0.30000001192092896. */
const numberText = (value: number): string => String(Number(value.toPrecision(6)));
