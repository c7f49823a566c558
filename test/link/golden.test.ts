import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  decodePayload,
  encodeFrame,
  encodePayload,
  FrameParser,
  messageInfo,
  type MavFields,
  type MavValue,
} from '../../src/link/index.js';

const valueSchema = z.union([
  z.number(),
  z.string(),
  z.array(z.number()),
  z.object({ int64: z.string() }).transform((wide) => BigInt(wide.int64)),
]);
const goldenSchema = z.array(
  z.object({
    message: z.string(),
    id: z.number(),
    case: z.string(),
    sequence: z.number(),
    systemId: z.number(),
    componentId: z.number(),
    fields: z.record(z.string(), valueSchema),
    frame: z.string(),
  }),
);
const golden = goldenSchema.parse(
  JSON.parse(readFileSync(new URL('./golden/frames.json', import.meta.url), 'utf8')),
);

/** What must come back: the same values, with floats as float32 holds them. */
function asRead(id: number, fields: MavFields): Record<string, MavValue> {
  const out: Record<string, MavValue> = { ...fields };
  for (const field of messageInfo(id)?.fields ?? []) {
    const value = out[field.name];
    if (field.kind !== 'float' && field.kind !== 'param') continue;
    if (typeof value === 'number') out[field.name] = Math.fround(value);
    else if (typeof value === 'object') out[field.name] = value.map(Math.fround);
  }
  return out;
}

describe('frames made by pymavlink', () => {
  test('cover every message that the bridge and its autopilot exchange', () => {
    expect(new Set(golden.map((g) => g.id)).size).toBeGreaterThanOrEqual(65);
    expect(golden.length).toBe(3 * new Set(golden.map((g) => g.id)).size);
  });

  test.each(golden)('$message, $case: our encoder gives the same bytes', (g) => {
    const encoded = encodePayload({ name: g.message, fields: g.fields });
    expect(encoded).toMatchObject({ ok: true, id: g.id });
    if (!encoded.ok) return;
    const frame = encodeFrame({
      sequence: g.sequence,
      systemId: g.systemId,
      componentId: g.componentId,
      messageId: g.id,
      payload: encoded.payload,
      crcExtra: messageInfo(g.id)?.crcExtra ?? -1,
    });
    expect(Buffer.from(frame).toString('hex')).toBe(g.frame);
  });

  test.each(golden)('$message, $case: our decoder gives the same values', (g) => {
    const received = new FrameParser().push(Buffer.from(g.frame, 'hex'));
    expect(received).toHaveLength(1);
    const frame = received[0];
    if (frame === undefined) return;
    expect(frame).toMatchObject({
      sequence: g.sequence,
      systemId: g.systemId,
      componentId: g.componentId,
      messageId: g.id,
      signed: false,
    });
    const message = decodePayload(frame.messageId, frame.payload);
    expect(message).toEqual({ name: g.message, id: g.id, fields: asRead(g.id, g.fields) });
  });
});
