// `npm start [-- options]`: sets up what is missing, then flies. Standard output belongs to the
// flight alone.
import path from 'node:path';
import { becomeChild } from './lib/become-child.mjs';
import { ROOT } from './lib/layout.mjs';
import { rosEnv } from './lib/ros-source.mjs';
import { ensure, failWith } from './lib/steps.mjs';

// What a flight needs; the test peers are not among it.
const STEPS = ['ros', 'npm', 'interfaces', 'rclnodejs', 'messages', 'build'];

try {
  const ros = await ensure(STEPS);
  const main = path.join(ROOT, 'dist', 'src', 'cli', 'main.js');
  await becomeChild(process.execPath, [main, 'fly', ...process.argv.slice(2)], rosEnv(ros));
} catch (error) {
  failWith(error);
}
