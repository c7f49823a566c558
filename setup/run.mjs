// `node setup/run.mjs <command> [arguments]`: runs one command in the ROS 2 environment.
// Never: sets anything up; run `npm run setup` before.
import { becomeChild } from './lib/become-child.mjs';
import { rosEnv } from './lib/ros-source.mjs';

const [command, ...args] = process.argv.slice(2);
if (command === undefined) {
  console.error('Usage: node setup/run.mjs <command> [arguments]');
  process.exit(2);
}
await becomeChild(command, args, rosEnv());
