/**
 * Places near an origin, in degrees and in metres.
 * Enters: [latitude deg, longitude deg, altitude above sea level m], or metres east, north and up.
 * Leaves: the other. Never: a rounding; whoever writes a place down rounds as that asks for.
 */
type Triple = readonly [number, number, number];

/** PX4 reckons local coordinates on a sphere of this radius. */
const SPHERE_M = 6_371_000;
const METRES_PER_DEGREE = (SPHERE_M * Math.PI) / 180;

/** Of longitude, on the parallel of the origin. */
const metresPerDegreeEast = ([latitudeDeg]: Triple): number =>
  METRES_PER_DEGREE * Math.cos((latitudeDeg * Math.PI) / 180);

/** Metres east, north and up from the origin. */
export const enuFromGlobal = (place: Triple, origin: Triple): Triple => [
  (place[1] - origin[1]) * metresPerDegreeEast(origin),
  (place[0] - origin[0]) * METRES_PER_DEGREE,
  place[2] - origin[2],
];

/** Degrees, and metres above sea level, of what lies so far from the origin. */
export const globalFromEnu = ([eastM, northM, upM]: Triple, origin: Triple): Triple => [
  origin[0] + northM / METRES_PER_DEGREE,
  origin[1] + eastM / metresPerDegreeEast(origin),
  origin[2] + upM,
];
