/**
 * A mission in the words of the wire, and back: every item becomes two, the speed on the way to it
 * and its place, so that each begins at a speed that was admitted, wherever it is begun.
 * Enters: admitted items, home. Leaves: stored items, their digest, places. Never: a speed, a
 * heading or a radius that is left to what the vehicle did before.
 */
import { numbersOf, type Mission, type MissionItem } from '../contract/index.js';
import { digestOf } from '../platform/index.js';
import { float32, type Vec3 } from './frames.js';
import { num, type Received } from './received.js';

/** PX4 reckons local coordinates on a sphere of this radius. */
const SPHERE_M = 6_371_000;
const METRES_PER_DEGREE = (SPHERE_M * Math.PI) / 180;
const DEG_E7 = 1e7;

const FRAME_MISSION = 2;
/**
 * Above sea level, not above home: PX4 corrects the height of home in flight, and items stored
 * above it would move along (measured: 1.7 m within half a minute).
 */
const FRAME_GLOBAL_INT = 5;
const NAV_WAYPOINT = 16;
const DO_CHANGE_SPEED = 178;
/** DO_CHANGE_SPEED: over ground; the throttle stays as it is. */
const GROUND_SPEED = 1;
const SAME_THROTTLE = -1;

/** The one home in both frames, of one message. */
export interface Home {
  readonly enuM: Vec3;
  /** [latitude deg, longitude deg, altitude AMSL m] */
  readonly global: Vec3;
}

/** Where an item begins in the stored list: its speed. */
export const beginSeq = (item: number): number => 2 * item;
/** Its place: what the autopilot tells that it has reached. */
export const placeSeq = (item: number): number => 2 * item + 1;

/** @param acceptanceM an item is reached within this, horizontally */
export function missionItems(
  { speedMS, items }: Mission,
  home: Home,
  acceptanceM: number,
): readonly MissionItem[] {
  return items.flatMap((item): MissionItem[] => [
    {
      frame: FRAME_MISSION,
      command: DO_CHANGE_SPEED,
      params: [GROUND_SPEED, float32(item.speedMS ?? speedMS), SAME_THROTTLE, 0],
      ...{ x: 0, y: 0, z: 0 },
    },
    {
      frame: FRAME_GLOBAL_INT,
      command: NAV_WAYPOINT,
      // No heading of its own: PX4 looks where it flies.
      params: [float32(item.holdS ?? 0), float32(acceptanceM), 0, NaN],
      ...globalOf(item.positionM, home),
    },
  ]);
}

const lonScale = ({ global }: Home): number =>
  METRES_PER_DEGREE * Math.cos((global[0] * Math.PI) / 180);

function globalOf(positionEnuM: Vec3, home: Home): Pick<MissionItem, 'x' | 'y' | 'z'> {
  const [east, north, up] = positionEnuM.map((m, i) => m - (home.enuM[i] ?? NaN));
  const latitudeDeg = home.global[0] + (north ?? NaN) / METRES_PER_DEGREE;
  const longitudeDeg = home.global[1] + (east ?? NaN) / lonScale(home);
  return {
    x: Math.round(latitudeDeg * DEG_E7),
    y: Math.round(longitudeDeg * DEG_E7),
    z: float32(home.global[2] + (up ?? NaN)),
  };
}

/** Local ENU of a stored place; undefined for an item that has none. */
export function placeOf(item: MissionItem | undefined, home: Home): Vec3 | undefined {
  if (item?.frame !== FRAME_GLOBAL_INT) return undefined;
  const north = (item.x / DEG_E7 - home.global[0]) * METRES_PER_DEGREE;
  const east = (item.y / DEG_E7 - home.global[1]) * lonScale(home);
  return [home.enuM[0] + east, home.enuM[1] + north, home.enuM[2] + item.z - home.global[2]];
}

/** An item as MISSION_ITEM_INT tells it. */
export function itemFrom(fields: Received['message']['fields']): MissionItem {
  const number = (name: string): number => num(fields, name);
  return {
    frame: number('frame'),
    command: number('command'),
    params: [number('param1'), number('param2'), number('param3'), number('param4')],
    ...{ x: number('x'), y: number('y'), z: number('z') },
  };
}

/** Over every number of every item; JSON has no NaN, which stands as text. */
export const missionDigest = (items: readonly MissionItem[]): string =>
  digestOf(items.map((item) => Object.values(numbersOf(item)).map(plain)));

const plain = (x: number): number | string => (Number.isFinite(x) ? x + 0 : String(x));
