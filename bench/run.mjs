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
/** What a suite needs beside the packages: Python peers, each in a venv of its own. */
const VENVS = { halo: ['mavsdk', 'mavsdk-grpc'], ledger: ['langgraph'] };
const REMEDY = 'Check that npm and PyPI are reachable, then run this again.';
const isPackage = (name) => name.startsWith('package');

async function bringPackages() {
  await once('bench-packages', 'packages that the benches measure against', isPackage, async () => {
    for (const name of ['package.json', 'package-lock.json']) {
      fs.copyFileSync(path.join(HERE, name), path.join(INTO, name));
    }
    const npm = ['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund'];
    await runTool('bench-packages', npm, { limitS: 600, remedy: REMEDY, cwd: INTO });
  });
}

/** Each suite brings its own peers only: what one of them needs compiled is no need of the others. */
async function bringPeers(suite) {
  const step = `bench-${suite}`;
  const isOurs = (name) => isPackage(name) || VENVS[suite].some((venv) => name === `${venv}.txt`);
  await once(step, `what the suite ${suite} measures against`, isOurs, async () => {
    if (suite === 'ledger') await buildSqlite(step);
    const { program } = requireWheelsPython();
    const options = { limitS: 600, remedy: REMEDY };
    for (const name of VENVS[suite]) {
      const venv = path.join(INTO, name);
      fs.rmSync(venv, { recursive: true, force: true });
      await runTool(step, [program, '-m', 'venv', venv], options);
      const pip = [path.join(venv, 'bin', 'python'), '-m', 'pip', 'install', '--no-deps'];
      await runTool(step, [...pip, '-r', path.join(HERE, `${name}.txt`)], options);
    }
  });
}

/** Runs a step unless it has been done for these very pins. */
async function once(step, says, isPin, work) {
  const digest = digestOf(['1', ROOT, ...contentsBelow(HERE, isPin)]);
  if (readStamp(step) === digest) return;
  const end = showStep(step, says);
  openLog(step);
  dropStamp(step);
  await work();
  writeStamp(step, digest);
  end('done');
}

/**
 * better-sqlite3 is compiled here: its ready-made binaries come from where a registry mirror has
 * none. Node's own headers are used where they lie beside node.
 */
async function buildSqlite(step) {
  const prefix = path.resolve(process.execPath, '..', '..');
  const headers = fs.existsSync(path.join(prefix, 'include', 'node', 'node.h'));
  const nodedir = headers ? [`--nodedir=${prefix}`] : [];
  const npm = ['npm', 'rebuild', 'better-sqlite3', '--build-from-source', ...nodedir];
  const remedy = 'A C++ compiler, make and Python are needed; see the log.';
  await runTool(step, npm, { limitS: 900, remedy, cwd: INTO });
}

async function compile() {
  openLog('bench');
  const tsc = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const options = { limitS: 300, remedy: 'Correct the errors that the log names.' };
  await runTool('bench', [process.execPath, tsc, '-p', path.join(HERE, 'tsconfig.json')], options);
}

const [suite = 'halo'] = process.argv.slice(2).filter((one) => one !== '--');
try {
  await ensure(['npm']);
  const release = stopCleanlyOnSignals();
  await takeLock();
  try {
    fs.mkdirSync(INTO, { recursive: true });
    await bringPackages();
    if (suite in VENVS) await bringPeers(suite);
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
