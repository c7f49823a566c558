/** Which CRTP packets may leave without the gate: all ports, channels and first bytes are tried. */
import { expect, it } from 'vitest';
import { isServicePacket } from '../../../src/link/index.js';

it('only questions and requests for reports pass; setpoints, commands and writes do not', () => {
  const passed = new Map<string, number>();
  for (let port = 0; port < 16; port += 1) {
    for (let channel = 0; channel < 4; channel += 1) {
      for (let first = 0; first < 256; first += 1) {
        if (!isServicePacket({ port, channel, data: Uint8Array.of(first) })) continue;
        const place = `${port}/${channel}`;
        passed.set(place, (passed.get(place) ?? 0) + 1);
      }
    }
  }
  expect(Object.fromEntries(passed)).toEqual({
    '2/0': 2,
    '2/1': 256,
    '5/0': 2,
    '5/1': 7,
    '9/0': 12,
    '13/1': 3,
    '15/0': 256,
    '15/1': 256,
  });
});
