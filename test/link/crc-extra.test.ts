import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CRC_START, crcByte } from '../../src/link/crc.js';
import { sizeOf } from '../../src/link/dictionary.js';
import { allMessages, messageInfo, type MessageInfo } from '../../src/link/index.js';

/** The rule of MAVLink: the checksum of name, types, field names and array lengths, folded. */
function crcExtraByRule(message: MessageInfo): number {
  let crc = CRC_START;
  const text = (value: string): void => {
    for (const byte of Buffer.from(`${value} `, 'ascii')) crc = crcByte(crc, byte);
  };
  text(message.name);
  for (const field of message.fields.filter((f) => !f.extension)) {
    text(field.kind === 'param' ? 'float' : field.kind);
    text(field.name);
    if (field.length > 0) crc = crcByte(crc, field.length);
  }
  return (crc & 0xff) ^ (crc >> 8);
}

describe('the dictionary', () => {
  test('has the CRC extra that the rule gives, for every message', () => {
    const wrong = allMessages().filter((m) => crcExtraByRule(m) !== m.crcExtra);
    expect(wrong.map((m) => m.name)).toEqual([]);
    expect(allMessages().length).toBeGreaterThan(220);
  });

  test('lays fields out without gap or overlap, base fields before extensions', () => {
    for (const message of allMessages()) {
      let next = 0;
      let extending = false;
      for (const field of message.fields) {
        expect([message.name, field.name, field.offset]).toEqual([message.name, field.name, next]);
        expect(extending && !field.extension).toBe(false);
        extending ||= field.extension;
        next += sizeOf(field.kind) * Math.max(1, field.length);
      }
      expect(message.payloadLength).toBe(next);
    }
  });

  test('has what PX4 speaks, also where one XML file alone lacks it', () => {
    const names = [0, 8, 76, 77, 84, 148, 345, 380, 397, 410, 411, 412, 413, 435, 436].map(
      (id) => messageInfo(id)?.name,
    );
    expect(names).toEqual([
      'HEARTBEAT',
      'LINK_NODE_STATUS',
      'COMMAND_LONG',
      'COMMAND_ACK',
      'SET_POSITION_TARGET_LOCAL_NED',
      'AUTOPILOT_VERSION',
      'PARAM_ERROR',
      'TIME_ESTIMATE_TO_TARGET',
      'COMPONENT_METADATA',
      'EVENT',
      'CURRENT_EVENT_SEQUENCE',
      'REQUEST_EVENT',
      'RESPONSE_EVENT_ERROR',
      'AVAILABLE_MODES',
      'CURRENT_MODE',
    ]);
  });

  test('comes from the one installed copy of mavlink-mappings, in the pinned version', () => {
    const lock: unknown = JSON.parse(readFileSync('node_modules/.package-lock.json', 'utf8'));
    const packages =
      lock !== null && typeof lock === 'object' && 'packages' in lock ? lock.packages : {};
    const copies = Object.entries(packages ?? {}).filter(([path]) =>
      path.endsWith('/mavlink-mappings'),
    );
    expect(copies).toHaveLength(1);
    expect(copies[0]?.[1]).toMatchObject({ version: '1.0.21-20250824-1' });
  });
});
