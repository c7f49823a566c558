// Enters: an environment and arguments for vitest.
// Leaves: how many checks passed and failed: style, types, and each test.
// Never: counts a crash, a broken file or an empty suite as success.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { HALO, ROOT } from './layout.mjs';
import { killGroup } from './lock.mjs';
import { say } from './show.mjs';
import { readOrEmpty } from './stamps.mjs';

const REPORT = path.join(HALO, 'vitest.json');
const CHECK_LIMIT_S = 300;
// The suite is meant to end within 8 minutes on two cores; a slow machine gets three times that.
const TESTS_LIMIT_S = 1440;

const bin = (...parts) => path.join(ROOT, 'node_modules', ...parts);
const children = new Set();

/**
 * Run one checker; true when it ended with 0 in time. Its output is kept, and shown only on
 * failure.
 */
function run(args, { env, limitS, shown }) {
  const output = [];
  const stdio = ['ignore', ...(shown ? ['inherit', 'inherit'] : ['pipe', 'pipe'])];
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio, detached: true });
  children.add(child.pid);
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (data) => output.push(data));
  const timer = setTimeout(() => {
    console.log(`Stopped after ${limitS} s: ${args.join(' ')}`);
    killGroup(child.pid);
  }, limitS * 1000);
  return new Promise((resolve) => {
    child.on('close', (code) => {
      clearTimeout(timer);
      children.delete(child.pid);
      if (code !== 0) process.stdout.write(Buffer.concat(output));
      resolve(code === 0);
    });
  });
}

async function style(env) {
  const options = { env, limitS: CHECK_LIMIT_S, shown: false };
  const lint = await run([bin('eslint', 'bin', 'eslint.js'), '.'], options);
  const format = await run([bin('prettier', 'bin', 'prettier.cjs'), '--check', '.'], options);
  return lint && format;
}

const types = (env) =>
  run([bin('typescript', 'bin', 'tsc'), '-p', 'tsconfig.json', '--noEmit'], {
    env,
    limitS: CHECK_LIMIT_S,
    shown: false,
  });

/** How many tests passed and failed; a file that broke before its first test is one failure. */
function countTests(endedWell) {
  const report = JSON.parse(readOrEmpty(REPORT) || '{"testResults":[]}');
  const states = report.testResults.flatMap((file) => {
    const tests = file.assertionResults.map((test) => test.status);
    const broken = file.status === 'failed' && !tests.includes('failed');
    return broken ? [...tests, 'failed'] : tests;
  });
  const passed = states.filter((state) => state === 'passed').length;
  const failed = states.filter((state) => state === 'failed').length;
  // Nothing found, or a crash outside of any test: not a success, whatever the report says.
  const crashed = passed + failed === 0 || (!endedWell && failed === 0);
  return { passed, failed: failed + (crashed ? 1 : 0) };
}

async function tests(env, extra) {
  fs.rmSync(REPORT, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`];
  const args = [bin('vitest', 'vitest.mjs'), 'run', ...reporters, ...extra];
  return countTests(await run(args, { env, limitS: TESTS_LIMIT_S, shown: true }));
}

/** End every checker that runs. */
export function endChecks() {
  for (const pid of children) killGroup(pid);
}

/**
 * Run all checks, output to this process's own.
 * @param {NodeJS.ProcessEnv} env the ROS 2 environment
 * @param {string[]} extra arguments for vitest
 * @returns {Promise<{passed: number, failed: number}>}
 */
export async function runChecks(env, extra) {
  say('  .. style and types');
  const checks = await Promise.all([style(env), types(env)]);
  say(`  ${checks[0] ? 'ok' : '!!'} style\n  ${checks[1] ? 'ok' : '!!'} types`);
  const { passed, failed } = await tests(env, extra);
  const good = checks.filter((check) => check).length;
  return { passed: good + passed, failed: checks.length - good + failed };
}
