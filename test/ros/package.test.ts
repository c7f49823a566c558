import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
/** What ros2 run and ros2 launch ask the ament index. */
const LOOK_UP = `
import os, sys
from pathlib import Path
from ament_index_python.packages import get_package_prefix, get_package_share_directory
name = sys.argv[1]
executable = os.path.join(get_package_prefix(name), "lib", name, name)
print(executable if os.access(executable, os.X_OK) else "not executable")
for file in sorted(Path(get_package_share_directory(name)).rglob(sys.argv[2])):
    print(file.relative_to(get_package_share_directory(name)))
`;

describe('the ament package halo_bridge, installed by plain CMake', { timeout: 60_000 }, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'halo-package-'));
  const prefix = path.join(folder, 'install');
  const env = {
    ...process.env,
    AMENT_PREFIX_PATH: `${prefix}:${process.env['AMENT_PREFIX_PATH'] ?? ''}`,
    ROS_DOMAIN_ID: String(102 + (process.pid % 79)),
  };
  const run = (command: string, ...args: string[]) =>
    spawnSync(command, args, { env, encoding: 'utf8', timeout: 60_000 });

  beforeAll(() => {
    const build = path.join(folder, 'build');
    const from = ['-S', path.join(ROOT, 'launch'), '-B', build];
    const configured = run('cmake', ...from, `-DCMAKE_INSTALL_PREFIX=${prefix}`);
    expect(configured.status, configured.stderr).toBe(0);
    const installed = run('cmake', '--install', build);
    expect(installed.status, installed.stderr).toBe(0);
  }, 60_000);

  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('is found in the index with its executable, and with its launch file beside its files', () => {
    const python = process.env['HALO_PYTHON'] ?? 'python3';
    const found = run(python, '-c', LOOK_UP, 'halo_bridge', '*.*');
    expect(found.stdout.split('\n'), found.stderr).toEqual(
      expect.arrayContaining([
        path.join(prefix, 'lib/halo_bridge/halo_bridge'),
        'catalog/multicopter.yaml',
        'launch/bridge.launch.py',
        'launch/sih.launch.py',
        'launch/params/bridge.yaml',
        'launch/params/evidence.yaml',
      ]),
    );
  });

  it('its executable is the bridge of this checkout, and passes arguments and exit code on', () => {
    const executable = path.join(prefix, 'lib/halo_bridge/halo_bridge');
    const bare = run(executable);
    expect(bare).toMatchObject({ status: 2 });
    expect(bare.stderr).toContain('HALO-701 No task contract is named.');
    const unfit = run(executable, '--ros-args', '-p', 'tick_hz:=5');
    expect(unfit).toMatchObject({ status: 2 });
    expect(unfit.stderr).toContain('HALO-708 Parameter tick_hz is 5; permitted is 10 to 200.');
  });
});
