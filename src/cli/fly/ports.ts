/**
 * Local UDP ports for the simulated vehicle. Enters: wishes. Leaves: ports that were free just now.
 * Never: a port that another program holds.
 */
import { createSocket } from 'node:dgram';

/** The wish when it is free, else any free one. */
export async function freeUdpPort(wish: number): Promise<number> {
  return (await tryPort(wish)) ?? (await tryPort(0)) ?? wish;
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => {
      socket.close();
      resolve(undefined);
    });
    socket.bind(port, '127.0.0.1', () => {
      const bound = socket.address().port;
      socket.close(() => resolve(bound));
    });
  });
}
