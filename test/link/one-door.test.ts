import { describe, expect, test } from 'vitest';
import { allMessages, MavlinkLink, type MavFields } from '../../src/link/index.js';
import { MemoryTransport, px4Heartbeat, zeroFields } from './support.js';

/** Read-only messages and commands: the whole of what may leave without the gate. */
const MESSAGES = [
  'HEARTBEAT',
  'PARAM_REQUEST_LIST',
  'PARAM_REQUEST_READ',
  'PING',
  'STATUSTEXT',
  'TIMESYNC',
];
const COMMANDS = [401, 511, 512];

function boundLink() {
  const transport = new MemoryTransport();
  const link = new MavlinkLink({ transport, nowUs: () => 0 });
  transport.arrive(px4Heartbeat());
  return { transport, link };
}

describe('through the service door', () => {
  test('of all messages only the read-only ones pass', () => {
    const { transport, link } = boundLink();
    const passed: string[] = [];
    for (const { name } of allMessages()) {
      const before = transport.written.length;
      const written = link.sendService({ name, fields: zeroFields(name) });
      if (written.ok) passed.push(name);
      else expect([name, written.error.code]).toEqual([name, 'HALO-506']);
      expect(transport.written.length - before).toBe(written.ok ? 1 : 0);
    }
    expect(passed.sort()).toEqual(MESSAGES);
  });

  test('of all 65,536 commands three pass, and in COMMAND_INT none', () => {
    const { transport, link } = boundLink();
    const passed: number[] = [];
    const long = zeroFields('COMMAND_LONG');
    const int = zeroFields('COMMAND_INT');
    for (let command = 0; command <= 0xffff; command++) {
      long.command = command;
      int.command = command;
      if (link.sendService({ name: 'COMMAND_LONG', fields: long }).ok) passed.push(command);
      if (link.sendService({ name: 'COMMAND_INT', fields: int }).ok) passed.push(-command);
    }
    expect(passed).toEqual(COMMANDS);
    expect(transport.written).toHaveLength(COMMANDS.length);
  });

  test('a command is judged by the bytes that would leave, not by what the fields say first', () => {
    const { transport, link } = boundLink();
    let reads = 0;
    const fields: MavFields = Object.defineProperty(zeroFields('COMMAND_LONG'), 'command', {
      enumerable: true,
      // Harmless at the first look, arming at the second; and the other way round.
      get: () => (reads++ % 2 === 0 ? 512 : 400),
    });
    for (let i = 0; i < 5; i++) {
      reads = i;
      link.sendService({ name: 'COMMAND_LONG', fields });
    }
    for (const frame of transport.written) {
      expect(new DataView(frame.slice().buffer).getUint16(10 + 28, true)).toBe(512);
    }
    expect(transport.written.length).toBeGreaterThan(0);
  });
});

test('a link has no member but the port that could take other bytes out', () => {
  const members = Object.getOwnPropertyNames(MavlinkLink.prototype).sort();
  expect(members).toEqual([
    'beat',
    'claimActuationPort',
    'close',
    'constructor',
    'drain',
    'identity',
    'lossPercent',
    'sendService',
    'stats',
    'stopped',
    'takeDiscontinuity',
    'trouble',
    'vehicleSystemId',
  ]);
  expect(Object.keys(boundLink().link)).toEqual([]);
});
