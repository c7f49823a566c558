// `npm test [-- vitest arguments]`: sets up what is missing, then style, types and tests. The last
// line is "N passed, N failed".
// Never: ends with 0 when something failed, crashed, or no test was found.
import { onNpmGone } from './lib/become-child.mjs';
import { endChecks, runChecks } from './lib/checks.mjs';
import { rosEnv } from './lib/ros-source.mjs';
import { ensure, failWith } from './lib/steps.mjs';

function stop(code) {
  endChecks();
  process.exit(code);
}
process.on('SIGINT', () => stop(130));
process.on('SIGTERM', () => stop(143));
onNpmGone(() => stop(143));

try {
  const { passed, failed } = await runChecks(rosEnv(await ensure()), process.argv.slice(2));
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  console.log('0 passed, 1 failed');
  failWith(error);
}
