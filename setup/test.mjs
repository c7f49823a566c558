// `npm test [-- vitest arguments]`: sets up what is missing, then style, types and tests. The last
// line is "N passed, N failed".
// Never: ends with 0 when something failed, crashed, or no test was found.
import { endChecks, runChecks } from './lib/checks.mjs';
import { rosEnv } from './lib/ros-source.mjs';
import { ensure, failWith } from './lib/steps.mjs';

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
]) {
  process.on(signal, () => {
    endChecks();
    process.exit(code);
  });
}

try {
  const { passed, failed } = await runChecks(rosEnv(await ensure()), process.argv.slice(2));
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
} catch (error) {
  console.log('0 passed, 1 failed');
  failWith(error);
}
