// `npm test [-- vitest arguments]`: sets up what is missing, then style, types and tests. The last line is "N passed, N failed".
// Never: ends with 0 when something failed, crashed, or no test was found.
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { HALO, ROOT } from './lib/layout.mjs';
import { killGroup } from './lib/lock.mjs';
import { rosEnv } from './lib/ros-source.mjs';
import { say } from './lib/show.mjs';
import { ensure, failWith } from './lib/steps.mjs';
import { readOrEmpty } from './lib/stamps.mjs';

const REPORT = path.join(HALO, 'vitest.json');
const CHECK_LIMIT_S = 300;
// The suite is meant to end within 8 minutes on two cores; a slow machine gets three times that.
const TESTS_LIMIT_S = 1440;

const bin = (...parts) => path.join(ROOT, 'node_modules', ...parts);
const children = new Set();

/** Run one checker; true when it ended with 0 in time. Its output is kept, and shown only on failure. */
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

async function tests(env) {
  fs.rmSync(REPORT, { force: true });
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${REPORT}`];
  const args = [bin('vitest', 'vitest.mjs'), 'run', ...reporters, ...process.argv.slice(2)];
  return countTests(await run(args, { env, limitS: TESTS_LIMIT_S, shown: true }));
}

async function main() {
  const ros = await ensure();
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ]) {
    process.on(signal, () => {
      for (const pid of children) killGroup(pid);
      process.exit(code);
    });
  }
  const env = rosEnv(ros);
  say('  .. style and types');
  const checks = await Promise.all([style(env), types(env)]);
  say(`  ${checks[0] ? 'ok' : '!!'} style\n  ${checks[1] ? 'ok' : '!!'} types`);
  const { passed, failed } = await tests(env);
  const good = checks.filter((check) => check).length;
  const bad = checks.length - good + failed;
  console.log(`${good + passed} passed, ${bad} failed`);
  process.exitCode = bad === 0 ? 0 : 1;
}

main().catch((error) => {
  console.log('0 passed, 1 failed');
  failWith(error);
});
