/**
 * What a message type has at a path, from the definitions that were generated for it: so that a
 * wrong path in the evidence map is found when it is configured, not when nothing arrives.
 * Enters: the map and the definitions. Leaves: the first entry that cannot be read, with the
 * reason. Never: a message.
 */
import type { HaloError } from '../contract/index.js';
import { haloError } from '../platform/index.js';
import type { TopicEntry, TopicMap } from '../evidence/index.js';

export interface FieldShape {
  readonly name: string;
  /** `float32`, or `pkg/msg/Name`. */
  readonly type: string;
  readonly isArray: boolean;
}

/** Fields of a type; undefined when it is not installed here. */
export type ShapeOf = (type: string) => readonly FieldShape[] | undefined;

/** HALO-707: an entry of a type that is not installed, or with a path or use that it lacks. */
export function topicMapTrouble({ entries }: TopicMap, shapeOf: ShapeOf): HaloError | undefined {
  for (const entry of entries) {
    const why = entryTrouble(entry, shapeOf);
    if (why !== undefined) return haloError('HALO-707', why, entry.topic);
  }
  return undefined;
}

function entryTrouble({ type, field, convert }: TopicEntry, shapeOf: ShapeOf): string | undefined {
  if (shapeOf(type) === undefined) return `${type} is not installed here.`;
  if (field === '.') return undefined;
  let at: FieldShape = { name: '', type, isArray: false };
  for (const key of field.split('.')) {
    const next = partOf(at, key, shapeOf);
    if (typeof next === 'string') return `${type} has no ${field}: ${next}`;
    at = next;
  }
  return fits(at, convert, shapeOf) ? undefined : `${type} ${field} is ${nameOf(at)}: no evidence.`;
}

function partOf(at: FieldShape, key: string, shapeOf: ShapeOf): FieldShape | string {
  if (at.isArray) {
    return /^\d{1,3}$/.test(key) ? { ...at, isArray: false } : `${nameOf(at)} has no ${key}.`;
  }
  const fields = shapeOf(at.type) ?? [];
  const found = fields.find(({ name }) => name === key);
  const known = fields.map(({ name }) => name).join(', ');
  return found ?? `${nameOf(at)} has ${known === '' ? 'no parts' : known}.`;
}

const NUMBER = /^(u?int(8|16|32|64)|float(32|64)|byte|char)$/;
const WORD = /^(bool|w?string)$/;

/** Numbers, words, arrays of numbers, and points of x, y, z. */
function fits(at: FieldShape, convert: string | undefined, shapeOf: ShapeOf): boolean {
  if (at.isArray) return NUMBER.test(at.type);
  if (NUMBER.test(at.type)) return true;
  if (WORD.test(at.type)) return convert !== 'enu_from_ned' && convert !== 'vector';
  const names = shapeOf(at.type)?.map(({ name }) => name) ?? [];
  return ['x', 'y', 'z'].every((axis) => names.includes(axis));
}

const nameOf = ({ type, isArray }: FieldShape): string => (isArray ? `${type}[]` : type);
