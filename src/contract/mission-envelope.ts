/**
 * The part of an envelope that speaks of missions: what may be stored aboard, read back, begun at.
 * Enters: what was admitted, and a wire message. Leaves: how they differ, or nothing.
 * Never: an item that differs from the admitted one in a single number.
 */
import type { WireMessage } from './binding.js';

/** One stored item as MISSION_ITEM_INT has it: its place in the list is its `seq`. */
export interface MissionItem {
  /** MAV_FRAME */
  readonly frame: number;
  /** MAV_CMD */
  readonly command: number;
  /** param1 to param4 as float32; NaN stands for NaN. */
  readonly params: readonly [number, number, number, number];
  /** Latitude and longitude in 1e-7 degrees where the frame is global. */
  readonly x: number;
  readonly y: number;
  /** Metres, as float32. */
  readonly z: number;
}

/** MISSION_COUNT of exactly so many items, and each of them as MISSION_ITEM_INT. */
export interface AllowedMission {
  readonly type: 'mission';
  readonly items: readonly MissionItem[];
}

/** Asking for the stored list and for its items, and the end of that. */
export interface AllowedMissionReading {
  readonly type: 'mission-reading';
  /** Items that may be asked for. */
  readonly count: number;
}

/** MISSION_SET_CURRENT to this item. */
export interface AllowedMissionItem {
  readonly type: 'mission-item';
  readonly seq: number;
}

/** MAV_MISSION_TYPE_MISSION: fences and rally points are not an agent's. */
const TYPE_MISSION = 0;
/** MAV_MISSION_ACCEPTED, MAV_MISSION_OPERATION_CANCELLED: the two ends of a reading. */
const READING_ENDS: readonly unknown[] = [0, 15];

type Fields = WireMessage['fields'];

/** `'other'`: the message is none of these. */
export function missionDiffers(
  allowed: AllowedMission | AllowedMissionReading | AllowedMissionItem,
  { name, fields }: WireMessage,
): string | undefined {
  switch (allowed.type) {
    case 'mission':
      return name === 'MISSION_COUNT' || name === 'MISSION_ITEM_INT'
        ? (otherType(fields) ?? writingDiffers(allowed.items, name, fields))
        : 'other';
    case 'mission-reading':
      return readingDiffers(allowed.count, name, fields);
    case 'mission-item':
      if (name !== 'MISSION_SET_CURRENT') return 'other';
      return fields['seq'] === allowed.seq ? undefined : `item ${String(fields['seq'])}`;
  }
}

const otherType = (fields: Fields): string | undefined =>
  fields['mission_type'] === TYPE_MISSION
    ? undefined
    : `mission type ${String(fields['mission_type'])}`;

function writingDiffers(
  items: readonly MissionItem[],
  name: 'MISSION_COUNT' | 'MISSION_ITEM_INT',
  fields: Fields,
): string | undefined {
  if (name === 'MISSION_COUNT') {
    return fields['count'] === items.length ? undefined : `${String(fields['count'])} items`;
  }
  const seq = fields['seq'];
  const item = typeof seq === 'number' ? items[seq] : undefined;
  if (item === undefined) return `item ${String(seq)} of ${items.length}`;
  // The place to begin at is named apart, and the list goes on by itself.
  const wanted: Readonly<Record<string, number>> = {
    ...numbersOf(item),
    current: 0,
    autocontinue: 1,
  };
  const wrong = Object.keys(wanted).find((key) => !same(fields[key], wanted[key]));
  return wrong === undefined
    ? undefined
    : `item ${String(seq)} ${wrong} is ${String(fields[wrong])}`;
}

function readingDiffers(count: number, name: string, fields: Fields): string | undefined {
  switch (name) {
    case 'MISSION_REQUEST_LIST':
      return otherType(fields);
    case 'MISSION_REQUEST_INT': {
      const { seq } = fields;
      const within = typeof seq === 'number' && seq >= 0 && seq < count;
      return otherType(fields) ?? (within ? undefined : 'an item beyond the list');
    }
    case 'MISSION_ACK':
      return (
        otherType(fields) ??
        (READING_ENDS.includes(fields['type']) ? undefined : `answer ${String(fields['type'])}`)
      );
    default:
      return 'other';
  }
}

/** The numbers of an item under the names of MISSION_ITEM_INT. */
export function numbersOf({ frame, command, params, x, y, z }: MissionItem) {
  const [param1, param2, param3, param4] = params;
  return { frame, command, param1, param2, param3, param4, x, y, z };
}

const same = (a: unknown, b: number | undefined): boolean =>
  typeof a === 'number' && b !== undefined && Object.is(a + 0, b + 0);
