/**
 * What may leave without the gate: messages that ask or tell, and change nothing in the vehicle
 * but what it reports. Enters: the id and the payload bytes that would be sent. Leaves: yes or
 * no. Never: a judgement by anything but those bytes.
 */
import { decodePayload } from './codec.js';

/** HEARTBEAT, PING, PARAM_REQUEST_READ, PARAM_REQUEST_LIST, TIMESYNC, STATUSTEXT. */
const MESSAGES: ReadonlySet<number> = new Set([0, 4, 20, 21, 111, 253]);
const COMMAND_LONG = 76;
/** MAV_CMD_RUN_PREARM_CHECKS, MAV_CMD_SET_MESSAGE_INTERVAL, MAV_CMD_REQUEST_MESSAGE. */
const COMMANDS: ReadonlySet<unknown> = new Set([401, 511, 512]);

/** True for the read-only messages; everything else is actuation and needs the gate. */
export function isServiceMessage(id: number, payload: Uint8Array): boolean {
  if (MESSAGES.has(id)) return true;
  return id === COMMAND_LONG && COMMANDS.has(decodePayload(id, payload)?.fields.command);
}
