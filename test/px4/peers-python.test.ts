/** Which Python the tests' peers run on: the one that the environment names. */
import { afterEach, expect, it, vi } from 'vitest';
import { peersPython, startPeer } from './sim-process.js';

afterEach(() => {
  vi.unstubAllEnvs();
});

it('the Python that HALO_PYTHON names runs the peers, wherever it lies', async () => {
  vi.stubEnv('HALO_PYTHON', '/bin/echo');
  const peer = startPeer('pymavlink_pilot.py', ['arm']);
  await peer.exited;
  expect(String(peer.lines[0]?.['text'])).toMatch(/pymavlink_pilot\.py arm$/);
});

it('a name on PATH is as good as a path', () => {
  vi.stubEnv('HALO_PYTHON', 'python3');
  expect(peersPython()).toBe('python3');
});
