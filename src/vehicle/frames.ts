/**
 * Frames and turns: the bridge thinks in ENU and FLU (REP 103), PX4 in NED and FRD.
 * Enters and leaves: numbers with the frame in the name. Never: a negative zero, which would give
 * equal positions different bytes on the wire.
 */

export type Vec3 = readonly [number, number, number];

const plus = (x: number): number => x + 0;

/** [east, north, up] to [north, east, down]; m or m/s. The same turn leads back. */
export const nedFromEnu = ([e, n, u]: Vec3): Vec3 => [plus(n), plus(e), plus(-u)];

/** [north, east, down] to [east, north, up]; m or m/s. */
export const enuFromNed = ([n, e, d]: Vec3): Vec3 => [plus(e), plus(n), plus(-d)];

/** [forward, left, up] to [forward, right, down], and back. */
export const frdFromFlu = ([f, l, u]: Vec3): Vec3 => [plus(f), plus(-l), plus(-u)];
export const fluFromFrd = frdFromFlu;

/** Into (-π, π]. */
export function wrapRad(rad: number): number {
  const turned = rad - 2 * Math.PI * Math.ceil((rad - Math.PI) / (2 * Math.PI));
  return plus(turned);
}

/** NED yaw (0 = north, clockwise) to ENU yaw (0 = east, counter-clockwise), rad. */
export const yawEnuFromNed = (yawNedRad: number): number => wrapRad(Math.PI / 2 - yawNedRad);

/** ENU yaw to NED yaw, rad. */
export const yawNedFromEnu = (yawEnuRad: number): number => wrapRad(Math.PI / 2 - yawEnuRad);

/** Compass heading in degrees (0 = north, clockwise, any turn) to NED yaw in rad. */
export const yawNedFromCompassDeg = (deg: number): number => wrapRad((deg * Math.PI) / 180);

/** NED yaw in rad to a compass heading in [0, 360). */
export function compassDegFromYawNed(yawNedRad: number): number {
  const deg = (wrapRad(yawNedRad) * 180) / Math.PI;
  return plus(deg < 0 ? deg + 360 : deg);
}

/** What a float32 field of the wire will hold; the envelope names the same number. */
export const float32 = (x: number): number => Math.fround(x) + 0;

export const float32Vec = ([a, b, c]: Vec3): Vec3 => [float32(a), float32(b), float32(c)];

/** Horizontal distance of two ENU or NED positions, m. */
export const horizontalM = (a: Vec3, b: Vec3): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** Vertical distance, m. */
export const verticalM = (a: Vec3, b: Vec3): number => Math.abs(a[2] - b[2]);
