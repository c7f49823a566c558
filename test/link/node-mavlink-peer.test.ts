/**
 * The same messages, encoded by a library that others fly with: the bytes must be the same, and it
 * must read ours. Where it is known to differ (ADR 6) we do not ask it.
 */
import { expect, test } from 'vitest';
import { common, minimal, MavLinkProtocolV2, type MavLinkData } from 'node-mavlink';
import { encodeFrame, encodePayload, messageInfo } from '../../src/link/index.js';

function theirs(fields: object, message: MavLinkData, sequence: number): Uint8Array {
  Object.assign(message, fields);
  return new MavLinkProtocolV2(1, 191).serialize(message, sequence);
}

function ours(
  name: string,
  fields: Parameters<typeof encodePayload>[0]['fields'],
  sequence: number,
) {
  const encoded = encodePayload({ name, fields });
  if (!encoded.ok) throw new Error(encoded.message);
  const info = messageInfo(encoded.id);
  if (info === undefined) throw new Error(`no message ${encoded.id}`);
  return encodeFrame({
    sequence,
    systemId: 1,
    componentId: 191,
    messageId: encoded.id,
    payload: encoded.payload,
    crcExtra: info.crcExtra,
  });
}

test('a position setpoint is the same bytes as node-mavlink writes', () => {
  const message = new common.SetPositionTargetLocalNed();
  const peer = theirs(
    {
      timeBootMs: 1234,
      targetSystem: 1,
      targetComponent: 1,
      coordinateFrame: 1,
      typeMask: 0b100111111000,
      x: 1.5,
      y: -2.25,
      z: -6,
      vx: 0,
      vy: 0,
      vz: 0,
      afx: 0,
      afy: 0,
      afz: 0,
      yaw: 0.1,
      yawRate: 0,
    },
    message,
    7,
  );
  const own = ours(
    'SET_POSITION_TARGET_LOCAL_NED',
    {
      time_boot_ms: 1234,
      target_system: 1,
      target_component: 1,
      coordinate_frame: 1,
      type_mask: 0b100111111000,
      x: 1.5,
      y: -2.25,
      z: -6,
      vx: 0,
      vy: 0,
      vz: 0,
      afx: 0,
      afy: 0,
      afz: 0,
      yaw: 0.1,
      yaw_rate: 0,
    },
    7,
  );
  expect(Buffer.from(own).toString('hex')).toBe(Buffer.from(peer).toString('hex'));
});

test('a heartbeat is the same bytes as node-mavlink writes', () => {
  const peer = theirs(
    { type: 18, autopilot: 8, baseMode: 0, customMode: 0, systemStatus: 4, mavlinkVersion: 3 },
    new minimal.Heartbeat(),
    255,
  );
  const own = ours(
    'HEARTBEAT',
    {
      type: 18,
      autopilot: 8,
      base_mode: 0,
      custom_mode: 0,
      system_status: 4,
      mavlink_version: 3,
    },
    255,
  );
  expect(Buffer.from(own).toString('hex')).toBe(Buffer.from(peer).toString('hex'));
});
