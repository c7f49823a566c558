/**
 * A mission in the words of the wire, and back: every item becomes two, the speed on the way to it
 * and its place, so that each begins at a speed that was admitted, wherever it is begun.
 * Enters: admitted items, home. Leaves: stored items, their digest, places. Never: a speed, a
 * heading or a radius that is left to what the vehicle did before.
 */
import {
  enuFromGlobal,
  globalFromEnu,
  numbersOf,
  type Mission,
  type MissionItem,
} from '../contract/index.js';
import { digestOf } from '../platform/index.js';
import { float32, type Vec3 } from './frames.js';
import type { Home } from './reading.js';
import { num, type Received } from './received.js';

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

function globalOf([east, north, up]: Vec3, { enuM, global }: Home) {
  const fromHomeM = [east - enuM[0], north - enuM[1], up - enuM[2]] as const;
  const [latitudeDeg, longitudeDeg, altitudeM] = globalFromEnu(fromHomeM, global);
  return {
    x: Math.round(latitudeDeg * DEG_E7),
    y: Math.round(longitudeDeg * DEG_E7),
    z: float32(altitudeM),
  };
}

/** Local ENU of a stored place; undefined for an item that has none. */
export function placeOf(item: MissionItem | undefined, { enuM, global }: Home): Vec3 | undefined {
  if (item?.frame !== FRAME_GLOBAL_INT) return undefined;
  const [east, north, up] = enuFromGlobal([item.x / DEG_E7, item.y / DEG_E7, item.z], global);
  return [enuM[0] + east, enuM[1] + north, enuM[2] + up];
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
