/**
 * What may leave for a Crazyflie without the gate: questions, and which values it is to report.
 * Enters: a packet. Leaves: whether it is such. Never: anything that changes what the vehicle
 * does. What is not listed here is actuation, whatever a later firmware makes of it.
 */
import { PORT, type CrtpPacket } from './packet.js';

/** First data byte of what is allowed, by port and channel; `any` where no content can do harm. */
const ALLOWED: Readonly<Partial<Record<number, readonly number[] | 'any'>>> = {
  // Echo and source. The sink and the null channel answer nothing: nobody needs them.
  [address(PORT.link, 0)]: 'any',
  [address(PORT.link, 1)]: 'any',
  // Protocol, firmware version, device name.
  [address(PORT.platform, 1)]: [0, 1, 2],
  // Tables: item, size and checksum.
  [address(PORT.log, 0)]: [2, 3],
  [address(PORT.param, 0)]: [2, 3],
  // Log blocks: delete, start, stop, reset, create, append, start with a period in ms.
  [address(PORT.log, 1)]: [2, 3, 4, 5, 6, 7, 8],
  // A parameter is read; writing one is another channel.
  [address(PORT.param, 1)]: 'any',
  // The supervisor's flags and its whole state.
  [address(PORT.supervisor, 0)]: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
};

function address(port: number, channel: number): number {
  return (port << 2) | channel;
}

export function isServicePacket({ port, channel, data }: CrtpPacket): boolean {
  const allowed = ALLOWED[address(port, channel)];
  if (allowed === undefined) return false;
  return allowed === 'any' || (data[0] !== undefined && allowed.includes(data[0]));
}
