/**
 * Vectors and the flat-earth projection the vehicle computes in.
 * In: metres in north-east-down, or degrees. Out: the same. Never keeps state.
 */

/** A vector in north-east-down; the unit is named by the variable that holds it. */
export interface Ned {
  readonly n: number;
  readonly e: number;
  readonly d: number;
}

/** A point on earth: degrees, and metres above mean sea level. */
export interface GeoPoint {
  readonly latitudeDeg: number;
  readonly longitudeDeg: number;
  readonly altitudeM: number;
}

export const ZERO: Ned = { n: 0, e: 0, d: 0 };

/** The sphere that PX4 reckons local coordinates on. */
const EARTH_RADIUS_M = 6_371_000;
const DEG = Math.PI / 180;

export const add = (a: Ned, b: Ned): Ned => ({ n: a.n + b.n, e: a.e + b.e, d: a.d + b.d });
export const subtract = (a: Ned, b: Ned): Ned => ({ n: a.n - b.n, e: a.e - b.e, d: a.d - b.d });
export const scale = (a: Ned, k: number): Ned => ({ n: a.n * k, e: a.e * k, d: a.d * k });
export const horizontal = (a: Ned): number => Math.hypot(a.n, a.e);
export const length = (a: Ned): number => Math.hypot(a.n, a.e, a.d);
export const clamp = (value: number, low: number, high: number): number =>
  Math.min(Math.max(value, low), high);

/** Shortens the horizontal part to `limit` and keeps its direction. */
export function limitHorizontal(a: Ned, limit: number): Ned {
  const size = horizontal(a);
  if (size <= limit || size === 0) return a;
  return { n: (a.n * limit) / size, e: (a.e * limit) / size, d: a.d };
}

/** The angle in (-pi, pi]. */
export function wrapRad(angleRad: number): number {
  const wrapped = Math.atan2(Math.sin(angleRad), Math.cos(angleRad));
  return wrapped === -Math.PI ? Math.PI : wrapped;
}

export function toGeo(origin: GeoPoint, positionNedM: Ned): GeoPoint {
  const metresPerDegree = EARTH_RADIUS_M * DEG;
  const lonScale = metresPerDegree * Math.cos(origin.latitudeDeg * DEG);
  return {
    latitudeDeg: origin.latitudeDeg + positionNedM.n / metresPerDegree,
    longitudeDeg: origin.longitudeDeg + positionNedM.e / lonScale,
    altitudeM: origin.altitudeM - positionNedM.d,
  };
}

export function toNed(origin: GeoPoint, point: GeoPoint): Ned {
  const metresPerDegree = EARTH_RADIUS_M * DEG;
  const lonScale = metresPerDegree * Math.cos(origin.latitudeDeg * DEG);
  return {
    n: (point.latitudeDeg - origin.latitudeDeg) * metresPerDegree,
    e: (point.longitudeDeg - origin.longitudeDeg) * lonScale,
    d: origin.altitudeM - point.altitudeM,
  };
}
