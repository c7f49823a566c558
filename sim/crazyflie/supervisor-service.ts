/**
 * Arming, recovery and state as packets: port 9 since protocol 12, port 13 before and still.
 * Enters: their data. Leaves: the reply. Never: an answer where the firmware gives none.
 */
import { Buffer } from 'node:buffer';
import type { Supervisor } from './supervisor.js';

const REPLY = 0x80;
const COMMAND = { arm: 1, recover: 2, emergencyStop: 3, kick: 4 } as const;
const GET_STATE = 0x0c;

const flag = (on: boolean): number => (on ? 1 : 0);

/** Port 9. */
export function answerSupervisor(
  channel: number,
  data: Uint8Array,
  supervisor: Supervisor,
  bits: number,
  nowUs: number,
): Uint8Array | undefined {
  const command = data[0] ?? 0;
  if (channel === 0) {
    if (command === GET_STATE) return Uint8Array.of(command | REPLY, bits & 0xff, bits >> 8);
    if (command < 1 || command > GET_STATE) return undefined;
    return Uint8Array.of(command | REPLY, (bits >> (command - 1)) & 1);
  }
  if (channel !== 1) return undefined;
  if (command === COMMAND.emergencyStop) supervisor.lock(nowUs);
  if (command === COMMAND.kick) supervisor.kick(nowUs);
  const done = carryOut(command, data, supervisor, nowUs);
  return done === undefined ? undefined : Uint8Array.of(command | REPLY, ...done);
}

/** Port 13. */
export function answerPlatform(
  channel: number,
  data: Uint8Array,
  protocol: number,
  supervisor: Supervisor,
  nowUs: number,
): Uint8Array | undefined {
  const command = data[0] ?? 0;
  if (channel === 1) return version(command, protocol);
  if (channel !== 0) return undefined;
  const done = carryOut(command, data, supervisor, nowUs);
  return done === undefined ? undefined : Uint8Array.of(command, ...done);
}

function carryOut(
  command: number,
  data: Uint8Array,
  supervisor: Supervisor,
  nowUs: number,
): readonly [number, number] | undefined {
  if (command === COMMAND.arm) {
    const done = supervisor.arm(data[1] === 1, nowUs);
    return [flag(done), flag(supervisor.armed)];
  }
  if (command !== COMMAND.recover) return undefined;
  const recovered = supervisor.recover(nowUs);
  return [flag(recovered), flag(recovered)];
}

function version(command: number, protocol: number): Uint8Array | undefined {
  if (command === 0) return Uint8Array.of(0, protocol, 0, 0, 0);
  if (command === 1) return Uint8Array.of(1, ...Buffer.from('simulated', 'latin1'));
  if (command === 2) return Uint8Array.of(2, ...Buffer.from('CF2SIM', 'latin1'));
  return undefined;
}
