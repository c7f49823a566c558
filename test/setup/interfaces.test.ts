// The set-up's result, seen by two ROS 2 clients that know nothing of each other: rclnodejs
// answers, rclpy asks.
import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..', '..');
const peers = path.join(import.meta.dirname, 'peers');
const domain = String(20 + (process.pid % 80));
const started: ChildProcess[] = [];

/** Start a program in the ROS 2 environment that set-up made, on a graph of its own. */
function startInRos(...command: string[]): ChildProcess {
  const child = spawn(process.execPath, [path.join(root, 'setup', 'run.mjs'), ...command], {
    cwd: root,
    env: { ...process.env, ROS_DOMAIN_ID: domain, ROS_AUTOMATIC_DISCOVERY_RANGE: 'LOCALHOST' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  return child;
}

/** All output up to the end, or up to the first text that contains `sign`. */
function outputUntil(child: ChildProcess, sign?: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let out = '';
    let err = '';
    child.stderr?.on('data', (data: Buffer) => (err += data.toString()));
    child.stdout?.on('data', (data: Buffer) => {
      out += data.toString();
      if (sign !== undefined && out.includes(sign)) resolve(out);
    });
    child.on('close', (code) => {
      if (code === 0) resolve(out);
      else reject(new Error(`ended with ${String(code)}: ${err}`));
    });
  });
}

afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null) continue;
    const ended = new Promise((resolve) => child.on('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }
});

describe('halo_interfaces', () => {
  test('a service and an action served from Node answer a Python client in full', async () => {
    const server = startInRos(process.execPath, path.join(peers, 'answering-node.mjs'));
    await outputUntil(server, 'ready');
    const asked = startInRos('sh', '-c', `exec "$HALO_PYTHON" "${path.join(peers, 'ask.py')}"`);
    const answer: unknown = JSON.parse(await outputUntil(asked));
    expect(answer).toEqual({
      accepted: true,
      response_id: 'r-ü1',
      generation: 7,
      withheld_because: ['arm', 'fuel'],
      code: 'EVIDENCE_STALE',
      age_ms: 812.5,
      position_enu_m: [1.5, -2.5, 6],
      estimator_epoch: 3,
      outcome: 'completed',
      summary_json: '{"id": "r-2"}',
    });
  }, 40_000);
});
