/**
 * Local UDP ports for the embedded vehicle. Enters: nothing. Leaves: ports that were free just now.
 * Never: PX4's own 14540 and 14580. A real PX4 sends to 14540 unasked: a bridge that listened
 * there would take that one for the embedded vehicle, and fly it. Two flights at once would both
 * find them free, too.
 */
import { createSocket } from 'node:dgram';

/** One that the system picks among thousands; it is not given out again soon. */
export function freeUdpPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    socket.once('error', reject);
    socket.bind(0, '127.0.0.1', () => {
      const { port } = socket.address();
      socket.close(() => resolve(port));
    });
  });
}
