import { spawn } from 'node:child_process';
import path from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { freePort, SIM_MAIN, Started } from '../px4/sim-process.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const RUN = path.join(ROOT, 'setup/run.mjs');
/** A ROS domain of its own, so that no other test on this machine is heard. */
const DOMAIN = String(40 + (process.pid % 60));

const running: Started[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((process) => process.end()));
});

function inRos(...command: string[]): Started {
  const env = { ...process.env, ROS_DOMAIN_ID: DOMAIN };
  const started = new Started(
    spawn(process.execPath, [RUN, ...command], { cwd: ROOT, env, stdio: 'pipe' }),
  );
  running.push(started);
  return started;
}

it('rclpy hears the range to the tower at 10 Hz and the clearance at 2 Hz', async () => {
  const [local, remote] = [await freePort(), await freePort()];
  const ports = ['--port-base', String(local), '--remote-base', String(remote)];
  // Ten metres north, where the vehicle looks at start; its near wall is 8 m away.
  const tower = ['--tower', '0,10,4,4,20'];
  const sim = inRos(process.execPath, SIM_MAIN, ...ports, ...tower, '--range-ros', '--json');
  await sim.line((line) => line['event'] === 'range', 20_000);
  const python = '"$HALO_PYTHON" ' + path.join(import.meta.dirname, 'range_listener.py');
  const listener = inRos('sh', '-c', python);
  expect(await listener.exited, listener.errors).toBe(0);
  const heard = listener.lines.find((line) => 'count' in line);
  const ranges = [heard?.['ranges']].flat().map(Number);
  expect(ranges.length).toBeGreaterThan(24);
  expect(ranges.length).toBeLessThan(36);
  for (const range of ranges) expect(Math.abs(range - 8)).toBeLessThan(0.15);
  expect(heard?.['frames']).toEqual(['base_link']);
  expect(heard?.['max']).toBe(30);
  const clear = [heard?.['clear']].flat();
  expect(clear.length).toBeGreaterThan(3);
  expect(new Set(clear)).toEqual(new Set([true]));
  expect(await sim.end()).toBe(0);
}, 60_000);
