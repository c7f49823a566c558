import { describe, expect, test } from 'vitest';
import {
  allMessages,
  decodePayload,
  encodePayload,
  messageInfoByName,
  numberField,
  type MavFields,
} from '../../src/link/index.js';
import { seededRandom } from '../../src/platform/random.js';
import { zeroFields } from './support.js';

const SETPOINT = 'SET_POSITION_TARGET_LOCAL_NED';

/** The refusal's path and sentence for a setpoint in which one thing is changed. */
function refusalOf(name: string, change: Record<string, unknown>): string {
  const fields: Record<string, unknown> = { ...zeroFields(name), ...change };
  for (const [key, value] of Object.entries(change)) if (value === undefined) delete fields[key];
  // Callers in JavaScript can pass anything; the types only stop honest TypeScript.
  const encoded = encodePayload({ name, fields: fields as MavFields });
  if (encoded.ok) return 'encoded';
  expect(encoded.code).toBe('HALO-505');
  expect(encoded.remedy).not.toBe('');
  return encoded.message;
}

function bytesOf(name: string, fields: MavFields): string {
  const encoded = encodePayload({ name, fields: { ...zeroFields(name), ...fields } });
  return encoded.ok ? Buffer.from(encoded.payload).toString('hex') : encoded.message;
}

describe('the encoder refuses', () => {
  test.each([
    [{ vx: undefined }, 'vx is missing'],
    [{ speed: 1 }, 'speed is not a field of this message'],
    [{ vx: NaN }, 'vx is NaN'],
    [{ vx: Infinity }, 'vx is not a finite number'],
    [{ vx: -Infinity }, 'vx is not a finite number'],
    [{ vx: 1e39 }, 'vx is not a finite number'],
    [{ vx: '1' }, 'vx is not a number'],
    [{ vx: 1n }, 'vx is not a number'],
    [{ vx: null }, 'vx is not a number'],
    [{ type_mask: 65_536 }, 'type_mask is outside 0..65535'],
    [{ type_mask: -1 }, 'type_mask is outside'],
    [{ type_mask: 1.5 }, 'type_mask is not an integer'],
    [{ type_mask: NaN }, 'type_mask is not an integer'],
    [{ time_boot_ms: 4_294_967_296 }, 'time_boot_ms is outside'],
    [{ target_system: true }, 'target_system is not a number'],
  ])('a setpoint with %o', (change, expected) => {
    expect(refusalOf(SETPOINT, change)).toContain(expected);
  });

  test.each([
    ['TIMESYNC', { tc1: 0 }, 'tc1 is not a bigint'],
    ['TIMESYNC', { tc1: 1n << 63n }, 'tc1 is out of range'],
    ['SYSTEM_TIME', { time_unix_usec: -1n }, 'time_unix_usec is out of range'],
    ['STATUSTEXT', { text: 'x'.repeat(51) }, 'text is longer than 50'],
    ['STATUSTEXT', { text: 'a\0b' }, 'text has a character'],
    ['STATUSTEXT', { text: 'height 3 m \u2713' }, 'text has a character'],
    ['STATUSTEXT', { text: [65] }, 'text is not a string'],
    ['EVENT', { arguments: new Array<number>(39).fill(0) }, 'arguments is not an array of 40'],
    ['EVENT', { arguments: new Array<number>(40).fill(256) }, 'arguments [0] is outside'],
    ['EVENT', { arguments: new Array<number>(40) }, 'arguments [0] is not a number'],
    ['GPS_RAW_INT', { yaw: -1 }, 'yaw is outside'],
    ['DATA_96', {}, 'not a known message'],
  ])('%s with %o', (name, change, expected) => {
    const known = messageInfoByName(name) !== undefined;
    const said = known ? refusalOf(name, change) : encodePayload({ name, fields: {} });
    expect(typeof said === 'string' ? said : said.ok ? '' : said.message).toContain(expected);
  });

  test('a prototype that carries the fields', () => {
    const inherited = Object.create(zeroFields(SETPOINT)) as MavFields;
    expect(encodePayload({ name: SETPOINT, fields: inherited }).ok).toBe(false);
  });
});

describe('NaN', () => {
  const takeoff = { command: 22, param4: NaN, param5: NaN, param6: NaN, param7: NaN };

  test('is encoded where the command gives it a meaning, as the one quiet NaN', () => {
    const hex = bytesOf('COMMAND_LONG', takeoff);
    expect(hex.slice(24, 56)).toBe('0000c07f'.repeat(4));
    expect(bytesOf('COMMAND_INT', { command: 192, z: NaN }).slice(48, 56)).toBe('0000c07f');
    // A stored waypoint without a heading of its own.
    const stored = bytesOf('MISSION_ITEM_INT', { command: 16, param4: NaN });
    expect(stored.slice(24, 32)).toBe('0000c07f');
  });

  test.each([
    ['COMMAND_LONG', { ...takeoff, param1: NaN }],
    ['COMMAND_LONG', { command: 400, param1: NaN }],
    ['COMMAND_LONG', { command: 176, param2: NaN }],
    ['COMMAND_INT', { command: 21, param1: NaN }],
    ['MISSION_ITEM_INT', { command: 16, param1: NaN }],
    ['MISSION_ITEM_INT', { command: 22, param4: NaN }],
    ['HOME_POSITION', { q: [NaN, NaN, NaN, NaN] }],
  ])('is refused in %s %o', (name, change) => {
    expect(refusalOf(name, change)).toContain('is NaN');
  });

  test('is encoded in a field that the caller names, and infinities never are', () => {
    const fields = { ...zeroFields('HOME_POSITION'), q: [NaN, NaN, NaN, NaN] };
    const allowNaN = new Set(['q', 'x']);
    const encoded = encodePayload({ name: 'HOME_POSITION', fields }, { allowNaN });
    expect(encoded.ok && decodePayload(242, encoded.payload)?.fields.q).toEqual(fields.q);
    const infinite = { ...fields, x: Infinity };
    expect(encodePayload({ name: 'HOME_POSITION', fields: infinite }, { allowNaN }).ok).toBe(false);
  });
});

describe('values on the wire', () => {
  test('negative zero, and what float32 rounds to it, leave as zero', () => {
    const zero = bytesOf(SETPOINT, {});
    expect(bytesOf(SETPOINT, { vx: -0, vy: -1e-60 })).toBe(zero);
    expect(bytesOf('WHEEL_DISTANCE', { distance: new Array<number>(16).fill(-0) })).toBe(
      bytesOf('WHEEL_DISTANCE', {}),
    );
  });

  test('an absent extension field equals one that is zero', () => {
    const { mission_type, ...base } = zeroFields('MISSION_COUNT');
    expect(mission_type).toBe(0);
    const encoded = encodePayload({ name: 'MISSION_COUNT', fields: base });
    expect(encoded.ok && Buffer.from(encoded.payload).toString('hex')).toBe(
      bytesOf('MISSION_COUNT', {}),
    );
  });

  test('a payload that was cut off is completed, one that is too long is read up to its end', () => {
    const text = decodePayload(253, Uint8Array.of(6, 72, 105));
    expect(text?.fields).toEqual({ severity: 6, text: 'Hi', id: 0, chunk_seq: 0 });
    const long = new Uint8Array(255).fill(255);
    expect(decodePayload(0, long)?.fields.custom_mode).toBe(0xffffffff);
    expect(decodePayload(30, new Uint8Array(0))?.fields.roll).toBe(0);
    expect(decodePayload(9_999_999, long)).toBeUndefined();
  });

  test('a longer message does not shine through in a shorter one that follows', () => {
    decodePayload(253, new Uint8Array(54).fill(65));
    expect(decodePayload(253, Uint8Array.of(1))?.fields.text).toBe('');
    expect(bytesOf('STATUSTEXT', { text: 'A'.repeat(50) })).toContain('4141');
    expect(bytesOf('STATUSTEXT', { text: 'B' })).not.toContain('41');
  });
});

describe('a parameter', () => {
  // Integers travel as bits in the float field; -1 would be a NaN there and lose its bits.
  test.each([
    [6, -1, 'ffffffff'],
    [6, -2_147_483_648, '00000080'],
    [6, 2_139_095_041, '0100807f'],
    [6, 2_139_095_040, '0000807f'],
    [5, 4_294_967_295, 'ffffffff'],
    [4, -2, 'feff0000'],
    [3, 65_535, 'ffff0000'],
    [2, -1, 'ff000000'],
    [1, 255, 'ff000000'],
    [9, 1.5, '0000c03f'],
    [9, -0, '00000000'],
  ])('of type %i and value %d travels as %s', (type, value, hex) => {
    const fields = { ...zeroFields('PARAM_SET'), param_type: type, param_value: value };
    const encoded = encodePayload({ name: 'PARAM_SET', fields });
    if (!encoded.ok) throw new Error(encoded.message);
    expect(Buffer.from(encoded.payload.subarray(0, 4)).toString('hex')).toBe(hex);
    const back = decodePayload(encoded.id, encoded.payload);
    expect(back?.fields.param_value).toBe(value + 0);
  });

  test.each([
    [6, 0.5, 'not an integer'],
    [6, 2_147_483_648, 'out of the range'],
    [1, 256, 'out of the range'],
    [2, -129, 'out of the range'],
    [9, NaN, 'not a finite'],
    [9, 1e39, 'not a finite'],
    [10, 1, 'does not fit 32 bits'],
    [0, 1, 'does not fit 32 bits'],
  ])('of type %i and value %d is refused', (param_type, param_value, expected) => {
    expect(refusalOf('PARAM_SET', { param_type, param_value })).toContain(expected);
  });

  test('keeps a hundred thousand INT32 values, each bit of them', () => {
    const random = seededRandom(11);
    const fields = zeroFields('PARAM_VALUE');
    fields.param_type = 6;
    for (let i = 0; i < 100_000; i++) {
      const value = Math.floor(random() * 2 ** 32) - 2 ** 31;
      fields.param_value = value;
      const encoded = encodePayload({ name: 'PARAM_VALUE', fields });
      const back = encoded.ok ? decodePayload(22, encoded.payload) : undefined;
      if (back === undefined || numberField(back, 'param_value') !== value) {
        throw new Error(`seed 11, value ${value}`);
      }
    }
  });
});

test('whatever the fields hold, the encoder answers and never throws (seed 7)', () => {
  const random = seededRandom(7);
  const odd: readonly unknown[] = [
    ...[NaN, Infinity, -0, 1e308, -1, 0.5, 2 ** 53, 0, 255, 1n, -(1n << 70n), '', 'x'.repeat(300)],
    ...[null, undefined, true, {}, [], [1], [NaN], new Array(40), Symbol('s'), () => 1, '\ud800'],
  ];
  for (const message of allMessages()) {
    for (let round = 0; round < 20; round++) {
      const fields: Record<string, unknown> = zeroFields(message.name);
      for (const field of message.fields) {
        if (random() < 0.2) fields[field.name] = odd[Math.floor(random() * odd.length)];
      }
      const encoded = encodePayload({ name: message.name, fields: fields as MavFields });
      if (encoded.ok) expect(encoded.payload.length).toBe(message.payloadLength);
    }
  }
});

test('whatever the payload holds, decoding and encoding again gives the same bytes (seed 8)', () => {
  const random = seededRandom(8);
  let compared = 0;
  for (const message of allMessages()) {
    const hasText = message.fields.some((f) => f.kind === 'char' || f.kind === 'param');
    const reals = message.fields.some((f) => f.kind === 'float' || f.kind === 'double');
    for (let round = 0; round < 10; round++) {
      const payload = Uint8Array.from({ length: message.payloadLength }, () => random() * 256);
      const decoded = decodePayload(message.id, payload);
      if (decoded === undefined) throw new Error(message.name);
      const encoded = encodePayload(decoded);
      // Text after its end, NaN and infinities are what is not given back.
      if (hasText || (reals && !encoded.ok)) continue;
      expect(encoded).toEqual({ ok: true, id: message.id, payload });
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(1_000);
});
