// `node setup/ros-env.mjs --print`: the ROS 2 environment as lines for a shell: eval "$(node
// setup/ros-env.mjs --print)"
// Never: sets anything up; run `npm run setup` before.
import { rosEnv } from './lib/ros-source.mjs';

const quoted = (value) => `'${value.replaceAll("'", `'\\''`)}'`;
for (const [name, value] of Object.entries(rosEnv())) {
  if (process.env[name] !== value) console.log(`export ${name}=${quoted(value)}`);
}
