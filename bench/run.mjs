// `npm run bench -- <suite> [--json]`: sets up what is missing, brings the peers that the benches
// measure against into .halo/bench, compiles the benches there, and runs them.
// Never: puts a peer among the packages that users install.
import fs from 'node:fs';
import path from 'node:path';
import { becomeChild } from '../setup/lib/become-child.mjs';
import { HALO, ROOT } from '../setup/lib/layout.mjs';
import { dropLock, takeLock } from '../setup/lib/lock.mjs';
import { requireWheelsPython } from '../setup/lib/machine.mjs';
import { showStep } from '../setup/lib/show.mjs';
import { contentsBelow, digestOf, dropStamp, readStamp, writeStamp } from '../setup/lib/stamps.mjs';
import { ensure, failWith } from '../setup/lib/steps.mjs';
import { openLog, runTool, stopCleanlyOnSignals } from '../setup/lib/tool.mjs';

const HERE = path.join(ROOT, 'bench');
const INTO = path.join(HALO, 'bench');
const VENVS = ['mavsdk', 'mavsdk-grpc', 'langgraph'];
const REMEDY = 'Check that npm and PyPI are reachable, then run this again.';
const isPin = (name) => name.endsWith('.txt') || name.startsWith('package');

async function bringPeers() {
  const digest = digestOf(['1', ROOT, ...contentsBelow(HERE, isPin)]);
  if (readStamp('bench-peers') === digest) return;
  const end = showStep('bench-peers', 'what the benches measure against');
  openLog('bench-peers');
  dropStamp('bench-peers');
  for (const name of ['package.json', 'package-lock.json']) {
    fs.copyFileSync(path.join(HERE, name), path.join(INTO, name));
  }
  const options = { limitS: 600, remedy: REMEDY };
  const npm = ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'];
  await runTool('bench-peers', npm, { ...options, cwd: INTO });
  await buildSqlite();
  const { program } = requireWheelsPython();
  for (const name of VENVS) {
    const venv = path.join(INTO, name);
    fs.rmSync(venv, { recursive: true, force: true });
    await runTool('bench-peers', [program, '-m', 'venv', venv], options);
    const pip = [path.join(venv, 'bin', 'python'), '-m', 'pip', 'install', '--no-deps'];
    await runTool('bench-peers', [...pip, '-r', path.join(HERE, `${name}.txt`)], options);
  }
  writeStamp('bench-peers', digest);
  end('done');
}

/**
 * better-sqlite3 is compiled here: its ready-made binaries come from where a registry mirror has
 * none. Node's own headers are used where they lie beside node.
 */
async function buildSqlite() {
  const prefix = path.resolve(process.execPath, '..', '..');
  const headers = fs.existsSync(path.join(prefix, 'include', 'node', 'node.h'));
  const nodedir = headers ? [`--nodedir=${prefix}`] : [];
  const npm = ['npm', 'rebuild', 'better-sqlite3', '--build-from-source', ...nodedir];
  const remedy = 'A C++ compiler, make and Python are needed; see the log.';
  await runTool('bench-peers', npm, { limitS: 900, remedy, cwd: INTO });
}

async function compile() {
  openLog('bench');
  const tsc = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = { limitS: 300, remedy: 'Correct the errors that the log names.' };
  await runTool('bench', [process.execPath, tsc, '-p', path.join(HERE, 'tsconfig.json')], options);
}

try {
  await ensure(['npm']);
  const release = stopCleanlyOnSignals();
  await takeLock();
  try {
    fs.mkdirSync(INTO, { recursive: true });
    await bringPeers();
    await compile();
  } finally {
    dropLock();
    release();
  }
  const main = path.join(INTO, 'js', 'bench', 'main.js');
  await becomeChild(process.execPath, [main, ...process.argv.slice(2)], process.env);
} catch (error) {
  failWith(error);
}
