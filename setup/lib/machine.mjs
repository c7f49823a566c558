// Enters: PATH.
// Leaves: the tools that set-up needs, each by name, or what installs the missing one.
// Never: installs anything, asks for more rights.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { SetupError } from './layout.mjs';

const NODE_FLOOR = [20, 20];
const PYTHON_FLOOR = [3, 10];
const PYTHON_CEILING = [3, 13];
const PROBE_LIMIT_MS = 8_000;

// One row a need: what each package manager calls the package that meets it.
const PACKAGES = {
  python: { apt: 'python3', dnf: 'python3', pacman: 'python', brew: 'python@3.12' },
  venv: { apt: 'python3-venv', dnf: 'python3', pacman: 'python', brew: 'python@3.12' },
  headers: { apt: 'python3-dev', dnf: 'python3-devel', pacman: 'python', brew: 'python@3.12' },
  compiler: { apt: 'g++', dnf: 'gcc-c++', pacman: 'gcc', brew: 'gcc' },
  cmake: { apt: 'cmake', dnf: 'cmake', pacman: 'cmake', brew: 'cmake' },
  make: { apt: 'make', dnf: 'make', pacman: 'make', brew: 'make' },
};
const INSTALL = {
  apt: ['apt-get', 'sudo apt-get install -y'],
  dnf: ['dnf', 'sudo dnf install -y'],
  pacman: ['pacman', 'sudo pacman -S --needed'],
  brew: ['brew', 'brew install'],
};

/** Full paths of all programs of that name on PATH, in its order. */
function whichAll(program) {
  const candidates = (process.env.PATH ?? '')
    .split(path.delimiter)
    .map((dir) => path.join(dir, program));
  return candidates.filter((candidate) => {
    try {
      fs.accessSync(candidate, fs.constants.X_OK);
      return fs.statSync(candidate).isFile();
    } catch {
      return false;
    }
  });
}

/** Full path of a program on PATH, or undefined. */
export const which = (program) => whichAll(program)[0];

/** The command that installs these needs on this machine. */
export function installCommand(needs) {
  const manager = Object.keys(INSTALL).find((name) => which(INSTALL[name][0]) !== undefined);
  const names = (name) => [...new Set(needs.map((need) => PACKAGES[need][name]))].join(' ');
  if (manager !== undefined) return `${INSTALL[manager][1]} ${names(manager)}`;
  return `install with your package manager what Debian calls: ${names('apt')}`;
}

const below = (version, floor) =>
  version[0] < floor[0] || (version[0] === floor[0] && version[1] < floor[1]);

/** make and the path lists of ROS 2 know no way to write a blank or a colon inside a path. */
export function requirePlainPath(root) {
  if (!/[\s:]/.test(root)) return;
  throw new SetupError(
    `The path "${root}" holds a blank or a colon, which the compilers' tools cannot take.`,
    'Move the project to a path without them, and run this again.',
  );
}

export function requireNode() {
  const version = process.versions.node.split('.').map(Number);
  if (!below(version, NODE_FLOOR)) return;
  throw new SetupError(
    `Node ${process.versions.node} is too old; ${NODE_FLOOR.join('.')} or newer is needed.`,
    'Install a newer one from https://nodejs.org, or with "nvm install 20".',
  );
}

const PROBE = `
import importlib.util as u, json, os, sys, sysconfig
print(json.dumps({
  "version": list(sys.version_info[:3]),
  "venv": bool(u.find_spec("venv") and u.find_spec("ensurepip")),
  "headers": os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")),
  "rclpy": u.find_spec("rclpy") is not None}))`;

function probePython(program, env) {
  const ran = spawnSync(program, ['-c', PROBE], { env, encoding: 'utf8', timeout: PROBE_LIMIT_MS });
  try {
    return { program, ...JSON.parse(ran.stdout) };
  } catch {
    return undefined;
  }
}

const supported = (found) =>
  !below(found.version, PYTHON_FLOOR) && !below(PYTHON_CEILING, found.version);

/**
 * A Python that can hold the wheels: 3.10 to 3.13, with venv and its C headers.
 * @returns {{program: string, version: number[]}}
 */
export function requireWheelsPython() {
  // All of them: the first may be a version manager's stand-in that leads nowhere.
  const names = ['python3', 'python3.13', 'python3.12', 'python3.11', 'python3.10'];
  const found = names
    .flatMap(whichAll)
    .map((program) => probePython(program))
    .filter((probe) => probe !== undefined);
  const usable = found.filter(supported);
  const whole = usable.find((probe) => probe.venv && probe.headers);
  if (whole !== undefined) return whole;
  const nearest = usable[0];
  if (nearest !== undefined) {
    const needs = [...(nearest.venv ? [] : ['venv']), ...(nearest.headers ? [] : ['headers'])];
    const lacks = needs.map((need) => (need === 'venv' ? 'the venv module' : 'its C headers'));
    throw new SetupError(
      `Python ${nearest.version.join('.')} (${nearest.program}) lacks ${lacks.join(' and ')}.`,
      installCommand(needs),
    );
  }
  const seen = found.map((probe) => `${probe.version.join('.')} (${probe.program})`).join(', ');
  throw new SetupError(
    seen === ''
      ? 'Python 3 is missing; 3.10 to 3.13 is needed.'
      : `Python 3.10 to 3.13 is needed; found only ${seen}.`,
    installCommand(['python', 'venv', 'headers']),
  );
}

/**
 * The Python of an installed ROS 2: all of its tools call `python3`, so it must be the first on
 * PATH.
 */
export function requireRosPython(env) {
  const [first] = whichAll('python3');
  if (first === undefined) throw new SetupError('Python 3 is missing.', installCommand(['python']));
  const found = probePython(first, env);
  if (found?.rclpy === true) return found;
  throw new SetupError(
    `The first python3 on PATH (${first}) cannot import rclpy of ROS 2 ${env.ROS_DISTRO}.`,
    'Switch off what changes python3 (pyenv, conda, a virtual environment), and run this again.',
  );
}

/** All build tools that compiling needs; the missing ones are named together. */
export function requireBuildTools() {
  const needs = [];
  const compiler = process.env.CXX ?? ['c++', 'g++', 'clang++'].find((name) => which(name));
  if (compiler === undefined) needs.push('compiler');
  if (which('cmake') === undefined) needs.push('cmake');
  // node-gyp writes makefiles, whatever CMake would be content with.
  if (which('make') === undefined) needs.push('make');
  if (needs.length > 0) {
    const words = { compiler: 'a C++ compiler', cmake: 'CMake', make: 'make' };
    const missing = needs.map((need) => words[need]).join(', ');
    throw new SetupError(`Missing on this machine: ${missing}.`, installCommand(needs));
  }
  if (which('npm') === undefined) {
    throw new SetupError(
      'npm is missing.',
      'Install it together with Node from https://nodejs.org.',
    );
  }
}
