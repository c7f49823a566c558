// Enters: the environment and the disk.
// Leaves: which ROS 2 is used, and the variables that a process needs for it.
// Never: changes anything; asks the network.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { HALO, PEERS_PREFIX, SetupError, WHEELS_PREFIX, WS_INSTALL } from './layout.mjs';
import { readOrEmpty, sizeAndTime, writeWhole } from './stamps.mjs';

const OPT_DISTROS = ['jazzy', 'kilted', 'lyrical', 'humble'];
const SOURCE_LIMIT_MS = 20_000;
const CACHE = path.join(HALO, 'ros-env.json');

const rclIn = (prefix) =>
  ['librcl.so', 'librcl.dylib'].map((name) => path.join(prefix, 'lib', name)).find(fs.existsSync);

const prefixesOf = (env) =>
  (env.AMENT_PREFIX_PATH ?? '').split(path.delimiter).filter((p) => p !== '' && p !== WS_INSTALL);

/**
 * Which ROS 2 is used: the sourced one, else the first in /opt/ros, else the private one.
 * @returns {{kind: 'sourced' | 'opt' | 'wheels', prefix: string, distro: string, id: string}}
 * `id` changes when another ROS 2, or another build of it, takes its place.
 */
export function findRos(env = process.env) {
  const sourced = env.ROS_DISTRO ? prefixesOf(env).find(rclIn) : undefined;
  // Started from inside our own environment (a test that starts the program): still the private
  // one.
  if (sourced !== undefined && sourced !== WHEELS_PREFIX) {
    return withId('sourced', sourced, env.ROS_DISTRO);
  }
  if (sourced === undefined) {
    for (const distro of OPT_DISTROS) {
      const prefix = `/opt/ros/${distro}`;
      if (rclIn(prefix) !== undefined && fs.existsSync(`${prefix}/setup.bash`)) {
        return withId('opt', prefix, distro);
      }
    }
  }
  // Rebuilt with another Python, it is another one.
  const python = readOrEmpty(path.join(WHEELS_PREFIX, 'pyvenv.cfg'));
  return { kind: 'wheels', prefix: WHEELS_PREFIX, distro: 'jazzy', id: `wheels ${python}` };
}

// Sourced by hand or by us, the same installation has the same id: nothing is built twice.
const withId = (kind, prefix, distro) => ({
  kind,
  prefix,
  distro,
  id: `${distro} ${prefix} ${sizeAndTime(rclIn(prefix))}`,
});

/** What sourcing setup.bash changes, remembered until that file changes. */
function sourcedVariables(ros) {
  const script = path.join(ros.prefix, 'setup.bash');
  const key = `${ros.id} ${sizeAndTime(script)}`;
  const cached = parseOr(readOrEmpty(CACHE), {});
  if (cached.key === key) return cached.variables;
  const plain = {};
  for (const name of ['HOME', 'PATH', 'USER', 'LANG']) {
    if (process.env[name] !== undefined) plain[name] = process.env[name];
  }
  const ran = spawnSync('bash', ['-c', `source "$0" >/dev/null && env -0`, script], {
    env: plain,
    encoding: 'utf8',
    timeout: SOURCE_LIMIT_MS,
  });
  if (ran.status !== 0) {
    throw new SetupError(
      `Sourcing ${script} failed: ${(ran.stderr ?? '').trim().split('\n').pop()}`,
      `Repair this ROS 2 installation, or source a working one first.`,
    );
  }
  const variables = {};
  for (const line of ran.stdout.split('\0')) {
    const at = line.indexOf('=');
    const name = line.slice(0, at);
    const value = line.slice(at + 1);
    if (at < 1 || plain[name] === value || ['_', 'PWD', 'SHLVL', 'OLDPWD'].includes(name)) continue;
    // Only what was put in front: the rest is the PATH of whoever happened to run this.
    variables[name] = name === 'PATH' ? value.replace(`:${plain.PATH}`, '') : value;
  }
  writeWhole(CACHE, JSON.stringify({ key, variables }));
  return variables;
}

function parseOr(text, otherwise) {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

const joined = (entries, before) => {
  const all = [...entries, ...(before ?? '').split(path.delimiter)].filter((entry) => entry !== '');
  return [...new Set(all)].join(path.delimiter);
};

/** The folders of Python packages in an environment of its own. */
export function sitePackages(prefix) {
  const lib = path.join(prefix, 'lib');
  if (!fs.existsSync(lib)) return [];
  return fs
    .readdirSync(lib)
    .filter((name) => /^python3\.\d+$/.test(name))
    .map((name) => path.join(lib, name, 'site-packages'));
}

/** The private environment's own variables. */
function wheelsVariables(env) {
  const libs = sitePackages(WHEELS_PREFIX).flatMap((dir) =>
    fs
      .readdirSync(dir)
      .filter((name) => name.startsWith('ros_') && name.endsWith('.libs'))
      .map((name) => path.join(dir, name)),
  );
  return {
    PATH: joined([path.join(WHEELS_PREFIX, 'bin')], env.PATH),
    LD_LIBRARY_PATH: joined([path.join(WHEELS_PREFIX, 'lib'), ...libs], env.LD_LIBRARY_PATH),
    AMENT_PREFIX_PATH: WHEELS_PREFIX,
    CMAKE_PREFIX_PATH: joined([WHEELS_PREFIX], env.CMAKE_PREFIX_PATH),
    ROS_DISTRO: 'jazzy',
    ROS_VERSION: '2',
    // The only middleware among the wheels.
    RMW_IMPLEMENTATION: 'rmw_fastrtps_cpp',
    // Else each Python start would replace its own process to set the library path that is set
    // here.
    _ROS_WHEELS_BOOTSTRAP_COMPLETE: '1',
    // A private ROS 2 has no robots on the network to find, and should not be found by them.
    ROS_AUTOMATIC_DISCOVERY_RANGE: env.ROS_AUTOMATIC_DISCOVERY_RANGE ?? 'LOCALHOST',
    HALO_PYTHON: path.join(WHEELS_PREFIX, 'bin', 'python'),
  };
}

function installedVariables(ros, env) {
  const peers = path.join(PEERS_PREFIX, 'bin', 'python');
  const python = { HALO_PYTHON: fs.existsSync(peers) ? peers : 'python3' };
  if (ros.kind === 'sourced') return python;
  const found = { ...sourcedVariables(ros) };
  for (const name of ['PATH', 'LD_LIBRARY_PATH', 'PYTHONPATH', 'CMAKE_PREFIX_PATH']) {
    if (found[name] !== undefined) found[name] = joined(found[name].split(':'), env[name]);
  }
  return { ...found, ...python };
}

/**
 * Variables of the ROS 2 itself, without this project's own interfaces: what these are built with.
 */
export function baseEnv(ros, env = process.env) {
  const changed = ros.kind === 'wheels' ? wheelsVariables(env) : installedVariables(ros, env);
  return { ...env, ...changed };
}

/**
 * The whole environment of a process that uses ROS 2 and halo_interfaces.
 * `HALO_PYTHON` names the Python that has rclpy, the generated interfaces and the test peers.
 */
export function rosEnv(ros = findRos(), env = process.env) {
  const base = baseEnv(ros, env);
  // Where Python's part goes differs: Debian's installed ROS 2 says local/lib and dist-packages.
  const pythonDirs = ['lib', 'local/lib'].flatMap((lib) => {
    const dir = path.join(WS_INSTALL, lib);
    if (!fs.existsSync(dir)) return [];
    return fs
      .readdirSync(dir)
      .filter((name) => name.startsWith('python3'))
      .flatMap((name) => ['site-packages', 'dist-packages'].map((end) => path.join(dir, name, end)))
      .filter(fs.existsSync);
  });
  return {
    ...base,
    AMENT_PREFIX_PATH: joined([WS_INSTALL], base.AMENT_PREFIX_PATH),
    LD_LIBRARY_PATH: joined([path.join(WS_INSTALL, 'lib')], base.LD_LIBRARY_PATH),
    PYTHONPATH: joined(pythonDirs, base.PYTHONPATH),
  };
}
