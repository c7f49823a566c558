/**
 * What the bridge knows of the world, how old it is, and from whom.
 * Enters: nothing. Leaves: Snapshot, EvidenceValue, Epochs. Never: a value without age and source.
 */

/** Discontinuities that void whatever was decided before them (DESIGN: epoch). */
export const EPOCH_KINDS = ['vehicle', 'estimator', 'arming', 'home', 'link', 'mode'] as const;
export type EpochKind = (typeof EPOCH_KINDS)[number];
export type Epochs = Readonly<Record<EpochKind, number>>;

/** Numbers are finite by construction; vectors are [east, north, up] in metres or m/s. */
export type EvidenceDatum = number | boolean | string | readonly number[];

export interface EvidenceValue {
  readonly field: string;
  readonly value: EvidenceDatum;
  /** `mavlink:LOCAL_POSITION_NED` or `ros:/topic`. */
  readonly source: string;
  /** When it reached us, on our monotonic clock. */
  readonly receivedUs: number;
  /**
   * The source's own stamp carried onto our monotonic clock, where the source has one.
   * Freshness is judged on the older of both; a stamp ahead of `nowUs` is from the future.
   */
  readonly stampUs?: number;
  /** Set when sources disagree or an unexpected second publisher speaks: never supports. */
  readonly conflict?: string;
}

/** Two fields that must tell the same: else, and while one is silent, neither supports anything. */
export interface Agreement {
  readonly field: string;
  readonly with: string;
  /** Largest difference of numbers, or distance of vectors. */
  readonly tolerance: number;
  /** Oldest that the second may be. */
  readonly maxAgeMs: number;
}

export interface Snapshot {
  /** `s-1042`: named by responses as their basis. */
  readonly id: string;
  readonly takenUs: number;
  readonly values: ReadonlyMap<string, EvidenceValue>;
  readonly epochs: Epochs;
  /** Why a field has no fresh value, where its door knows: nobody publishes, QoS unmatched. */
  readonly silences?: ReadonlyMap<string, string>;
}

/**
 * Fields that the vehicle side fills from MAVLink. Everything is in the local ENU frame whose
 * origin is the autopilot's local origin, except where the name says global.
 */
export const VEHICLE_FIELDS = {
  'vehicle.armed': 'boolean: the armed bit of HEARTBEAT',
  'vehicle.mode': 'string: PX4 mode name such as OFFBOARD, AUTO.LOITER, AUTO.LAND',
  'vehicle.landed': 'string: on_ground, takeoff, in_air, landing',
  'vehicle.failsafe': 'boolean: the autopilot says that a failsafe is active',
  'vehicle.prearm_ok': 'boolean: pre-arm checks pass for the mode to arm in',
  'vehicle.position': 'vector: [east, north, up] in m, local ENU',
  'vehicle.velocity': 'vector: [east, north, up] in m/s, ENU',
  'vehicle.yaw': 'number: rad, ENU, 0 = east, counter-clockwise positive',
  'vehicle.global': 'vector: [latitude deg, longitude deg, altitude AMSL m]',
  'vehicle.home': 'vector: home in local ENU, m',
  'vehicle.home_global': 'vector: [latitude deg, longitude deg, altitude AMSL m]',
  'vehicle.battery': 'number: remaining fraction, 0 to 1',
  'vehicle.battery_v': 'number: V',
  'vehicle.gps_fix': 'number: fix type, 3 = 3D',
  'vehicle.gimbal': 'vector: [roll, pitch, yaw] in deg; pitch above the horizon, yaw from the nose',
  'vehicle.image_index': 'number: of the last image that a camera aboard says it took',
  'vehicle.winch_m': 'number: line that is out, m',
  'vehicle.mission_current': 'number: the stored mission item that the autopilot is at, from 0',
  'vehicle.mission_reached': 'number: the stored mission item that it reached last, from 0',
  'vehicle.mission_total': 'number: mission items that the autopilot has stored; 0: none',
  'vehicle.estimator_ok': 'boolean: the estimator holds a horizontal position',
} as const;
export type VehicleField = keyof typeof VEHICLE_FIELDS;

export const PX4_LANDED = ['on_ground', 'takeoff', 'in_air', 'landing'] as const;
export type LandedState = (typeof PX4_LANDED)[number];

/** Age on our clock in ms, judged on the older of arrival and the source's own stamp. */
export function evidenceAgeMs(value: EvidenceValue, nowUs: number): number {
  const bornUs = Math.min(value.receivedUs, value.stampUs ?? value.receivedUs);
  return (nowUs - bornUs) / 1000;
}

/** Epochs before anything was heard. */
export const NO_EPOCHS: Epochs = Object.freeze({
  vehicle: 0,
  estimator: 0,
  arming: 0,
  home: 0,
  link: 0,
  mode: 0,
});

/**
 * Stamps are carried onto our clock with the error of the time synchronisation (a few ms by
 * TIMESYNC, up to a datagram's way without it); 50 ms is above both and below any age limit.
 */
export const FUTURE_TOLERANCE_MS = 50;
