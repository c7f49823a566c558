import { expect, test } from 'vitest';
import { parseConnectionUrl } from '../../src/link/index.js';

test.each([
  ['udpin://0.0.0.0:14540', { bindHost: '0.0.0.0', bindPort: 14_540 }],
  ['udpin://127.0.0.1:14540', { bindHost: '127.0.0.1', bindPort: 14_540 }],
  ['udpin://:14540', { bindPort: 14_540 }],
  ['udp://:14540', { bindPort: 14_540 }],
  ['udpout://10.0.0.2:14580', { bindPort: 0, remoteHost: '10.0.0.2', remotePort: 14_580 }],
  ['udpout://px4-sim.local:1', { bindPort: 0, remoteHost: 'px4-sim.local', remotePort: 1 }],
  [
    'udp://:14540@localhost:14580',
    { bindPort: 14_540, remoteHost: 'localhost', remotePort: 14_580 },
  ],
  [
    'udp://127.0.0.1:14540@127.0.0.1:14557',
    { bindHost: '127.0.0.1', bindPort: 14_540, remoteHost: '127.0.0.1', remotePort: 14_557 },
  ],
])('%s is understood', (url, udp) => {
  expect(parseConnectionUrl(url)).toEqual({ ok: true, value: { kind: 'udp', udp } });
});

test.each([
  ['udpin:0.0.0.0:14540', { kind: 'udp', udp: { bindHost: '0.0.0.0', bindPort: 14_540 } }],
  ['tcpin://0.0.0.0:5760', { kind: 'tcp', tcp: { role: 'server', host: '0.0.0.0', port: 5760 } }],
  ['tcpin://:5760', { kind: 'tcp', tcp: { role: 'server', host: '127.0.0.1', port: 5760 } }],
  ['tcpout:sim:5760', { kind: 'tcp', tcp: { role: 'client', host: 'sim', port: 5760 } }],
  ['tcp://10.0.0.2:5760', { kind: 'tcp', tcp: { role: 'client', host: '10.0.0.2', port: 5760 } }],
  ['serial:/dev/ttyACM0:57600', { kind: 'serial', serial: { path: '/dev/ttyACM0', baud: 57_600 } }],
  [
    'serial:///dev/serial/by-id/usb-a_b-if00:921600',
    { kind: 'serial', serial: { path: '/dev/serial/by-id/usb-a_b-if00', baud: 921_600 } },
  ],
  ['radio://0/80/2M/E7E7E7E7E7', { kind: 'radio', uri: 'radio://0/80/2M/E7E7E7E7E7' }],
])('%s is understood, too', (url, value) => {
  expect(parseConnectionUrl(url)).toEqual({ ok: true, value });
});

test.each([
  '',
  'udpin',
  'udpin://',
  'udpin://0.0.0.0',
  'udpin://0.0.0.0:0',
  'udpin://0.0.0.0:65536',
  'udpin://0.0.0.0:1454o',
  'udpin://0.0.0.0:14540/',
  'udpin://0.0.0.0:14540 ',
  'udpin://::1:14540',
  'udpin://[::1]:14540',
  'udpin://-x:14540',
  'UDPIN://0.0.0.0:14540',
  'udpout://:14580',
  'udpout://0.0.0.0:14580',
  'udpout://255.255.255.255:14580',
  'udpout://239.1.1.1:14580',
  'udp://192.168.1.4:14540',
  'udp://:14540@',
  'udp://:14540@:14580',
  'udp://@127.0.0.1:14580',
  'udp://:0@127.0.0.1:14580',
  'udp://:14540@127.0.0.1:14580?ids=1',
  'udpin://:14540@127.0.0.1:14580',
  'udp:127.0.0.1:14540',
  'tcpin://127.0.0.1',
  'tcpin://127.0.0.1:0',
  'tcpin://-x:5760',
  'tcpout://:5760',
  'tcpout://0.0.0.0:5760',
  'tcpout://a@b:5760',
  'serial:/dev/ttyACM0',
  'serial:ttyACM0:57600',
  'serial:/dev/ttyACM0:0',
  'serial:/dev/ttyACM0:9999999',
  'serial:/dev/ttyACM0:57600?ids=1',
  'radio://',
  `udpin://${'a'.repeat(300)}:14540`,
])('"%s" is refused with the forms that are understood', (url) => {
  const result = parseConnectionUrl(url);
  expect(result.ok).toBe(false);
  if (result.ok) return;
  expect(result.error.code).toBe('HALO-502');
  expect(result.error.remedy).toContain('udpin://');
  expect(result.error.message.length).toBeLessThan(400);
});
