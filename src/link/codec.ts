/**
 * MAVLink messages as plain values and as payload bytes.
 * Enters: a message by its XML names, or an id with payload bytes. Leaves: the other of the two.
 * Never: an exception for a bad value, a clamped or defaulted base field, an infinity, a negative
 * zero, or a NaN where MAVLink gives it no meaning.
 */
import { assert } from '../platform/index.js';
import {
  messageInfo,
  messageInfoByName,
  sizeOf,
  type MessageInfo,
  type WireField,
} from './dictionary.js';
import { refused, type Refused } from './errors.js';
import { paramFromWire, paramToWire } from './param-value.js';

/**
 * Integers to 32 bits and floats are numbers, 64-bit integers are bigints. A char array is a
 * string of one character a byte (code points 1..255), without the padding zeros.
 */
export type MavValue = number | bigint | string | readonly number[];

export type MavFields = Readonly<Record<string, MavValue>>;

export interface MavMessage {
  /** Name as in the MAVLink XML, e.g. SET_POSITION_TARGET_LOCAL_NED. */
  readonly name: string;
  readonly id: number;
  /** By XML field name, e.g. time_boot_ms. A decoded message has every field. */
  readonly fields: MavFields;
}

export type EncodedPayload =
  { readonly ok: true; readonly id: number; readonly payload: Uint8Array } | Refused;

export interface EncodeOptions {
  /** Float fields where this caller means NaN, beyond those of {@link NAN_PARAMS}. */
  readonly allowNaN?: ReadonlySet<string>;
}

/**
 * Commands whose definition says "NaN: use the default / the current value", with the numbers of
 * those parameters: land, take-off, orbit, reposition, gimbal pitch and yaw.
 */
const NAN_PARAMS: ReadonlyMap<unknown, readonly number[]> = new Map([
  [21, [4, 5, 6, 7]],
  [22, [4, 5, 6, 7]],
  [34, [1, 2, 4, 5, 6, 7]],
  [192, [3, 4, 5, 6, 7]],
  [1000, [1, 2, 3, 4]],
]);
/** Commands of stored mission items that are told so: a waypoint without a heading of its own. */
const NAN_ITEM_PARAMS: ReadonlyMap<unknown, readonly number[]> = new Map([[16, [4]]]);
const NAN_FIELD = /^param([1-7])$/;

/** The one quiet NaN that we send: the platform is free to choose any other bits. */
const QUIET_NAN_32 = 0x7fc00000;
const QUIET_NAN_64_HIGH = 0x7ff80000;

// Encoding and decoding are synchronous and do not nest, so one scratch payload serves all.
const scratch = new Uint8Array(255);
const view = new DataView(scratch.buffer);

/** What a field of a message under encoding is judged by. */
interface Encoding {
  readonly info: MessageInfo;
  readonly fields: MavFields;
  readonly options: EncodeOptions;
}

function nanHasMeaning({ info, fields, options }: Encoding, field: string): boolean {
  if (options.allowNaN?.has(field) === true) return true;
  const item = info.name === 'MISSION_ITEM_INT';
  if (!item && info.name !== 'COMMAND_LONG' && info.name !== 'COMMAND_INT') return false;
  const params = (item ? NAN_ITEM_PARAMS : NAN_PARAMS).get(fields.command);
  if (params === undefined) return false;
  // In COMMAND_INT the seventh parameter is called z; five and six are integers there.
  const number = field === 'z' ? 7 : Number(NAN_FIELD.exec(field)?.[1]);
  return params.includes(number);
}

function writeNaN(at: number, wide: boolean): void {
  if (wide) view.setUint32(at, 0, true);
  view.setUint32(wide ? at + 4 : at, wide ? QUIET_NAN_64_HIGH : QUIET_NAN_32, true);
}

/** Writes a float or a double; returns why it is refused, or undefined. */
function writeReal(
  encoding: Encoding,
  field: WireField,
  at: number,
  value: unknown,
): string | undefined {
  if (typeof value !== 'number') return 'is not a number';
  const wide = field.kind === 'double';
  if (Number.isNaN(value)) {
    if (!nanHasMeaning(encoding, field.name)) return 'is NaN, which has no meaning here';
    writeNaN(at, wide);
    return undefined;
  }
  const rounded = wide ? value : Math.fround(value);
  if (!Number.isFinite(rounded)) return 'is not a finite number of its type';
  // Adding +0 turns -0 into +0: equal values must have equal bytes, or digests differ.
  if (wide) view.setFloat64(at, rounded + 0, true);
  else view.setFloat32(at, rounded + 0, true);
  return undefined;
}

function writeWide(field: WireField, at: number, value: unknown): string | undefined {
  if (typeof value !== 'bigint') return 'is not a bigint';
  const fits = field.kind === 'int64_t' ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value);
  if (fits !== value) return 'is out of range';
  view.setBigUint64(at, BigInt.asUintN(64, value), true);
  return undefined;
}

function writeInteger(
  at: number,
  value: unknown,
  bytes: 1 | 2 | 4,
  low: number,
  high: number,
): string | undefined {
  if (typeof value !== 'number') return 'is not a number';
  if (!Number.isInteger(value)) return 'is not an integer';
  if (value < low || value > high) return `is outside ${low}..${high}`;
  if (bytes === 1) view.setUint8(at, value);
  else if (bytes === 2) view.setUint16(at, value, true);
  else view.setUint32(at, value, true);
  return undefined;
}

function writeText(field: WireField, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'is not a string';
  if (value.length > Math.max(1, field.length)) return `is longer than ${field.length} bytes`;
  for (let i = 0; i < value.length; i++) {
    const code = value.charCodeAt(i);
    if (code === 0 || code > 0xff) return 'has a character that is not one byte in 1..255';
    view.setUint8(field.offset + i, code);
  }
  return undefined;
}

function writeParam(encoding: Encoding, at: number, value: unknown): string | undefined {
  const bits = paramToWire(value, encoding.fields.param_type);
  if (typeof bits === 'string') return bits;
  view.setUint32(at, bits, true);
  return undefined;
}

function writeOne(
  encoding: Encoding,
  field: WireField,
  at: number,
  value: unknown,
): string | undefined {
  switch (field.kind) {
    case 'float':
    case 'double':
      return writeReal(encoding, field, at, value);
    case 'uint8_t':
      return writeInteger(at, value, 1, 0, 0xff);
    case 'int8_t':
      return writeInteger(at, value, 1, -0x80, 0x7f);
    case 'uint16_t':
      return writeInteger(at, value, 2, 0, 0xffff);
    case 'int16_t':
      return writeInteger(at, value, 2, -0x8000, 0x7fff);
    case 'uint32_t':
      return writeInteger(at, value, 4, 0, 0xffffffff);
    case 'int32_t':
      return writeInteger(at, value, 4, -0x80000000, 0x7fffffff);
    case 'uint64_t':
    case 'int64_t':
      return writeWide(field, at, value);
    case 'char':
      return writeText(field, value);
    case 'param':
      return writeParam(encoding, at, value);
  }
}

function writeField(encoding: Encoding, field: WireField, value: unknown): string | undefined {
  if (field.length === 0 || field.kind === 'char') {
    return writeOne(encoding, field, field.offset, value);
  }
  if (!Array.isArray(value) || value.length !== field.length) {
    return `is not an array of ${field.length}`;
  }
  for (let i = 0; i < field.length; i++) {
    const trouble = writeOne(encoding, field, field.offset + i * sizeOf(field.kind), value[i]);
    if (trouble !== undefined) return `[${i}] ${trouble}`;
  }
  return undefined;
}

function refusedField(info: MessageInfo, field: string, trouble: string): Refused {
  const path = `${info.name}.${field}`;
  return refused('HALO-505', `${path} ${trouble}.`, path);
}

/**
 * The payload of a message, in full length. Every base field must be given; an extension field
 * that is absent is zero. Nothing is rounded but a number to float32.
 * Refuses with HALO-505; `path` is then MESSAGE.field.
 */
export function encodePayload(
  message: Pick<MavMessage, 'name' | 'fields'>,
  options: EncodeOptions = {},
): EncodedPayload {
  const info = messageInfoByName(message.name);
  if (info === undefined) return refused('HALO-505', `${message.name} is not a known message.`);
  const { fields } = message;
  const encoding = { info, fields, options };
  scratch.fill(0, 0, info.payloadLength);
  let present = 0;
  for (const field of info.fields) {
    const value: unknown = fields[field.name];
    if (value === undefined) {
      if (field.extension && !Object.hasOwn(fields, field.name)) continue;
      return refusedField(info, field.name, 'is missing');
    }
    present += 1;
    const trouble = writeField(encoding, field, value);
    if (trouble !== undefined) return refusedField(info, field.name, trouble);
  }
  const names = Object.keys(fields);
  if (names.length !== present) {
    const known = new Set(info.fields.map((field) => field.name));
    const stray = names.find((name) => !known.has(name)) ?? '?';
    return refusedField(info, stray, 'is not a field of this message');
  }
  return { ok: true, id: info.id, payload: scratch.slice(0, info.payloadLength) };
}

function readNumber(field: WireField, at: number): number {
  switch (field.kind) {
    case 'uint8_t':
      return view.getUint8(at);
    case 'int8_t':
      return view.getInt8(at);
    case 'uint16_t':
      return view.getUint16(at, true);
    case 'int16_t':
      return view.getInt16(at, true);
    case 'uint32_t':
      return view.getUint32(at, true);
    case 'int32_t':
      return view.getInt32(at, true);
    case 'float':
      return view.getFloat32(at, true);
    default:
      assert(field.kind === 'double', `${field.kind} is not a number on the wire`);
      return view.getFloat64(at, true);
  }
}

function readText(field: WireField): string {
  let text = '';
  for (let i = 0; i < Math.max(1, field.length); i++) {
    const code = view.getUint8(field.offset + i);
    if (code === 0) break;
    text += String.fromCharCode(code);
  }
  return text;
}

function readField(info: MessageInfo, field: WireField): MavValue {
  switch (field.kind) {
    case 'char':
      return readText(field);
    case 'uint64_t':
      return view.getBigUint64(field.offset, true);
    case 'int64_t':
      return view.getBigInt64(field.offset, true);
    case 'param': {
      const type = info.fields.find((f) => f.name === 'param_type');
      assert(type !== undefined, 'a parameter message has a param_type');
      return paramFromWire(view.getUint32(field.offset, true), view.getUint8(type.offset));
    }
    default: {
      if (field.length === 0) return readNumber(field, field.offset);
      const size = sizeOf(field.kind);
      return Array.from({ length: field.length }, (_, i) =>
        readNumber(field, field.offset + i * size),
      );
    }
  }
}

/**
 * The message of a payload, or undefined for an id that the dictionary does not have. A short
 * payload is completed with zeros (MAVLink 2 cuts them off); bytes of later extensions are
 * ignored. Floats come as they are, NaN and infinities too: judging them is for the reader.
 */
export function decodePayload(id: number, payload: Uint8Array): MavMessage | undefined {
  const info = messageInfo(id);
  if (info === undefined) return undefined;
  const used = Math.min(payload.length, info.payloadLength);
  scratch.set(used === payload.length ? payload : payload.subarray(0, used));
  scratch.fill(0, used, info.payloadLength);
  const fields: Record<string, MavValue> = {};
  for (const field of info.fields) fields[field.name] = readField(info, field);
  return { name: info.name, id, fields };
}
