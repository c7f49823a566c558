import { chmodSync, mkdtempSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  createMavlinkKey,
  encodeFrame,
  LinkSigning,
  MavlinkLink,
  openSigning,
  readMavlinkKey,
  SIGNATURE_LENGTH,
  signingTime,
} from '../../src/link/index.js';
import { signInto } from '../../src/link/signing.js';
import { MemoryTransport, px4Heartbeat } from './support.js';

const KEY = new Uint8Array(32).fill(7);
const NOW = signingTime(Date.UTC(2026, 0, 1));

const signing = (usedUntil = NOW - 1): LinkSigning =>
  new LinkSigning({
    key: KEY,
    linkId: 0,
    now: () => NOW,
    usedUntil,
    reservedUntil: NOW + 1_000_000,
    reserve: () => Promise.resolve(true),
  });

/** A vehicle's heartbeat, signed. */
function signed(timestamp: number, key: Uint8Array = KEY): Uint8Array {
  const parts = { sequence: 0, systemId: 1, componentId: 1, messageId: 0, crcExtra: 50 };
  const frame = encodeFrame({ ...parts, payload: px4Heartbeat().subarray(10, 19) }, true);
  signInto(frame, frame.length - SIGNATURE_LENGTH, key, { linkId: 3, timestamp });
  return frame;
}

test('on a signed link only what is signed with our key, and newer, is believed', () => {
  const transport = new MemoryTransport();
  const link = new MavlinkLink({ transport, nowUs: () => 1, signing: signing() });
  transport.arrive(px4Heartbeat());
  transport.arrive(signed(NOW + 1, new Uint8Array(32)));
  transport.arrive(signed(NOW + 1, new Uint8Array(32).fill(8)));
  expect([link.vehicleSystemId, link.trouble?.code]).toEqual([undefined, 'HALO-516']);
  transport.arrive(signed(NOW + 1));
  expect(link.vehicleSystemId).toBe(1);
  transport.arrive(signed(NOW + 1));
  transport.arrive(px4Heartbeat());
  expect(link.stats.received).toBe(1);
  expect([...link.stats.disbelieved]).toEqual([
    ['unsigned', 2],
    ['zero-key', 1],
    ['wrong-key', 1],
    ['replayed', 1],
  ]);
});

test('a frame of an earlier life is not believed, and its sender is spoken to until its time rises', () => {
  const transport = new MemoryTransport();
  const link = new MavlinkLink({ transport, nowUs: () => 1, signing: signing(NOW + 50) });
  transport.arrive(signed(NOW + 50));
  expect(link.vehicleSystemId).toBeUndefined();
  expect(link.beat(1)).toMatchObject({ ok: true });
  expect(transport.written[0]?.[2]).toBe(1);
  transport.arrive(signed(NOW + 60));
  expect(link.vehicleSystemId).toBe(1);
});

test('a key file is 0600, laid out as PX4 reads it, never written over, and its time only rises', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'halo-key-')), 'mavlink-signing-key.bin');
  const wallMs = Date.UTC(2026, 0, 1);
  expect(createMavlinkKey(file, KEY, wallMs).ok).toBe(true);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const bytes = readFileSync(file);
  expect([bytes.length, bytes.readBigUInt64LE(32)]).toEqual([40, BigInt(NOW)]);
  expect(createMavlinkKey(file, KEY, wallMs)).toMatchObject({ error: { code: 'HALO-515' } });
  // A clock that went back a day: timestamps go on behind those of the life before.
  for (const clockMs of [wallMs, wallMs - 86_400_000]) {
    const before = readMavlinkKey(file);
    const opened = openSigning(file, () => clockMs);
    if (!opened.ok || !before.ok) throw new Error('the key file cannot be opened');
    opened.value.signing.sign(new Uint8Array(100), 50);
    expect(opened.value.signing.latest).toBeGreaterThan(before.value.timestamp);
    await opened.value.close();
  }
  chmodSync(file, 0o640);
  expect(readMavlinkKey(file)).toMatchObject({ error: { code: 'HALO-515' } });
});
