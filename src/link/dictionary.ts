/**
 * The messages that both ends of the link speak: MAVLink minimal, standard and common.
 * Enters: the field tables of mavlink-mappings, and extra-messages. Leaves: one table by id and
 * by name. Never: two definitions of one id, or a field whose type this codec does not know.
 */
import { common, minimal, standard } from 'mavlink-mappings';
import { assert } from '../platform/index.js';
import { EXTRA_MESSAGES, type ExtraMessage } from './extra-messages.js';

/** `param` is the float that carries the bits of a parameter of any 32-bit type. */
export type FieldKind =
  | 'uint8_t'
  | 'int8_t'
  | 'uint16_t'
  | 'int16_t'
  | 'uint32_t'
  | 'int32_t'
  | 'uint64_t'
  | 'int64_t'
  | 'float'
  | 'double'
  | 'char'
  | 'param';

export interface WireField {
  /** Name as in the MAVLink XML, snake case. */
  readonly name: string;
  readonly kind: FieldKind;
  /** Byte offset in the payload. */
  readonly offset: number;
  /** Elements of an array (a char array is a string); 0 for a single value. */
  readonly length: number;
  /** Extension fields came later: absent means zero, and they are not part of the CRC extra. */
  readonly extension: boolean;
}

export interface MessageInfo {
  readonly id: number;
  readonly name: string;
  readonly crcExtra: number;
  /** Bytes with all extension fields. */
  readonly payloadLength: number;
  /** Bytes without extension fields: the length in MAVLink 1. */
  readonly baseLength: number;
  readonly fields: readonly WireField[];
}

const SIZES: Readonly<Record<FieldKind, number>> = {
  uint8_t: 1,
  int8_t: 1,
  uint16_t: 2,
  int16_t: 2,
  uint32_t: 4,
  int32_t: 4,
  uint64_t: 8,
  int64_t: 8,
  float: 4,
  double: 8,
  char: 1,
  param: 4,
};

/** Bytes of one element. */
export const sizeOf = (kind: FieldKind): number => SIZES[kind];

const isKind = (text: string): text is FieldKind => Object.hasOwn(SIZES, text);

function kindOf(message: string, field: string, type: string): FieldKind {
  if (field === 'param_value' && (message === 'PARAM_VALUE' || message === 'PARAM_SET')) {
    return 'param';
  }
  // The XML's only alias: HEARTBEAT.mavlink_version.
  const kind = type.replace('[]', '').replace('_mavlink_version', '');
  assert(isKind(kind), `${message}.${field} has the unknown type ${type}`);
  return kind;
}

function makeInfo(id: number, name: string, crcExtra: number, fields: WireField[]): MessageInfo {
  const end = (list: readonly WireField[]): number =>
    Math.max(0, ...list.map((f) => f.offset + sizeOf(f.kind) * Math.max(1, f.length)));
  const payloadLength = end(fields);
  const baseLength = end(fields.filter((f) => !f.extension));
  assert(payloadLength <= 255, `${name} is longer than a frame`);
  for (const field of fields) {
    const wideArray = field.length > 0 && field.kind.endsWith('64_t');
    assert(!wideArray, `${name}.${field.name} would need an array of bigints`);
  }
  return { id, name, crcExtra, payloadLength, baseLength, fields };
}

function fromExtra(extra: ExtraMessage): MessageInfo {
  let offset = 0;
  const fields = extra.fields.map(([name, type, length]) => {
    const kind = kindOf(extra.name, name, type);
    const field = { name, kind, offset, length, extension: false };
    offset += sizeOf(kind) * Math.max(1, length);
    return field;
  });
  return makeInfo(extra.id, extra.name, extra.crcExtra, fields);
}

const byId = new Map<number, MessageInfo>();
const byName = new Map<string, MessageInfo>();

function add(info: MessageInfo): void {
  assert(!byId.has(info.id) && !byName.has(info.name), `${info.name} is defined twice`);
  byId.set(info.id, info);
  byName.set(info.name, info);
}

// The registry of `common` has neither HEARTBEAT (minimal) nor AUTOPILOT_VERSION (standard).
for (const registry of [minimal.REGISTRY, standard.REGISTRY, common.REGISTRY]) {
  for (const message of Object.values(registry)) {
    const name = message.MSG_NAME;
    const fields = message.FIELDS.map((f) => ({
      name: f.source,
      kind: kindOf(name, f.source, f.type),
      offset: f.offset,
      length: f.length,
      extension: f.extension,
    }));
    add(makeInfo(message.MSG_ID, name, message.MAGIC_NUMBER, fields));
  }
}
for (const extra of EXTRA_MESSAGES) add(fromExtra(extra));

/** What the dictionary knows of a message id; undefined for an id of another dialect. */
export const messageInfo = (id: number): MessageInfo | undefined => byId.get(id);

export const messageInfoByName = (name: string): MessageInfo | undefined => byName.get(name);

/** Every message of the dictionary, by rising id. */
export const allMessages = (): readonly MessageInfo[] =>
  [...byId.values()].sort((a, b) => a.id - b.id);
