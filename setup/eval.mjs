// `npm run eval [-- arguments]`: sets up what is missing, compiles the evaluation, runs it. Standard
// output belongs to the evaluation alone.
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { becomeChild } from './lib/become-child.mjs';
import { EXIT, HALO, ROOT, SetupError } from './lib/layout.mjs';
import { rosEnv } from './lib/ros-source.mjs';
import { ensure, failWith } from './lib/steps.mjs';

function compile() {
  const tsc = path.join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const stdio = ['ignore', process.stderr, 'inherit'];
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'eval/tsconfig.json'], {
    cwd: ROOT,
    stdio,
  });
  if (status === 0) return;
  throw new SetupError('The evaluation does not compile.', 'See above.', EXIT.failed);
}

try {
  const ros = await ensure();
  compile();
  const main = path.join(HALO, 'eval', 'eval', 'main.js');
  await becomeChild(process.execPath, [main, ...process.argv.slice(2)], rosEnv(ros));
} catch (error) {
  failWith(error);
}
