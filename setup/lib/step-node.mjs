// Enters: lockfile, interface definitions, sources.
// Leaves: node_modules, halo_interfaces, the ROS addon with its messages, dist/.
// Never: trusts a tool's exit code alone where that tool is known to fail with 0.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EXIT, HALO, RCLNODEJS, ROOT, SetupError, WS_INSTALL } from './layout.mjs';
import { requireBuildTools, requireRosPython, which } from './machine.mjs';
import { baseEnv, rosEnv } from './ros-source.mjs';
import { contentsBelow, digestOf, filesBelow, readOrEmpty, sizeAndTime } from './stamps.mjs';
import { runTool } from './tool.mjs';

const LOCKFILE = path.join(ROOT, 'package-lock.json');
const INSTALLED = path.join(ROOT, 'node_modules', '.package-lock.json');
const INTERFACES = path.join(ROOT, 'interfaces', 'halo_interfaces');
const WS_BUILD = path.join(HALO, 'ws', 'build');
const WS_STAGE = path.join(HALO, 'ws', 'stage');
const GENERATED = path.join(RCLNODEJS, 'generated');
// Retried: a killed tool's last writes may still be landing.
const REMOVE = { recursive: true, force: true, maxRetries: 5, retryDelay: 200 };
const SEE_LOG = 'See the log; after curing it, run this again: finished steps are kept.';

/** Packages that the lockfile names but the tree lacks, or has in another version. */
function packagesAmiss() {
  const want = JSON.parse(fs.readFileSync(LOCKFILE, 'utf8')).packages;
  const have = JSON.parse(readOrEmpty(INSTALLED) || '{"packages":{}}').packages;
  return Object.entries(want).filter(([where, entry]) => {
    if (where === '') return false;
    const found = have[where];
    if (found !== undefined) return found.version !== entry.version;
    // npm leaves out what is for other platforms; all but the ROS client is optional only for that.
    return entry.optional !== true || where === 'node_modules/rclnodejs';
  });
}

export const npmStep = {
  name: 'npm',
  what: () => 'Node packages, as the lockfile pins them',
  needed: () => true,
  digest: () => digestOf(['1', readOrEmpty(LOCKFILE)]),
  // npm writes its own record last, so a tree that matches it is whole, whoever installed it.
  present: () => packagesAmiss().length === 0,
  adopts: true,
  check: () => {},
  async run() {
    // Whatever NODE_ENV or the user's own npm set-up would leave out, the build needs.
    const whole = ['--include=dev', '--include=optional', '--include=peer', '--loglevel=notice'];
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', ...whole];
    await runTool('npm', ['npm', 'ci', ...flags], {
      limitS: 1200,
      remedy: 'Check that the npm registry is reachable ("npm ping"), then run this again.',
    });
  },
};

export const interfacesStep = {
  name: 'interfaces',
  what: () => 'ROS 2 interface package halo_interfaces',
  needed: () => true,
  digest: (ros, before) =>
    digestOf(['1', ROOT, ros.id, before.ros ?? '', ...contentsBelow(INTERFACES)]),
  present: () => fs.existsSync(path.join(WS_INSTALL, 'share', 'halo_interfaces', 'package.xml')),
  check: (ros) => {
    requireBuildTools();
    if (ros.kind !== 'wheels') requireRosPython(baseEnv(ros));
  },
  async run(ros) {
    const env = baseEnv(ros);
    // Afresh: what a killed build or another ROS 2 left behind must not be mixed in.
    for (const dir of [WS_BUILD, WS_STAGE]) fs.rmSync(dir, REMOVE);
    const generator = which('ninja') === undefined ? [] : ['-G', 'Ninja'];
    const python = ros.kind === 'wheels' ? [`-DPython3_EXECUTABLE=${env.HALO_PYTHON}`] : [];
    const options = { env, limitS: 1200, remedy: SEE_LOG };
    const configure = ['-S', INTERFACES, '-B', WS_BUILD, ...generator, ...python];
    const flags = ['-DBUILD_TESTING=OFF', '-DHALO_WITHOUT_CPP=ON'];
    const prefix = `-DCMAKE_INSTALL_PREFIX=${WS_INSTALL}`;
    await runTool('interfaces', ['cmake', ...configure, ...flags, prefix], options);
    const jobs = String(os.availableParallelism());
    await runTool('interfaces', ['cmake', '--build', WS_BUILD, '--parallel', jobs], options);
    // Aside first, then into place at once: programs that use the old ones go on meanwhile.
    const staged = { ...options, env: { ...env, DESTDIR: WS_STAGE } };
    await runTool('interfaces', ['cmake', '--install', WS_BUILD], staged);
    fs.rmSync(WS_INSTALL, REMOVE);
    fs.renameSync(path.join(WS_STAGE, WS_INSTALL), WS_INSTALL);
    fs.rmSync(WS_STAGE, REMOVE);
  },
};

/** Node's headers where they lie beside it: else node-gyp would download them. */
function nodeDir(env) {
  if (env.npm_config_nodedir !== undefined) return {};
  const prefix = path.resolve(path.dirname(fs.realpathSync(process.execPath)), '..');
  const header = path.join(prefix, 'include', 'node', 'node.h');
  return fs.existsSync(header) ? { npm_config_nodedir: prefix } : {};
}

const addon = path.join(RCLNODEJS, 'build', 'Release', 'rclnodejs.node');

export const addonStep = {
  name: 'rclnodejs',
  what: () => 'ROS 2 client for Node, compiled once',
  needed: () => true,
  digest: (ros, before) =>
    digestOf([
      '1',
      ROOT,
      ros.id,
      before.ros ?? '',
      process.versions.modules,
      JSON.parse(readOrEmpty(path.join(RCLNODEJS, 'package.json')) || '{}').version ?? '',
    ]),
  present: () => fs.existsSync(addon),
  check: requireBuildTools,
  async run(ros) {
    const env = { ...baseEnv(ros), npm_config_yes: 'true' };
    Object.assign(env, nodeDir(env));
    const options = { cwd: RCLNODEJS, env, limitS: 1800, remedy: SEE_LOG };
    fs.rmSync(path.join(RCLNODEJS, 'build'), REMOVE);
    // Its own prebuilt binary where one fits (Ubuntu with an installed ROS 2), else compile.
    const prebuilt = 'process.exit(require("./scripts/install.cjs").checkPrebuiltBinary() ? 0 : 1)';
    try {
      if (ros.kind === 'wheels') throw new SetupError('compiled against the wheels', '');
      await runTool('rclnodejs', [process.execPath, '-e', prebuilt], options);
    } catch {
      // Through npm, which brings node-gyp along. One job a core: its own script asks for sixteen.
      const jobs = `JOBS=${os.availableParallelism()}`;
      const gyp = `${jobs} node-gyp rebuild`;
      await runTool('rclnodejs', ['npm', 'explore', 'rclnodejs', '--', gyp], {
        ...options,
        cwd: ROOT,
      });
    }
    fs.rmSync(GENERATED, REMOVE);
  },
};

export const messagesStep = {
  name: 'messages',
  what: () => 'JavaScript messages of the ROS 2 packages in use',
  needed: () => true,
  digest: (ros, before) =>
    digestOf([
      '1',
      before.rclnodejs,
      before.interfaces,
      readOrEmpty(path.join(ROOT, 'setup', 'lib', 'generate-messages.mjs')),
    ]),
  present: () => fs.existsSync(path.join(GENERATED, 'halo_interfaces')),
  check: () => {},
  async run(ros) {
    const script = path.join(ROOT, 'setup', 'lib', 'generate-messages.mjs');
    const env = rosEnv(ros);
    await runTool('messages', [process.execPath, script], { env, limitS: 300, remedy: SEE_LOG });
    for (const name of ['std_msgs', 'sensor_msgs', 'halo_interfaces']) {
      if (fs.existsSync(path.join(GENERATED, name))) continue;
      throw new SetupError(`No JavaScript messages came out for ${name}.`, SEE_LOG, EXIT.failed);
    }
    // Whether Node can load it all is worth knowing here, not in flight.
    const load = `
      const { default: ros } = await import('rclnodejs');
      await ros.init();
      ros.createNode('setup_check');
      ros.shutdown();
      process.exit(0);`;
    await runTool('messages', [process.execPath, '--input-type=module', '-e', load], {
      env,
      limitS: 60,
      remedy: SEE_LOG,
    });
  },
};

const isTypeScript = (name) => name.endsWith('.ts');
const DIST = path.join(ROOT, 'dist');
const MAIN = path.join('src', 'cli', 'main.js');
const DIST_STAGE = path.join(HALO, 'dist-stage');
const DIST_OLD = path.join(HALO, 'dist-old');

/** Compiled modules whose source is gone: they must not stay importable. */
const strays = () =>
  ['src', 'sim']
    .flatMap((dir) => filesBelow(path.join(DIST, dir), (name) => name.endsWith('.js')))
    .map((file) => path.join(ROOT, path.relative(DIST, file)).replace(/\.js$/, '.ts'))
    .filter((source) => !fs.existsSync(source));

export const buildStep = {
  name: 'build',
  what: () => 'TypeScript to dist/',
  needed: () => true,
  // Size and time, not contents: this is asked at each start.
  digest: (ros, before) =>
    digestOf([
      '1',
      before.npm,
      ...['tsconfig.json', 'tsconfig.build.json'].map((name) => readOrEmpty(path.join(ROOT, name))),
      ...['src', 'sim']
        .flatMap((dir) => filesBelow(path.join(ROOT, dir), isTypeScript))
        .flatMap((file) => [file, sizeAndTime(file)]),
    ]),
  present: () => fs.existsSync(path.join(DIST, MAIN)) && strays().length === 0,
  check: () => {},
  async run() {
    const tsc = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    fs.rmSync(DIST_STAGE, REMOVE);
    const flags = ['-p', 'tsconfig.build.json', '--outDir', DIST_STAGE];
    await runTool('build', [process.execPath, tsc, ...flags], {
      limitS: 300,
      remedy: 'Correct the errors that the log names.',
    });
    if (!fs.existsSync(path.join(DIST_STAGE, MAIN))) {
      throw new SetupError(`The compiler left no ${MAIN}.`, SEE_LOG, EXIT.failed);
    }
    // Whole or not at all: a build that fails or is interrupted leaves the last one as it was.
    fs.rmSync(DIST_OLD, REMOVE);
    if (fs.existsSync(DIST)) fs.renameSync(DIST, DIST_OLD);
    fs.renameSync(DIST_STAGE, DIST);
    fs.rmSync(DIST_OLD, REMOVE);
  },
};
